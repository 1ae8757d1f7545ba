"""One search in Python: arrays made ready, slices of simulations, the tree kept for the next decision of the hand."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dupai.agents._mcts import _layout as layout
from dupai.agents._mcts._kernels.draw import alias_kernel
from dupai.agents._mcts._kernels.holdem import follow_kernel, search_kernel
from dupai.agents._mcts._kernels.tree import begin_kernel, keep_kernel
from dupai.base import Rng
from dupai.base.arrays import F64, I64
from dupai.cards import COMBOS
from dupai.equity import WinRateTable, load_win_rate_table
from dupai.rules import MAX_PLAYERS, RAISE, Action, View, apply_kernel, legal_kernel

#: A slice of a search lasts about this long, in seconds: Ctrl-C is answered in between.
_SLICE = 0.05
_FIRST = 256


class Outcome(NamedTuple):
    """The result of a search at its root: ``actions`` in its order, with ``visits``; ``values`` ``float64[k,
    players]``: everybody's mean winnings in the hand by position, in big blinds, ``errors`` the standard errors of
    ours; ``simulations`` new ones, ``reused`` visits of the root from before, ``nodes`` of the tree, ``root``: the mean
    over all."""

    actions: tuple[Action, ...]
    visits: I64
    values: F64
    errors: F64
    simulations: int
    reused: int
    nodes: int
    root: F64


class Search:
    """The tree of one seat, from decision to decision.

    Args:
        settings: how to search.
    """

    def __init__(self, settings: layout.Settings) -> None:
        self.settings = settings
        self._tree: layout.Tree | None = None
        self._plan: layout.Plan | None = None
        self._last: View | None = None
        self._chance = np.zeros((MAX_PLAYERS, COMBOS))
        self._other = np.zeros((MAX_PLAYERS, COMBOS), np.int16)
        self._work = layout.new_work()
        self._table: WinRateTable | None = None

    def forget(self) -> None:
        """The tree is of no use any more."""
        self._last = None

    def table(self) -> WinRateTable:
        """The win-rate table with the turn. The first call may build it, which takes seconds."""
        if self._table is None:
            self._table = load_win_rate_table(True)
        return self._table

    def _ready(self, view: View, nodes: int) -> layout.Tree:
        """The tree with room for so many new nodes, as far as the memory limit allows."""
        players = view.spec.players
        most = max(int(self.settings.megabytes * 2**20) // layout.node_bytes(players), 16)
        tree = self._tree
        if tree is None or tree.value.shape[1] != players:
            tree = self._tree = layout.new_tree(min(most, nodes + 1), players)
            self._last = None
        used = int(tree.used[0]) if self._last is not None else 0
        room = min(most, used + nodes + 1)
        if room > tree.visits.size:
            larger = layout.new_tree(min(most, max(room, 2 * tree.visits.size)), players)
            larger.used[0] = used
            for old, new in zip(tree[1:], larger[1:], strict=True):
                new[:used] = old[:used]
            tree = self._tree = larger
        return tree

    def prepare(self, view: View, held: Mapping[int, F64], tables: F64, raises: F64, groups: I64) -> layout.Plan:
        """The plan of a search from ``view``. ``held``: weights of every live opponent's hands, by position;
        ``tables``, ``raises``, ``groups``: the opponents' model (see :class:`Plan`)."""
        s = self.settings
        big = max(view.spec.big_blind, 1)
        unit = max(view.winnable + view.legal.to_call, 2 * big) / big
        sized = s.modelled and view.spec.betting != "limit"
        rules = layout.Rules(
            *(s.modelled, s.at_leaf, s.exact_cards, s.playout, s.cut_off, s.widening, s.classes, s.can_fold),
            sized=sized,
            weighed=sized and s.cut_off == layout.PLAY,
        )
        for position, weights in held.items():
            alias_kernel(weights, self._chance[position], self._other[position])
        how = layout.Selection(view.actor, s.selection, s.window, s.c, unit, s.plain)
        # The sizes of ``actions=`` are those of games with bet sizes; a limit game always has its one size.
        sizes = np.array((math.inf,) if view.spec.betting == "limit" else s.sizes)
        root, alias = view.state.copy(), (self._chance, self._other)
        self._plan = layout.Plan(how, rules, root, view.spec.array, sizes, *alias, tables, raises, groups)
        return self._plan

    def run(
        self,
        view: View,
        plan: layout.Plan,
        rng: Rng,
        simulations: int | None,
        milliseconds: float | None,
        until_sure: bool = False,
    ) -> Outcome:
        """Search from ``view``: so many simulations, or so long. What the tree knows of this situation is kept.
        ``until_sure``: stop once the rest cannot change the most visited action."""
        table = self.table()
        start = time.perf_counter()
        total = simulations if simulations is not None else 10**12
        tree = self._ready(view, min(total, 10**9) + 1)
        if not self._reuse(view, tree, plan):
            begin_kernel(tree, np.int64(layout.DECISION))
        reused = int(tree.visits[0])
        self._last = view
        done, size = 0, _FIRST
        while done < total:
            size = min(size, total - done)
            began = time.perf_counter()
            after = total - done - size if until_sure else -1
            ran = int(search_kernel(tree, plan, self._work, table, size, after, rng.state))
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
        return self._outcome(tree, plan.how.me, done, reused)

    @staticmethod
    def _outcome(tree: layout.Tree, me: int, done: int, reused: int) -> Outcome:
        nodes: list[int] = []
        child = int(tree.links[0, 1])
        while child >= 0:
            nodes.append(child)
            child = int(tree.links[child, 2])
        nodes.sort(key=lambda i: int(tree.key[i]))
        visits = tree.visits[nodes]
        values = tree.value[nodes] / visits[:, None]
        spread = np.maximum(tree.square[nodes] / visits - values[:, me] ** 2, 0.0)
        actions = tuple(Action(c & 3, c >> 2) for c in tree.action[nodes].tolist())
        root = tree.value[0] / max(int(tree.visits[0]), 1)
        return Outcome(actions, visits, values, np.sqrt(spread / visits), done, reused, int(tree.used[0]), root)

    def _reuse(self, view: View, tree: layout.Tree, plan: layout.Plan) -> bool:
        """Follow the actions and cards since the last decision to this one, and keep that subtree only. A real bet size
        that the tree has not tried leads nowhere."""
        last = self._last
        if (
            last is None
            or (last.hand, last.spec, last.seats, last.hole, last.position, last.start_stacks)
            != (view.hand, view.spec, view.seats, view.hole, view.position, view.start_stacks)
            or len(view.actions) <= len(last.actions)
            or view.actions[: len(last.actions)] != last.actions
        ):
            return False
        work, spec, table = self._work, view.spec.array, self.table()
        work.s[0] = last.state[0]
        work.s["board"][0] = view.state["board"][0]
        node, street = 0, last.street
        for _, _, action in view.actions[len(last.actions) :]:
            to = (action.to or int(legal_kernel(work.s, spec)[2])) if action.kind == RAISE else 0
            node = follow_kernel(tree, plan, work, table, action.kind + 4 * to, street, node)
            if node < 0:
                return False
            apply_kernel(work.s, spec, action.kind, to)
            if int(work.s["street"][0]) != street:
                street = int(work.s["street"][0])
                if tree.kind[node] != layout.CHANCE:
                    return False
                node = follow_kernel(tree, plan, work, table, -1, street, node)
                if node < 0:
                    return False
        if tree.kind[node] != layout.DECISION:
            return False
        keep_kernel(tree, node, np.zeros(int(tree.used[0]), np.int32))
        return True
