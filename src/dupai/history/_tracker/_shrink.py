"""From counts to estimates: what a player probably does, given their past actions and those of similar players.

A rate: the player's true rate is drawn from a Beta distribution fitted to the population at tables of that size (mean
``m``, strength ``k``: the prior is worth ``k`` opportunities); after ``s`` successes in ``n`` opportunities it is
Beta(k m + s, k (1 - m) + n - s). Programs need not be like the population, so the prior has a second part for players
who may have any rate; how likely that part is follows from the counts (the ratio of the beta-binomial likelihoods). The
estimate is the mean of both, the interval their 2.5 % and 97.5 % points. Classes of bet sizes: the same with Dirichlet
distributions, whose margins are Beta. A mean (bb/100, mean size): the prior of the player's mean is a mixture of normal
distributions, see below; the variance of single observations is the player's own and, worth ``PRIOR_DF`` of them, the
population's. Without any opportunity the estimate is the population's and says so (``n`` is 0).

Heads-up the interval of a rate is wider than that: against one opponent a player's rate is not their rate against
others. Its variance in units of m (1 - m) grows by (n / (n + k))^2 / (``WANDER`` (1 + n / ``MATCH``)), and by
``FEW_PEOPLE`` (k / (n + k))^2 because few people tell the prior.

Means: one player in 20 (mean sizes: in 100) may differ from the centre ``WILD`` times as much as the others, one in
10,000 ``WILD``^2 times. Who scatters far more than the population (a program that often goes all-in) is not like it:
the first part loses its weight, the others get wider, and the population's variance counts for less.

References: Gelman et al., Bayesian Data Analysis, 3rd ed., sections 2.4, 2.5 and 5.3; the incomplete beta function as
in Numerical Recipes, 3rd ed., section 6.4 (modified Lentz's method).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from dupai.base import Z95
from dupai.history._tracker._definitions import Definition
from dupai.history._tracker._facts import SIZE_CLASSES

#: How many observations the population's variance of single observations counts for.
PRIOR_DF = 50.0
#: Fewer opportunities (hands, for bb/100) say too little of a player to be read as a number of theirs.
ENOUGH, ENOUGH_HANDS = 10, 100
#: Heads-up: how many opportunities against all opponents tell as much of a player as any number against one; after how
#: many opportunities the opponent changes; and the variance of the prior's own mean, in units of m (1 - m). Chosen so
#: that intervals hold (docs/results/player-statistics.md).
WANDER, MATCH, FEW_PEOPLE = 30.0, 1000.0, 0.01
#: Prior shares of players whose results, and whose mean sizes, differ ``WILD`` times as much as those of the others;
#: and of those who differ ``WILD``^2 times as much: so few that only data many standard errors away are read as theirs.
WILD_SHARE, WILD_SIZE_SHARE, WIDE_SHARE, WILD = 0.05, 0.01, 1e-4, 20.0
#: A player whose results scatter more than ``USUAL_SCATTER`` times as much as the population's is hardly like it.
#: No person with 100 hands in docs/results/player-statistics.md does (at most 1.51 times). For this the population's
#: variance counts for ``SCATTER_DF`` observations, so that a few all-ins do not make a person odd.
USUAL_SCATTER, SCATTER_DF = 1.6, 400.0
#: Prior share of players whose rates are unlike the population's, and how many opportunities their own prior is worth,
#: in which all outcomes are alike. Chosen on the first half of the programs of docs/results/player-statistics.md.
STRANGE_SHARE, STRANGE_STRENGTH = 0.4, 1.0
_TINY = 1e-300


class BetaPrior(NamedTuple):
    """Prior of a rate: ``mean``, worth ``strength`` opportunities; ``heads_up``: share of them at tables of two."""

    mean: float
    strength: float
    heads_up: float = 0.0


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


class RatePart(NamedTuple):
    """A Beta distribution of ``mean``, worth ``worth`` opportunities, as a part of a mixture with ``weight``."""

    weight: float
    mean: float
    worth: float

    def cdf(self, x: float) -> float:
        """The probability that a rate is at most ``x``."""
        return beta_cdf(self.mean * self.worth, (1.0 - self.mean) * self.worth, x)


def mixed_quantile(parts: Sequence[RatePart], p: float) -> float:
    """The ``x`` below which a mixture of Beta distributions, whose weights add up to 1, has the probability ``p``;
    accurate to about 1e-10."""
    low, high = 0.0, 1.0
    mean = sum(w * m for w, m, _ in parts)
    sd = math.sqrt(sum(w * (m * (1.0 - m) / (worth + 1.0) + (m - mean) ** 2) for w, m, worth in parts))
    x = min(max(mean + sd * (Z95 if p > 0.5 else -Z95), 1e-6), 1.0 - 1e-6)
    forms = [(w, m * worth, (1.0 - m) * worth) for w, m, worth in parts]
    norms = [math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) for _, a, b in forms]
    for _ in range(200):
        error = sum(part.weight * part.cdf(x) for part in parts) - p
        if error > 0.0:
            high = x
        else:
            low = x
        if high - low < 1e-12 * max(high, 1e-3) or abs(error) < 1e-13:
            break
        slope = sum(
            w * math.exp(norm + (a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x))
            for (w, a, b), norm in zip(forms, norms, strict=True)
        )
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


def strange_weight(means: Sequence[float], strength: float, counts: Sequence[int]) -> float:
    """The probability that outcomes are those of a player unlike the population; 0 without any.

    Args:
        means, strength: the population's prior: shares of the outcomes, and the opportunities that it is worth.
        counts: how often each outcome was seen.
    """
    if not any(counts):
        return 0.0
    logs = []
    like = (1.0 - STRANGE_SHARE, [max(mean * strength, 1e-3) for mean in means])
    for share, prior in (like, (STRANGE_SHARE, [STRANGE_STRENGTH / len(means)] * len(means))):
        whole = math.lgamma(sum(prior)) - math.lgamma(sum(prior) + sum(counts))
        seen = sum(math.lgamma(a + count) - math.lgamma(a) for a, count in zip(prior, counts, strict=True))
        logs.append(math.log(share) + whole + seen)
    return 1.0 / (1.0 + math.exp(min(logs[0] - logs[1], 700.0)))


def rate_posterior(
    prior: BetaPrior, successes: int, n: int, strange: tuple[float, float] | None = None
) -> list[RatePart]:
    """The parts of the posterior distribution of a rate: a player like the population, and one unlike it.

    Args:
        prior: of players like the population.
        successes, n: of so many opportunities.
        strange: weight of the second part, and the mean of its prior; None: as the counts say, and 1/2.
    """
    if strange is None:
        means = (prior.mean, 1.0 - prior.mean)
        strange = strange_weight(means, prior.strength, (successes, n - successes)), 0.5
    parts = []
    for share, m, k in ((1.0 - strange[0], *prior[:2]), (*strange, STRANGE_STRENGTH)):
        a = max(m * k, 1e-3) + successes
        b = max((1.0 - m) * k, 1e-3) + n - successes
        mean, worth = a / (a + b), a + b
        if prior.heads_up:
            wander = (n / worth) ** 2 / (WANDER * (1.0 + n / MATCH)) + FEW_PEOPLE * (1.0 - n / worth) ** 2
            worth = 1.0 / (1.0 / (worth + 1.0) + prior.heads_up * wander) - 1.0
        parts.append(RatePart(share, mean, worth))
    return [part for part in parts if part.weight > 1e-9]


def shrink_rate(
    prior: BetaPrior, successes: int, n: int, strange: tuple[float, float] | None = None
) -> tuple[float, float, float]:
    """``(mean, low, high)``: the mean and the equal-tailed 95 % interval of :func:`rate_posterior`."""
    parts = rate_posterior(prior, successes, n, strange)
    mean = sum(part.weight * part.mean for part in parts)
    return mean, mixed_quantile(parts, 0.025), mixed_quantile(parts, 0.975)


def odds(rate: float) -> float:
    """Successes per failure; infinite where there are no failures at all."""
    return rate / (1.0 - rate) if rate < 1.0 else math.inf


def shrink_mean(prior: NormalPrior, n: int, total: float, squares: float) -> tuple[float, float, float]:
    """``(mean, low, high)``: the posterior mean and 95 % interval of a mean, from sum and sum of squares."""
    return _shrink(prior, WILD_SIZE_SHARE if n >= ENOUGH else 0.0, ENOUGH, n, total, squares)


def shrink_result(prior: NormalPrior, n: int, total: float, squares: float) -> tuple[float, float, float]:
    """``(mean, low, high)`` as :func:`shrink_mean`, of results: more players differ much more than the others there."""
    return _shrink(prior, WILD_SHARE, ENOUGH_HANDS, n, total, squares)


def _variance(prior: NormalPrior, weight: float, n: int, total: float, squares: float) -> float:
    """Variance of one observation: the population's, worth ``weight`` observations, and the player's own."""
    own = max(squares - total * total / n, 0.0) if n else 0.0
    return (weight * prior.sd**2 + own) / (weight + max(n - 1, 0))


def _normal_posterior(prior: NormalPrior, spread: float, n: int, total: float, variance: float) -> tuple[float, float]:
    """Mean and standard deviation of a player's mean after ``n`` observations."""
    inverse = 1.0 / max(spread, 1e-9) ** 2
    precision = inverse + (n / variance if variance > 0.0 else 0.0)
    mean = (prior.mean * inverse + (total / variance if variance > 0.0 else 0.0)) / precision
    return mean, 1.0 / math.sqrt(precision)


