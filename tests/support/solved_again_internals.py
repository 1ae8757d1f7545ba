"""A node of a solution solved again as a street of its own."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base.arrays import F64
from dupai.cfr import SpotNode, SpotSolver
from dupai.cfr.postflop import StreetSolution, StreetState
from dupai.cfr.postflop._node import hand_values
from dupai.ranges import Range


class Again(NamedTuple):
    """A street solved again, and how much worse off each hand of the opponent is than before (nan: unknown)."""

    solution: StreetSolution
    margins: F64


def solved_again(
    solver: SpotSolver,
    path: str,
    method: str | None = "safe",
    *,
    state: StreetState | None = None,
    ranges: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    values: npt.ArrayLike | None = None,
    iterations: int = 1000,
) -> Again:
    """Solve a player's node again. ``state``: the betting of the street there; ``method`` None: not safe."""
    node = SpotNode(solver, path)
    assert node.player is not None
    other = 1 - node.player
    weights = [np.asarray(w, np.float64) for w in (ranges or node.weights)]
    oop, ip = (Range(np.minimum(w / max(1.0, w.max()), 1)) for w in weights)
    before = min(node.paid)
    spot = msgspec.structs.replace(
        solver.spot, board=node.board, oop=oop, ip=ip, pot=solver.spot.pot + 2 * before,
        stack=solver.spot.stack - before, shallow=True,
    )  # fmt: skip
    worth = hand_values(solver, node.place, other, respond=True) if values is None else np.asarray(values)
    given = None if method is None else worth
    solution = StreetSolution(
        spot, state, resolver=node.player, values=given, method=method or "weighted", iterations=iterations
    )
    place = solution.place(())
    assert place is not None
    return Again(solution, worth - solution.values(place, other, respond=True))
