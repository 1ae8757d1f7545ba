"""From counts to estimates: what a player probably does, given their past actions and those of similar players.

A rate: the player's true rate is drawn from a Beta distribution fitted to the population at tables of that size (mean
``m``, strength ``k``: the prior is worth ``k`` opportunities); after ``s`` successes in ``n`` opportunities it is
Beta(k m + s, k (1 - m) + n - s). The estimate is its mean, the interval its 2.5 % and 97.5 % points. Classes of bet
sizes: the same with a Dirichlet distribution, whose margins are Beta. A mean (bb/100, mean size): normal prior for the
player's mean, variance of single observations from the player's own and, worth ``PRIOR_DF`` of them, the population's.
Without any opportunity the estimate is the population's and says so (``n`` is 0).

References: Gelman et al., Bayesian Data Analysis, 3rd ed., sections 2.4, 2.5 and 5.3; the incomplete beta function as
in Numerical Recipes, 3rd ed., section 6.4 (modified Lentz's method).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dupai.base import Z95

#: How many observations the population's variance of single observations counts for.
PRIOR_DF = 50.0
_TINY = 1e-300


class BetaPrior(NamedTuple):
    """Prior of a rate: ``mean``, worth ``strength`` opportunities."""

    mean: float
    strength: float


class NormalPrior(NamedTuple):
    """Prior of a player's mean: ``mean``, standard deviation ``spread`` between players, and the standard deviation
    ``sd`` of one observation."""

    mean: float
    spread: float
    sd: float


#: The prior where the population has none: every rate is equally likely.
FLAT = BetaPrior(0.5, 2.0)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    h = d
    # The fraction converges in O(sqrt(max(a, b))) steps; 20,000 are enough for 10^8 opportunities.
    for m in range(1, 20_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + numerator / c
            c = c if abs(c) > _TINY else _TINY
            h *= d * c
        if abs(d * c - 1.0) < 1e-13:
            break
    return h


def beta_cdf(a: float, b: float, x: float) -> float:
    """The probability that a Beta(a, b) variable is at most ``x``."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def beta_quantile(a: float, b: float, p: float) -> float:
    """The ``x`` below which a Beta(a, b) variable lies with probability ``p``; accurate to about 1e-10."""
    low, high = 0.0, 1.0
    mean, sd = a / (a + b), math.sqrt(a * b / (a + b) ** 2 / (a + b + 1.0))
    x = min(max(mean + sd * (Z95 if p > 0.5 else -Z95), 1e-6), 1.0 - 1e-6)
    norm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(200):
        error = beta_cdf(a, b, x) - p
        if error > 0.0:
            high = x
        else:
            low = x
        if high - low < 1e-12 * max(high, 1e-3) or abs(error) < 1e-13:
            break
        slope = math.exp(norm + (a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x))
        step = x - error / slope if slope > 0.0 else -1.0
        # Newton's step where it stays inside, else bisection; a step by factors where the answer is close to 0.
        if low < step < high:
            x = step
        elif low == 0.0 and high < 1e-3:
            x = high * 1e-3
            if x < 1e-250:
                return x
        else:
            x = 0.5 * (low + high)
    return x


def shrink_rate(prior: BetaPrior, successes: int, n: int) -> tuple[float, float, float]:
    """``(mean, low, high)``: the posterior mean and the equal-tailed 95 % interval of a rate."""
    a = max(prior.mean * prior.strength, 1e-3) + successes
    b = max((1.0 - prior.mean) * prior.strength, 1e-3) + n - successes
    return a / (a + b), beta_quantile(a, b, 0.025), beta_quantile(a, b, 0.975)


def odds(rate: float) -> float:
    """Successes per failure; infinite where there are no failures at all."""
    return rate / (1.0 - rate) if rate < 1.0 else math.inf


def shrink_mean(prior: NormalPrior, n: int, total: float, squares: float) -> tuple[float, float, float]:
    """``(mean, low, high)``: the posterior mean and 95 % interval of a mean, from sum and sum of squares."""
    spread = max(prior.spread, 1e-9)
    own = max(squares - total * total / n, 0.0) if n else 0.0
    variance = (PRIOR_DF * prior.sd**2 + own) / (PRIOR_DF + max(n - 1, 0))
    precision = 1.0 / spread**2 + (n / variance if variance > 0.0 else 0.0)
    mean = (prior.mean / spread**2 + (total / variance if variance > 0.0 else 0.0)) / precision
    half = Z95 / math.sqrt(precision)
    return mean, mean - half, mean + half
