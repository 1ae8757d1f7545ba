"""The strategy of ``equilibrium`` as an action model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dupai.base.arrays import F32
from dupai.cards import COMBOS, NO_CARD
from dupai.rules import RAISE, Action, HandRecord, Line, View
from dupai.spots import Menu, RaiseBetween, Spot

if TYPE_CHECKING:
    from dupai.agents._equilibrium._tracker import Tracker

#: The sizes that are told apart; in limit games there is one.
NATIVE, LIMIT = Menu(sizes=(0.33, 0.75, 1.5), all_in=True), Menu(sizes=(1.0,))


class EquilibriumModel:
    """What the strategy does with each hand, by columns of its menu; see :class:`~dupai.spots.ActionModel`."""

    needs_ranges = False

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    def menu(self, spot: Spot) -> Menu:
        return LIMIT if spot.spec.betting == "limit" else NATIVE

    def probs(self, spot: Spot) -> F32:
        menu = self.menu(spot)
        legal = menu.legal(spot)
        policy = self._tracker.state(_view(spot)).policy
        out = np.zeros((COMBOS, len(menu)), np.float64)
        for action, row in zip(policy.actions, policy.chances, strict=True):
            if isinstance(action, RaiseBetween):
                action = Action(RAISE, (action.lo + action.hi) // 2)
            column = menu.column(spot, action)
            out[:, column] += row
        out[:, ~legal] = 0.0
        # Nobody plays the strategy exactly: every legal column keeps a little.
        out = 0.98 * out / np.maximum(out.sum(axis=1, keepdims=True), 1e-9) + 0.02 * legal / legal.sum()
        return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)

    def meet(self, names: Mapping[int, str]) -> None:
        return None

    def observe(self, record: HandRecord) -> None:
        return None


def _view(spot: Spot) -> View:
    """The observer's view of the decision of a spot."""
    stacks = list(spot.start_stacks) or _stacks_of(spot)
    actions = (Spot(spot.spec, spot.rows[: i + 1], ()).action for i in range(len(spot.rows) - 1))
    line = Line(
        spec=spot.spec, hand=0, stacks=tuple(stacks), hole=((NO_CARD, NO_CARD),) * spot.spec.players, board=spot.board,
        actions=tuple(action for action in actions if action is not None), seats=spot.seats,
    )  # fmt: skip
    return line.at().view(None)


def _stacks_of(spot: Spot) -> list[int]:
    """Stacks at the start where a spot does not say them: what is left and what was put in, of each position's first
    decision. Others have the game's; heads-up at most what the first to act can lose to them, which is exact as far as
    it counts."""
    antes, stacks = spot.spec.antes, list(spot.spec.stacks)
    if len(stacks) == 2:
        first = spot.rows[0]
        reach = int(first["effective"] + first["total"])
        stacks = [min(stack, reach + ante) for stack, ante in zip(stacks, antes, strict=True)]
    for row in reversed(spot.rows):
        position = int(row["position"])
        stacks[position] = int(row["stack"] + row["total"]) + antes[position]
    return stacks
