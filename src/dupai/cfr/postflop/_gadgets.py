"""The opponent's choice before a part of a spot that is solved again.

There are four ways to treat the opponent of the player who solves again. *Unsafe*: the opponent's range is fixed (fast,
but the opponent may have reached the node with another one), so there is no choice. *Safe* (CFR-D, Burch, Johanson &
Bowling 2014, AAAI, section 4): before the subgame the opponent chooses for each hand between playing it and taking the
value that it had. A strategy that makes the opponent indifferent costs no more than the first solution did. *Maxmargin*
(Moravčík et al. 2016, AAAI, section 4): the opponent chooses the hand that gains most over those values, so the solver
makes the least margin as large as possible. *Weighted* (ours): as safe, but hands count by the range that the opponent
is thought to have, together with some weight for all others, and a share of that range plays in any case. Where no
strategy keeps every hand at its value, as after a coarser solution, max-margin lets all hands gain as much as the one
that gains most; here the hands that the opponent is likely to hold gain little, and unlikely ones more. For the share
that plays, a little safety is given up.
"""

from __future__ import annotations

import numpy as np

from dupai.base.arrays import F64

SAFE_METHODS = ("safe", "maxmargin", "weighted")
#: Weighted: the share of the range that plays in any case, and the weight of all hands together, spread evenly, beside
#: that of the range where hands choose. A share, not a floor by hand: a thousand small floors outweigh a narrow range.
_FORCED, _EVENLY = 0.2, 0.5


class Gadget:
    """The choice of ``player``, hand by hand. Values are chips, summed over the other's reach."""

    def __init__(self, player: int, values: F64, possible: F64) -> None:
        self.player = player
        self._values = values
        self._possible = possible
        self._regrets = np.zeros(len(values))
        self._play = np.zeros(len(values))
        self._share: F64 = np.zeros(len(values))
        self._sum, self._count = np.zeros(len(values)), 0.0

    def add(self, reach: F64, gamma: float) -> None:
        """Count the reach of an iteration in the average, after a discount of those before by ``gamma``."""
        self._sum, self._count = gamma * self._sum + reach, gamma * self._count + 1

    @property
    def average(self) -> F64:
        """Average reach of the player's hands: the opponent that the average strategies are solved against."""
        return self._sum / max(self._count, 1.0)

    def reach(self) -> F64:
        """Root reach of the player's hands in this iteration."""
        raise NotImplementedError

    def update(self, values: F64, alpha: float) -> None:
        """Learn from the values of the player's hands; ``alpha`` discounts positive regrets."""
        raise NotImplementedError


class SafeGadget(Gadget):
    """Each hand either plays or takes its value."""

    def reach(self) -> F64:
        plays, takes = np.maximum(self._play, 0), np.maximum(self._regrets, 0)
        total = plays + takes
        self._share = np.where(total > 0, plays / np.where(total > 0, total, 1), 0.5)
        return self._share * self._possible

    def update(self, values: F64, alpha: float) -> None:
        mixed = self._share * values + (1 - self._share) * self._values
        for regrets, value in ((self._play, values), (self._regrets, self._values)):
            regrets *= np.where(regrets > 0, alpha, 0.5)
            regrets += value - mixed


class WeightedGadget(SafeGadget):
    """Each hand plays or takes its value, and counts by its weight in the opponent's range and an even share of
    ``_EVENLY``; ``_FORCED`` of the range plays in any case, as do hands without a value."""

    def __init__(self, player: int, values: F64, possible: F64, weights: F64) -> None:
        super().__init__(player, values, possible)
        self._range = weights / max(float(weights.max()), 1e-300)
        self._choosing = self._range + _EVENLY * float(self._range.sum()) / max(float(possible.sum()), 1.0)

    def reach(self) -> F64:
        chosen = super().reach()
        plays = _FORCED * self._range + (1 - _FORCED) * self._choosing * chosen
        return np.where(self._possible > 0, plays, self._range)


class MaxmarginGadget(Gadget):
    """The opponent chooses the hand that gains most over its value."""

    def reach(self) -> F64:
        gains = np.maximum(self._regrets, 0)
        total = float(gains.sum())
        self._share = gains / total if total > 0 else self._possible / self._possible.sum()
        # all hands together keep their weight, so that regrets keep their size
        return self._share * float(self._possible.sum())

    def update(self, values: F64, alpha: float) -> None:
        gain = np.where(self._possible > 0, values - self._values, -np.inf)
        finite = np.where(np.isfinite(gain), gain, 0.0)
        mixed = float(self._share @ finite)
        self._regrets *= np.where(self._regrets > 0, alpha, 0.5)
        self._regrets += np.where(self._possible > 0, finite - mixed, 0.0)
