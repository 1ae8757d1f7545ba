"""Tempering: how much a player's actions count in their reading, a power for each street learned from shown hands."""

from __future__ import annotations

from functools import cache

import numpy as np

from dupai.base.arrays import F64, Bool
from dupai.rules import STREETS

#: Prior standard deviation of a street's power, and prior correlation of the powers of two streets.
DEVIATION, CORRELATION = 0.2, 0.7
#: Weight of a shown hand: 1 if the model were true.
BELIEF = 0.5
#: Limits of the powers.
MIN_POWER, MAX_POWER = 0.1, 2.5
#: Factor of earlier evidence at each shown hand: after 1,000 hands it counts half.
_FADE = 0.5 ** (1 / 1000.0)


class Tempering:
    """A power for each street: the weight of a player's actions there in their reading. 1 is what the model says.

    The probability of each action may be about right and yet the product of several too sure, or not sure enough: what
    the model misses at one decision it misses at the next. So the powers ``t`` are learned from whole hands. Let
    ``L_s(hand)`` be the probability of all the player's actions on street ``s``. The reading of a hand is then
    ``prod L_s(hand)^t_s``, normalised, and a shown hand moves ``t`` by one step of Newton's method on the log of its
    share. Only the reading after the last action is learned from. Given all actions of all players, a shown hand is
    like any other; on the flop it is not, because hands that will be shown are better.

    Attributes:
        mean: ``float64[4]``: difference of each power from 1.
        information: ``float64[4, 4]``: the evidence for it beyond the prior.
    """

    def __init__(self) -> None:
        self.mean = np.zeros(STREETS)
        self.information = np.zeros((STREETS, STREETS))

    @property
    def powers(self) -> F64:
        """``float64[4]``, by street."""
        return np.asarray(np.clip(1 + self.mean, MIN_POWER, MAX_POWER))

    def note(self, log_chances: F64, legal: Bool, held: int) -> None:
        """Learn from a shown hand.

        Args:
            log_chances: ``float64[4, 1326]``: log-probability of the player's actions on each street with each hand (0:
                no action).
            legal: ``bool[1326]``: the hands that the player may hold.
            held: the combo that the player held.
        """
        if not legal[held]:
            return
        log_ratios = log_chances[:, legal] - log_chances[:, [held]]
        reading = self.powers @ log_ratios
        reading = np.exp(reading - reading.max())
        reading /= reading.sum()
        mean = log_ratios @ reading
        deviations = log_ratios - mean[:, None]
        self.information = _FADE * self.information + BELIEF * (deviations * reading) @ deviations.T
        self.mean += np.linalg.solve(_prior_precision() + self.information, -BELIEF * mean)


@cache
def _prior_precision() -> F64:
    """``float64[4, 4]``: the precision of the powers' prior."""
    correlations = CORRELATION * np.ones((STREETS, STREETS)) + (1 - CORRELATION) * np.eye(STREETS)
    return np.asarray(np.linalg.inv(DEVIATION**2 * correlations))
