"""The solver where suits, scales and limits of iterations are easily taken wrongly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dupai.base import ConfigError
from dupai.cards import COMBOS, combo
from dupai.cfr import Lock, SolveSpot, SpotNode, SpotSolver, solve_spot
from dupai.cfr.postflop import StreetSolution, StreetState
from dupai.spots import BetSize
from support.solved_again_internals import solved_again

TURN: dict[str, Any] = {
    "board": "QsJs2s7s", "oop": "AhKh,AcKc,AdKd,99,88", "ip": "TT,KQ,66,55", "pot": 100, "stack": 100, "raise_cap": 2,
    "shallow": True, "sizes": {"bet": "50%,a", "raise": "a"},
}  # fmt: skip
RIVER: dict[str, Any] = {
    "board": "QsJh2hTd7c", "oop": "22+,A2s+,KTs+,QTs+,JTs,ATo+", "ip": "22+,A2s+,K9s+,T9s,98s,ATo+,KJo+", "pot": 100,
    "stack": 200, "sizes": {"bet": "50%,a", "raise": "a"},
}  # fmt: skip


@pytest.mark.parametrize("card", ["Th", "th", "10h", "T♥"])
def test_a_lock_on_one_card_holds_for_it_alone_however_it_is_written(card):
    solver = SpotSolver(SolveSpot.from_dict(TURN), locks=[Lock(path=f"check/check/{card}", strategy={"check": 1})])
    assert not solver.symmetric
    solver.iterate(20)
    assert SpotNode(solver, "check/check/Th").frequencies()[0] == pytest.approx(1)
    assert SpotNode(solver, "check/check/Tc").frequencies()[0] < 0.99


def test_frequencies_count_deals():
    """Six combos of 33 and of 44 each, against 3s3h alone: one of 33 and all six of 44 can be dealt with it."""
    spot = SolveSpot.from_dict(
        {"board": "QsJh2hTd7c", "oop": "33,44", "ip": "3s3h", "pot": 100, "stack": 100, "sizes": {"bet": "a"}}
    )
    solver = SpotSolver(spot, locks=[Lock(path="", strategy={"check": "33", "allin": "44"})])
    assert SpotNode(solver).frequencies() == pytest.approx([1 / 7, 6 / 7])


def test_a_subgame_is_safe_whatever_the_scale_of_the_ranges():
    solver = solve_spot(SolveSpot.from_dict(RIVER), target=0.001)
    cases = (
        ("check", StreetState(1, checked=True), (1.0, 0.2)),
        ("check/bet 50", StreetState(0, (0, 50), 1, checked=True), (0.2, 1.0)),
    )
    for path, state, factors in cases:
        weights = SpotNode(solver, path).weights
        ranges = (weights[0] * factors[0], weights[1] * factors[1])
        for method in ("safe", "maxmargin", "weighted"):
            as_it_was = solved_again(solver, path, method, state=state, iterations=400)
            scaled = solved_again(solver, path, method, state=state, iterations=400, ranges=ranges)
            assert np.nanmin(scaled.margins) > -1  # chips; it was -200 and -108
            frequencies = (SpotNode(found.solution.solver).frequencies() for found in (as_it_was, scaled))
            assert next(frequencies) == pytest.approx(next(frequencies), abs=0.02)


def test_hands_unknown_to_the_first_solution_are_not_protected():
    solver = solve_spot(SolveSpot.from_dict(RIVER | {"oop": "AsKs", "ip": "AcAd,QcQd,KsKd"}), target=0.001)
    wider = np.zeros((2, COMBOS))
    wider[0, [combo("AsKs"), combo("9c9d")]] = 1
    wider[1, [combo(hand) for hand in ("AcAd", "QcQd", "KsKd")]] = 1
    margins = solved_again(solver, "", ranges=(wider[0], wider[1]), iterations=100).margins
    assert np.isnan(margins[combo("KsKd")])
    assert np.isfinite(margins[[combo("AcAd"), combo("QcQd")]]).all()


def test_values_that_tell_suits_apart():
    spot = SolveSpot.from_dict(TURN)
    with pytest.raises(ConfigError, match="unknown method 'unsafe'"):
        StreetSolution(spot, values=np.zeros(COMBOS), method="unsafe", iterations=1)
    values = np.zeros(COMBOS)
    assert StreetSolution(spot, values=values, iterations=1).solver.symmetric
    values[combo("KhQc")] = 20
    assert not StreetSolution(spot, values=values, iterations=1).solver.symmetric


def test_a_limit_just_above_a_new_average_is_no_worse():
    ends = {}
    for most in (64, 65, 72):
        solver = SpotSolver(SolveSpot.from_dict(RIVER))
        solver.run(1e-9, max_iterations=most)
        ends[most] = solver.iterations
    assert ends == {64: 64, 65: 64, 72: 64}
    assert StreetSolution(SolveSpot.from_dict(RIVER), iterations=72).solver.iterations == 64


@pytest.mark.parametrize("text", ["9" * 310 + "c", "9" * 310 + "x", "e" + "9" * 310 + "%"])
def test_sizes_beyond_all_numbers_are_none(text):
    assert BetSize.parse(text) is None


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [("raise_cap", 2.5, "raise_cap = 2.5: expected a whole number"), ("shallow", "yes", "expected true or false")],
)
def test_values_of_a_spot_are_not_rounded(key, value, text):
    with pytest.raises(ConfigError, match=text):
        SolveSpot.from_dict(RIVER | {key: value})
