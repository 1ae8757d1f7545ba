"""Advice is right: decisions that a strong player finds easy, the solver's values, claims on fresh deals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.agents.judge import judge
from dupai.arena.live import Coach
from dupai.notation import view_from_text
from dupai.reading import load_reader
from dupai.rules import RAISE
from support.judged_spots import HEADS_UP, SIX, decisions

_EASY: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("easy_decisions.toml").read_text())["decision"]


def _wrong(decision: dict[str, Any]) -> str:
    """The state, with what was advised; empty if it is right."""
    view = view_from_text(decision["state"])
    judgement = judge(view, load_reader("model"))
    action = judgement.actions[judgement.best]
    kinds = {("fold", "call", "raise")[action.kind]}
    if action.kind == RAISE and action.to == view.legal.max_to:
        kinds.add("all-in")
    return "" if kinds & set(decision["right"]) else f"{decision['state']}: {action}, for {decision['why']}"


def test_sixty_decisions_each_with_its_reason() -> None:
    assert len(_EASY) == len({one["state"] for one in _EASY}) == 60
    assert all(one["why"] and set(one["right"]) <= {"fold", "call", "raise", "all-in"} for one in _EASY)


@pytest.mark.parametrize("number", range(3, 60, 5))
def test_easy_decisions(number: int) -> None:
    assert not _wrong(_EASY[number])


@pytest.mark.slow
def test_all_easy_decisions() -> None:
    wrong = [text for one in _EASY if (text := _wrong(one))]
    assert len(wrong) <= 3, wrong


def test_aces_are_worth_what_they_win() -> None:
    """Published figures are 5 to 8 big blinds at tables of good players."""
    view = view_from_text("6 players, blinds 50/100, stacks 10000, utg, AsAh")
    judgement = judge(view, load_reader("model:population=Pluribus"), deals=6_000, error=0.0)
    best = judgement.values[judgement.best]
    assert 5 - 2 * best.se / 100 < best.mean / 100 < 9 + 2 * best.se / 100


def _beside_the_solver(spots: int) -> None:
    """Against the players of the model a best response wins somewhat more than the equilibrium: 3.5 % of the pot."""
    reader, rows = load_reader("model"), []
    for view in decisions(HEADS_UP, 8 * spots, 11, range(3, 4)):
        solved, played = judge(view, reader), judge(view, reader, deals=1_024, solve=False)
        if solved.played is None and len(rows) < spots:
            both = [list(zip(j.values, j.trusted, strict=True)) for j in (solved, played)]
            rows.append([*(max(e.mean for e, good in one if good) for one in both), view.pot])
    one, two, pots = np.array(rows).T
    assert len(rows) == spots
    assert np.corrcoef(one, two)[0, 1] > 0.97
    assert abs((two - one).mean()) < 0.03 * pots.mean() + 2.5 * (two - one).std() / spots**0.5


def test_rivers_are_worth_what_the_solver_says() -> None:
    _beside_the_solver(40)


@pytest.mark.slow
def test_many_rivers_are_worth_what_the_solver_says() -> None:
    _beside_the_solver(300)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_claims_of_the_coach_hold_on_fresh_deals() -> None:
    """95 % intervals of what a random action gave up hold the difference to the named action, on other deals."""
    reader, rng, z = load_reader("model"), np.random.default_rng(3), []
    for spec, streets in ((SIX, range(3)), (HEADS_UP, range(2))):
        for view in decisions(spec, 500, 31, streets):
            first = judge(view, reader, deals=64)
            if first.played is None or sum(first.trusted) < 2:
                continue
            action = first.actions[int(rng.choice(np.flatnonzero(first.trusted)))]
            lesson = Coach(reader, 1_024, 600, seed=7).lesson(view, action, 1)
            fresh = judge(view, reader, (action,), deals=6_000, error=0.0, seed=8)
            if lesson.best != action and lesson.best in fresh.actions:
                truth = fresh.difference(fresh.actions.index(lesson.best), fresh.actions.index(action))
                error = (lesson.gave_up.se**2 + (truth.se / 100) ** 2) ** 0.5
                z.append((lesson.gave_up.mean - truth.mean / 100) / error)
    assert len(z) > 150
    assert 0.92 < np.mean(np.abs(z) < 1.96) < 0.985
    assert abs(np.mean(z)) < 0.3
