"""A coach: what a player's decisions gave up, estimated from what the player could know.

Rollouts of :mod:`dupai.arena._rollout` play on with everybody's true cards. A coach may not: the opponents' hands are
drawn from what a reader makes of the betting from the player's seat, the cards to come from what is left, and every
kind of action is tried on the same deals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from dupai.agents import AGENT_ERRORS, Agent, Seat, fault_text, sit_down
from dupai.arena._rollout import actions_at, kind_of
from dupai.base import Estimate, Rng
from dupai.base.arrays import F64
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK, mask_of
from dupai.notation import Reason, choice_reason
from dupai.reading import Reader, readings_to_draw
from dupai.rules import ROLLOUT_DRAW_STREAM, ROLLOUT_SEAT_STREAM, STREET_NAMES, Action, HandState, View

#: Draws of all hands together before one that collides is drawn around the others.
_TRIES = 20


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What the coach makes of one decision.

    Attributes:
        hand: its hand.
        decision: which of the player's decisions in it, from 1.
        street: 0 before the flop to 3.
        chosen, best: the action taken, and the best that was tried (the same where none was better).
        gave_up: big blinds by which the best other action beat the chosen one. The best is chosen on one half of the
            deals and valued on the other, so that the luck of the deals does not choose it; 0 where none is better.
        ahead: big blinds by which the chosen action beats the best other one, on all deals.
        values: by kind of action (those of :class:`~dupai.arena.Decision`), big blinds won from here on: what was put
            in before counts as lost.
        failed: decisions on the deals in which an agent failed and folded; ``failure``: what the first one raised.
        fell_back: decisions on the deals in which an agent fell back; ``why``: the first reason.
    """

    hand: int
    decision: int
    street: int
    chosen: Action
    best: Action
    gave_up: Estimate
    ahead: Estimate
    values: dict[str, Estimate]
    failed: int = 0
    failure: str = ""
    fell_back: int = 0
    why: Reason | None = None

    @property
    def sure(self) -> bool:
        """Whether the loss is more than two standard errors."""
        return self.gave_up.mean > 2 * self.gave_up.se

    def about(self, view: View) -> Reason:
        """What it says: ``flop, call 300: gave up 2.1 ± 0.6 bb, better fold``; ``view``: where it was decided."""
        lesson = self._about(view)
        if self.why is not None:
            lesson = Reason("with_fallbacks", {"lesson": (lesson,), "decisions": self.fell_back, "why": (self.why,)})
        if not self.failed:
            return lesson
        return Reason("with_failures", {"lesson": (lesson,), "failed": self.failed, "failure": self.failure})

    def _about(self, view: View) -> Reason:
        did: dict[str, Any] = {"street": STREET_NAMES[self.street], "chosen": (choice_reason(view, self.chosen),)}
        if len(self.values) < 2:
            return Reason("no_choice", did)
        if self.best == self.chosen:
            return Reason("nothing_better", {**did, "ahead": self.ahead.mean, "error": self.ahead.se})
        cost = {"cost": max(self.gave_up.mean, 0.0), "error": self.gave_up.se}
        better = (choice_reason(view, self.best),)
        return Reason("gave_up" if self.sure else "about_even", {**did, **cost, "better": better})


