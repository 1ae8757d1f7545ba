"""Leduc hold'em of three against OpenSpiel: information sets, and two iterations of CFR."""

import pyspiel
import pytest

from dupai.cfr import compile_game, solve_game
from dupai.games import Leduc


@pytest.mark.slow
def test_leduc_of_three_is_openspiels() -> None:
    spiel = pyspiel.load_game("leduc_poker", {"players": 3})
    compiled = compile_game(Leduc(3))
    solver = pyspiel.CFRSolver(spiel)
    found = solve_game(compiled, "cfr", 2, checks=2)
    for point in found.curve:
        solver.evaluate_and_update_policy()
        theirs = pyspiel.nash_conv(spiel, solver.average_policy()) / 3
        assert point.exploitability == pytest.approx(theirs, abs=1e-11)
    assert compiled.information_sets == 25_800
    assert compiled.distinct_sets < 0.3 * compiled.information_sets
