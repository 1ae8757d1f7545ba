"""``dupai bench cfr``: iterations a second on Leduc hold'em, against OpenSpiel's C++ in the same run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dupai.bench._row import Goal, Measurement, Row, measured, peer_package, per_second
from dupai.cfr import compile_game, game_solver
from dupai.games import Leduc

#: Vector iterations/s that are the goal on the reference machine.
_VECTOR: Goal = {"least": 100_000.0}


def _theirs(step: Callable[[], Any], count: int) -> tuple[str, Measurement]:
    return "OpenSpiel", per_second(step, 1, repeat=count)


def rows() -> list[Row]:
    """Whole iterations (all players) of every algorithm, without exploitability checks.

    Raises:
        MissingPackage: OpenSpiel or eval7 is not installed.
    """
    pyspiel = peer_package("pyspiel")
    compiled, spiel = compile_game(Leduc()), pyspiel.load_game("leduc_poker")
    vector = {"cfr": pyspiel.CFRSolver(spiel), "cfr+": pyspiel.CFRPlusSolver(spiel)}
    external = _theirs(pyspiel.ExternalSamplingMCCFRSolver(spiel).run_iteration, 5000)
    outcome = _theirs(pyspiel.OutcomeSamplingMCCFRSolver(spiel).run_iteration, 5000)

    def figure(algorithm: str, count: int, peer: tuple[str, Measurement] | None, goal: Goal) -> Row:
        solver = game_solver(compiled, algorithm)
        ours = per_second(lambda: solver.run(count), count)
        return measured(f"Leduc, {algorithm}", "iterations/s", ours, peer, **goal)

    return [
        *(figure(name, 20_000, _theirs(s.evaluate_and_update_policy, 20), _VECTOR) for name, s in vector.items()),
        *(figure(name, 20_000, None, _VECTOR) for name in ("linear", "dcfr", "pcfr+", "pdcfr+")),
        figure("external", 100_000, external, {"times": 10.0}),
        figure("external-vr", 100_000, external, {}),
        figure("outcome", 100_000, outcome, {"times": 5.0}),
        figure("outcome-vr", 100_000, outcome, {}),
    ]
