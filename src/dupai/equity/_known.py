"""Equity of known hands for the referee, which asks for it several times a hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupai.base.arrays import F64
from dupai.cards import COMBO_CLASS, board_array, combo, mask_of
from dupai.cards.kernels import COMBO_PERMUTED
from dupai.equity._kernels.exact import deal_kernel
from dupai.equity._kernels.known import known_kernel
from dupai.equity._matchups import BOARDS, load_matchups
from dupai.equity._result import shares


def known_equity(hands: Sequence[tuple[int, int]], board: Sequence[int] = (), dead: Sequence[int] = ()) -> F64:
    """Exact equity of two and more known hands, ``float64[players]``: as :func:`dupai.equity.equity`, for cards that
    are known to be right. Nothing is checked, which saves most of its time.

    Args:
        hands: two cards each.
        board: 0, 3, 4 or 5 cards.
        dead: further cards that cannot come.
    """
    n, gone = len(hands), np.uint64(mask_of(dead))
    if n == 2 and not board and not dead:
        one, table = combo(*hands[0]), load_matchups()
        place = COMBO_CLASS[one], COMBO_PERMUTED[table.to_class[one], combo(*hands[1])]
        win, tie = int(table.win[place]), int(table.tie[place])
        return shares(np.array([0, win, BOARDS - win - tie, tie]), n)[0]
    hist = np.zeros(1 << n, np.int64)
    if board:
        known_kernel(np.array(hands, np.int64), board_array(board), len(board), gone, hist)
    else:
        deal_kernel(np.array(hands, np.int64), n, gone, hist)
    return shares(hist, n)[0]
