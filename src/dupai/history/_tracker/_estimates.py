"""Estimates about a player, with their counts and intervals."""

from __future__ import annotations

import math

import msgspec

from dupai.history._tracker._definitions import Definition
from dupai.history._tracker._facts import SIZE_CLASSES
from dupai.history._tracker._shrink import FLAT, BetaPrior, NormalPrior, odds, shrink_mean, shrink_rate

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
    name: str, title: str, prior: NormalPrior, n: int, total: float, squares: float, scale: float = 1.0
) -> StatEstimate:
    """A mean, times ``scale``, from the sum of ``n`` observations and the sum of their squares."""
    mean, low, high = shrink_mean(prior, n, total, squares)
    observed = scale * total / n if n else None
    strength = (prior.sd / max(prior.spread, 1e-9)) ** 2
    return StatEstimate(
        name, title, n, total, observed, scale * mean, scale * low, scale * high, scale * prior.mean, strength
    )


def money_estimate(prior: NormalPrior, n: int, total: float, squares: float) -> StatEstimate:
    """bb/100 from hands, sum of results in big blinds and sum of their squares."""
    return _mean_estimate("bb/100", "bb/100", prior, n, total, squares, 100.0)


def size_estimate(group: str, priors: SizePriors, counts: list[int]) -> SizeEstimate:
    """Bet sizes from the counters of a group: the classes, sum and sum of squares of thousandths."""
    means, strength, fraction = priors
    n = sum(counts[:-2])
    classes = []
    for title, mean, count in zip(SIZE_CLASSES, means, counts[:-2], strict=True):
        shrunk = shrink_rate(BetaPrior(mean, strength), count, n)
        observed = count / n if n else None
        classes.append(StatEstimate(f"{group} {title}", title, n, count, observed, *shrunk, mean, strength))
    sized = n - counts[len(SIZE_CLASSES) - 1]
    title = "mean fraction of the pot"
    whole = _mean_estimate(f"{group} mean", title, fraction, sized, counts[-2] / 1e3, counts[-1] / 1e6)
    return SizeEstimate(group, n, tuple(classes), msgspec.structs.replace(whole, low=max(whole.low, 0.0)))
