"""Hands told street by street."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupai.base import Rng
from dupai.cli import main
from dupai.history import Store, find_hands, import_file
from dupai.notation.phh import format_phh
from dupai.rules import Action, GameSpec, HandState


def _told(folder: Path, capsys: pytest.CaptureFixture[str], state: HandState) -> str:
    (folder / "one.phh").write_text(format_phh(state.record(("Ann", "Bob"))), encoding="utf-8")
    import_file(folder / "one.phh", folder / "store")
    (hand,), _ = find_hands(Store(folder / "store"))
    assert main(["history", "show", str(folder / "store"), "--hand", str(hand)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("stacks", [(500, 30), (30, 500)])
def test_a_short_blind_gets_no_more_than_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stacks: tuple[int, int]
) -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 500), Rng(3), stacks=stacks, seats=(0, 1), hand=1)
    while state.actor >= 0:
        state.apply(Action.call())
    out = _told(tmp_path, capsys, state)
    assert "takes back" in out
    river = next(line for line in out.splitlines() if line.startswith("river"))
    assert river.endswith("pot 60")


def test_what_the_big_blind_posted_does_not_come_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 500), Rng(3), seats=(0, 1), hand=1)
    state.apply(Action.fold())
    assert "takes back" not in _told(tmp_path, capsys, state)
