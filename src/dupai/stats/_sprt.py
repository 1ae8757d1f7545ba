"""Sequential testing: is NEW better than OLD, with as few deals as the answer takes?

The generalised sequential probability ratio test (GSPRT) of X. Li, J. Liu, Z. Ying, "Generalized sequential probability
ratio test for separate families of hypotheses", Sequential Analysis 33 (2014), in the form in which chess engines use
it for the *normalised* result (M. Van den Bergh, "Comments on normalized Elo" and "A practical introduction to the
GSPRT", notes to Fishtest): the hypotheses are about ``t`` = mean / standard deviation of one block, here the mean
result of a duplicate deal. Bounds in ``t`` ask for the same number of deals whatever the game, its stakes and its
spread, so the spread need not be known beforehand.

No distribution of a block is assumed: maximum likelihoods under "the mean is ``t_i`` standard deviations" replace the
likelihoods, in the normal approximation with the variance free (Van den Bergh). After ``n`` blocks

    LLR = n/2 * log((1 + (t - low)^2) / (1 + (t - high)^2)),        t = sample mean / sample standard deviation,

about ``n (high - low) (t - (low + high)/2)``. Wald's bounds ``log(beta / (1 - alpha))`` and ``log((1 - beta) / alpha)``
then bound the errors approximately. Sums of poker results are far from normal for the first deals, so the test takes no
decision before ``least`` blocks. Measured in ``tests/unit/stats/test_sprt.py`` for errors of 0.05: heavy tails on both
sides cost nothing (0.02 to 0.05); a player who often wins a little and seldom loses twenty times as much is called
"better" in 0.06 to 0.08 instead of 0.05 of the tests, because a lucky start also has a small deviation. (The
third-order term of the empirical likelihood corrects that but makes heavy tails worse, 0.09: its skewness is noise
there.)
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, Estimate
from dupai.base.arrays import F64

#: Mean per deal in standard deviations of a deal: no better, and better by a twentieth of a standard deviation, which
#: takes 2,000 to 3,500 deals in any game. In chips it depends on the players: the standard deviation of a duplicate
#: deal is about 5 big blinds a hand between careful players and 40 between wild ones 200 big blinds deep. Half the
#: distance takes four times as many deals.
DEFAULT_BOUNDS = (0.0, 0.05)
#: Fewest blocks before a decision.
MIN_BLOCKS = 500

#: ``better``: at least the upper bound is believed; ``not better``: at most the lower one.
SprtDecision = Literal["better", "not better"]


def log_likelihood_ratio(n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike, low: float, high: float) -> F64:
    """Log-likelihood ratio of ``mean = high * sd`` against ``mean = low * sd`` after ``n`` blocks of this sample mean
    and standard deviation (arrays broadcast); 0 where there is no spread. See the head of this module."""
    count, m, s = (np.asarray(x, np.float64) for x in (n, mean, sd))
    spread = s > 0
    t = np.divide(m, s, out=np.zeros(np.broadcast(m, s).shape), where=spread)
    ratio = 0.5 * count * (np.log1p((t - low) ** 2) - np.log1p((t - high) ** 2))
    out: F64 = np.where(spread, ratio, 0.0)
    return out


class SprtState(msgspec.Struct, frozen=True, kw_only=True):
    """Where a test stands.

    Attributes:
        n: blocks (duplicate deals, or matches) so far.
        mean, sd: of a block, in the unit of the values; None where there are too few.
        t: their ratio; None where there is no spread.
        llr: log-likelihood ratio.
        lower, upper: the test ends when the ratio reaches one of these.
        decision: None while the test is running.
    """

    n: int
    mean: float | None
    sd: float | None
    t: float | None
    llr: float
    lower: float
    upper: float
    decision: SprtDecision | None


class Sprt:
    """A running test: feed it blocks in the order played, stop when :attr:`decision` is not None.

    Args:
        bounds: ``low < high``, in standard deviations of a block.
        alpha: chance of "better" when the truth is ``low`` or less.
        beta: chance of "not better" when the truth is ``high`` or more.
        least: blocks before which nothing is decided.

    Raises:
        ConfigError: a setting makes no sense.
    """

    def __init__(
        self,
        bounds: tuple[float, float] = DEFAULT_BOUNDS,
        alpha: float = 0.05,
        beta: float = 0.05,
        least: int = MIN_BLOCKS,
    ) -> None:
        low, high = bounds
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ConfigError(f"bounds: {low:g},{high:g}: expected two numbers, the smaller one first", key="bounds")
        for name, value in (("alpha", alpha), ("beta", beta)):
            if not 0.0 < value < 0.5:
                raise ConfigError(f"{name}: {value:g} is not between 0 and 0.5", key=name)
        if least < 2:
            raise ConfigError(f"least: {least}: expected at least 2 blocks", key="least")
        self.bounds = (float(low), float(high))
        self.alpha, self.beta, self.least = alpha, beta, least
        self.lower, self.upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        self._n = 0
        self._mean = 0.0
        self._squares = 0.0
        self.decision: SprtDecision | None = None

    def add(self, value: float) -> SprtDecision | None:
        """One more block; returns the decision, which is final: later blocks do not change it."""
        if not math.isfinite(value):
            raise ConfigError(f"result of a block: {value} is not a finite number")
        self._n += 1
        off = value - self._mean
        self._mean += off / self._n
        self._squares += off * (value - self._mean)
        if self.decision is None and self._n >= self.least:
            llr = self.llr
            if llr >= self.upper:
                self.decision = "better"
            elif llr <= self.lower:
                self.decision = "not better"
        return self.decision

    @property
    def _sd(self) -> float:
        return math.sqrt(self._squares / (self._n - 1)) if self._n > 1 else math.nan

    @property
    def llr(self) -> float:
        """Log-likelihood ratio of the blocks so far."""
        sd = self._sd
        if not sd > 0:
            return 0.0
        return float(log_likelihood_ratio(self._n, self._mean, sd, *self.bounds))

    @property
    def estimate(self) -> Estimate:
        """Mean of the blocks. A test that stopped at its decision overstates the mean, because the mean stopped it."""
        if self._n == 0:
            return Estimate.of([])
        return Estimate(self._mean, self._sd / math.sqrt(self._n), self._n)

    @property
    def state(self) -> SprtState:
        """Where the test stands."""
        sd = self._sd
        return SprtState(
            n=self._n,
            mean=self._mean if self._n else None,
            sd=sd if self._n > 1 else None,
            t=self._mean / sd if sd > 0 else None,
            llr=self.llr,
            lower=self.lower,
            upper=self.upper,
            decision=self.decision,
        )
