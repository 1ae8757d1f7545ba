"""A response to models of several opponents: one look at what each of them does next.

As :mod:`dupai.agents._dupai._respond` does against one opponent, with three things taken simply, for which there is no
exact answer in reach: opponents act independently of each other, each by the model as if those before had folded (or
checked); whoever stays in with the player wins or loses independently, so win rates are multiplied; and a raise ends
the betting: the player calls it or folds, the others fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dupai.agents._dupai._respond import (
    Response,
    answers,
    best_first,
    matched_at_most,
    top_share,
    tried,
)
from dupai.base import F64, I64
from dupai.cards import COMBOS
from dupai.equity import range_mass
from dupai.reading import possible_hands
from dupai.rules import FOLD, RAISE, Action, HandState, View
from dupai.spots import ActionModel, spots

#: Raises that are tried, in pots after the call: before the flop and after it; all-in always.
_SIZES = ((0.75, 1.5), (0.6, 1.2))


class _Answer(NamedTuple):
    """What an opponent does next, ``float64[1326]`` by the player's hand.

    Attributes:
        calls: how often the opponent stays in without a raise (also by a check, or as one who has nothing to decide).
        wins: the player's share of the pot against these hands.
        raised: how often the opponent raises, times what that leaves the player (0 for a fold).
        stays: how often the opponent does not raise.
        adds: chips that the opponent's call adds. back: chips of the player that this opponent cannot win.
    """

    calls: F64
    wins: F64
    raised: F64
    stays: F64
    adds: int
    back: int


class TableResponder:
    """Works out responses to models of several opponents.

    Args:
        model: how they act; told who sits where.
        doubt: hands after which the model's answer to a raise of one pot is believed by half.
    """

    def __init__(self, model: ActionModel, doubt: float = 2.0) -> None:
        self.model, self.doubt = model, doubt

    def respond(self, view: View, held: Mapping[int, F64], seen: int) -> Response:
        """The values of the decision that is due.

        Args:
            view: a decision. held: by position of each opponent still in, ``float64[1326]``: the range.
            seen: hands of the opponents that the model has learned from.
        """
        state = view.public().resume()
        ranges = {p: weights * possible_hands(state.board) for p, weights in held.items()}
        totals = {p: range_mass(state.board, weights).total for p, weights in ranges.items()}
        legal, me = state.legal, state.actor
        mine = state.contributions[me]
        pot, most = state.pot + legal.to_call, matched_at_most(state)
        actions = tried(state, _SIZES[state.street > 0])
        order = best_first(state.board)
        values = []
        for action in actions:
            if action.kind == FOLD:
                values.append(np.zeros(COMBOS))
                continue
            after = state.copy()
            after.apply(action)
            paid = after.contributions[me] - mine
            more = min(after.contributions[me], most) - mine - legal.to_call
            size = more / max(pot, 1) if action.kind == RAISE else 0.0
            unsure = self.doubt * size / (self.doubt * size + seen) if size and self.doubt else 0.0
            table = _Table(self.model, state.board, me, ranges, totals, order)
            values.append(table.value(after, state.street, size, unsure) - paid)
        met = np.logical_and.reduce([total > 0 for total in totals.values()])
        return Response(tuple(actions), np.where(met, np.array(values), np.nan))


class _Table:
    """The opponents of one decision."""

    def __init__(
        self, model: ActionModel, board: tuple[int, ...], me: int, ranges: dict[int, F64], totals: dict[int, F64],
        order: I64,
    ) -> None:  # fmt: skip
        self.model, self.board, self.me = model, board, me
        self.ranges, self.totals, self.order = ranges, totals, order

    def value(self, state: HandState, street: int, size: float, unsure: float) -> F64:
        """Chips that the player gets from the state after its action on, for every hand."""
        found: dict[int, _Answer] = {}
        now, pot = state, state.winnable_by(self.me)
        while now.actor >= 0 and now.actor != self.me and now.street == street:
            position = now.actor
            found[position] = self._answer(now, position, size, unsure)
            now = now.copy()
            now.apply(Action.fold() if now.legal.fold else Action.call())
        for position in self.ranges:
            if position not in found:
                found[position] = self._in(state, position)
        # Those before a raise have called or folded to the player's action; their money stays.
        kept = np.ones(COMBOS)
        raised = np.zeros(COMBOS)
        won, more = np.ones(COMBOS), np.zeros(COMBOS)
        for one in found.values():
            raised += kept * one.raised
            kept = kept * one.stays
            folds = np.maximum(one.stays - one.calls, 0)
            through = folds + one.calls * one.wins
            more = more * through + won * one.calls * (one.adds * one.wins + one.back * (1 - one.wins))
            won = won * through
        return np.asarray(pot * won + more + raised)

    def _shares(self, position: int, weights: F64) -> tuple[F64, F64]:
        """How much of the opponent's range the weights are, and the player's share of the pot against them."""
        mass = range_mass(self.board, weights)
        total = self.totals[position]
        share = mass.total / np.where(total > 0, total, 1)
        wins = (mass.win + mass.tie / 2) / np.where(mass.total > 0, mass.total, 1)
        return np.asarray(share), np.asarray(wins)

    def _in(self, state: HandState, position: int) -> _Answer:
        """An opponent who has nothing to decide."""
        share, wins = self._shares(position, self.ranges[position])
        back = max(state.contributions[self.me] - state.contributions[position], 0)
        return _Answer(share, wins, np.zeros(COMBOS), np.ones(COMBOS), 0, back)

    def _answer(self, state: HandState, position: int, size: float, unsure: float) -> _Answer:
        weights = self.ranges[position]
        calls, raises = np.zeros(COMBOS), np.zeros(COMBOS)
        by: Action | None = None
        for action, row in answers(self.model, spots(state.view(None))[-1], weights):
            if action.kind == RAISE:
                by = by or action
                raises += row
            elif action.kind != FOLD:
                calls += row
        if unsure > 0:
            calls = (1 - unsure) * calls + unsure * self._sound(weights, size)
            raises = (1 - unsure) * raises
        called, wins = self._shares(position, weights * calls)
        # Chips of others beyond the player's whole stack are nothing to win.
        reach, put = state.contributions[self.me] + state.stacks[self.me], state.contributions[position]
        adds = max(min(put + state.legal.to_call, reach) - put, 0)
        back = max(state.contributions[self.me] - put - adds, 0)
        raised, stays = np.zeros(COMBOS), np.ones(COMBOS)
        if by is not None:
            share, against = self._shares(position, weights * raises)
            stays = 1 - share
            to = min(by.to, reach)
            asked = max(to - state.contributions[self.me], 0)
            pot = state.winnable_by(self.me) + max(to - put, 0) + asked
            raised = share * np.maximum(against * pot - asked, 0)
        return _Answer(called, wins, raised, stays, adds, back)

    def _sound(self, weights: F64, size: float) -> F64:
        """How often each hand of an opponent calls if all of them together fold just so often that a bluff gains
        nothing."""
        share = 1 - (size / (1 + size)) ** (1 / len(self.ranges))
        return top_share(weights, self.order, share)
