"""Luck reduction in hold'em for any number of players: all-in equity, and control variates at deals and decisions.

Everything is a *subtracted term of expectation 0*. If the cards of all players are known (the referee's records), the
next board cards are uniform over the cards that nobody holds. Folded hands are dead cards, because the record knows
them; the players' actions carry no more information. The exact equity of the live hands is then a martingale over the
board, so ``stake * (equity after - equity before)`` has expectation 0 for any stake known before the cards come. Terms:

* ``deal``: hole cards. Stake: the geometric mean of the big blind and the second largest stack; expectation before: 1 /
  players each, by symmetry of the deal.
* ``flop``, ``turn``, ``river``: cards that come while the betting goes on. Stake: the pot.
* ``all_in``: the rest of the board after the betting has ended, pot by pot, each side pot with its own contenders. The
  stake is exactly what is at stake, so this term alone gives the *all-in equity adjusted* payoffs.
* ``decisions``: of players whose policy is given: the value of the action taken less the policy's mean value, by the
  baseline below.

The baseline of a state after an action approximates its value if the cards were run out, in parts that :data:`BASELINE`
weighs. After a fold: (0) equity of the pot among the others less what was paid. After a check or call: (1) equity of
the pot with it; (2) the same of the pot's growth (:data:`GROWTH`, as far as stacks reach, in equal parts from the live
players). After a raise of ``b`` over the bet into a pot of ``P``, if each opponent calls with probability ``P / (P +
b)`` (the frequency at which a bluff breaks even) and puts chips in accordingly: (3) equity of the pot, or all of it
where nobody calls; (4) the same of its growth; (5) the value of winning it at once beyond the equity; (6) equity of the
pot if everybody calls. Least squares found the weights, over hands of other seeds and tables than those that
``docs/how/match-statistics.md`` measures: ``python tools/luck_baseline.py``.

AIVAT (N. Burch et al., AAAI 2018) uses one value function for all nodes and the coefficient 1. Here each kind of term
has its coefficient, because pots grow after the cards have come: least squares over matches between the rule-based
agents gave :data:`COEFFICIENTS`. Like the weights of the baseline they are constants, so they do not bias the result.

Where folded hands are unknown (logs of other people) the terms of the board are only nearly unbiased: fewer aces come
than expected when an ace was folded. A rake stays as it was. An odd chip counts as shared: in a casino's split pot the
error is less than a chip.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError, RulesError
from dupai.base.arrays import F64, I64
from dupai.cards import NO_CARD
from dupai.equity import known_equity
from dupai.rules import BOARD_CARDS, CALL, FOLD, RAISE, Action, HandRecord, HandState, View, pots_of
from dupai.spots import ActionDistribution
from dupai.stats._kernels import raise_sums_kernel

#: An agent's ``policy``: its exact probabilities, a function of the view alone.
ViewPolicy = Callable[[View], ActionDistribution]

#: Kinds of terms, in the order of :attr:`LuckTerms.terms`.
TERMS = ("deal", "flop", "turn", "river", "all_in", "decisions")
#: How much of each of :data:`TERMS` is subtracted, by betting structure (see the head of this module).
COEFFICIENTS: dict[str, tuple[float, ...]] = {
    "no-limit": (4.0, 1.6, 1.4, 1.1, 1.0, 1.0),
    "pot-limit": (4.0, 1.6, 1.4, 1.1, 1.0, 1.0),
    "limit": (1.5, 3.2, 2.5, 1.5, 1.0, 1.0),
}
#: Weights of the seven parts of the baseline for decisions, by betting structure (see the head of this module), as
#: ``python tools/luck_baseline.py`` prints them, rounded.
BASELINE: dict[str, tuple[float, ...]] = {
    "no-limit": (1.01, 0.82, 0.47, 0.59, 0.84, -1.44, 0.21),
    "pot-limit": (1.01, 0.82, 0.47, 0.59, 0.84, -1.44, 0.21),
    "limit": (-0.18, 0.01, 0.03, 0.04, 0.43, -0.17, 0.11),
}
#: The pot at the end as a multiple of the pot after an action, by street: part of the baseline for decisions.
GROWTH = (2.5, 2.0, 1.5, 1.0)


class LuckTerms(NamedTuple):
    """One hand, in chips, by position: ``payoffs`` ``float64[players]`` and ``terms`` ``float64[6, players]``.

    Each row of ``terms`` (see :data:`TERMS`) has expectation 0 and adds up to 0 over the players.
    """

    payoffs: F64
    terms: F64


class _Shares:
    """Equity of sets of live hands on the boards of one hand, each counted once. All other known hands are dead."""

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self._known: dict[tuple[int, tuple[int, ...]], F64] = {}

    def of(self, live: Sequence[int], street: int) -> F64:
        """``float64[players]``: 0 for players who are not live.

        Raises:
            RulesError: cards of a live player are not known.
        """
        key = (street, tuple(live))
        if key not in self._known:
            record = self.record
            share = np.zeros(record.spec.players)
            if len(live) == 1:
                share[live[0]] = 1.0
            else:
                for p in live:
                    if NO_CARD in record.hole[p]:
                        raise RulesError(
                            f"hand {record.hand}: luck cannot be taken out without the hole cards of position {p}"
                        )
                dead = [c for p, two in enumerate(record.hole) if p not in live for c in two if c != NO_CARD]
                board = record.board[: BOARD_CARDS[street]]
                share[list(live)] = known_equity([record.hole[p] for p in live], board, dead)
            self._known[key] = share
        return self._known[key]


def _run_out(state: HandState, shares: _Shares, street: int) -> F64:
    """Everybody's mean payoff when the betting has ended on ``street`` and the board is run out."""
    won = -np.array(state.contributions, np.float64) - np.array(state.antes, np.float64)
    for chips, contenders in pots_of(state, uncalled=True):
        won += chips * shares.of(contenders, street)
    return won


