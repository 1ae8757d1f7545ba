"""The ``equilibrium`` agent: both ranges are tracked exactly; turn and river are solved while it plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np

from dupai.agents._equilibrium._model import EquilibriumModel
from dupai.agents._equilibrium._stand_in import StandIn
from dupai.agents._equilibrium._tracker import BLUEPRINT, PublicState, SolveOptions, Tracker, cannot_hold
from dupai.agents._notes import Notes
from dupai.agents._protocol import Advice, MatchInfo, PolicyAgent
from dupai.agents._rates import blind
from dupai.base import ConfigError, NotCovered, Option, Rng
from dupai.cards import COMBO_INDEX, NO_CARD
from dupai.cfr import Blueprints
from dupai.notation import Reason
from dupai.reading import Reading, possible_hands
from dupai.rules import BOARD_CARDS, FOLD, Action, View
from dupai.spots import ActionDistribution, ActionModel, Blueprint, HandPolicy, spots

#: What plays where nothing is solved, if no file is named: the blueprints that ship for two players, these and the one
#: of a table, or the stand-in alone.
SHIPPED, TABLE, STAND_IN = "shipped", "table", "stand-in"
_METHODS = {"on": "weighted", "margin": "maxmargin", "off": None}
_FIRST = {"turn": 2, "river": 3, "off": 4}
#: Part of a clock that solving may take; a turn with its nested solution takes two.
_SHARE = 0.4


def blueprint_named(name: str) -> Blueprint | None:
    """What plays where nothing is solved, by the option ``blueprint``; None: the stand-in alone.

    Raises:
        FileError: a file is no blueprint.
    """
    if name == STAND_IN:
        return None
    if name in (SHIPPED, TABLE):
        return Blueprints.shipped(tables=name == TABLE)
    return Blueprints.load([Path(one) for one in name.split("+")])


class Equilibrium(PolicyAgent):
    """Solves what it reads: tracks both ranges of 1,326 hands and solves turn and river with the bets really made.

    Both ranges are multiplied by what the strategy says of every action. The turn is solved to the river, the river
    with more sizes; where a bet is made that the tree lacks, the street is solved again from there. Both are safe: the
    opponent's hands keep what they had in the solution before as far as they can, likely ones first (``safe=margin``:
    max-margin). Before the turn it plays heads-up the push/fold equilibrium up to 15 big blinds, else a blueprint at
    about its depth of stacks, where the betting has a counterpart in its tree (``blueprint=FILE`` takes others of
    'dupai train blueprint'). Elsewhere a stand-in plays: the trained model of DeepStack (heads-up) or Pluribus (three
    and more), in limit games of Hyperborean. With three and more in the hand the stand-in plays on, or with
    ``blueprint=table`` a blueprint of six players; once two are left at the start of a turn or river, it is solved,
    with the folded money in the pot. Limit games are played by blueprint and stand-in alone.
    """

    stateless: ClassVar[bool] = True
    bettings: ClassVar[tuple[str, ...]] = ("no-limit", "limit")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(
        self,
        resolve: Annotated[Literal["turn", "river", "off"], Option("first street that is solved; off: none")] = "turn",
        ms: Annotated[
            float | None,
            Option("milliseconds for a decision, at most; below 500 turns are not solved; none: iterations alone"),
        ] = None,
        safe: Annotated[
            Literal["on", "margin", "off"],
            Option("the opponent's hands keep the values of the solution before; margin: likely or not, all alike"),
        ] = "on",
        turn: Annotated[int, Option("iterations of a turn", 1, 10_000)] = 64,
        river: Annotated[int, Option("iterations of a river", 1, 10_000)] = 240,
        blueprint: Annotated[
            str,
            Option(
                "shipped, table (these and one of six players), stand-in, or files with + between them",
                file=True,
                words=(SHIPPED, TABLE, STAND_IN),
            ),
        ] = SHIPPED,
    ) -> None:
        if ms is not None and not 0 < ms < float("inf"):
            raise ConfigError(f"ms={ms:g}: expected a time above 0", key="ms")
        seconds = None if ms is None else (_SHARE * ms / 1000, _SHARE * ms / 1000)
        #: As it was asked for; a match's clock adds to it.
        self._given = self._options = SolveOptions(_FIRST[resolve], (turn, river), seconds, _METHODS[safe])
        self._tracker: Tracker | None = None
        self._blueprint = blueprint_named(blueprint)
        #: Decisions that it played by something weaker than its options ask for.
        self.notes = Notes()

    @property
    def tracker(self) -> Tracker:
        """The public states of the hands so far."""
        if self._tracker is None:
            self._tracker = Tracker(self._blueprint, StandIn(), self._options)
        return self._tracker

    @property
    def model(self) -> ActionModel:
        """The strategy as an action model: a filter makes it a reader."""
        return EquilibriumModel(self.tracker)

    def start(self, match: MatchInfo) -> None:
        clock = match.seconds_per_action
        self._options = self._given
        if clock is not None and self._given.seconds is None:
            share = _SHARE * clock
            self._options = self._given._replace(seconds=(share, share))
        self._tracker = None

    def close(self) -> None:
        self._tracker = None

    def hand_policy(self, view: View) -> HandPolicy:
        """The strategy for every hand at once."""
        state = self._state(view)
        for reason in state.fallbacks:
            self.notes.add(reason)
        return state.policy

    def act(self, view: View, rng: Rng) -> Action:
        action = super().act(view, rng)
        for reason in self._state(view).fallbacks:
            self.notes.add(reason)
        return action

    def policy(self, view: View) -> ActionDistribution:
        if NO_CARD in view.hole_of(view.actor):
            raise blind(view)
        return self._state(view).policy.of(int(COMBO_INDEX[view.hole_of(view.actor)]))

    def _state(self, view: View) -> PublicState:
        if view.actor < 0 or len(view.board) != BOARD_CARDS[view.street]:
            raise blind(view)
        return self.tracker.state(view)

    def reasons(self, view: View) -> tuple[Reason, ...]:
        return self._state(view).reasons

    def readings(self, view: View) -> dict[int, Reading]:
        """What the players still in seem to hold by the strategy, by seat."""
        state = self._state(view)
        own = [card for card in view.hole_of(view.actor) if card != NO_CARD]
        out = {}
        for position, seat in enumerate(view.seats):
            if position == view.actor or view.folded[position]:
                continue
            weights = state.ranges[position] * possible_hands([*view.board, *own])
            if weights.sum() > 0:
                out[seat] = Reading(weights / weights.sum())
        return out

    def advise(self, view: View, rng: Rng) -> Advice:
        """The mix with the value of each action in chips won from here on: where the street is solved by the solution,
        before that and heads-up by the blueprint's own play over many boards."""
        state = self._state(view)
        advice = Advice.of(self.policy(view), self.reasons(view), self.numbers(view))
        values, note = self._values(view, state, advice)
        reasons = advice.reasons if note is None else (*advice.reasons, note)
        if state.reasons[0] == BLUEPRINT and values is None:
            values, reasons = self._drawn(view, advice)
        return msgspec.structs.replace(advice, values=values, reasons=reasons, readings=self.readings(view))

    def _drawn(self, view: View, advice: Advice) -> tuple[tuple[float, ...] | None, tuple[Reason, ...]]:
        """Values by the blueprint, and the reasons with a word on them."""
        if not isinstance(self._blueprint, Blueprints):
            return None, advice.reasons
        try:
            found = self._blueprint.action_values(spots(view)[-1])
        except NotCovered:
            return None, (*advice.reasons, Reason("no_values"))
        hand = int(COMBO_INDEX[view.hole_of(view.actor)])
        free = not spots(view)[-1]["to_call"]
        at = [Action.call() if free and a.kind == FOLD else a for a in found.actions]
        if not set(advice.actions) <= set(at):
            return None, advice.reasons  # the bet counts in part as another of the tree, which more can answer
        rows = [at.index(action) for action in advice.actions]  # type: ignore[arg-type]
        values = tuple(float(found.mean[row, hand]) for row in rows)
        if not np.isfinite(values).all():
            return None, advice.reasons
        error = 1.96 * max(float(found.error[row, hand]) for row in rows) / max(view.spec.big_blind, 1)
        note = Reason("blueprint_values", {"boards": found.boards, "error": error})
        return values, (*advice.reasons, note)

    def _values(self, view: View, state: PublicState, advice: Advice) -> tuple[tuple[float, ...] | None, Reason | None]:
        """Values by the solution, against the opponent for whom it plays, and what they are."""
        street, hand = state.street, int(COMBO_INDEX[view.hole_of(view.actor)])
        if street is None or view.actor not in street.seats:
            return None, None
        safe = street.solution.safe
        unheld = safe and bool(cannot_hold(state.ranges[view.actor])[hand])
        values = street.values(spots(view)[-1], as_solved=not unheld)
        rows = tuple(float(values[action][hand]) for action in advice.actions)  # type: ignore[index]
        if not np.isfinite(rows).all():
            return None, None
        return rows, Reason("values_unheld" if unheld else "values_as_solved") if safe else None