def _shrink(
    prior: NormalPrior, wild: float, enough: int, n: int, total: float, squares: float
) -> tuple[float, float, float]:
    """``(mean, low, high)`` of a mean whose prior has parts for players like and unlike the population.

    Args:
        prior: of players like the population.
        wild: prior share of players who differ ``WILD`` times as much.
        enough: with fewer observations their own scatter is not known (one lost stack is no mean): only the first two
            parts are used.
        n, total, squares: number, sum and sum of squares of the observations.
    """
    odd = 1.0
    priors = [(1.0 - wild, prior.spread), (wild, WILD * prior.spread)]
    if n >= enough:
        scatter = math.sqrt(_variance(prior, SCATTER_DF, n, total, squares)) / max(prior.sd, 1e-9)
        odd = max(1.0, scatter / USUAL_SCATTER)
        # The power is steep: at twice the usual scatter almost nothing is left of the population's weight.
        priors = [
            ((1.0 - wild - WIDE_SHARE) * odd**-16, prior.spread),
            (wild, odd**2 * WILD * prior.spread),
            (WIDE_SHARE, odd**2 * WILD**2 * prior.spread),
        ]
    variance = _variance(prior, PRIOR_DF / odd**2, n, total, squares)
    parts: list[tuple[float, float, float]] = []
    for weight, spread in priors:
        if not weight:
            continue
        log_likelihood = 0.0
        if n and variance > 0.0:
            around = spread**2 + variance / n
            log_likelihood = -0.5 * ((total / n - prior.mean) ** 2 / around + math.log(around))
        parts.append((math.log(weight) + log_likelihood, *_normal_posterior(prior, spread, n, total, variance)))
    most = max(part[0] for part in parts)
    weights = [math.exp(part[0] - most) for part in parts]
    whole = sum(weights)

    def quantile(p: float) -> float:
        low = min(m - 9.0 * sd for _, m, sd in parts)
        high = max(m + 9.0 * sd for _, m, sd in parts)
        for _ in range(80):
            x = 0.5 * (low + high)
            below = sum(
                w * math.erfc((m - x) / (sd * math.sqrt(2.0))) for w, (_, m, sd) in zip(weights, parts, strict=True)
            )
            low, high = (x, high) if below < 2.0 * p * whole else (low, x)
        return 0.5 * (low + high)

    mean = sum(w * m for w, (_, m, _) in zip(weights, parts, strict=True)) / whole
    return mean, quantile(0.025), quantile(0.975)


