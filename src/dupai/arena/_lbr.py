"""Local best response: one hand of a player who knows the strategy of an agent and looks one action ahead.

V. Lisý, M. Bowling, "Equilibrium approximation quality of current no-limit poker bots", AAAI workshop 2017. The player
keeps the agent's range, exactly, by multiplying it with what the agent does with each hand. Of its own actions it takes
the one that would win most if both checked and called from there to the showdown, and the agent answered a bet by its
strategy (algorithm 1). What it wins is a lower bound of what a best response wins.

Luck is taken out by terms of expectation 0 (AIVAT, Burch et al. 2018, with the player's own equity as baseline):

* at a decision of the agent the value of the action taken, less the mean over its policy;
* where a card comes, the pot times the change of the player's equity against the range, which is a martingale;
* the player's two cards, by their win rate against any hand;
* at the end the payoff is the mean over the agent's range and over the cards to come, not that of the cards dealt.

The first and the last use the range, so they hold only if it is exact. Where it is not (a policy that was sampled, or
asked for some hands only), the agent's own hand stands in place of its range, and the first is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dupai.agents import AskedPolicy, Seat
from dupai.base import ConfigError, Rng
from dupai.base.arrays import F64
from dupai.cards import COMBO_INDEX, COMBOS
from dupai.equity import range_mass
from dupai.reading import possible_hands
from dupai.rules import BOARD_CARDS, FOLD, RAISE, Action, HandState
from dupai.spots import HandPolicy, RaiseBetween, raise_to

#: Bets by their letters: shares of the pot after a call.
SIZES = {"t": 1 / 3, "h": 0.5, "p": 1.0, "d": 2.0, "a": float("inf")}
#: Big blinds that the win rate of the player's two cards counts: pots grow with it.
_DEAL = 4.0


class LbrRules(NamedTuple):
    """How the player acts.

    Attributes:
        sizes: shares of the pot that it may bet.
        folds: whether it may fold.
        first: the first street on which it does more than check and call.
        most: hands of the agent that are asked at each decision (0: all).
        live: the agent acts itself, for it may learn from its own decisions too; else its policy is drawn from.
    """

    sizes: tuple[float, ...]
    folds: bool
    first: int
    most: int
    live: bool = False


class LbrHand(NamedTuple):
    """One hand: chips that the player won as the cards fell, the same without luck, whether the range was exact, and
    how often the agent was asked for a policy."""

    chips: float
    reduced: float
    exact: bool
    asked: int


def bet_letters(text: str) -> tuple[tuple[float, ...], bool]:
    """The bets of ``fcpa`` and whether it has the fold.

    Raises:
        ConfigError: another letter, or no ``c``.
    """
    letters = text.strip().lower()
    wrong = sorted(set(letters) - {"f", "c", *SIZES})
    if wrong or "c" not in letters:
        raise ConfigError(
            f"bets = {text!r}: expected letters of f (fold), c (call, always), t (third), h (half), p (pot), d (double "
            "pot), a (all-in), as fcpa",
            key="bets",
            text=text,
        )
    return tuple(sorted(SIZES[letter] for letter in set(letters) - {"f", "c"})), "f" in letters


class _Lbr:
    """The player in one hand, in position ``me``."""

    def __init__(self, seat: Seat, state: HandState, me: int, rules: LbrRules, rng: Rng) -> None:
        self.seat, self.state, self.me, self.rules, self.rng = seat, state, me, rules, rng
        self.hand = int(COMBO_INDEX[state.hole[me]])
        self.held = int(COMBO_INDEX[state.hole[1 - me]])
        self.range: F64 = possible_hands(state.hole[me]).astype(np.float64)
        self.exact = True
        self.asked = 0
        self.board: tuple[int, ...] = ()
        self._policies: dict[Any, AskedPolicy] = {}
        self.equities = self._equities(())
        own = self.equities @ self.range / self.range.sum()
        self.luck = _DEAL * state.spec.big_blind * (own - 0.5)

    def _equities(self, board: tuple[int, ...]) -> F64:
        """``float64[1326]``: the player's share of the pot against each hand, all cards to come counted."""
        one = np.zeros(COMBOS)
        one[self.hand] = 1.0
        mass = range_mass(board, one)
        met = mass.total > 0
        share = (mass.win + mass.tie / 2) / np.where(met, mass.total, 1)
        return np.where(met, 1 - share, 0.0)

    @property
    def belief(self) -> F64:
        """The hands of the agent that values are taken over."""
        if self.exact:
            return self.range
        one = np.zeros(COMBOS)
        one[self.held] = 1.0
        return one

    def equity(self, weights: F64) -> float:
        total = weights.sum()
        return float(self.equities @ weights / total) if total > 0 else 0.5

    # the agent -----------------------------------------------------------------------------------------------------

    def policy(self, state: HandState) -> AskedPolicy:
        """The agent's policy where it is to act."""
        key = (state.actions, len(self.board))
        if key not in self._policies:
            self.asked += 1
            view = state.view(state.actor)
            self._policies[key] = self.seat.hand_policy(view, self.range, most=self.rules.most, rng=self.rng)
        return self._policies[key]

    def agent_acts(self, draw: Rng) -> Action:
        """The agent's action; its range and the luck follow."""
        state = self.state
        asked = self.policy(state)
        policy = asked.policy
        self.exact = self.exact and asked.exact
        if asked.exact and not self.rules.live:
            action = policy.of(self.held).sample(draw)
        else:
            known = not self.rules.live and self.seat.can.policy
            action = self.seat.policy(state.view(state.actor)).sample(draw) if known else self.seat.act(state, draw)
        fitting = [
            i
            for i, one in enumerate(policy.actions)
            if one == action or (isinstance(one, RaiseBetween) and one.lo <= action.to <= one.hi)
        ]
        taken = fitting[0] if len(fitting) == 1 else self._one_of(fitting, policy, draw)
        if self.exact and taken >= 0:
            weights = policy.chances * self.range
            total = self.range.sum()
            values = [self._after(state, one, row) for one, row in zip(policy.actions, weights, strict=True)]
            mean = sum(v * float(row.sum()) / total for v, row in zip(values, weights, strict=True))
            self.luck += values[taken] - mean
        row = policy.chances[taken] if taken >= 0 else self._kind_of(policy, action)
        if len(fitting) > 1 and asked.exact:
            row = policy.likelihood(action)
        if (self.range * row).sum() > 0:
            self.range = self.range * row
        return action

    def _one_of(self, fitting: list[int], policy: HandPolicy, draw: Rng) -> int:
        """Where spans of raises overlap: one of those by which the agent's hand may have raised to this total, as often
        as it does, so that the luck taken out has mean 0. -1: there is none."""
        spans = [policy.actions[i] for i in fitting]
        sizes = [one.hi - one.lo + 1 if isinstance(one, RaiseBetween) else 1 for one in spans]
        if not fitting:
            return -1
        often = policy.chances[fitting, self.held] / np.array(sizes)
        if not often.sum() > 0:
            return fitting[-1]
        return fitting[int(np.searchsorted(np.cumsum(often), draw.uniform() * often.sum(), side="right"))]

    @staticmethod
    def _kind_of(policy: Any, action: Action) -> F64:
        """The likelihood of the kind of an action whose size the sampled policy does not have."""
        rows = [
            row
            for one, row in zip(policy.actions, policy.chances, strict=True)
            if (RAISE if isinstance(one, RaiseBetween) else one.kind) == action.kind
        ]
        return np.sum(rows, axis=0) if rows else np.ones(COMBOS)

    def _after(self, state: HandState, action: Action | RaiseBetween, weights: F64) -> float:
        """The player's value after an action of the agent: the hand checked down, or a fold to a raise."""
        mine, theirs = state.contributions[self.me], state.contributions[1 - self.me]
        if isinstance(action, Action) and action.kind == FOLD:
            return float(theirs)
        equity = self.equity(weights)
        raises = isinstance(action, RaiseBetween) or action.kind == RAISE
        to = mine
        if raises:
            to = (action.lo + action.hi) // 2 if isinstance(action, RaiseBetween) else action.to
        paid = min(to, state.stacks[self.me] + mine) if raises else max(mine, theirs)
        value = equity * 2 * paid - paid
        return max(value, -float(mine)) if raises else value

    # the player ----------------------------------------------------------------------------------------------------

    def acts(self) -> Action:
        """The action of algorithm 1."""
        state = self.state
        if state.street < self.rules.first:
            return Action.call()
        legal, pot = state.legal, state.winnable
        asked = legal.to_call
        # More than the agent has comes back.
        most = state.contributions[1 - self.me] + state.stacks[1 - self.me]
        rate = self.equity(self.range)
        best, action = rate * pot - (1 - rate) * asked, Action.call()
        tried = set()
        for size in self.rules.sizes if legal.can_raise else ():
            mine = state.contributions[self.me]
            to = raise_to(min(size, 1e9), mine + asked, pot + asked, legal.min_to, legal.max_to)
            if to in tried:
                continue
            tried.add(to)
            after = state.copy()
            after.apply(Action.raise_to(to))
            if after.actor < 0:
                continue
            policy = self.policy(after).policy
            folds = policy.likelihood(Action.fold())
            total = float(self.range.sum())
            fold = float(folds @ self.range) / total
            stays = self.range * (1 - folds)
            rate = self.equity(stays)
            more = min(to, most) - mine
            value = fold * pot + (1 - fold) * (rate * (pot + more - asked) - (1 - rate) * more)
            if value > best + 1e-9:
                best, action = value, Action.raise_to(to)
        if best < -1e-9 and legal.fold and self.rules.folds:
            return Action.fold()
        return action

    # the hand ------------------------------------------------------------------------------------------------------

    def cards_come(self) -> None:
        """A street begins: the change of equity is luck."""
        pot = float(self.state.pot)
        before = self.equity(self.belief)
        self.board = self.state.board
        self.range = self.range * possible_hands(self.board)
        self.equities = self._equities(self.board)
        self.luck += pot * (self.equity(self.belief) - before)

    def play(self, draw: Rng, on_state: Callable[[HandState], None] | None = None) -> LbrHand:
        """Play the hand to its end."""
        state = self.state
        while state.actor >= 0:
            if BOARD_CARDS[state.street] != len(self.board):
                self.cards_come()
            state.apply(self.acts() if state.actor == self.me else self.agent_acts(draw))
            if on_state is not None:
                on_state(state)
        chips = float(state.payoffs[self.me]) / state.spec.split
        if True in state.folded:
            value = chips
        else:
            # The part that one of two unequal stacks puts in beyond the other comes back.
            stake = min(state.contributions)
            value = stake * (2 * self.equity(self.belief) - 1)
        return LbrHand(chips, value - self.luck, self.exact, self.asked)


def lbr_hand(seat: Seat, state: HandState, me: int, rules: LbrRules, rng: Rng) -> LbrHand:
    """Play one dealt hand with local best response in position ``me``.

    Args:
        seat: of the agent, in the other position; ``state`` has all cards.
        state: the hand, before the first action.
        rng: of the agent's actions.
    """
    return _Lbr(seat, state, me, rules, rng).play(rng)
