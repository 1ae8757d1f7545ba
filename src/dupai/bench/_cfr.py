"""``dupai bench cfr``: iterations a second on Leduc hold'em, against OpenSpiel's C++ in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dupai.base import ConfigError
from dupai.bench._row import Row, interleave, machine_scale
from dupai.cfr import compile_game, game_solver
from dupai.games import Leduc

#: Vector iterations/s aimed at on the reference machine, and multiples of OpenSpiel's sampling.
_VECTOR_GOAL, _EXTERNAL_GOAL, _OUTCOME_GOAL = 100_000.0, 10.0, 5.0


def _timed(run: Callable[[int], Any], count: int) -> Callable[[], float]:
    def once() -> float:
        start = time.perf_counter()
        run(count)
        return count / (time.perf_counter() - start)

    return once


def _theirs(run: Callable[[], Any]) -> Callable[[int], None]:
    def many(count: int) -> None:
        for _ in range(count):
            run()

    return many


def rows() -> list[Row]:
    """Whole iterations (all players) of every algorithm; exploitability checks are not in them."""
    try:
        import pyspiel
    except ImportError as error:
        raise ConfigError("this benchmark compares with OpenSpiel: pip install 'dupai[dev]'") from error
    scale = machine_scale()
    compiled = compile_game(Leduc())
    spiel = pyspiel.load_game("leduc_poker")
    found = []
    for algorithm, peer in (("cfr", pyspiel.CFRSolver(spiel)), ("cfr+", pyspiel.CFRPlusSolver(spiel))):
        solver = game_solver(compiled, algorithm)
        step = _theirs(peer.evaluate_and_update_policy)
        ours, theirs, ratio = interleave(_timed(solver.run, 20_000), _timed(step, 20))
        found.append(_row(f"Leduc, {algorithm}", ours, theirs, ratio, _VECTOR_GOAL * scale))
    for algorithm in ("linear", "dcfr", "pcfr+", "pdcfr+"):
        ours, _, _ = interleave(_timed(game_solver(compiled, algorithm).run, 20_000), None)
        goal = _VECTOR_GOAL * scale
        found.append(
            Row(name=f"Leduc, {algorithm}", value=ours, unit="iterations/s", goal=f">= {goal:,.0f}", ok=ours >= goal)
        )
    for algorithm, peer, times in (
        ("external", pyspiel.ExternalSamplingMCCFRSolver(spiel), _EXTERNAL_GOAL),
        ("outcome", pyspiel.OutcomeSamplingMCCFRSolver(spiel), _OUTCOME_GOAL),
    ):
        for variant in (algorithm, f"{algorithm}-vr"):
            solver = game_solver(compiled, variant)
            step = _theirs(peer.run_iteration)
            ours, theirs, ratio = interleave(_timed(solver.run, 100_000), _timed(step, 5000))
            name = f"Leduc, {variant}"
            if variant == algorithm:
                found.append(_row(name, ours, theirs, ratio, None, times))
            else:
                found.append(_row(name, ours, theirs, ratio))
    return found


def _row(
    name: str, ours: float, theirs: float, ratio: float, goal: float | None = None, times: float | None = None
) -> Row:
    said = f">= {goal:,.0f}" if goal is not None else f">= {times:g} x" if times is not None else None
    ok = ours >= goal if goal is not None else ratio >= times if times is not None else None
    return Row(
        name=name,
        value=ours,
        unit="iterations/s",
        peer="OpenSpiel",
        peer_value=theirs,
        ratio=ratio,
        goal=said,
        ok=ok,
    )
