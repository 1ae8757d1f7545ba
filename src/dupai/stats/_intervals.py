"""Means by deal, their 95 % intervals, paired differences, and how many hands an answer would take.

An interval is Student's t, printed only where it holds the truth 93 to 97 times in 100. Results of poker are skewed: a
few large pots decide, and a sample that has not seen them yet looks surer than it is. So a mean of single deals, hands
or tournament matches has an interval from :data:`MIN_DEALS` of them on, and only if skewness ``g`` leaves the mean
near enough to normal: W. G. Cochran, Sampling Techniques (3rd ed. 1977), section 2.15, asks for ``n > 25 g^2``. The
skewness of a sample is itself too small as long as rare results are missing. So it is taken with one more value than
was seen, as far from the mean as any player of the table has been.

Values that are themselves means of many hands (matches of agents that learn, stacks reset) are near normal:
:data:`MIN_LONG` do. Cash sessions are not, because stacks grow: :data:`MIN_SESSIONS`. The coverage of all this is
measured in ``docs/results/coverage.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import Z95, ConfigError, Estimate, t95
from dupai.base.arrays import F64
from dupai.rules import GameSpec

#: Fewest deals, hands or matches of a tournament for an interval of their mean.
MIN_DEALS = 100
#: Fewest cash sessions.
MIN_SESSIONS = 50
#: Fewest matches of :data:`LONG` hands or more, stacks reset.
MIN_LONG = 8
#: Fewest values of each table where means of several tables are added up. Intervals of four tables with two values each
#: held 92 to 98 times in 100, by how the tables' spreads differed; of two tables with four, 96.
MIN_SAMPLE = 4
#: Hands of which a mean is near normal.
LONG = 100
#: Cochran's rule: the skewness of a mean is at most a fifth.
_SKEWNESS = 0.2

#: Numbers drawn at a time by the bootstrap (memory: 8 bytes each, twice).
_CHUNK = 2_000_000


def mbb_per_hand(units: npt.ArrayLike, spec: GameSpec) -> F64:
    """Payoffs in 1/``spec.split`` chips as thousandths of a big blind."""
    scaled: F64 = np.asarray(units, np.float64) * (1000 / (spec.split * spec.big_blind))
    return scaled


def by_deal(seatings: Sequence[npt.ArrayLike]) -> F64:
    """The duplicate design: from the payoffs in every seating (rotation) of the same deals, ``[deals, players]`` each,
    to the mean of each player over the seatings, ``float64[deals, players]``. The deal is the independent unit; deals
    that not all seatings have played are left out.

    Raises:
        ConfigError: there is no seating, or they are for different numbers of players.
    """
    played = [np.asarray(s, np.float64) for s in seatings]
    if not played or any(s.ndim != 2 or s.shape[1] != played[0].shape[1] for s in played):
        shapes = [s.shape for s in played]
        raise ConfigError(f"seatings of shapes {shapes}: expected at least one, [deals, players], equal players")
    deals = min(len(s) for s in played)
    mean: F64 = np.mean([s[:deals] for s in played], axis=0)
    return mean


def estimate(values: npt.ArrayLike) -> Estimate:
    """Mean and standard error of independent values (as :meth:`Estimate.of`, for arrays)."""
    xs = np.asarray(values, np.float64).ravel()
    n = len(xs)
    if n < 2:
        return Estimate.of(xs.tolist())
    return Estimate(float(xs.mean()), float(xs.std(ddof=1)) / math.sqrt(n), n)


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A mean and its uncertainty.

    Attributes:
        mean, se: with its standard error; None for one value or none.
        low, high: its 95 % interval by Student's t; None where the values are too few for one to hold
            (:func:`mean_intervals`), or all equal.
        n: how many values.
        needed: how many it takes at least for an interval, judged by those seen; None: there is one, or enough values
            are all equal.
        by_deal: where the values are too few, a 95 % interval that counts deals as independent although an agent learns
            or chips carry over; too narrow where that matters.
    """

    mean: float
    se: float | None
    low: float | None
    high: float | None
    n: int
    needed: int | None = None
    by_deal: tuple[float, float] | None = None

    def with_deals(self, deals: Measure) -> Measure:
        """The same, with the interval of its deals if it has none."""
        if self.low is not None or deals.low is None or deals.high is None:
            return self
        return msgspec.structs.replace(self, by_deal=(deals.low, deals.high))

    def half_text(self, digits: int = 2, mark: str = " by deals") -> str:
        """Half the 95 % interval, ``± half``, with ``mark`` where it counts deals; empty where there is none."""
        low, high, mark = (self.low, self.high, "") if self.by_deal is None else (*self.by_deal, mark)
        return "" if low is None or high is None else f"± {(high - low) / 2:,.{digits}f}{mark}"

    @classmethod
    def of(cls, values: Iterable[float], hands: int = 1) -> Measure:
        """Of independent values, each the mean of so many hands; of none: mean 0."""
        column = np.fromiter(values, np.float64)[:, None]
        if not len(column):
            return cls(mean=0.0, se=None, low=None, high=None, n=0)
        return mean_intervals([column], hands)[0]

    def text(self, digits: int = 2, mark: str = " by deals") -> str:
        """The mean, and half its 95 % interval if it has one: ``mean ± half``; ``mark`` as in :meth:`half_text`."""
        return f"{self.mean:,.{digits}f} {self.half_text(digits, mark)}".rstrip()

    def interval_text(self, digits: int = 1) -> str:
        """The 95 % interval, or how many values it takes."""
        if self.low is not None and self.high is not None:
            return f"{self.low:+,.{digits}f} .. {self.high:+,.{digits}f}"
        if self.by_deal is not None:
            return f"{self.by_deal[0]:+,.{digits}f} .. {self.by_deal[1]:+,.{digits}f} by deals"
        return "" if self.needed is None else f"too few (at least {self.needed:,})"


