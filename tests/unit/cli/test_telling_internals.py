"""Hands told street by street."""

from __future__ import annotations

import pytest

from dupai.base import Rng
from dupai.cli._common import console
from dupai.cli._telling import print_hand
from dupai.rules import Action, GameSpec, HandState


@pytest.mark.parametrize("stacks", [(500, 30), (30, 500)])
def test_a_short_blind_gets_no_more_than_it_has(capsys: pytest.CaptureFixture[str], stacks: tuple[int, int]) -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 500), Rng(3), stacks=stacks, seats=(0, 1), hand=1)
    while state.actor >= 0:
        state.apply(Action.call())
    print_hand(console(), state.record(("Ann", "Bob")))
    out = capsys.readouterr().out
    assert "takes back" in out
    river = next(line for line in out.splitlines() if line.startswith("river"))
    assert river.endswith("pot 60")


def test_what_the_big_blind_posted_does_not_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 500), Rng(3), seats=(0, 1), hand=1)
    state.apply(Action.fold())
    print_hand(console(), state.record(("Ann", "Bob")))
    assert "takes back" not in capsys.readouterr().out
