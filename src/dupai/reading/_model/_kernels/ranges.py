"""Hands against ranges: win rates against those of the opponents, and the place in the player's own."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_MASK
from dupai.reading._features._kernels.boards import percentiles_kernel, range_rates_kernel
from dupai.reading._features._kernels.hands import tents_kernel

#: Numbers that ranges add to a hand, as they are stored and as networks take them, and to a decision.
RANGE_STORED, RANGE_HAND, RANGE_PUBLIC = 3, 10, 4


@kernel
def range_features_kernel(board, n, own, others, hands, public):
    """How every hand stands against the ranges of the opponents and within its own.

    Args:
        board: ``uint8[5]``, the first ``n`` (3, 4 or 5) cards count.
        own: ``float64[1326]``: the player's range before the decision.
        others: ``float64[m, 1326]``: the mean range of the live opponents, then (where there are more) the aggressor's.
        hands: ``float32[1326, 3]``, filled: win rate against each of the two, percentile of the first in ``own``.
        public: ``float32[4]``, filled: mean and deviation of the first win rate over ``own``, shares above 0.75 and
            below 0.3.
    """
    mask = np.uint64(0)
    for k in range(n):
        mask |= CARD_MASK[board[k]]
    weight = np.zeros(1326)
    live = np.empty(1326, np.int64)
    m = 0
    for h in range(1326):
        if COMBO_MASK[h] & mask == 0:
            live[m] = h
            m += 1
            weight[h] = own[h]
    rates = np.empty((others.shape[0], 1326))
    range_rates_kernel(board, n, others, rates)
    order = live[:m][np.argsort(rates[0][live[:m]])]
    place = np.zeros(1326)
    percentiles_kernel(rates[0], weight, order, place)
    total = 0.0
    mean = 0.0
    square = 0.0
    high = 0.0
    low = 0.0
    for h in range(1326):
        r = rates[0, h]
        w = weight[h]
        total += w
        mean += w * r
        square += w * r * r
        high += w if r > 0.75 else 0.0
        low += w if r < 0.3 else 0.0
        hands[h, 0] = r
        hands[h, 1] = rates[rates.shape[0] - 1, h]
        hands[h, 2] = place[h]
    if total > 0:
        mean /= total
        public[0] = mean
        public[1] = np.sqrt(max(square / total - mean * mean, 0.0))
        public[2] = high / total
        public[3] = low / total
    else:
        public[:] = 0.0


@kernel
def expand_kernel(stored, out):
    """The stored three numbers of each hand as the networks take them: percentiles as tents."""
    out[:] = 0.0
    for h in range(stored.shape[0]):
        out[h, 0] = stored[h, 0]
        out[h, 1] = stored[h, 1]
        tents_kernel(np.float64(stored[h, 2]), out[h], 2)
