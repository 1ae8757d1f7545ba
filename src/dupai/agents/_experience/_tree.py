"""The betting below a decision, street by street to the end: places, whatever the cards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dupai.agents._experience._kernels import grow
from dupai.agents._experience._kernels.walk import OWN, THEIRS
from dupai.base import AgentError
from dupai.base.arrays import I64, AnyArray
from dupai.rules import CALL, FOLD, RAISE, STATE_DTYPE, Action, View, start_kernel
from dupai.spots import (
    DID_BET,
    DID_CALL,
    DID_CHECK,
    DID_FOLD,
    DID_RAISE,
    NOTHING,
    SPOT_DTYPE,
    TRACK_DTYPE,
    Menu,
    begin_track_kernel,
)

#: Most decisions of a hand and its tree together, most of a path, first guess of the places.
_ROWS, _DEPTHS, _NODES = 512, 64, 2048
#: All-in is considered if it is at most so many pots (after the call): at the decision itself, and later.
_SHOVE_POTS = (8.0, 3.0)


class TreeMenus(NamedTuple):
    """The actions that the tree considers.

    Attributes:
        first: our decision that is due.
        later: every other one; with an all-in exactly where ``first`` has one.
        raises: bets and raises of a street after which there are no more, on the street of the decision and later.
    """

    first: Menu
    later: Menu
    raises: tuple[int, int]


class Tree:
    """All places below a decision; the decision is number 0.

    Attributes:
        kinds: ``int64[nodes]``: see :func:`~dupai.agents._experience._kernels.walk.walk_kernel`.
        above: ``int64[nodes]``: the place that each follows, -1: none.
        street: ``int64[nodes]``.
        child, tos: ``int64[nodes, columns]``: the place below each column of the menu (-1: none), and the action:
            fold, call, or the total of a raise (see ``_kernels.grow``).
        pay: ``float64[nodes, 2]``: chips that are sure, chips times score; counted from the decision on.
        rows: ``SPOT_DTYPE[nodes]``: every decision before its action.
        deciding: ``int64``: numbers of the decisions.

    Raises:
        AgentError: not two players are dealt in.
    """

    def __init__(self, view: View, menus: TreeMenus) -> None:
        if view.spec.players != 2:
            raise AgentError(f"the staged tree is for two players, and {view.spec.players} are dealt in")
        self.menus = menus
        states, tracks = np.zeros(_DEPTHS, STATE_DTYPE), np.zeros(_DEPTHS, TRACK_DTYPE)
        rows = np.zeros(len(view.actions) + _ROWS, SPOT_DTYPE)
        spec = view.spec.array
        states["stack"][0, :2] = view.start_stacks
        start_kernel(states[:1], spec)
        begin_track_kernel(states[:1], tracks[:1])
        played = np.array([action for _, _, action in view.actions], np.int64).reshape(-1, 2)
        grow.replay_kernel(states[:1], spec, tracks[:1], rows, played[:, 0].copy(), played[:, 1].copy())
        me, n = int(view.actor), len(played)
        paid = float(states["total"][0, me] + states["ante"][0, me])
        self._history = rows[:n].copy()
        columns = max(len(menus.first), len(menus.later))
        size = _NODES
        first, later = (np.array(menu.sizes, np.float64) for menu in (menus.first, menus.later))
        caps, shove_pots = np.array(menus.raises, np.int64), np.array(_SHOVE_POTS)
        how = grow.TreeRules(spec, me, int(view.street), caps, first, later, menus.first.all_in, shove_pots)
        while True:
            tree = grow.TreeArrays(
                np.zeros((size, 3), np.int64), np.zeros((size, columns), np.int64), np.zeros((size, 2)),
                np.zeros((size, columns), np.int64), np.zeros(size, SPOT_DTYPE), np.zeros(1, np.int64),
            )  # fmt: skip
            grown = grow.grow_kernel(0, n, -1, grow.GrowingHand(states, tracks, rows), how, tree)
            if grown >= 0:
                break
            size *= 4
            if size > 1 << 20:
                raise AgentError("the betting below this decision is too long for the staged tree")
        count = int(tree.used[0])
        self.kinds, self.above, self.street = (tree.kinds[:count, i].copy() for i in range(3))
        self.child, self.tos, self.rows = tree.child[:count], tree.tos[:count], tree.rows[:count]
        self.pay = tree.pay[:count]
        self.pay[(self.child < 0).all(axis=1), 0] += paid
        self.deciding: I64 = np.flatnonzero((self.kinds == OWN) | (self.kinds == THEIRS))

    def menu(self, node: int) -> Menu:
        """The menu of a decision."""
        return self.menus.later if node else self.menus.first

    def action(self, node: int, column: int) -> Action:
        """The action of a column that is considered."""
        to = int(self.tos[node, column])
        return Action(FOLD) if to == grow.TO_FOLD else (Action(CALL) if to == grow.TO_CALL else Action(RAISE, to))

    def line(self, node: int) -> AnyArray:
        """``SPOT_DTYPE[n]``: all decisions of the hand up to one of the tree, which is the last."""
        chain = [node]
        while (above := int(self.above[chain[-1]])) >= 0:
            chain.append(above)
        chain.reverse()
        decisions = [(a, int(np.flatnonzero(self.child[a] == b)[0])) for a, b in pairwise(chain)]
        acted = [(a, int(self.tos[a, column])) for a, column in decisions if self.kinds[a] in (OWN, THEIRS)]
        rows = np.concatenate([self._history, self.rows[[*(a for a, _ in acted), node]]])
        for row, (_, to) in zip(rows[len(self._history) :], acted, strict=False):
            _record(row, to)
        rows[-1]["did"] = NOTHING
        return rows


def _record(row: Any, to: int) -> None:
    """Write the action into a row."""
    call, total = int(row["to_call"]), int(row["total"])
    if to == grow.TO_FOLD:
        row["did"], paid = DID_FOLD, 0
    elif to == grow.TO_CALL:
        row["did"], paid = (DID_CALL if call else DID_CHECK), call
    else:
        row["did"], paid = (DID_RAISE if row["raises"] else DID_BET), to - total
    row["paid"], row["to"] = paid, total + paid
    row["all_in"] = int(paid > 0 and paid == row["stack"])
