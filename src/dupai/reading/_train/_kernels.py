"""Features of whole corpora at once."""

import numpy as np

from dupai.base import kernel
from dupai.reading._model._kernels import (
    class_of_kernel,
    hand_features_kernel,
    legal_classes_kernel,
    public_features_kernel,
)
from dupai.spots import NOTHING

_OPEN = np.array([0, 3, 4, 5])


@kernel
def decisions_kernel(rows, first, board, limit, begin, end, features, did, legal):
    """Public features (``float32[m, 96]``), class of what was done (``int8[m]``, -1 for nothing) and legal classes
    (``bool[m, 9]``) of all decisions of the hands ``begin`` to ``end``."""
    out = np.empty(features.shape[1], np.float32)
    for hand in range(begin, end):
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
def sampled_hands_kernel(table, board, n, top, combos, out, begin, end):
    """Hand features of some hands on the boards ``begin`` to ``end``: ``combos`` ``int16[m, k]``, ``out``
    ``float32[end - begin, k, 70]``. Equal boards that follow each other are worked out once."""
    features = np.empty((1326, out.shape[2]), np.float32)
    last = np.int64(-1)
    for i in range(begin, end):
        same = last >= 0
        if same:
            for k in range(n):
                same = same and board[i, k] == board[last, k]
        if not same:
            hand_features_kernel(table, board[i], n, top, features)
            last = np.int64(i)
        for k in range(combos.shape[1]):
            c = combos[i, k]
            for f in range(out.shape[2]):
                out[i - begin, k, f] = features[c, f]