def _betting_ended(state: HandState) -> int:
    """The street of the last action where cards are still to come and there is a showdown; else -1."""
    if not state.showdown:
        return -1
    street = state.actions[-1][0] if state.actions else 0
    return street if street < 3 else -1


def all_in_adjusted(record: HandRecord) -> F64:
    """Payoffs (``float64[players]``, chips, by position) without the luck of the board after the betting has ended.

    Each pot goes to its contenders by their exact equity at that moment. Other hands are as they were.

    Folded hands that the record knows are dead cards (see the head of this module).

    Raises:
        RulesError: cards of a player in an all-in are not known, or the record does not replay.
    """
    state = record.at()
    payoffs = np.array(record.payoffs, np.float64) / record.spec.split
    street = _betting_ended(state)
    if street < 0:
        return payoffs
    return payoffs - (state.payoffs / record.spec.split - _run_out(state, _Shares(record), street))


def luck_terms(record: HandRecord, policies: Sequence[ViewPolicy | None] | None = None) -> LuckTerms:
    """The luck in a hand, by kind.

    Args:
        record: with the hole cards of all who were dealt in.
        policies: by position, for players who really followed them; None for the others. They are called with the
            views of the hand, so they must be functions of the view alone (agents that are ``stateless``).

    Raises:
        RulesError: hole cards of a live player are not known, or the record does not replay.
    """
    spec = record.spec
    n = spec.players
    terms = np.zeros((len(TERMS), n))
    shares = _Shares(record)
    everybody = tuple(range(n))
    if all(NO_CARD not in two for two in record.hole):
        terms[0] = _deal_stake(record) * (shares.of(everybody, 0) - 1 / n)
    street = 0
    for state, action in zip_longest(record.states(), record.actions):
        if action is None:
            break
        if state.street > street:
            _board_terms(terms, state, shares, street)
            street = state.street
        policy = policies[state.actor] if policies is not None else None
        if policy is not None:
            terms[5] += np.array(BASELINE[spec.betting]) @ _decision_parts(state, action, policy, shares)
    if (ended := _betting_ended(state)) >= 0:
        terms[4] = state.payoffs / spec.split - _run_out(state, shares, ended)
    return LuckTerms(np.array(record.payoffs, np.float64) / spec.split, terms)


def _deal_stake(record: HandRecord) -> float:
    """The geometric mean of the big blind and the second largest stack: pots end up somewhere between the two. In limit
    games no more can be lost than 24 big blinds."""
    blind = record.spec.big_blind
    deep = sorted(record.stacks)[-2]
    if record.spec.betting == "limit":
        deep = min(deep, 24 * blind)
    return math.sqrt(blind * max(deep, blind))


def _board_terms(terms: F64, state: HandState, shares: _Shares, street: int) -> None:
    """Cards that have come since ``street`` while the betting goes on."""
    live = tuple(p for p, folded in enumerate(state.folded) if not folded)
    for k in range(street + 1, state.street + 1):
        terms[k] += state.pot * (shares.of(live, k) - shares.of(live, k - 1))


def _decision_parts(state: HandState, action: Action, policy: ViewPolicy, shares: _Shares) -> F64:
    """Parts of an action's value less their means under ``policy``, ``float64[7, players]``."""
    intended = policy(state.view(state.actor))
    # The action taken counts once, the policy's by their probabilities, less.
    weight = {FOLD: 0.0, CALL: 0.0}
    sizes, weights = [], []
    for (kind, to), p in ((action, -1.0), *intended.points):
        if p != 0.0 and kind == RAISE:
            sizes.append(to or state.legal.min_to)
            weights.append(-p)
        elif p != 0.0:
            weight[kind] -= p
    totals, shares_of = np.array(sizes, np.int64), np.array(weights)
    for lo, hi, p in intended.spans:
        if p > 0.0:
            totals = np.concatenate((totals, np.arange(lo, hi + 1)))
            shares_of = np.concatenate((shares_of, np.full(hi + 1 - lo, -p / (hi + 1 - lo))))
    return _Baseline(state, shares).parts(weight[FOLD], weight[CALL], totals, shares_of)


