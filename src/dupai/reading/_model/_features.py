"""The features of the trained model: their version, and the fixed ranges that hands are compared with."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.equity import win_rates

#: Raised whenever a feature changes its meaning: weights of another version are refused.
FEATURE_VERSION = 1


@cache
def _top() -> npt.NDArray[Any]:
    order = np.argsort(-win_rates(None), kind="stable")
    top = np.zeros((3, 1326))
    top[0] = 1.0
    top[1, order[:530]] = 1.0
    top[2, order[:159]] = 1.0
    top.flags.writeable = False
    return top


def top_ranges() -> npt.NDArray[np.float64]:
    """``float64[3, 1326]``: all hands, the 40 % and the 12 % with the best win rates before the flop."""
    return _top()
