"""A coach: what a player's decisions gave up, from what the player could know.

The values are those of :func:`dupai.agents.judge.judge`: the opponents' hands are drawn from what a reader makes of the
betting from the player's seat, and all play on as the populations that they are taken for. Actions that the strongest
players hardly ever take are no alternatives, for their values cannot be believed.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np

from dupai.agents.judge import Judgement, ends, judge
from dupai.arena._rollout import kind_of
from dupai.base import Estimate
from dupai.base.arrays import F64
from dupai.notation import Reason, choice_reason
from dupai.reading import Reader
from dupai.rules import FOLD, STREET_NAMES, Action, View

#: Deals of a decision, where the time allows.
LESSON_DEALS = 4096


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What the coach makes of one decision.

    Attributes:
        hand: its hand.
        decision: which of the player's decisions in it, from 1.
        street: 0 before the flop to 3.
        chosen, best: the action taken, and the best that was tried (the same where none was better).
        gave_up: big blinds by which the best other action beat the chosen one. The best is chosen on one half of the
            deals and valued on the other, so that the luck of the deals does not choose it; 0 where none is better. Its
            error holds for :attr:`best`, and is larger where the halves choose differently. Of a solved street the
            difference of the values, with the error of a solution.
        ahead: big blinds by which the chosen action beats the best other one, on all deals.
        values: by kind of action (those of :class:`~dupai.arena.Decision`), the chosen one and those whose values are
            to be believed, big blinds won from here on: what was put in before counts as lost.
        note: how far the values hold; None where there is nothing to say.
    """

    hand: int
    decision: int
    street: int
    chosen: Action
    best: Action
    gave_up: Estimate
    ahead: Estimate
    values: dict[str, Estimate]
    note: Reason | None = None

    @property
    def sure(self) -> bool:
        """Whether the loss is more than two standard errors."""
        return self.gave_up.mean > 2 * self.gave_up.se

    def about(self, view: View) -> Reason:
        """What it says: ``flop, call 300: gave up 2.1 ± 0.6 bb, better fold``; ``view``: where it was decided."""
        lesson = self._about(view)
        return lesson if self.note is None else Reason("with_note", {"lesson": (lesson,), "note": (self.note,)})

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
        reader: what the opponents hold, and whom they are taken for; it is asked for views of the seat that is judged.
        deals: how many deals each action is tried on.
        seconds: a decision is judged in about so much time, on fewer deals if need be.
        seed: of the deals.
    """

    def __init__(self, reader: Reader, deals: int = LESSON_DEALS, seconds: float = 3.0, seed: int = 1) -> None:
        self._reader, self._deals, self._seconds, self._seed = reader, deals, seconds, seed

    def lesson(self, view: View, action: Action, decision: int) -> Lesson:
        """What ``action`` in ``view``, the player's decision number ``decision`` of the hand, gave up.

        Raises:
            ConfigError: the reader cannot read the view.
        """
        # No early end: deals that stop where a difference is large would make it larger.
        judged = judge(
            view, self._reader, (action,), deals=self._deals, error=0.0, seconds=self._seconds, seed=self._seed
        )
        mine = judged.actions.index(action)
        others = [k for k, trusted in enumerate(judged.trusted) if trusted and k != mine]
        best = max([mine, *others], key=lambda k: judged.values[k].mean)
        # Games without blinds count in chips.
        unit = max(view.spec.big_blind, 1)
        start = view.resume()
        values: dict[str, Estimate] = {}
        # A fold wins 0, whoever folds there.
        folds = [k for k, a in enumerate(judged.actions) if a.kind == FOLD and k not in (mine, *others)]
        for k in (mine, *sorted(others, key=lambda k: -judged.prior[k]), *folds):
            values.setdefault(kind_of(start, judged.actions[k]), _scaled(judged.values[k], unit))
        if not others:
            gave_up = ahead = Estimate(0.0, 0.0, judged.values[mine].n)
        else:
            rival = max(others, key=lambda k: judged.values[k].mean)
            ahead = judged.difference(mine, rival)
            gave_up = _gave_up(judged, mine, others)
        return Lesson(
            hand=view.hand,
            decision=decision,
            street=view.street,
            chosen=action,
            best=judged.actions[best],
            gave_up=_scaled(gave_up, unit),
            ahead=_scaled(ahead, unit),
            values=values,
            note=_note(judged, mine, view),
        )


def _scaled(chips: Estimate, unit: int) -> Estimate:
    return Estimate(chips.mean / unit, chips.se / unit, chips.n)


def _gave_up(judged: Judgement, mine: int, others: list[int]) -> Estimate:
    """Chips by which the best of the other actions beat the chosen one."""
    if judged.played is None:
        gaps = [judged.difference(k, mine) for k in others]
        best = max(gaps, key=lambda gap: gap.mean)
        return best if best.mean > 0 else best._replace(mean=0.0)
    won = judged.played.won
    alive = [k for k in others if not np.isnan(won[:, k]).any()]
    won = won[:, [mine, *alive]]
    claim = Estimate.of(held_out_gains(won))
    # Where the halves choose differently, it is not sure which action is best. What the best on all deals seems to win
    # more than the chosen ones is added to the error.
    seen = float(won.mean(axis=0).max() - won[:, 0].mean())
    return claim._replace(se=math.hypot(claim.se, seen - claim.mean))


def _note(judged: Judgement, mine: int, view: View) -> Reason | None:
    """What is to be known of the values."""
    if not judged.trusted[mine] and not ends(view, judged.actions[mine]):
        return Reason("rarely_done")
    return judged.source if judged.source.code == "played_out_no_limit" else None


def held_out_gains(values: F64) -> F64:
    """``float64[deals]``: what the best action won more than the chosen one, column 0 of ``values`` (``[deals,
    actions]``); on each deal the best is the one with the best mean on the other half of the deals."""
    half = np.arange(len(values)) % 2 == 0
    gains = np.zeros(len(values))
    for mine in (half, ~half):
        best = int(values[~mine].mean(axis=0).argmax()) if (~mine).any() else 0
        gains[mine] = values[mine, best] - values[mine, 0]
    return gains