# estimates -----------------------------------------------------------------------------------------------------------

#: Priors of bet sizes: means of the classes, the number of bets that they are worth, and the fraction of the pot.
SizePriors = tuple[tuple[float, ...], float, NormalPrior]


class StatEstimate(msgspec.Struct, frozen=True):
    """One statistic of one player.

    Attributes:
        name, title: Which.
        n: Opportunities (for bb/100: hands).
        successes: How often it was done (for bb/100: the big blinds won).
        observed: The plain ratio (factor: per failure; bb/100: per 100 hands); None without a denominator.
        mean: The shrunk estimate, in the same unit.
        low, high: Its 95 % interval.
        prior_mean: What the population does.
        prior_strength: How many opportunities that counts for.
        arises: False where the situation cannot arise (nobody in the big blind opens): there is no estimate then.
    """

    name: str
    title: str
    n: int
    successes: float
    observed: float | None
    mean: float
    low: float
    high: float
    prior_mean: float
    prior_strength: float
    arises: bool = True

    @property
    def prior_only(self) -> bool:
        """Nothing of this player is known: the estimate is the population's."""
        return self.n == 0

    @property
    def enough(self) -> bool:
        """Whether there are enough opportunities for a number: 10, for bb/100 100 hands."""
        return self.n >= (ENOUGH_HANDS if self.name == "bb/100" else ENOUGH)


