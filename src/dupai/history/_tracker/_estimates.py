"""What is said about a player: estimates with their counts and intervals."""

from __future__ import annotations

import math

import msgspec

from dupai.history._tracker._definitions import Definition
from dupai.history._tracker._facts import SIZE_CLASSES
from dupai.history._tracker._shrink import (
    FLAT,
    BetaPrior,
    NormalPrior,
    odds,
    shrink_mean,
    shrink_rate,
)


class StatEstimate(msgspec.Struct, frozen=True):
    """One statistic of one player.

    Attributes:
        name, title: Which.
        n: Opportunities (for bb/100: hands).
        successes: How often it was done (for bb/100: the big blinds won).
        observed: The bare ratio (factor: per failure; bb/100: per 100 hands); None where there is nothing to divide by.
        mean: The shrunk estimate, in the same unit.
        low, high: Its 95 % interval.
        prior_mean: What the population does.
        prior_strength: What that counts for, in opportunities.
        arises: False where the situation does not arise at all (nobody in the big blind opens): no estimate then.
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
    taken = prior or FLAT
    value = odds if row.factor else float
    observed = value(successes / n) if n else None
    if observed is not None and math.isinf(observed):
        observed = None
    if prior is None and n == 0:
        nan = math.nan
        return StatEstimate(row.name, row.title, 0, 0, None, nan, nan, nan, nan, 0.0, False)
    mean, low, high = (value(x) for x in shrink_rate(taken, successes, n))
    return StatEstimate(row.name, row.title, n, successes, observed, mean, low, high, value(taken.mean), taken.strength)


def money_estimate(prior: NormalPrior, n: int, total: float, squares: float) -> StatEstimate:
    """bb/100 from hands, sum of results in big blinds and sum of their squares."""
    mean, low, high = shrink_mean(prior, n, total, squares)
    return StatEstimate(
        "bb/100",
        "bb/100",
        n,
        total,
        100.0 * total / n if n else None,
        100.0 * mean,
        100.0 * low,
        100.0 * high,
        100.0 * prior.mean,
        (prior.sd / max(prior.spread, 1e-9)) ** 2,
    )


def size_estimate(group: str, prior: tuple[tuple[float, ...], float, NormalPrior], counts: list[int]) -> SizeEstimate:
    """Bet sizes from the counters of a group: the classes, sum and sum of squares of thousandths."""
    means, strength, fraction = prior
    n = sum(counts[:-2])
    classes = []
    for title, mean, count in zip(SIZE_CLASSES, means, counts[:-2], strict=True):
        shrunk = shrink_rate(BetaPrior(mean, strength), count, n)
        classes.append(
            StatEstimate(f"{group} {title}", title, n, count, count / n if n else None, *shrunk, mean, strength)
        )
    sized = n - counts[len(SIZE_CLASSES) - 1]
    total, squares = counts[-2] / 1e3, counts[-1] / 1e6
    mean, low, high = shrink_mean(fraction, sized, total, squares)
    whole = StatEstimate(
        f"{group} mean",
        "mean fraction of the pot",
        sized,
        total,
        total / sized if sized else None,
        mean,
        max(low, 0.0),
        high,
        fraction.mean,
        (fraction.sd / max(fraction.spread, 1e-9)) ** 2,
    )
    return SizeEstimate(group, n, tuple(classes), whole)
