"""A measured mean with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

#: 97.5 % point of the standard normal distribution (two-sided 95 % interval).
Z95 = 1.959963984540054


def t95(freedom: float) -> float:
    """The 97.5 % point of Student's t: half the width of a 95 % interval in standard errors.

    G. W. Hill, "Algorithm 396: Student's t-quantiles", Communications of the ACM 13 (1970), for this one probability:
    five digits from 2.5 degrees of freedom on, three between 2 and 2.5. Below 2 (fractions come from
    :func:`dupai.stats.mean_intervals`) it is at most 3 % too large.

    Args:
        freedom: degrees of freedom, 1 or more.
    """
    if freedom <= 2:
        return float(12.7062047362 * (4.3026527297 / 12.7062047362) ** (2 - 2 / freedom))
    n, x = freedom, -Z95
    a = 1 / (n - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * n
    y = float((0.05 * d) ** (2 / n))
    if y > 0.05 + a:
        z = x * x
        c += 0.3 * (n - 4.5) * (x + 0.6) if n < 5 else 0.0
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        z = (((((0.4 * z + 6.3) * z + 36) * z + 94.5) / c - z - 3) / b + 1) * x
        return math.sqrt(n * math.expm1(a * z * z))
    z = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) / (n + 2)
    return math.sqrt(n * (z + 1 / y))


class Estimate(NamedTuple):
    """A mean, its standard error and the number of independent observations behind it.

    The unit is the caller's (chips, mbb/hand, probability); an exact value has ``se == 0``.
    """

    mean: float
    se: float
    n: int

    def interval(self) -> tuple[float, float]:
        """The 95 % interval by Student's t with ``n - 1`` degrees of freedom.

        It is exact for normal observations. Where they are few and far from normal it is too narrow:
        :func:`dupai.stats.mean_intervals` says from how many on it holds.
        """
        half = (t95(self.n - 1) if self.n > 1 else Z95) * self.se
        return self.mean - half, self.mean + half

    def to_json(self) -> dict[str, float | int | None]:
        """The one JSON form of an estimate: ``mean``, ``se``, ``low`` and ``high`` (95 % interval), ``n``.

        Numbers that are unknown (nan) or infinite become None, because JSON has none such.
        """
        low, high = self.interval()
        figures = {"mean": self.mean, "se": self.se, "low": low, "high": high}
        return {**{key: x if math.isfinite(x) else None for key, x in figures.items()}, "n": self.n}

    @classmethod
    def of(cls, values: Iterable[float]) -> Estimate:
        """Mean and standard error (sample variance, n - 1) of independent values; ``se`` is nan for fewer than two."""
        xs = [float(v) for v in values]
        n = len(xs)
        if n == 0:
            return cls(math.nan, math.nan, 0)
        mean = math.fsum(xs) / n
        if n == 1:
            return cls(mean, math.nan, 1)
        var = math.fsum((x - mean) ** 2 for x in xs) / (n - 1)
        return cls(mean, math.sqrt(var / n), n)

    def __str__(self) -> str:
        return f"{self.mean:.4g} (standard error {self.se:.2g}, n={self.n})"


def clustered_error(values: npt.NDArray[np.float64], cluster: npt.NDArray[Any]) -> float:
    """Standard error of a mean where values of one cluster (a hand, a person, a match) depend on each other:
    ``sqrt(sum over clusters of (sum of residuals)^2) / values``. For many clusters; of ``k`` it is too small by
    ``sqrt((k - 1) / k)``."""
    import numpy as np  # loaded only where an error is needed

    sums = np.bincount(np.unique(cluster, return_inverse=True)[1], values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))
