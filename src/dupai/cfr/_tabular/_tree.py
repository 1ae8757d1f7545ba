"""A whole game as flat arrays: its histories, information sets and terminals."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.arrays import F64, I32, I64
from dupai.games import CHANCE, OVER, Game

#: States visited between two reports of progress.
_SLICE = 2000


class InformationSets(NamedTuple):
    """Information sets of all players, in the order of the first visit (parents before children).

    ``player`` ``int32[n]``; ``keys``: what the player knows; ``actions``: what it can do. ``start`` ``int64[n + 1]``:
    the actions of all information sets are numbered in one row, those of set ``i`` from ``start[i]``. Such a number
    plus ``players`` is a *sequence*; sequence ``p`` is player ``p``'s empty one. ``parent`` ``int64[n]``: the sequence
    that leads to a set.
    """

    player: I32
    keys: tuple[Hashable, ...]
    actions: tuple[tuple[int, ...], ...]
    start: I64
    parent: I64


class GameTree(NamedTuple):
    """Every history of a game, parents before children, siblings next to each other.

    ``nodes`` ``int32[m, 4]``: actor (a player, ``CHANCE`` or ``OVER``); for a player its information set, for a
    terminal the row of ``payoffs``; first child; number of children. ``chance`` ``float64[m]``: for a child of chance
    the cumulative probability. ``payoffs`` ``float64[ends, players]``; ``ends`` ``int64[ends, players]``: the last
    sequence of every player; ``reach`` ``float64[ends]``: the product of the chance probabilities on the way.
    """

    name: str
    players: int
    sets: InformationSets
    nodes: I32
    chance: F64
    payoffs: F64
    ends: I64
    reach: F64


class _Sets:
    """Information sets as the walk meets them."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.known: dict[tuple[int, Hashable], int] = {}
        self.actions: list[tuple[int, ...]] = []
        self.start = [0]
        self.parent: list[int] = []

    def number(self, player: int, key: Hashable, actions: Sequence[int], parent: int) -> int:
        number = self.known.setdefault((player, key), len(self.known))
        if number == len(self.parent):
            self.actions.append(tuple(actions))
            self.start.append(self.start[-1] + len(actions))
            self.parent.append(parent)
        elif self.parent[number] != parent:
            raise ConfigError(f"information {key!r} of player {player}: no perfect recall, so it cannot be solved")
        elif self.actions[number] != tuple(actions):
            raise ConfigError(f"information {key!r} of player {player}: different actions in different states")
        return number

    def done(self) -> InformationSets:
        players = np.array([player for player, _ in self.known], np.int32)
        start, parent = np.array(self.start, np.int64), np.array(self.parent, np.int64)
        return InformationSets(players, tuple(key for _, key in self.known), tuple(self.actions), start, parent)


def write_out(game: Game[Any], *, most_states: int = 5_000_000, progress: Progress | None = None) -> GameTree:
    """Visit the whole game.

    Raises:
        ConfigError: it has more than ``most_states`` states, or no perfect recall.
        KeyboardInterrupt: ``progress`` was cancelled.
    """
    progress = progress or NoProgress()
    players = game.players
    sets = _Sets(players)
    nodes, chance = array("i", (0, 0, 0, 0)), array("d", (1.0,))
    payoffs, ends, reaches = array("d"), array("q"), array("d")
    stack: list[tuple[int, Any, tuple[int, ...], float]] = [(0, game.root(), tuple(range(players)), 1.0)]
    states = 0
    while stack:
        node, state, last, reach = stack.pop()
        states += 1
        if states % _SLICE == 0:
            progress.report(states, None, "states")
            if progress.cancelled:
                raise KeyboardInterrupt
        actor = game.actor(state)
        if actor == OVER:
            nodes[4 * node : 4 * node + 4] = array("i", (OVER, len(reaches), 0, 0))
            payoffs.extend(game.payoffs(state))
            ends.extend(last)
            reaches.append(reach)
            continue
        actions = game.actions(state)
        first, count = len(chance), len(actions)
        if first + count > most_states:
            raise ConfigError(f"{game.name} has more than {most_states:,} states: too large to be solved as a table")
        number = sets.number(actor, game.information(state, actor), actions, last[actor]) if actor >= 0 else -1
        nodes[4 * node : 4 * node + 4] = array("i", (actor, number, first, count))
        nodes.extend((0,) * (4 * count))
        if actor == CHANCE:
            total = 0.0
            for k, (action, p) in enumerate(zip(actions, game.chances(state), strict=True)):
                total += p
                chance.append(total)
                stack.append((first + k, game.child(state, action), last, reach * p))
        else:
            chance.extend((0.0,) * count)
            base = players + sets.start[number]
            for k, action in enumerate(actions):
                after = (*last[:actor], base + k, *last[actor + 1 :])
                stack.append((first + k, game.child(state, action), after, reach))
    rows = np.array(nodes, np.int32).reshape(-1, 4)
    results, last_of = np.array(payoffs).reshape(-1, players), np.array(ends, np.int64).reshape(-1, players)
    return GameTree(game.name, players, sets.done(), rows, np.array(chance), results, last_of, np.array(reaches))
