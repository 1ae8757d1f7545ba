"""A distribution over actions: single ones with their probabilities, and raises to a uniform size."""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec

from dupai.base import ConfigError, Rng
from dupai.rules import CALL, FOLD, RAISE, Action


class RaiseBetween(NamedTuple):
    """A raise with probability ``p`` *to* a whole number of chips, uniform over ``lo``..``hi``, both included.

    ``lo`` and ``hi`` are totals for the hand, as in :class:`dupai.rules.Action`.
    """

    lo: int
    hi: int
    p: float

    def __str__(self) -> str:
        return f"r{self.lo}..{self.hi}"


class ActionDistribution(msgspec.Struct, frozen=True):
    """The exact distribution of a player's action in one spot: single actions (``points``) and raises to a uniform size
    (``spans``).

    Probabilities are in [0, 1] and add up to 1 over both (:meth:`checked` checks it). An action may occur more than
    once; its probability is then the sum.
    """

    points: tuple[tuple[Action, float], ...]
    spans: tuple[RaiseBetween, ...] = ()

    @classmethod
    def certain(cls, action: Action) -> ActionDistribution:
        """``action`` and nothing else."""
        return cls(((action, 1.0),))

    def checked(self) -> ActionDistribution:
        """This distribution, after checking that it is one.

        Raises:
            ConfigError: a probability is negative or not a number, a span is empty, or the sum differs from 1 by more
                than 1e-9.
        """
        parts = [p for _, p in self.points] + [span.p for span in self.spans]
        if not all(p >= 0.0 for p in parts):
            raise ConfigError(f"action probabilities {parts}: expected none below 0")
        if abs(math.fsum(parts) - 1.0) > 1e-9:
            raise ConfigError(f"action probabilities {parts} add up to {math.fsum(parts):.12g}: expected 1")
        for span in self.spans:
            if span.lo > span.hi:
                raise ConfigError(f"raise between {span.lo} and {span.hi}: expected the smaller total first")
        return self

    def probability(self, action: Action) -> float:
        """Probability of exactly this action (folds and calls are compared by kind, raises by their total)."""
        kind, to = action
        if kind != RAISE:
            return math.fsum(p for a, p in self.points if a.kind == kind)
        single = math.fsum(p for a, p in self.points if a.kind == RAISE and a.to == to)
        return single + math.fsum(s.p / (s.hi - s.lo + 1) for s in self.spans if s.lo <= to <= s.hi)

    def of_kind(self, kind: int) -> float:
        """Probability of FOLD, CALL or RAISE of any size."""
        mass = math.fsum(p for a, p in self.points if a.kind == kind)
        return mass + math.fsum(s.p for s in self.spans) if kind == RAISE else mass

    @property
    def fold(self) -> float:
        """Probability of folding."""
        return self.of_kind(FOLD)

    @property
    def call(self) -> float:
        """Probability of checking or calling."""
        return self.of_kind(CALL)

    @property
    def raising(self) -> float:
        """Probability of betting or raising, of any size."""
        return self.of_kind(RAISE)

    def sample(self, rng: Rng) -> Action:
        """Draw an action: one uniform number walks over points, then spans; a span draws its size with one more."""
        u = rng.uniform()
        passed = 0.0
        for action, p in self.points:
            passed += p
            if u < passed:
                return action
        for lo, hi, p in self.spans:
            passed += p
            if u < passed:
                return Action(RAISE, lo + rng.below(hi - lo + 1))
        # Rounding left the sum just below u: take the last entry with a positive probability.
        for lo, hi, p in reversed(self.spans):
            if p > 0.0:
                return Action(RAISE, lo + rng.below(hi - lo + 1))
        return next(action for action, p in reversed(self.points) if p > 0.0)
