"""Printed 95 % intervals hold the truth 93 to 97 times in 100: the cases of ``docs/results/coverage.md``, on smaller
pools, and whole runs of 300 seeds each. About 20 minutes on one core."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.agents import BaseAgent
from dupai.arena import run_exploit, run_ladder, run_tournament
from dupai.base import Rng
from dupai.cards import COMBOS
from dupai.rules import Action, View
from dupai.spots import ActionDistribution, HandPolicy
from dupai.stats import MIN_SESSIONS, Measure, least_blocks

_FILE = Path(__file__).resolve().parents[2] / "docs" / "make" / "interval_coverage.py"
#: Of the pools of the page.
_SIZE = 0.2
#: What a share of 1,000 repeats (100 of the seven ratings of a ladder) may miss by, two of its standard errors.
_SLACK, _LADDER_SLACK = 0.014, 0.025


def _program() -> Any:
    spec = importlib.util.spec_from_file_location("interval_coverage", _FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _misses(label: str, n: int, counts: Any, slack: float) -> list[str]:
    """What is wrong with a case, of all its players together; seldom printed: nothing can be said."""
    _, printed, held = counts
    if printed.mean() < 0.2:
        return []
    share = held.sum() / printed.sum()
    return [] if 0.93 - slack <= share <= 0.97 + slack else [f"{label}, {n}: {share:.3f}"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_matches_tournaments_and_sessions() -> None:
    program, wrong = _program(), []
    for label, unit, hands, play, sizes in program.cases(size=_SIZE):
        pool = play()
        least = MIN_SESSIONS if unit == "sessions" else None
        for n in sizes:
            counts = program.coverage(pool, n, hands, least)
            if n < (least or least_blocks(hands)):
                assert not counts[1].any(), f"{label}, {n}: printed"
            wrong += _misses(label, n, counts, _SLACK)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ratings_of_ladders() -> None:
    program = _program()
    ladder = program.Ladder(program.FIELD[:7], 3, 300)
    assert _misses("three seats", 50, ladder.coverage(50, 100), _LADDER_SLACK) == []


@pytest.mark.slow
def test_intervals_of_1_96_errors_do_not_hold_from_few_deals() -> None:
    program = _program()
    pool = program.match_pool(["rules", "style:paper-TA"], hands=2000, duplicate=True, seed=11)
    before = program.coverage(pool, 5)[0]
    assert np.all(before < 0.7)


class Calls(BaseAgent):
    """Calls with every hand, and says so for all hands at once, which is fast."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()

    def policy(self, view: View) -> ActionDistribution:
        return ActionDistribution.certain(Action.call())

    def hand_policy(self, view: View) -> HandPolicy:
        return HandPolicy((Action.call(),), np.ones((1, COMBOS)))


def _whole_runs(kind: str, seed: int) -> Iterator[tuple[str, Measure]]:
    """The intervals that one command gives, by what they are of."""
    if kind == "exploit":
        result = run_exploit(Calls, hands=100, start="river", bets="fca", stack=1000, seed=seed)
        yield from (("mbb", result.mbb), ("plain", result.plain))
    elif kind == "tournament":
        for one in run_tournament(["caller", "fixed", "raiser"], hands=5, matches=100, seed=seed).standings:
            yield from ((f"{one.agent} rank", one.rank), (f"{one.agent} chips", one.chips))
    else:
        for row in run_ladder(["fixed", "caller", "style:paper-LP"], hands=100, seed=seed).rows:
            yield row.agent, Measure(mean=row.rating, se=row.rating_se, low=row.low, high=row.high, n=100)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["ladder", "tournament", "exploit"])
def test_intervals_of_whole_runs(kind: str) -> None:
    """The mean over all seeds, printed or not, is the truth; its error is a seventeenth of one run's."""
    runs: dict[str, list[Measure]] = {}
    for seed in range(1, 301):
        for name, measure in _whole_runs(kind, seed):
            runs.setdefault(name, []).append(measure)
    held = {}
    for name, measures in runs.items():
        truth = np.mean([m.mean for m in measures])
        printed = [m for m in measures if m.low is not None and m.high is not None]
        held[name] = [m.low <= truth <= m.high for m in printed]  # type: ignore[operator]
        if printed:
            print(f"{kind}, {name}: {100 * np.mean(held[name]):.1f} % of {len(printed)} printed of {len(measures)}")
    some = [one for each in held.values() for one in each]
    assert len(some) > 300
    assert 0.93 - _SLACK <= np.mean(some) <= 0.97 + _SLACK
    # Two standard errors of 300 beyond what a single one may miss by.
    assert all(0.93 - 0.03 <= np.mean(each) <= 0.97 + 0.025 for each in held.values() if len(each) > 200)
