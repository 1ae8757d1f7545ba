"""``persona:NAME``: real people's (and two programs') habits, to practise against."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import numpy as np

from dupai.agents._protocol import PolicyAgent
from dupai.agents._rates import blind
from dupai.base import Option
from dupai.base.arrays import F64
from dupai.cards import NO_CARD, combo
from dupai.notation import Reason
from dupai.playouts import PersonaHabits, persona_habits, situation_kernel, size_situation_kernel
from dupai.reading.features import ACTION_CLASSES
from dupai.reading.model import TrainedModel
from dupai.rules import RAISE, Action, View
from dupai.spots import MENU_CALL, MENU_FOLD, ActionDistribution, HandPolicy, Menu, Spot, raise_to, spot_rows

#: What each persona is: the population of the action model and the key of its habits, at a table and heads-up.
GROUPS = {
    "bovada": (("online", "bovada"), ("online", "bovada")),
    "pokerstars": (("online", "pokerstars"), ("online", "pokerstars")),
    "pros": (("six-max", "pros"), ("heads-up", "pros heads-up")),
    "pluribus": (("Pluribus", "pluribus"), ("Pluribus", "pluribus")),
    "deepstack": (("DeepStack", "deepstack"), ("DeepStack", "deepstack")),
}
#: Actions rarer than this are left out.
_RARE = 1e-4
_shared = threading.local()


def mean_model() -> TrainedModel:
    """The model of mean members, one for all agents of a thread: what it works out once for a board serves everybody
    at the table."""
    if not hasattr(_shared, "model"):
        _shared.model = TrainedModel(adapt=False)
    model: TrainedModel = _shared.model
    return model


def columns_of(spot: Spot, hand: int, population: str, habits: PersonaHabits) -> F64:
    """How a group acts with a hand (combo index): the probability of each native column, ``float64[9]`` (limit: 3)."""
    p = mean_model().probs_of(spot, hand, population).astype(np.float64)
    p *= np.exp(habits.shift(situation_kernel(spot.rows, len(spot.rows) - 1))[: len(p)])
    return np.asarray(p / p.sum())


def column_actions(spot: Spot, habits: PersonaHabits, column: int) -> list[Action]:
    """What a native column stands for; each of them equally likely, sizes rising."""
    menu = mean_model().menu(spot)
    if column in (MENU_FOLD, MENU_CALL) or len(menu) < ACTION_CLASSES:
        return [menu.action(spot, column)]
    low, high = spot["min_to"], spot["max_to"]
    if column == len(menu) - 1:
        return [Action(RAISE, high)]
    called, pot = spot["total"] + spot["to_call"], spot["pot"] + spot["to_call"]
    sizes = habits.fractions(size_situation_kernel(spot.rows, len(spot.rows) - 1), column, menu.sizes[column - 2])
    # A size that is not the all-in stays below it.
    most = max(high - 1, low)
    return [Action(RAISE, raise_to(size, called, pot, low, most)) for size in sizes]


class Persona(PolicyAgent):
    """Plays as a group of real players did: their actions with each hand, as the trained reader has learned them.

    bovada: small online games, six-handed; pokerstars: small online games, nine-handed; pros: professionals, six-handed
    or (with two players) heads-up; pluribus: the six-handed program; deepstack: the heads-up program. Each hand is
    drawn anew from the mean member of the group: no person with habits of their own sits there. How often the group
    acts in each kind of situation and the sizes of its bets are corrected to what was counted
    (docs/results/personas.md).
    """

    bettings: ClassVar[tuple[str, ...]] = ("no-limit",)

    def __init__(
        self,
        name: Annotated[
            Literal["bovada", "pokerstars", "pros", "pluribus", "deepstack"], Option("whom it plays like")
        ] = "bovada",
        counted: Annotated[bool, Option("correct the model to counted frequencies and sizes")] = True,
    ) -> None:
        self.name = name
        #: The corrections by group; replaced while they are fitted.
        self.habits: Mapping[str, PersonaHabits] = persona_habits() if counted else {}

    def group(self, players: int) -> tuple[str, PersonaHabits]:
        """The population of the action model at a table of so many players, and its habits."""
        population, key = GROUPS[self.name][players == 2]
        return population, self.habits.get(key, PersonaHabits())

    def _columns(self, view: View) -> tuple[Spot, F64, PersonaHabits]:
        """The decision, and the probability of each native column, ``float64[9]``."""
        if view.actor < 0 or NO_CARD in view.hole_of(view.actor):
            raise blind(view)
        spot = Spot(view.spec, spot_rows(view), view.board, None, view.seats)
        population, habits = self.group(view.spec.players)
        return spot, columns_of(spot, combo(*view.hole_of(view.actor)), population, habits), habits

    def policy(self, view: View) -> ActionDistribution:
        spot, p, habits = self._columns(view)
        p = np.where(p >= _RARE, p, 0.0)
        p /= p.sum()
        points: dict[Action, float] = {}
        for column in np.flatnonzero(p).tolist():
            actions = column_actions(spot, habits, column)
            for action in actions:
                points[action] = points.get(action, 0.0) + float(p[column]) / len(actions)
        return ActionDistribution(tuple(points.items()))

    def hand_policy(self, view: View) -> HandPolicy:
        """The policy for every hand at once: the networks look at all hands together."""
        spot = Spot(view.spec, spot_rows(view), view.board, None, view.seats)
        population, habits = self.group(view.spec.players)
        p = mean_model().probs_as(spot, population).astype(np.float64)
        p *= np.exp(habits.shift(situation_kernel(spot.rows, len(spot.rows) - 1)))
        p /= p.sum(axis=1, keepdims=True)
        p = np.where(p >= _RARE, p, 0.0)
        p /= p.sum(axis=1, keepdims=True)
        rows: dict[Action, F64] = {}
        for column in np.flatnonzero(p.any(axis=0)).tolist():
            actions = column_actions(spot, habits, column)
            for action in actions:
                rows[action] = rows.get(action, np.zeros(len(p))) + p[:, column] / len(actions)
        return HandPolicy(tuple(rows), np.array(list(rows.values())))

    def reasons(self, view: View) -> tuple[Reason, ...]:
        spot, p, habits = self._columns(view)
        menu = mean_model().menu(spot)
        parts = [_part(menu, i, float(p[i])) for i in np.argsort(-p)[:3].tolist() if p[i] >= 0.01]
        likely = Reason("group_plays", {"parts": tuple(parts)})
        return (likely, Reason("group_counted", {"hands": habits.hands})) if habits.hands else (likely,)

    def numbers(self, view: View) -> Mapping[str, float]:
        _, p, _ = self._columns(view)
        return {"fold": float(p[MENU_FOLD]), "call": float(p[MENU_CALL]), "raise": float(p[2:].sum())}


def _part(menu: Menu, column: int, p: float) -> Reason:
    """How often a column of the menu is played."""
    if column in (MENU_FOLD, MENU_CALL):
        return Reason("part_fold" if column == MENU_FOLD else "part_call", {"p": p})
    if menu.all_in and column == len(menu) - 1:
        return Reason("part_all_in", {"p": p})
    return Reason("part_raise", {"share": menu.sizes[column - 2], "p": p})
