"""Deals: hands from readings or from the deck, boards from what is left, and how hands stand on them."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_INDEX, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.equity import sets_by_slot_kernel
from dupai.equity.tables import number_kernel
from dupai.reading.features import (
    COLUMNS,
    board_counts_kernel,
    columns_kernel,
    features_of_kernel,
    fill_kernel,
    hand_row_kernel,
    river_columns_kernel,
    spread_kernel,
    table_columns_kernel,
)

#: Draws of all hands together before one that clashes is drawn around the others.
_TOGETHER = 400
_LANE = np.int64(20)
_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S11 = (np.uint64(n) for n in (27, 30, 31, 11))


@kernel
def dice_kernel(seed, a, b, c):
    """A number of [0, 1) for three numbers and a seed: the finaliser of splitmix64 (Steele and others, 2014)."""
    x = np.uint64(seed)
    for part in (a, b, c):
        x = (x ^ np.uint64(part)) * _A + _A
        x = (x ^ (x >> _S30)) * _B
        x = (x ^ (x >> _S27)) * _C
        x ^= x >> _S31
    return np.float64(x >> _S11) * (1.0 / 9007199254740992.0)


@kernel
def deal_kernel(deals, first, hole, board, ranges, live, seed):
    """Deal the rest of the cards.

    Args:
        deals: :class:`Deals`, filled.
        first: number of the first deal; its cards depend on the number and the seed alone.
        hole: ``uint8[10, 2]``: the known hole cards, 255 for those to draw.
        board: ``uint8[5]``: the open cards, 255 for those to draw.
        ranges: ``float64[10, 1326]``: weights of the hands of positions, added up hand by hand; the last is 0 where
            nothing is known of a position: any cards then.
        live: ``bool[10]``: whose hole cards are drawn.
        seed: ``uint64``.
    """
    seen = np.uint64(0)
    for p in range(10):
        if hole[p, 0] < 52:
            seen |= CARD_MASK[hole[p, 0]] | CARD_MASK[hole[p, 1]]
    for k in range(5):
        if board[k] < 52:
            seen |= CARD_MASK[board[k]]
    for d in range(deals.combo.shape[0]):
        number = np.int64(first + d)
        throw = np.int64(0)
        used = seen
        for attempt in range(_TOGETHER + 1):
            used = seen
            fits = True
            for p in range(10):
                if not live[p]:
                    continue
                total = ranges[p, 1325]
                # At last around the cards that are taken, so that it ends.
                known = total > 0.0 and attempt < _TOGETHER
                while True:
                    u = dice_kernel(seed, number, np.int64(-1), throw)
                    throw += 1
                    if known:
                        combo = min(np.searchsorted(ranges[p], u * total, side="right"), 1325)
                    else:
                        combo = np.int64(u * 1326.0)
                    clash = COMBO_MASK[combo] & used != 0
                    if known or not clash:
                        break
                if clash:
                    fits = False
                    break
                used |= COMBO_MASK[combo]
                deals.combo[d, p] = combo
                deals.hole[d, p] = COMBO_CARDS[combo]
            if fits:
                break
        for p in range(10):
            if not live[p]:
                deals.hole[d, p] = hole[p]
                deals.combo[d, p] = COMBO_INDEX[hole[p, 0], hole[p, 1]] if hole[p, 0] < 52 else np.int64(-1)
        for k in range(5):
            card = np.int64(board[k])
            while card >= 52 or (board[k] >= 52 and CARD_MASK[card] & used != 0):
                card = np.int64(dice_kernel(seed, number, np.int64(-2), throw) * 52.0)
                throw += 1
            used |= CARD_MASK[card]
            deals.board[d, k] = card
        deals.known[d] = False


@kernel
def scratch_kernel(sets):
    """Working memory of :func:`features_kernel` for the three sets of hands of a :class:`BoardTable`."""
    packed = np.zeros(1326, np.int64)
    for m in range(3):
        for h in range(1326):
            packed[h] |= np.int64(sets[m, h] > 0) << _LANE * m
    return sets_by_slot_kernel(packed), np.empty(1326, np.int64), np.empty(1326, np.int64)


@kernel
def features_kernel(table, scratch, deals, d, street, p, folded):
    """Make sure that the features of position ``p`` on ``street`` (1 to 3) of deal ``d`` are there; on the river those
    of all who have not folded with them."""
    if deals.known[d, street - 1, p]:
        return
    board = deals.board[d]
    n = street + 2
    columns = np.zeros((10, COLUMNS))
    combos = np.empty(10, np.int64)
    who = np.empty(10, np.int64)
    many = 0
    for q in range(10):
        if q == p or (street == 3 and deals.combo[d, q] >= 0 and folded[q] == 0 and not deals.known[d, 2, q]):
            who[many] = q
            combos[many] = deals.combo[d, q]
            many += 1
    if street < 3:
        fill_kernel(table, board, n)
        table_columns_kernel(table, number_kernel(board, n, True), combos[0], columns[0])
        mean, deviation = spread_kernel(table, board, n)
        deals.spread[d, street - 1, 0] = mean
        deals.spread[d, street - 1, 1] = deviation
    elif deals.rivers.shape[0] > 0:
        last = board[4]
        if not deals.counted[last]:
            columns_kernel(board, 5, table.sets, deals.rivers[last])
            deals.counted[last] = True
        for i in range(many):
            columns[i] = deals.rivers[last, combos[i]]
    else:
        river_columns_kernel(board, scratch[0], scratch[1], scratch[2], combos[:many], columns)
    mask = np.uint64(0)
    for k in range(n):
        mask |= CARD_MASK[board[k]]
    count = np.empty(13, np.int64)
    suits = np.empty(4, np.int64)
    ranks, top, second, kinds = board_counts_kernel(board, n, count, suits)
    for i in range(many):
        row = deals.features[d, street - 1, who[i]]
        row[:] = 0.0
        features_of_kernel(row, columns[i])
        plays = n == 5 and strength_kernel(mask | COMBO_MASK[combos[i]]) == strength_kernel(mask)
        hand_row_kernel(row, combos[i], n, mask, plays, count, suits, ranks, top, second, kinds)
        deals.known[d, street - 1, who[i]] = True
