"""Agents that ignore their cards: the baseline that everything else is measured against."""

from __future__ import annotations

from typing import Annotated, Literal

from dupai.agents._kernels import raise_span_kernel
from dupai.agents._protocol import PolicyAgent
from dupai.agents._sizes import size_reason
from dupai.base import Option, Rng
from dupai.base.specs import check_between
from dupai.notation import Reason
from dupai.rules import CALL, FOLD, RAISE, Action, View
from dupai.spots import SIZE_HELP, ActionDistribution, RaiseBetween, size_code


def raise_span(view: View, size: float) -> tuple[int, int]:
    """Smallest and largest total of a raise of size code ``size`` in ``view``, where a raise must be legal."""
    legal = view.legal
    mine = int(view.state["total"][0, view.actor])
    lo, hi = raise_span_kernel(size, mine, legal.to_call, view.pot, legal.min_to, legal.max_to)
    return int(lo), int(hi)


def spread(fold: float, call: float, bet: float, lo: int, hi: int) -> ActionDistribution:
    """A distribution from the three masses, raises uniform over ``lo``..``hi``; masses of 0 are left out."""
    # Interpreted kernels return NumPy numbers.
    points = [(a, float(p)) for a, p in ((Action.fold(), fold), (Action.call(), call)) if p > 0.0]
    lo, hi, bet = int(lo), int(hi), float(bet)
    if bet > 0.0 and lo == hi:
        points.append((Action(RAISE, lo), bet))
        bet = 0.0
    return ActionDistribution(tuple(points), (RaiseBetween(lo, hi, bet),) if bet > 0.0 else ())


class Caller(PolicyAgent):
    """Always checks or calls."""

    def policy(self, view: View) -> ActionDistribution:
        return ActionDistribution.certain(Action.call())

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()

    def reasons(self, view: View) -> tuple[Reason, ...]:
        return (Reason("always_calls"),)


class Raiser(PolicyAgent):
    """Always bets or raises, and calls where no raise is allowed.

    The default size is the pot: a raise by as much as is in the pot after calling.
    """

    def __init__(self, size: Annotated[str, Option(SIZE_HELP)] = "pot") -> None:
        self._size = size_code(size)

    def policy(self, view: View) -> ActionDistribution:
        if not view.legal.can_raise:
            return ActionDistribution.certain(Action.call())
        return spread(0.0, 0.0, 1.0, *raise_span(view, self._size))

    def reasons(self, view: View) -> tuple[Reason, ...]:
        return Reason("always_raises"), size_reason(view, self._size)


class RandomAgent(PolicyAgent):
    """Uniform over fold (when facing a bet), call, and raise to a uniform legal total."""

    def policy(self, view: View) -> ActionDistribution:
        fold, _, lo, hi = view.legal
        p = 1.0 / (1 + fold + (hi > 0))
        return spread(p * fold, p, p * (hi > 0), lo, hi)

    def act(self, view: View, rng: Rng) -> Action:
        # The same draws as from the policy, without building it.
        fold, _, lo, hi = view.legal
        p = 1.0 / (1 + fold + (hi > 0))
        u = rng.uniform()
        if u < p * fold:
            return Action(FOLD)
        if u < p * fold + p or hi == 0:
            return Action(CALL)
        return Action(RAISE, lo + rng.below(hi - lo + 1) if hi > lo else lo)

    def reasons(self, view: View) -> tuple[Reason, ...]:
        return (Reason("all_alike"),)


class Fixed(PolicyAgent):
    """Acts with the same probabilities in every spot: folds 10 %, otherwise raises or calls (the fixed policy of Cao,
    Liu, "Computer Texas Hold'em based on Monte-Carlo Tree Search").

    The paper gives neither the split between raise and call nor what happens to the fold when checking is free.
    """

    def __init__(
        self,
        fold: Annotated[float, Option("chance to fold when facing a bet", 0.0, 1.0)] = 0.1,
        split: Annotated[float, Option("share of raises among actions other than folds", 0.0, 1.0)] = 0.5,
        free: Annotated[
            Literal["check", "play"],
            Option("when checking is free the chance to fold becomes a check, or is shared by check and bet (play)"),
        ] = "check",
        size: Annotated[str, Option(SIZE_HELP)] = "half",
    ) -> None:
        check_between("fold", fold, 0.0, 1.0)
        check_between("split", split, 0.0, 1.0)
        self._fold = fold
        self._split = split
        self._share_free = free == "play"
        self._size = size_code(size)

    def policy(self, view: View) -> ActionDistribution:
        legal = view.legal
        fold = self._fold
        if not legal.fold and self._share_free:
            fold = 0.0
        bet = (1.0 - fold) * self._split
        call = 1.0 - fold - bet
        if not legal.fold:
            call, fold = call + fold, 0.0
        if not legal.can_raise:
            return spread(fold, call + bet, 0.0, 0, 0)
        return spread(fold, call, bet, *raise_span(view, self._size))

    def reasons(self, view: View) -> tuple[Reason, ...]:
        about = Reason("fixed", {"fold": self._fold, "raises": self._split})
        if not view.legal.fold:
            return about, Reason("fold_is_check")
        return (about,) if view.legal.can_raise else (about, Reason("raise_is_call"))
