"""Solve from a node of a solution on: the way to values where the solution hardly ever gets."""

from __future__ import annotations

import msgspec
import numpy as np

from dupai.base import ConfigError
from dupai.cards.kernels import COMBO_PERMUTED
from dupai.cfr.postflop._locks import Lock
from dupai.cfr.postflop._node import SOLVED_REACH, SpotNode
from dupai.cfr.postflop._paths import find_action, find_places
from dupai.cfr.postflop._solver import SpotSolver
from dupai.cfr.postflop._spot import PLAYERS, STREETS
from dupai.ranges import Range


def solver_from(node: SpotNode, *, memory: int | None = None) -> tuple[SpotSolver, tuple[str, ...]]:
    """A solver of the game from a node on, and notes. Its ranges are those with which the players get there; an action
    that a player takes less than once in 1,000 deals is taken as if every hand took it (the notes name these actions).

    Raises:
        ConfigError: nobody acts at the node.
    """
    spot = node.solver.spot
    if node.player is None:
        ends = "name the card that comes" if node.kind == "card" else "the hand is over there"
        raise ConfigError(f"{node.path!r} cannot be solved from: {ends}", key="path")
    forest = node.solver.levels[node.place.level].forest
    state = forest.states[node.place.node]
    ranges, notes = _ranges(node)
    inner = msgspec.structs.replace(
        spot, board=node.board, oop=ranges[0], ip=ranges[1], pot=spot.pot + sum(state.paid),
        stack=spot.stack - max(state.paid), sizes={s: spot.sizes[s] for s in STREETS[len(node.board) - 3 :]},
        shallow=True,
    )  # fmt: skip
    start = state._replace(paid=(0, 0))
    return SpotSolver(inner, half=None, memory=memory, locks=_locks(node), start=start), notes


def _ranges(node: SpotNode) -> tuple[tuple[Range, Range], tuple[str, ...]]:
    solver, gone = node.solver, node.solver.spot.dead + node.board
    weights = [r.without(gone).weights.astype(np.float64) for r in solver.spot.ranges]
    notes = []
    tokens = _tokens(node.path)
    for done, token in enumerate(tokens):
        place = solver.place("/".join(tokens[:done]))
        level = solver.levels[place.level]
        player = level.forest.kind[place.node]
        if player >= len(PLAYERS):
            continue
        action = find_action(solver.spot, level.forest, place.node, token)
        taken = np.zeros(len(weights[player]))
        taken[COMBO_PERMUTED[place.renaming][level.boards[place.board].hands[player]]] = solver.strategy(place)[action]
        share = float(weights[player] @ taken / weights[player].sum())
        if share < SOLVED_REACH:
            notes.append(
                f"{PLAYERS[player]} takes {'/'.join(tokens[: done + 1])} hardly ever: solved as if all hands did"
            )
        else:
            weights[player] *= taken
            weights[player] /= weights[player].max()
    oop, ip = map(Range, weights)
    return (oop, ip), tuple(notes)


def _locks(node: SpotNode) -> list[Lock]:
    """The locks at and below the node, with paths from there."""
    solver, size = node.solver, len(_tokens(node.path))
    boards = [level.boards for level in solver.levels]
    forests = [level.forest for level in solver.levels]
    below = []
    for lock in solver.locks:
        tokens = _tokens(lock.path)
        places = find_places(solver.spot, forests, boards, "/".join(tokens[:size])) if len(tokens) >= size else ()
        if any(place[:3] == node.place[:3] for place in places):
            below.append(msgspec.structs.replace(lock, path="/".join(tokens[size:])))
    return below


def _tokens(path: str) -> list[str]:
    return [token.strip() for token in path.split("/") if token.strip()]
