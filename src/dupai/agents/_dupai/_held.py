"""The opponent of a solution, held to an action model: what each hand does at least at each node."""

from __future__ import annotations

import math

import numpy as np

from dupai.base.arrays import F64
from dupai.cards import COMBOS
from dupai.cfr.postflop import Bounds, SpotMove
from dupai.rules import Action, HandState
from dupai.spots import MENU_CALL, MENU_FOLD, ActionModel, Spot, spots


def held_to(model: ActionModel, state: HandState, base: int, player: int, strength: float) -> Bounds:
    """The bounds of a player who acts by ``model`` at least ``strength`` of the time.

    Args:
        state: the hand as everybody sees it, where the solution begins.
        base: what each of the two players had put in before the street.
        player: 0 out of position, 1 in position.
    """

    def lower(path: tuple[SpotMove, ...], actions: tuple[SpotMove, ...]) -> F64:
        now = state.copy()
        for move in path:
            now.follow(_real(now, move, base))
        if now.actor < 0 or now.street != state.street:
            return np.zeros((len(actions), COMBOS))
        return strength * _onto(model, spots(now.view(None))[-1], actions, base)

    return Bounds(player, lower)


def _real(state: HandState, move: SpotMove, base: int) -> Action:
    """A solver's action in chips of the hand."""
    if move.kind == "fold":
        return Action.fold()
    legal = state.legal
    if not move.amount or not legal.can_raise:
        return Action.call()
    return Action.raise_to(min(max(base + move.amount, legal.min_to), legal.max_to))


def _onto(model: ActionModel, spot: Spot, actions: tuple[SpotMove, ...], base: int) -> F64:
    """``float64[actions, 1326]``: what the model does, by the nearest of the solver's actions."""
    chances, menu = model.probs(spot).astype(np.float64), model.menu(spot)
    kinds = [a.kind for a in actions]
    passive = next(i for i, kind in enumerate(kinds) if kind in ("check", "call"))
    raises = {i: a.amount for i, a in enumerate(actions) if a.amount}
    out = np.zeros((len(actions), COMBOS))
    for column in np.flatnonzero(menu.legal(spot)).tolist():
        at = passive
        if column == MENU_FOLD:
            at = kinds.index("fold") if "fold" in kinds else passive
        elif column != MENU_CALL and raises:
            to = max(menu.action(spot, column).to - base, 1)
            at = min(raises, key=lambda i: abs(math.log(raises[i] / to)))
        out[at] += chances[:, column]
    total = out.sum(axis=0)
    return np.asarray(out / np.where(total > 0, total, 1))
