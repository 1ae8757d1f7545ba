"""The algorithms and the numbers that distinguish them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64
from dupai.base.text import nearest


class Variant(NamedTuple):
    """A member of the family of discounted regret minimisers, with alternating updates.

    After iteration t positive regrets are multiplied by ``t^alpha / (t^alpha + 1)`` and negative ones by the same with
    ``beta`` (None: by 1). ``plus``: negative regrets become 0. ``predictive``: the next strategy takes the last regret
    as a prediction of the next one. Iteration t has the weight ``t^gamma`` in the average.
    """

    alpha: float | None
    beta: float | None
    gamma: float
    plus: bool = False
    predictive: bool = False

    def schedule(self, first: int, count: int) -> tuple[F64, F64, F64]:
        """Factors of positive and negative regrets and weights of iterations ``first`` to ``first + count - 1``."""
        t = np.arange(first, first + count, dtype=np.float64)
        positive, negative = (
            np.ones_like(t) if power is None else t**power / (t**power + 1.0) for power in (self.alpha, self.beta)
        )
        return positive, negative, t**self.gamma


#: M. Zinkevich et al., NIPS 2007 (cfr); O. Tammelin, arXiv 1407.5042 (cfr+); N. Brown, T. Sandholm, AAAI 2019 (linear,
#: dcfr: alpha 1.5, beta 0, gamma 2); G. Farina et al., AAAI 2021 (pcfr+, quadratic averaging); H. Xu et al., IJCAI 2024
#: (pdcfr+: alpha 2.3, gamma 5).
VARIANTS = {
    "cfr": Variant(None, None, 0.0),
    "cfr+": Variant(None, None, 1.0, plus=True),
    "linear": Variant(1.0, 1.0, 1.0),
    "dcfr": Variant(1.5, 0.0, 2.0),
    "pcfr+": Variant(None, None, 2.0, plus=True, predictive=True),
    "pdcfr+": Variant(2.3, None, 5.0, plus=True, predictive=True),
}
#: Monte Carlo: M. Lanctot et al., NIPS 2009; with baselines: M. Schmid et al., AAAI 2019 (VR-MCCFR).
SAMPLING = ("external", "outcome", "external-vr", "outcome-vr")
#: The names that ``solve_game`` takes.
ALGORITHMS = (*VARIANTS, *SAMPLING)


def check_algorithm(name: str) -> str:
    """Return the name.

    Raises:
        ConfigError: there is no such algorithm.
    """
    if name not in ALGORITHMS:
        raise ConfigError(f"unknown algorithm {name!r}: {nearest(name, ALGORITHMS)}", key="algorithm", text=name)
    return name
