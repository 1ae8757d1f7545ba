"""Equation 6 for every hand at once."""

import numpy as np

from dupai.base import kernel


@kernel
def relative_kernel(w, low, high, baseline, theta):
    """Relative probability of an action for a hand of win rate ``w`` (FOLD, eq. 6), at most ``theta``."""
    if low <= w <= high:
        return theta
    if w < baseline:
        return min(baseline / (baseline - w), theta)
    if w == baseline:
        return theta
    return min((1.0 - baseline) / (w - baseline), theta)


@kernel
def likelihood_kernel(rates, intervals, legal, theta, out):
    """``out[h, a]`` = P(action ``a`` | hand ``h``): eq. 6 normalised over the legal actions.

    ``rates float64[n]`` (nan: a hand that cannot be, every legal action alike), ``intervals float64[k, 3]`` (low, high,
    baseline), ``legal bool[k]``, ``out float32[n, k]``.
    """
    k = legal.size
    row = np.empty(k)
    for h in range(rates.size):
        w = rates[h]
        total = 0.0
        for a in range(k):
            row[a] = 0.0
            if legal[a]:
                if np.isnan(w):
                    row[a] = 1.0
                else:
                    row[a] = relative_kernel(w, intervals[a, 0], intervals[a, 1], intervals[a, 2], theta)
                total += row[a]
        for a in range(k):
            out[h, a] = row[a] / total
