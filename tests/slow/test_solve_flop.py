"""The reference flop: EVs, root strategy and memory of both number formats against the stated values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupai.cards import combo
from dupai.cfr import SpotNode, load_solution, save_solution, solve_spot
from support.solve_spots import SPOTS, spot_of


@pytest.mark.slow
@pytest.mark.parametrize("half", [False, True])
def test_the_reference_flop(half: bool, tmp_path: Path) -> None:
    given = SPOTS["flop"]
    reference = given["reference"]
    spot = spot_of(given["config"])
    solver = solve_spot(spot, target=0.002, half=half, threads=2)
    assert [len(h) for h in solver.hands] == given["hands"]
    stored = sum(a.nbytes for a in solver.arrays()) / 1e6
    assert stored <= given["peer_memory_mb"]["i16" if half else "f32"]
    # what either strategy may give away bounds how far the EVs can be apart
    slack = 2 * (solver.curve[-1].exploitability + reference["expl_pct"] / 100 * spot.pot)
    oop, ip = solver.evs()
    assert oop + ip == pytest.approx(spot.pot, abs=1e-3)
    assert abs(oop - reference["ev_oop"]) < slack and abs(ip - reference["ev_ip"]) < slack
    node = SpotNode(solver)
    assert node.mean(node.equity, 0) == pytest.approx(reference["eq_oop"], abs=1e-5)
    assert node.frequencies() == pytest.approx(reference["root_freq"], abs=0.02)
    off = [abs(node.ev[0][combo(hand)] - ev) for hand, _, ev, _ in reference["oop_hands"]]
    assert np.mean(off) < slack and len(off) == len(solver.hands[0])
    save_solution(solver, tmp_path / "flop.solve")
    back = load_solution(tmp_path / "flop.solve")
    deep = "check/bet 50%/call/Ah/check/check/2c"
    assert np.array_equal(SpotNode(back, deep).strategy, SpotNode(solver, deep).strategy)
