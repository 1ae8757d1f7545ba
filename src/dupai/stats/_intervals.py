"""Means by deal, their intervals, paired differences, and how many hands an answer would take."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dupai.base import F64, Z95, ConfigError, Estimate
from dupai.rules import GameSpec

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


def paired(a: npt.ArrayLike, b: npt.ArrayLike) -> Estimate:
    """Mean of ``a - b`` where ``a[i]`` and ``b[i]`` belong to the same deal: what the deals share cancels.

    Raises:
        ConfigError: they are of different lengths.
    """
    xs, ys = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if xs.shape != ys.shape:
        raise ConfigError(f"paired values of shapes {xs.shape} and {ys.shape}: expected one of each for every deal")
    return estimate(xs - ys)


def bootstrap_interval(
    values: npt.ArrayLike, *, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean of independent values.

    B. Efron, "Bootstrap methods: another look at the jackknife", Ann. Statist. 7 (1979). It agrees with the normal
    one unless a few large pots decide the result; where the two differ, there are too few hands to trust either.

    Returns:
        (low, high); nan for no values.

    Raises:
        ConfigError: ``level`` is not between 0 and 1, or ``resamples`` below 100.
    """
    if not 0.0 < level < 1.0:
        raise ConfigError(f"level: {level} is not between 0 and 1", key="level")
    if resamples < 100:
        raise ConfigError(f"resamples: {resamples}: expected at least 100", key="resamples")
    xs = np.asarray(values, np.float64).ravel()
    n = len(xs)
    if n == 0:
        return math.nan, math.nan
    # Values that occur often (0 above all) are drawn together: counts of the distinct ones are multinomial.
    distinct, counts = np.unique(xs, return_counts=True)
    rng = np.random.default_rng(seed)
    step = max(1, _CHUNK // len(distinct))
    means = np.concatenate(
        [
            rng.multinomial(n, counts / n, size=min(step, resamples - k)) @ distinct / n
            for k in range(0, resamples, step)
        ]
    )
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


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
