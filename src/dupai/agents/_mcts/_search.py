"""One search in Python: arrays made ready, slices of simulations, the tree kept for the next decision of the hand."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._mcts._kernels.draw import alias_kernel
from dupai.agents._mcts._kernels.holdem import follow_kernel, search_kernel
from dupai.agents._mcts._kernels.tree import begin_kernel, keep_kernel
from dupai.agents._mcts._layout import (
    AT_LEAF,
    CAN_FOLD,
    CHANCE,
    CUT_OFF,
    DECISION,
    EXACT_CARDS,
    FLAGS,
    LONGEST,
    ME,
    MEMO,
    MODELLED,
    MOST_ACTIONS,
    PLAY,
    PLAYOUT,
    RATES,
    SELECTION,
    SIZED,
    WEIGHED,
    WINDOW,
    Plan,
    Tree,
    Work,
    new_tree,
    node_bytes,
)
from dupai.base import Rng
from dupai.cards import COMBOS
from dupai.equity import load_win_rate_table
from dupai.rules import MAX_PLAYERS, RAISE, STATE_DTYPE, Action, View, apply_kernel, legal_kernel

F64 = npt.NDArray[np.float64]

#: A slice of a search lasts about this long, in seconds: Ctrl-C is answered in between.
_SLICE = 0.05
_FIRST = 256


class Settings(NamedTuple):
    """How to search, as the kernels take it (places of :mod:`dupai.agents._mcts._layout`)."""

    selection: int
    c: float
    modelled: bool
    at_leaf: bool
    exact_cards: bool
    playout: int
    cut_off: int
    window: int
    widening: float
    classes: int
    sizes: tuple[float, ...]
    can_fold: bool
    megabytes: float


class Found(NamedTuple):
    """What a search found at its root: ``actions`` in its order, with ``visits``; ``values`` ``float64[k, players]``:
    mean winnings of everybody in the hand by position, in big blinds, ``errors`` the standard errors of ours;
    ``simulations`` new ones, ``kept`` visits of the root from before, ``nodes`` of the tree, ``root``: the mean
    over all."""

    actions: tuple[Action, ...]
    visits: npt.NDArray[np.int64]
    values: F64
    errors: F64
    simulations: int
    kept: int
    nodes: int
    root: F64


def new_work() -> Work:
    """Room for simulations."""
    return Work(
        np.zeros(1, STATE_DTYPE),
        np.zeros(1, STATE_DTYPE),
        np.zeros(MOST_ACTIONS, np.int64),
        np.zeros(LONGEST, np.int64),
        np.zeros(MAX_PLAYERS, np.int64),
        np.zeros(MAX_PLAYERS),
        np.zeros(MAX_PLAYERS, np.int64),
        np.zeros(MAX_PLAYERS, np.int64),
        np.full(MAX_PLAYERS, -1, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(MEMO, np.uint64),
        np.zeros(MEMO, np.float32),
    )


class Search:
    """The tree of one seat, from decision to decision.

    Args:
        settings: how to search.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._tree: Tree | None = None
        self._plan: Plan | None = None
        self._last: View | None = None
        self._chance = np.zeros((MAX_PLAYERS, COMBOS))
        self._other = np.zeros((MAX_PLAYERS, COMBOS), np.int16)
        self._work = new_work()
        self._table = load_win_rate_table(True)

    def forget(self) -> None:
        """The tree is of no use any more."""
        self._last = None

    def _ready(self, view: View, nodes: int) -> Tree:
        """The tree with room for so many new nodes, as far as memory may go."""
        players = view.spec.players
        most = max(int(self.settings.megabytes * 2**20) // node_bytes(players), 16)
        tree = self._tree
        if tree is None or tree.value.shape[1] != players:
            tree = self._tree = new_tree(min(most, nodes + 1), players)
            self._last = None
        used = int(tree.used[0]) if self._last is not None else 0
        wanted = min(most, used + nodes + 1)
        if wanted > tree.visits.size:
            larger = new_tree(min(most, max(wanted, 2 * tree.visits.size)), players)
            larger.used[0] = used
            for old, new in zip(tree[1:], larger[1:], strict=True):
                new[:used] = old[:used]
            tree = self._tree = larger
        return tree

    def prepare(
        self, view: View, held: Mapping[int, F64], tables: F64, raises: F64, groups: npt.NDArray[np.int64]
    ) -> Plan:
        """The plan of a search from ``view``. ``held``: weights of what every live opponent holds, by position;
        ``tables``, ``raises``, ``groups``: the opponents' model (see :class:`Plan`)."""
        s = self.settings
        flags = np.zeros(FLAGS, np.int64)
        flags[ME] = view.actor
        flags[SELECTION] = s.selection
        flags[MODELLED] = s.modelled
        flags[AT_LEAF] = s.at_leaf
        flags[EXACT_CARDS] = s.exact_cards
        flags[PLAYOUT] = s.playout
        flags[CUT_OFF] = s.cut_off
        flags[CAN_FOLD] = s.can_fold
        flags[WINDOW] = s.window
        flags[RATES] = s.classes
        flags[SIZED] = s.modelled and view.spec.betting != "limit"
        flags[WEIGHED] = flags[SIZED] and s.cut_off == PLAY
        big = max(view.spec.big_blind, 1)
        unit = max(view.pot + view.legal.to_call, 2 * big) / big
        for position, weights in held.items():
            alias_kernel(weights, self._chance[position], self._other[position])
        self._plan = Plan(
            view.state.copy(),
            view.spec.array,
            np.array(s.sizes),
            flags,
            np.array([s.c, unit, s.widening]),
            self._chance,
            self._other,
            tables,
            raises,
            groups,
        )
        return self._plan

    def run(
        self,
        view: View,
        plan: Plan,
        rng: Rng,
        simulations: int | None,
        milliseconds: float | None,
        until_sure: bool = False,
    ) -> Found:
        """Search from ``view``: so many simulations, or so long. Whatever the tree knew of this situation is kept.
        ``until_sure``: no more once the rest cannot change the most visited action."""
        start = time.perf_counter()
        wanted = simulations if simulations is not None else 10**12
        tree = self._ready(view, min(wanted, 10**9) + 1)
        if not self._reuse(view, tree, plan):
            begin_kernel(tree, np.int64(DECISION))
        kept = int(tree.visits[0])
        self._last = view
        done, size = 0, _FIRST
        while done < wanted:
            size = min(size, wanted - done)
            began = time.perf_counter()
            after = wanted - done - size if until_sure else -1
            ran = int(search_kernel(tree, plan, self._work, self._table, size, after, rng.state))
            now = time.perf_counter()
            done += ran
            if ran < size:
                break
            left = _SLICE
            if milliseconds is not None:
                left = min(_SLICE, milliseconds / 1000 - (now - start))
                if left <= 0:
                    break
            # At most four times the last: the first slice may have compiled something.
            size = max(1, min(4 * size, int(size * left / max(now - began, 1e-9))))
        return self._found(tree, done, kept)

    def _found(self, tree: Tree, done: int, kept: int) -> Found:
        me = int(self._plan.flags[ME]) if self._plan is not None else 0
        nodes: list[int] = []
        child = int(tree.links[0, 1])
        while child >= 0:
            nodes.append(child)
            child = int(tree.links[child, 2])
        nodes.sort(key=lambda i: int(tree.key[i]))
        visits = tree.visits[nodes]
        values = tree.value[nodes] / visits[:, None]
        spread = np.maximum(tree.square[nodes] / visits - values[:, me] ** 2, 0.0)
        codes = [int(tree.action[i]) for i in nodes]
        return Found(
            tuple(Action(c & 3, c >> 2) for c in codes),
            visits,
            values,
            np.sqrt(spread / visits),
            done,
            kept,
            int(tree.used[0]),
            tree.value[0] / max(int(tree.visits[0]), 1),
        )

    def _reuse(self, view: View, tree: Tree, plan: Plan) -> bool:
        """Go from the last decision to this one along what has been done and dealt since, and keep that subtree only.
        A real size that the tree has not tried leads nowhere."""
        last = self._last
        if (
            last is None
            or (last.hand, last.spec, last.seats, last.hole, last.position, last.start_stacks)
            != (view.hand, view.spec, view.seats, view.hole, view.position, view.start_stacks)
            or len(view.actions) <= len(last.actions)
            or view.actions[: len(last.actions)] != last.actions
        ):
            return False
        work: Any = self._work
        work.s[0] = last.state[0]
        work.s["board"][0] = view.state["board"][0]
        node, street = 0, last.street
        for _, _, action in view.actions[len(last.actions) :]:
            code = action.kind
            if action.kind == RAISE:
                to = action.to or int(legal_kernel(work.s, view.spec.array)[2])
                code += 4 * to
            else:
                to = 0
            node = follow_kernel(tree, plan, work, self._table, code, street, node)
            if node < 0:
                return False
            apply_kernel(work.s, view.spec.array, action.kind, to)
            if int(work.s["street"][0]) != street:
                street = int(work.s["street"][0])
                if tree.kind[node] != CHANCE:
                    return False
                node = follow_kernel(tree, plan, work, self._table, -1, street, node)
                if node < 0:
                    return False
        if tree.kind[node] != DECISION:
            return False
        keep_kernel(tree, node, np.zeros(int(tree.used[0]), np.int32))
        return True
