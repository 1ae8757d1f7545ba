"""A response to models of several opponents, which looks at the next action of each of them.

It works as :mod:`dupai.agents._dupai._respond` does against one opponent, with three simplifications:

* Opponents act independently of each other, each by the model as if the opponents before had folded (or checked).
* Opponents who stay in win or lose independently of each other, so win rates are multiplied.
* A raise ends the betting: the player calls it or folds, and the others fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dupai.agents._dupai._respond import (
    Response,
    actions_to_try,
    answers,
    best_first,
    doubted_share,
    top_share,
    worth,
)
from dupai.base.arrays import F64
from dupai.cards import COMBOS
from dupai.equity import range_mass
from dupai.reading import possible_hands
from dupai.rules import FOLD, RAISE, Action, HandState, View
from dupai.spots import ActionModel, spots

#: Sizes of the raises that are tried, in pots after the call: before the flop, after it. All-in is always tried.
_SIZES = ((0.75, 1.5), (0.6, 1.2))


class _Answer(NamedTuple):
    """The next action of an opponent; arrays are ``float64[1326]`` by the player's hand.

    Attributes:
        stays: probability that the opponent stays in without a raise: calls, checks, or has nothing to decide.
        wins: the player's share of the pot against the hands that stay in.
        passive: probability that the opponent does not raise.
        after_raise: the probability of a raise times the chips that it leaves the player (0 for a fold).
        added: chips that the opponent's call adds.
        returned: chips of the player that this opponent cannot win.
    """

    stays: F64
    wins: F64
    passive: F64
    after_raise: F64
    added: int
    returned: int


class TableResponder:
    """Works out responses to models of several opponents.

    Args:
        model: how they act; it has met the players.
        doubt: hands after which the model's answer to a raise of one pot counts half.
    """

    def __init__(self, model: ActionModel, doubt: float = 2.0) -> None:
        self.model, self.doubt = model, doubt

    def respond(self, view: View, held: Mapping[int, F64], seen: int) -> Response:
        """The values of the decision that is due.

        Args:
            view: a decision.
            held: the range of each opponent still in by position, ``float64[1326]``.
            seen: hands of the opponents that the model has learned from.
        """
        state = view.public().resume()
        me = state.actor
        table = _Table(self.model, state.board, me, {p: w * possible_hands(state.board) for p, w in held.items()})
        actions = actions_to_try(state, _SIZES[state.street > 0])

        def value(after: HandState, paid: int, size: float) -> F64:
            return table.value(after, state.street, size, doubted_share(self.doubt, size, seen)) - paid

        values = [worth(state, action, value) for action in actions]
        met = np.logical_and.reduce([total > 0 for total in table.totals.values()])
        return Response(tuple(actions), np.where(met, np.array(values), np.nan))


class _Table:
    """The opponents of one decision.

    Args:
        me: position of the player.
        ranges: by position of each opponent, ``float64[1326]``.
    """

    def __init__(self, model: ActionModel, board: tuple[int, ...], me: int, ranges: dict[int, F64]) -> None:
        self.model, self.board, self.me, self.ranges = model, board, me, ranges
        #: Weight of each opponent's range that each of the player's hands meets.
        self.totals = {p: range_mass(board, weights).total for p, weights in ranges.items()}
        self.order = best_first(board)

    def value(self, state: HandState, street: int, size: float, doubted: float) -> F64:
        """Chips that the player gets from the state after its action on, for every hand.

        Args:
            street: the street of the decision.
            size: the player's raise in pots, 0 for none.
            doubted: the weight that the model's answers to it do not get.
        """
        answers_of: dict[int, _Answer] = {}
        now = state
        while now.actor >= 0 and now.actor != self.me and now.street == street:
            answers_of[now.actor] = self._answer(now, size, doubted)
            now = now.copy()
            now.apply(Action.fold() if now.legal.fold else Action.call())
        for position in self.ranges:
            if position not in answers_of:
                answers_of[position] = self._without_decision(state, position)
        # Opponents before a raise have called it or folded: their chips stay in the pot.
        passive, after_raise = np.ones(COMBOS), np.zeros(COMBOS)
        won, extra = np.ones(COMBOS), np.zeros(COMBOS)
        for one in answers_of.values():
            after_raise += passive * one.after_raise
            passive = passive * one.passive
            folds = np.maximum(one.passive - one.stays, 0)
            through = folds + one.stays * one.wins
            extra = extra * through + won * one.stays * (one.added * one.wins + one.returned * (1 - one.wins))
            won = won * through
        return np.asarray(state.winnable_by(self.me) * won + extra + after_raise)

    def _shares(self, position: int, weights: F64) -> tuple[F64, F64]:
        """The part of an opponent's range that some weights are, and the player's share of the pot against them."""
        mass = range_mass(self.board, weights)
        total = self.totals[position]
        part = mass.total / np.where(total > 0, total, 1)
        wins = (mass.win + mass.tie / 2) / np.where(mass.total > 0, mass.total, 1)
        return np.asarray(part), np.asarray(wins)

    def _without_decision(self, state: HandState, position: int) -> _Answer:
        """An opponent who stays in and has nothing to decide."""
        stays, wins = self._shares(position, self.ranges[position])
        returned = max(state.contributions[self.me] - state.contributions[position], 0)
        return _Answer(stays, wins, np.ones(COMBOS), np.zeros(COMBOS), 0, returned)

    def _answer(self, state: HandState, size: float, doubted: float) -> _Answer:
        """The answer of the opponent to act."""
        position = state.actor
        weights, paid = self.ranges[position], state.contributions[position]
        calls, raises = np.zeros(COMBOS), np.zeros(COMBOS)
        likeliest: Action | None = None
        for action, row in answers(self.model, spots(state.view(None))[-1], weights):
            if action.kind == RAISE:
                likeliest = likeliest or action
                raises += row
            elif action.kind != FOLD:
                calls += row
        if doubted > 0:
            calls = (1 - doubted) * calls + doubted * self._sound_calls(weights, size)
            raises = (1 - doubted) * raises
        stays, wins = self._shares(position, weights * calls)
        # The player cannot win chips of others beyond its own whole stack.
        reach = state.contributions[self.me] + state.stacks[self.me]
        added = max(min(paid + state.legal.to_call, reach) - paid, 0)
        returned = max(state.contributions[self.me] - paid - added, 0)
        passive, after_raise = np.ones(COMBOS), np.zeros(COMBOS)
        if likeliest is not None:
            part, against = self._shares(position, weights * raises)
            passive = 1 - part
            to = min(likeliest.to, reach)
            to_call = max(to - state.contributions[self.me], 0)
            pot = state.winnable_by(self.me) + max(to - paid, 0) + to_call
            after_raise = part * np.maximum(against * pot - to_call, 0)
        return _Answer(stays, wins, passive, after_raise, added, returned)

    def _sound_calls(self, weights: F64, size: float) -> F64:
        """``float64[1326]``: how often each hand of an opponent calls if all opponents together fold just often enough
        that a bluff gains nothing."""
        share = 1 - (size / (1 + size)) ** (1 / len(self.ranges))
        return top_share(weights, self.order, share)
