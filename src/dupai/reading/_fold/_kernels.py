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


@kernel
def fitted_bits_kernel(first, row_of, context, rates, table, truth, hands, uniform, out):
    """Bits that the product over the streets gains on every street of every player's hand.

    Rows are streets, those of one player's hand one after another: row ``r`` of player's hand ``i`` for ``first[i] <= r
    < first[i + 1]``. ``row_of int64[m]`` is the row's line in ``rates uint16[boards, 1326]`` (place of each hand's win
    rate on the grid, 65535: the board blocks it), ``context int64[m]`` its line in ``table float64[contexts, grid]``,
    the chance of what was done; ``truth int64[n]`` the hand held, ``hands float64[m]`` how many are legal, ``uniform``
    the share of the uniform distribution. ``out float64[m]``."""
    w = np.empty(rates.shape[1])
    for i in range(truth.size):
        w[:] = 1.0
        for r in range(first[i], first[i + 1]):
            line = rates[row_of[r]]
            chance = table[context[r]]
            total = 0.0
            for h in range(w.size):
                if line[h] == 65535:
                    w[h] = 0.0
                else:
                    w[h] *= chance[line[h]]
                    total += w[h]
            p = (1.0 - uniform) * w[truth[i]] / total + uniform / hands[r]
            out[r] = np.log2(hands[r] * p)
