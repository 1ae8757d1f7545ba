"""What plays where nothing is solved: with short stacks the push/fold equilibrium; where no blueprint covers the game,
the trained model of a strong program.

DeepStack's model (heads-up) and Pluribus's (three and more) say how often these programs did what with each hand; both
were near an equilibrium, a model of them is not quite. In limit games it is Hyperborean's, which played with three.
"""

from __future__ import annotations

import numpy as np

from dupai.base.arrays import F64
from dupai.cards import CLASSES, COMBO_CLASS, COMBOS
from dupai.cfr import PushFold, nearest_push_fold
from dupai.reading.model import TrainedModel
from dupai.rules import RAISE, Action, GameSpec
from dupai.spots import DID_FOLD, HandPolicy, Menu, Spot

#: Big blinds up to which the push/fold equilibrium plays.
SHORT = 15.0
#: Columns of the model that are rarer are left to the others.
_RARE = 0.02
#: Who stands in, heads-up and at a table, and in limit games.
_POPULATIONS, _LIMIT = ("DeepStack", "Pluribus"), "Hyperborean_iro"


class StandIn:
    """A :class:`~dupai.spots.Blueprint` for every game: see the head of this module."""

    def __init__(self) -> None:
        self._model = TrainedModel(adapt=False)

    def covers(self, spec: GameSpec, stacks: tuple[int, ...], street: int) -> bool:
        return True

    def menu(self, spot: Spot) -> Menu:
        return self._model.menu(spot)

    def policy(self, spot: Spot) -> HandPolicy:
        who = _LIMIT if spot.spec.betting == "limit" else _POPULATIONS[spot.spec.players > 2]
        p = self._model.probs_as(spot, who).astype(np.float64)
        rare = p < _RARE
        rare &= ~rare.all(axis=1, keepdims=True)
        p[rare] = 0.0
        p /= p.sum(axis=1, keepdims=True)
        menu = self.menu(spot)
        rows: dict[Action, F64] = {}
        for column in np.flatnonzero(p.any(axis=0)).tolist():
            action = menu.action(spot, column)
            rows[action] = rows.get(action, np.zeros(COMBOS)) + p[:, column]
        return HandPolicy(tuple(rows), np.array(list(rows.values())))


def push_or_fold(spot: Spot) -> HandPolicy | None:
    """The push/fold equilibrium of the last two before the flop, with short stacks: an open, or the answer to an
    all-in."""
    game = short_game(spot)
    if game is None:
        return None
    return _two(game.call, Action.call()) if spot["raises"] else _two(game.push, Action(RAISE, spot["max_to"]))


def short_game(spot: Spot) -> PushFold | None:
    """The table that decides in a spot, heads-up or once all but the blinds have folded. Tables are of a small blind of
    half the big one, and of antes that are alike (with more than two players at most half a big blind in all); None
    where none fits, with more than 15 big blinds, and after an open that is no all-in."""
    if spot.street or spot["live"] != 2 or spot.spec.betting != "no-limit" or not spot["big_blind"]:
        return None
    small, blind = sorted(spot.spec.blinds)[-2:]
    if 2 * small != blind or sum(spot.spec.blinds) != small + blind or len(set(spot.spec.antes)) > 1:
        return None
    before = [row for row in spot.rows[:-1] if row["did"] != DID_FOLD]
    if not all(spot.spec.blinds[p] for p in (*(row["position"] for row in before), spot.position)):
        return None
    if spot.spec.players > 2 and 2 * sum(spot.spec.antes) > blind:
        return None
    effective = spot["effective"]
    paid = spot["total"]
    if not before:
        stack = (effective + paid) / blind
        fits = spot["max_to"] and spot["to_call"]
    else:
        # A raise that takes all of the other's chips is an all-in, whoever has more.
        all_in = int(before[0]["all_in"]) or spot["to_call"] >= spot["stack"]
        stack = (min(spot["to_call"], effective) + paid) / blind
        fits = len(before) == 1 and spot["to_call"] > 0 and all_in
    return nearest_push_fold(stack, sum(spot.spec.antes) / 2 / blind) if fits and stack <= SHORT else None


def _two(by_class: F64, action: Action) -> HandPolicy:
    assert len(by_class) == CLASSES
    plays = np.asarray(by_class, np.float64)[COMBO_CLASS]
    return HandPolicy((action, Action.fold()), np.array([plays, 1 - plays]))