def least_blocks(hands: int = 1) -> int:
    """Fewest independent values for an interval of their mean, each of which is the mean of so many hands."""
    return MIN_LONG if hands >= LONG else MIN_DEALS


def mean_intervals(samples: Iterable[F64], hands: int = 1, least: int | None = None) -> list[Measure]:
    """The 95 % intervals of the players of a table (of several tables: of sums of means); see the head of this module.

    Args:
        samples: independent samples, ``float64[values, players]`` each: a value is a deal, a match or a session, and
            rows are independent. Of several samples the means are added up (B. L. Welch's degrees of freedom,
            Biometrika 34, 1947). Empty ones are left out. A sample on which a player's sum does not depend must not be
            among them: few equal values do not show that the next ones are equal too.
        hands: how many hands a value is the mean of, stacks reset; 1 for all else.
        least: fewest values for an interval; None: :func:`least_blocks`.
    """
    rows = []
    for sample in samples:
        n = len(sample)
        if n:
            center = np.array([math.fsum(column) / n for column in sample.T])
            # What each value adds to the sum of means: their squares add up to the squared error.
            parts = (sample - center) / math.sqrt(n * max(n - 1, 1))
            rows.append((n, center, (parts**2).sum(axis=0), (parts**3).sum(axis=0), np.abs(parts).max()))
    if not rows:
        return []
    columns = zip(*rows, strict=True)
    sizes, centers, squares, cubes, largest = (np.array(column) for column in columns)
    n, least = int(sizes.sum()), least_blocks(hands) if least is None else least
    means = [math.fsum(column) for column in centers.T]
    if sizes.min() == 1:
        return [Measure(mean=mean, se=None, low=None, high=None, n=n, needed=max(least, n + 1)) for mean in means]
    cubes = np.abs(cubes.sum(axis=0))
    intervals = []
    for k, mean in enumerate(means):
        # All equal, but for rounding: a sample that adds nothing, if it is long enough to show that.
        moves = squares[:, k] > 1e-24 * mean**2
        # Tables of two or three values do not show their spread, however many tables there are.
        enough = np.where(moves, MIN_SAMPLE if len(sizes) > 1 else 0, least)
        few = np.maximum(enough - sizes, 0)
        if not moves.any():
            lacking = int(few.sum())
            intervals.append(
                Measure(mean=mean, se=0.0, low=None, high=None, n=n, needed=n + lacking if lacking else None)
            )
            continue
        square, seen = float(squares[moves, k].sum()), int(sizes[moves | (few > 0)].sum())
        needed = max(least, seen + int(few.sum()))
        if hands < LONG and seen >= least:
            needed = max(needed, math.ceil(seen * _times(square, float(cubes[k]), float(largest[moves].max()))))
        se = math.sqrt(square)
        if seen < needed:
            intervals.append(Measure(mean=mean, se=se, low=None, high=None, n=seen, needed=needed))
            continue
        half = t95(square**2 / float((squares[moves, k] ** 2 / (sizes[moves] - 1)).sum())) * se
        intervals.append(Measure(mean=mean, se=se, low=mean - half, high=mean + half, n=seen))
    return intervals


def _times(squares: float, cubes: float, rare: float) -> float:
    """How many times the values of a sample it takes until the skewness of their mean is small enough, from sums of
    the squares and cubes of what each value adds to it; with one more, ``rare``."""

    def skewness(times: float) -> float:
        without = float(cubes / squares**1.5 / math.sqrt(times))
        return max(without, float((times * cubes + rare**3) / (times * squares + rare**2) ** 1.5))

    low, high = 0.0, 1.0
    while skewness(high) > _SKEWNESS:
        low, high = high, 2 * high
    if low:
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (middle, high) if skewness(middle) > _SKEWNESS else (low, middle)
    return high if low else 0.0


def paired(a: npt.ArrayLike, b: npt.ArrayLike) -> Estimate:
    """Mean of ``a - b`` where ``a[i]`` and ``b[i]`` belong to the same deal: what the deals share cancels.

    Raises:
        ConfigError: they are of different lengths.
    """
    xs, ys = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if xs.shape != ys.shape:
        raise ConfigError(f"paired values of shapes {xs.shape} and {ys.shape}: expected one of each for every deal")
    return estimate(xs - ys)


def hands_wanted(measured: Estimate, half_width: float = 10.0, hands_per_block: int = 1) -> int | None:
    """How many hands a 95 % interval of ``± half_width`` (unit of ``measured``) would take at the spread seen.

    Each of the ``n`` blocks of ``measured`` is ``hands_per_block`` hands (duplicate: the number of rotations). None: no
    spread is known.

    Raises:
        ConfigError: ``half_width`` is not positive.
    """
    if not half_width > 0:
        raise ConfigError(f"half_width: {half_width} is not positive", key="half_width")
    if not measured.se > 0:
        return None
    return max(math.ceil(measured.n * (Z95 * measured.se / half_width) ** 2), 1) * hands_per_block