def decision_parts(record: HandRecord, policies: Sequence[ViewPolicy | None]) -> F64:
    """The luck of the decisions of a hand by part of the baseline, which :data:`BASELINE` weighs.

    ``float64[7, players]`` in chips by position; each has expectation 0. Arguments and errors as :func:`luck_terms`.
    """
    parts = np.zeros((len(BASELINE[record.spec.betting]), record.spec.players))
    shares = _Shares(record)
    for state, action in zip(record.states(), record.actions, strict=False):
        policy = policies[state.actor]
        if policy is not None:
            parts += _decision_parts(state, action, policy, shares)
    return parts


class _Baseline:
    """The baseline's value of each legal action, for every player, in parts."""

    def __init__(self, state: HandState, shares: _Shares) -> None:
        self.actor = state.actor
        live = [p for p, folded in enumerate(state.folded) if not folded]
        others = tuple(p for p in live if p != state.actor)
        self.others = np.array(others)
        self.share = shares.of(tuple(live), state.street)
        self.without = shares.of(others, state.street)
        self.pot = float(state.pot)
        self.paid = np.array(state.contributions, np.float64) + np.array(state.antes, np.float64)
        self.totals = np.array(state.contributions, np.float64)
        self.stacks = np.array(state.stacks, np.float64)
        self.to_call = float(min(state.to_call, state.stacks[state.actor]))
        self.top = float(max(state.contributions))
        self.grow = GROWTH[state.street] - 1.0
        self.even = np.zeros(state.spec.players)
        self.even[live] = 1 / len(live)
        #: Whether any opponent has chips beyond the bet; if none has, raising is calling (the arena plays it so).
        self.answerable = state.raise_can_be_called
        self.room = float(self.stacks[live].sum())

    def parts(self, folds: float, calls: float, sizes: I64, weights: F64) -> F64:
        """Parts of the value of folding, of checking and calling, and of raising to ``sizes`` (totals for the hand,
        ``int64[sizes]``), each times its weight: ``float64[7, players]``, see the head of this module. Each adds up to
        0 over the players."""
        out = np.zeros((7, len(self.paid)))
        if not self.answerable:
            calls, sizes, weights = calls + float(weights.sum()), sizes[:0], weights[:0]
        if folds:
            out[0] = folds * (self.pot * self.without - self.paid)
        if calls:
            pot = self.pot + self.to_call
            out[1] = calls * (pot * self.share - self.paid)
            out[1, self.actor] -= calls * self.to_call
            out[2] = calls * min(self.grow * pot, self.room - self.to_call) * (self.share - self.even)
        if len(sizes):
            self._raises(out, sizes, weights)
        return out

    def _raises(self, out: F64, sizes: I64, weights: F64) -> None:
        sums, (chips, more) = np.empty(6), np.empty((2, len(self.others)))
        facts = np.array([self.pot, self.top, self.totals[self.actor], self.room, self.grow])
        theirs, behind = self.totals[self.others], self.stacks[self.others]
        raise_sums_kernel(sizes, weights, facts, theirs, behind, sums, chips, more)
        alone, called, later, folds, full, cost = sums.tolist()
        paid = weights.sum() * self.paid
        # If nobody calls, the pot is won; otherwise each caller puts in an average share, and equity decides.
        out[3] = called * self.share - paid
        out[3, self.others] -= chips
        out[3, self.actor] += alone
        out[4] = later * (self.share - self.even)
        out[5] = -folds * self.pot * self.share
        out[5, self.actor] += folds * self.pot
        out[6] = full * self.share - paid
        out[6, self.others] -= more
        out[6, self.actor] -= cost


def luck_adjusted(
    records: Iterable[HandRecord],
    policies: Sequence[ViewPolicy | None] | None = None,
    coefficients: Mapping[str, float] | None = None,
) -> F64:
    """Payoffs of hands without the luck, in chips: of the same expectation, with less variance.

    Args:
        records: hands between the same number of players, with all hole cards.
        policies: by *seat*, for players who really followed them and whose policy depends on the view alone; None for
            the others (then only the cards' luck is taken out).
        coefficients: how much of each of :data:`TERMS` is subtracted; default: :data:`COEFFICIENTS`. They must not be
            fitted to the same hands.

    Returns:
        ``float64[hands, players]`` by seat (position where a record has no seats).

    Raises:
        RulesError: as :func:`luck_terms`.
        ConfigError: a coefficient for no term.
    """
    chosen = coefficients or {}
    if unknown := set(chosen) - set(TERMS):
        message = f"coefficients: {', '.join(sorted(unknown))}: expected of {', '.join(TERMS)}"
        raise ConfigError(message, key="coefficients")
    rows = []
    for record in records:
        seats = list(record.seats or range(record.spec.players))
        by_position = [policies[s] for s in seats] if policies is not None else None
        payoffs, terms = luck_terms(record, by_position)
        usual = COEFFICIENTS[record.spec.betting]
        weight = np.array([chosen.get(term, c) for term, c in zip(TERMS, usual, strict=True)])
        row = np.empty(len(seats))
        row[seats] = payoffs - weight @ terms
        rows.append(row)
    return np.array(rows) if rows else np.empty((0, 0))
