"""Kernels over whole corpora: features of all decisions, bits of fitted readings, and the measures of one reading."""

import numpy as np

from dupai.base import kernel
from dupai.reading.features import class_of_kernel, hand_features_kernel, legal_classes_kernel, public_features_kernel
from dupai.spots import NOTHING

#: Bits below which a case is cut off.
FLOOR = -20.0
#: Relative difference up to which two hands are equally probable.
TIE = 1e-9
_OPEN = np.array([0, 3, 4, 5])


@kernel
def measure_kernel(p, legal, classes, true, out):
    """Score the reading ``p`` (``float64[1326]``) of a player who holds hand ``true``.

    ``legal`` (``bool[1326]``) says which hands the player could hold, ``classes`` (``int8[1326]``) the class of each.
    ``out`` (``float64[8]``) gets the bits, whether they were cut off at -20, the share of the case that the 50, 80 and
    95 % sets cover (ties split exactly), and whether the true class is among the 1, 2 and 3 most probable."""
    hands = 0
    total = 0.0
    by_class = np.zeros(11)
    for h in range(p.size):
        if legal[h]:
            hands += 1
            total += p[h]
            by_class[classes[h]] += p[h]
    out[:] = 0.0
    truth = p[true]
    bits = np.log2(hands * truth / total) if total > 0.0 and truth > 0.0 else -np.inf
    out[0] = max(bits, FLOOR)
    out[1] = 1.0 if bits < FLOOR else 0.0
    above = 0.0
    equal = 0.0
    for h in range(p.size):
        if legal[h]:
            if abs(p[h] - truth) <= TIE * max(p[h], truth):
                equal += p[h]
            elif p[h] > truth:
                above += p[h]
    if equal > 0.0:
        out[2] = min(max((0.50 * total - above) / equal, 0.0), 1.0)
        out[3] = min(max((0.80 * total - above) / equal, 0.0), 1.0)
        out[4] = min(max((0.95 * total - above) / equal, 0.0), 1.0)
    mine = by_class[classes[true]]
    larger = 0
    for k in range(11):
        if by_class[k] > mine * (1.0 + TIE):
            larger += 1
    for z in range(3):
        out[5 + z] = 1.0 if larger <= z else 0.0


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


@kernel
def decisions_kernel(rows, first, board, limit, features, did, legal):
    """Public features (``float32[m, 96]``), class of what was done (``int8[m]``, -1 for nothing) and legal classes
    (``bool[m, 9]``) of all decisions; hand ``h`` has the rows from ``first[h]`` to before ``first[h + 1]``."""
    out = np.empty(features.shape[1], np.float32)
    for hand in range(board.shape[0]):
        a = first[hand]
        mine = rows[a : first[hand + 1]]
        flag = np.int64(1) if limit[hand] else np.int64(0)
        for i in range(mine.size):
            n = _OPEN[mine[i]["street"]]
            public_features_kernel(mine, i, flag, board[hand], n, out)
            for k in range(out.size):
                features[a + i, k] = out[k]
            did[a + i] = -1 if mine[i]["did"] == NOTHING else class_of_kernel(mine, i, flag)
            legal_classes_kernel(mine, i, flag, legal[a + i])


@kernel
def sampled_hands_kernel(table, board, n, combos, out, begin, end):
    """Hand features of some hands on the boards ``begin`` to ``end``: ``combos`` ``int16[m, k]``, ``out``
    ``float32[end - begin, k, 70]``. Equal boards that follow each other are worked out once. ``table``: a
    :class:`~dupai.reading.model.BoardTable`."""
    features = np.empty((1326, out.shape[2]), np.float32)
    last = np.int64(-1)
    for i in range(begin, end):
        same = last >= 0
        if same:
            for k in range(n):
                same = same and board[i, k] == board[last, k]
        if not same:
            hand_features_kernel(table, board[i], n, features)
            last = np.int64(i)
        for k in range(combos.shape[1]):
            c = combos[i, k]
            for f in range(out.shape[2]):
                out[i - begin, k, f] = features[c, f]
