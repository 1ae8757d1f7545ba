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


class Estimate(NamedTuple):
    """A mean, its standard error and the number of independent observations behind it.

    The unit is the caller's (chips, mbb/hand, probability); an exact value has ``se == 0``.
    """

    mean: float
    se: float
    n: int

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """Normal-theory interval ``mean ± z * se`` (95 % by default)."""
        return self.mean - z * self.se, self.mean + z * self.se

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
        return f"{self.mean:.4g} ± {self.se:.2g} (n={self.n})"


def clustered_error(values: npt.NDArray[np.float64], cluster: npt.NDArray[Any]) -> float:
    """Standard error of a mean where values of one cluster (a hand, a person, a match) depend on each other:
    ``sqrt(sum over clusters of (sum of residuals)^2) / values``. For many clusters; of ``k`` it is too small by
    ``sqrt((k - 1) / k)``."""
    import numpy as np  # loaded only where an error is needed

    sums = np.bincount(np.unique(cluster, return_inverse=True)[1], values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))