class SizeEstimate(msgspec.Struct, frozen=True):
    """How large a player bets or raises in one of the groups of :data:`SIZE_GROUPS`.

    ``n`` bets; ``classes``: an estimate for each class of :data:`SIZE_CLASSES`; ``mean``: of the fraction of the pot
    (all-ins left out: its ``n`` is less by them).
    """

    group: str
    n: int
    classes: tuple[StatEstimate, ...]
    mean: StatEstimate


def rate_estimate(row: Definition, prior: BetaPrior | None, n: int, successes: int) -> StatEstimate:
    """A rate, or a factor, from its counts; ``prior`` None: the situation never arose in the population."""
    if prior is None and n == 0:
        nan = math.nan
        return StatEstimate(row.name, row.title, 0, 0, None, nan, nan, nan, nan, 0.0, False)
    prior = prior or FLAT
    value = odds if row.factor else float
    observed = value(successes / n) if n else math.inf
    mean, low, high = (value(x) for x in shrink_rate(prior, successes, n))
    plain = None if math.isinf(observed) else observed
    return StatEstimate(row.name, row.title, n, successes, plain, mean, low, high, value(prior.mean), prior.strength)


def _mean_estimate(
    name: str,
    title: str,
    prior: NormalPrior,
    n: int,
    total: float,
    shrunk: tuple[float, float, float],
    scale: float = 1.0,
) -> StatEstimate:
    """A mean, times ``scale``, from the sum of ``n`` observations and what was made of them."""
    mean, low, high = shrunk
    observed = scale * total / n if n else None
    strength = (prior.sd / max(prior.spread, 1e-9)) ** 2
    return StatEstimate(
        name, title, n, total, observed, scale * mean, scale * low, scale * high, scale * prior.mean, strength
    )


def money_estimate(prior: NormalPrior, n: int, total: float, squares: float) -> StatEstimate:
    """bb/100 from hands, sum of results in big blinds and sum of their squares."""
    return _mean_estimate("bb/100", "bb/100", prior, n, total, shrink_result(prior, n, total, squares), 100.0)


def size_estimate(group: str, priors: SizePriors, counts: list[int]) -> SizeEstimate:
    """Bet sizes from the counters of a group: the classes, sum and sum of squares of thousandths."""
    means, strength, fraction = priors
    n = sum(counts[:-2])
    strange = strange_weight(means, strength, counts[:-2]), 1.0 / len(means)
    classes = []
    for title, mean, count in zip(SIZE_CLASSES, means, counts[:-2], strict=True):
        shrunk = shrink_rate(BetaPrior(mean, strength), count, n, strange)
        observed = count / n if n else None
        classes.append(StatEstimate(f"{group} {title}", title, n, count, observed, *shrunk, mean, strength))
    sized = n - counts[len(SIZE_CLASSES) - 1]
    title = "mean fraction of the pot"
    total = counts[-2] / 1e3
    shrunk_mean = shrink_mean(fraction, sized, total, counts[-1] / 1e6)
    whole = _mean_estimate(f"{group} mean", title, fraction, sized, total, shrunk_mean)
    return SizeEstimate(group, n, tuple(classes), msgspec.structs.replace(whole, low=max(whole.low, 0.0)))