class Coach:
    """Judges decisions of one seat.

    Args:
        reader: what the opponents hold; it is asked for views of the seat that is judged.
        plays: how everybody plays on: a function from a seat to a new agent, ``stateless`` ones only. It is asked once
            for each seat.
        deals: how many deals each action is tried on.
        seconds: a decision is judged in about so much time, on fewer deals if need be (at least 20).
        seed: of the deals.
    """

    def __init__(
        self, reader: Reader, plays: Callable[[int], Agent], deals: int = 200, seconds: float = 3.0, seed: int = 1
    ) -> None:
        self._reader, self._plays = reader, plays
        self._deals, self._seconds, self._seed = deals, seconds, seed
        self._seats: dict[int, Seat] = {}
        self._failed: list[str] = []
        self._noted: list[Reason] = []

    def lesson(self, view: View, action: Action, decision: int) -> Lesson:
        """What ``action`` in ``view``, the player's decision number ``decision`` of the hand, gave up.

        Raises:
            ConfigError: the reader cannot read the view.
        """
        me = view.actor
        start = view.resume()
        self._failed.clear()
        self._noted.clear()
        chosen = kind_of(start, action)
        others = {kind: one for kind, one in actions_at(start).items() if kind != chosen and one != action}
        actions = {chosen: action, **others}
        readings = {view.seats.index(seat): r.p for seat, r in readings_to_draw(self._reader, view).items()}
        rng = Rng(self._seed, view.hand, ROLLOUT_DRAW_STREAM, decision)
        end = time.monotonic() + self._seconds
        won: list[list[int]] = []
        for number in range(self._deals):
            if number >= 20 and time.monotonic() > end:
                break
            dealt = dealt_from(start, readings, rng)
            seeds = {
                seat: Rng(self._seed, view.hand, ROLLOUT_SEAT_STREAM + seat, decision, number) for seat in view.seats
            }
            row = []
            for one in actions.values():
                after = dealt.copy()
                after.follow(one)
                self._play_on(after, {seat: Rng.from_state(seed.state) for seat, seed in seeds.items()})
                row.append(int(after.payoffs[me]))
            won.append(row)
        # Games without blinds count in chips.
        unit = max(view.spec.big_blind, 1)
        values = np.array(won, np.float64) / (view.spec.split * unit)
        paid = (view.contributions[me] + view.antes[me]) / unit
        names = list(actions)
        means = values.mean(axis=0)
        best, rival = int(means.argmax()), 1 + int(means[1:].argmax()) if len(names) > 1 else 0
        return Lesson(
            hand=view.hand,
            decision=decision,
            street=view.street,
            chosen=action,
            best=actions[names[best]],
            gave_up=Estimate.of(held_out_gains(values)),
            ahead=Estimate.of(values[:, 0] - values[:, rival]),
            values={name: Estimate.of(values[:, k] + paid) for k, name in enumerate(names)},
            failed=len(self._failed),
            failure=self._failed[0] if self._failed else "",
            fell_back=len(self._noted),
            why=self._noted[0] if self._noted else None,
        )

    def _play_on(self, state: HandState, rngs: Mapping[int, Rng]) -> None:
        """Everybody plays on to the end of the hand; one that fails folds, as in play."""
        while (position := state.actor) >= 0:
            chair = state.seats[position]
            if chair not in self._seats:
                self._seats[chair] = sit_down(self._plays(chair), state.view(position))
            try:
                action = self._seats[chair].act(state, rngs[chair])
            except AGENT_ERRORS as error:
                self._failed.append(fault_text(error))
                action = Action.fold() if state.legal.fold else Action.call()
            self._noted += self._seats[chair].noted[:1]
            state.apply(action)
        if any(seat.hears for seat in self._seats.values()):
            record = state.record([f"player {chair}" for chair in state.seats])
            for seat in self._seats.values():
                seat.show(record)

    def close(self) -> None:
        """Nothing is to be judged any more."""
        for seat in self._seats.values():
            seat.close()


def held_out_gains(values: F64) -> F64:
    """``float64[deals]``: what the best action won more than the chosen one, column 0 of ``values`` (``[deals,
    actions]``); on each deal the best is the one with the best mean on the other half of the deals."""
    half = np.arange(len(values)) % 2 == 0
    gains = np.zeros(len(values))
    for mine in (half, ~half):
        best = int(values[~mine].mean(axis=0).argmax()) if (~mine).any() else 0
        gains[mine] = values[mine, best] - values[mine, 0]
    return gains


def dealt_from(start: HandState, readings: Mapping[int, F64], rng: Rng) -> HandState:
    """A copy with hands of the opponents drawn from their readings, and a board from the rest of the deck."""
    row = start.state[0]
    seen = mask_of([c for c in (*row["hole"][: start.spec.players].ravel().tolist(), *start.board) if c < 52])
    state = start.copy()
    used = np.uint64(seen)
    for attempt in range(_TRIES + 1):
        used, clash = np.uint64(seen), False
        for position, p in readings.items():
            # At last around the cards that are taken, so that it ends.
            weights = np.where(COMBO_MASK & used == 0, p, 0.0) if attempt == _TRIES else p
            if not weights.sum() > 0:
                weights = (COMBO_MASK & used == 0).astype(np.float64)
            steps = np.cumsum(weights)
            hand = min(int(np.searchsorted(steps, rng.uniform() * steps[-1], side="right")), len(steps) - 1)
            clash = clash or bool(COMBO_MASK[hand] & used)
            used |= COMBO_MASK[hand]
            state.state["hole"][0, position] = COMBO_CARDS[hand]
        if not clash:
            break
    deck = [c for c in range(52) if not CARD_MASK[c] & used]
    rng.shuffle(deck)
    known = len(start.board)
    state.state["board"][0, known:] = deck[: 5 - known]
    return state
