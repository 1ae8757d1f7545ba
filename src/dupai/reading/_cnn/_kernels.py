"""Decisions and hands as the two networks see them: the paper's 20x20 matrix, and rows of features."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_INDEX, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.reading._features._kernels.boards import percentiles_kernel
from dupai.reading._features._kernels.hands import board_counts_kernel, hand_row_kernel, tents_kernel
from dupai.spots import DID_CALL, DID_CHECK, DID_FOLD, NOTHING

#: Side of the paper's matrix.
CNN_SIDE = 20
#: What the input may say beyond what the player knows, as bits.
LEAK_CARDS, LEAK_BOARD, LEAK_CHIPS = 1, 2, 4
#: Columns of the matrix: codes and chips of the first 20 actions, of the next 20, then amounts, then flags.
CODES, AMOUNTS, FLAGS = 13, 17, 18
_OPEN = np.array([0, 3, 4, 5])


@kernel
def _log_chips(chips, blind):
    """Chips on a scale that tells small amounts apart too: log2(1 + big blinds)."""
    return np.log2(1.0 + chips / blind)


@kernel
def move_kernel(r):
    """The paper's code of what was done: 1 fold, 2 check, 3 call, 4 bet or raise, 5 all-in; 0 for nothing yet."""
    did = r["did"]
    if did == NOTHING:
        return np.int64(0)
    if did == DID_FOLD:
        return np.int64(1)
    if did == DID_CHECK:
        return np.int64(2)
    if did == DID_CALL:
        return np.int64(3)
    return np.int64(5) if r["to"] >= r["total"] + r["stack"] else np.int64(4)


@kernel
def _put_cards(cards, n, block, out):
    for k in range(n):
        c = np.int64(cards[k])
        if c < 52:
            out[4 * block + c // 13, c % 13] = 1.0


@kernel
def public_matrix_kernel(rows, i, board, leaks, out):
    """All of the matrix but hole cards for row ``i`` (SPOT_DTYPE) of a hand's ``rows``: ``out`` ``float32[20, 20]``,
    filled.

    Rows 8 to 19 of the first 13 columns: flop, turn and river, four rows (suits) each. Columns 13 and 14 (15 and 16 for
    the 21st action on): code of each action of the hand, negative for the other player's, and its chips. Column 17:
    own total, the other's, stack, pot, chips to call, effective stack, least and largest raise. Column 18: street, in
    position, facing a bet, raising allowed. With ``LEAK_BOARD`` all cards of ``board`` (``uint8[5]``) are shown, with
    ``LEAK_CHIPS`` the chips of the action to predict stand with those of the actions before, and own total,
    stack and pot are those after it.
    """
    out[:] = 0.0
    r = rows[i]
    me = r["position"]
    blind = max(np.float64(r["big_blind"]), 1.0)
    n = np.int64(5) if leaks & LEAK_BOARD else _OPEN[r["street"]]
    _put_cards(board[:3], min(n, 3), 2, out)
    if n > 3:
        _put_cards(board[3:4], 1, 3, out)
    if n > 4:
        _put_cards(board[4:5], 1, 4, out)
    last = i + 1 if leaks & LEAK_CHIPS else i
    for j in range(min(last, 2 * CNN_SIDE)):
        q = rows[j]
        column = CODES + 2 * (j // CNN_SIDE)
        if j < i:
            code = np.float64(move_kernel(q))
            out[j % CNN_SIDE, column] = code if q["position"] == me else -code
        out[j % CNN_SIDE, column + 1] = _log_chips(q["paid"], blind)
    paid = r["paid"] if leaks & LEAK_CHIPS else np.int64(0)
    out[0, AMOUNTS] = _log_chips(r["total"] + paid, blind)
    out[1, AMOUNTS] = _log_chips(r["pot"] - r["total"], blind)
    out[2, AMOUNTS] = _log_chips(r["stack"] - paid, blind)
    out[3, AMOUNTS] = _log_chips(r["pot"] + paid, blind)
    out[4, AMOUNTS] = _log_chips(r["to_call"], blind)
    out[5, AMOUNTS] = _log_chips(r["effective"], blind)
    out[6, AMOUNTS] = _log_chips(r["min_to"], blind)
    out[7, AMOUNTS] = _log_chips(r["max_to"], blind)
    out[r["street"], FLAGS] = 1.0
    out[4, FLAGS] = 1.0 if r["after"] == 0 else 0.0
    out[5, FLAGS] = 1.0 if r["to_call"] > 0 else 0.0
    out[6, FLAGS] = 1.0 if r["max_to"] > 0 else 0.0


@kernel
def matrices_kernel(rows, first, hand, row, hole, board, leaks, out):
    """The matrices of samples: ``rows`` of all hands, ``first`` where each begins, ``hand`` and ``row`` (``int64[m]``)
    of every sample, ``hole`` ``uint8[hands, 10, 2]``, ``board`` ``uint8[hands, 5]``; ``out`` ``float32[m, 20, 20]``.

    Rows 0 to 3 hold the player's own cards, rows 4 to 7 the other's (with ``LEAK_CARDS``)."""
    for m in range(hand.size):
        h = hand[m]
        mine = rows[first[h] : first[h + 1]]
        i = row[m] - first[h]
        public_matrix_kernel(mine, i, board[h], leaks, out[m])
        me = mine[i]["position"]
        _put_cards(hole[h, me], 2, 0, out[m])
        if leaks & LEAK_CARDS:
            _put_cards(hole[h, 1 - me], 2, 1, out[m])


@kernel
def all_matrices_kernel(rows, i, board, out):
    """Honest matrices of one decision with each of the 1326 hands: ``out`` ``float32[1326, 20, 20]``."""
    public = np.empty((CNN_SIDE, CNN_SIDE), np.float32)
    public_matrix_kernel(rows, i, board, 0, public)
    for h in range(out.shape[0]):
        out[h] = public
        _put_cards(COMBO_CARDS[h], 2, 0, out[h])


@kernel
def _convolve(maps, weights, y, x, out):
    """Add what one cell of ``maps`` (``float32[c]``, at ``y``, ``x``) gives to a convolution of 5 x 5 over ``out``
    (``float32[s, s, d]``, sides as in the maps): ``weights`` ``float32[5, 5, c, d]``."""
    side = out.shape[0]
    for b in range(max(y - 2, 0), min(y + 3, side)):
        for a in range(max(x - 2, 0), min(x + 3, side)):
            for c in range(maps.size):
                if maps[c] != 0.0:
                    for d in range(out.shape[2]):
                        out[b, a, d] += maps[c] * weights[y - b + 2, x - a + 2, c, d]


@kernel
def _pool(cells, y, x, out):
    """The 2 x 2 cells at ``2 y``, ``2 x`` cut off below 0, the largest of each map: into ``out`` ``float32[d]``."""
    b, a = 2 * y, 2 * x
    for d in range(out.size):
        best = max(max(cells[b, a, d], cells[b, a + 1, d]), max(cells[b + 1, a, d], cells[b + 1, a + 1, d]))
        out[d] = max(best, np.float32(0.0))


@kernel
def paper_maps_kernel(matrices, first, first_bias, second, second_bias, out):
    """What the paper's two convolutions make of ``matrices`` (``float32[n, 20, 20]``): ``out`` ``float32[n, 5, 5, d]``.

    ``first`` ``float32[5, 5, 1, c]`` and ``second`` ``float32[5, 5, c, d]``: weights by row, column, map and new map.
    Hands at one decision differ in their hole cards alone. So the maps without hole cards are worked out once for a run
    of such matrices, and for each of them only what its own cards change.
    """
    half = CNN_SIDE // 2
    base = np.full((CNN_SIDE, CNN_SIDE), np.nan, np.float32)
    cells = np.empty((CNN_SIDE, CNN_SIDE, first_bias.size), np.float32)
    pooled = np.empty((half, half, first_bias.size), np.float32)
    deeper = np.empty((half, half, second_bias.size), np.float32)
    public, value = np.empty_like(base), np.empty(1, np.float32)
    change = np.empty(first_bias.size, np.float32)
    for m in range(len(matrices)):
        public[:] = matrices[m]
        public[:4, :13] = 0.0
        if not (public == base).all():
            base[:] = public
            cells[:] = first_bias
            deeper[:] = second_bias
            for y in range(CNN_SIDE):
                for x in range(CNN_SIDE):
                    value[0] = base[y, x]
                    _convolve(value, first, y, x, cells)
            for y in range(half):
                for x in range(half):
                    _pool(cells, y, x, pooled[y, x])
                    _convolve(pooled[y, x], second, y, x, deeper)
        own, maps = cells[:6, :16].copy(), deeper.copy()
        touched = np.zeros((3, 8), np.bool_)
        for y in range(4):
            for x in range(13):
                value[0] = matrices[m, y, x]
                if value[0] != 0.0:
                    touched[max(y - 2, 0) // 2 : (y + 2) // 2 + 1, max(x - 2, 0) // 2 : (x + 2) // 2 + 1] = True
                    for b in range(max(y - 2, 0), y + 3):
                        for a in range(max(x - 2, 0), x + 3):
                            for d in range(change.size):
                                own[b, a, d] += value[0] * first[y - b + 2, x - a + 2, 0, d]
        for y in range(3):
            for x in range(8):
                if touched[y, x]:
                    _pool(own, y, x, change)
                    for d in range(change.size):
                        change[d] -= pooled[y, x, d]
                    _convolve(change, second, y, x, maps)
        for y in range(5):
            for x in range(5):
                _pool(maps, y, x, out[m, y, x])


@kernel
def _strengths(board, n, start, out):
    """How good every hand is now (``float64[1326]``, -1 for blocked ones): its strength on the board, its win rate
    ``start`` before the flop. Returns the cards of the board as a mask."""
    mask = np.uint64(0)
    for k in range(n):
        mask |= CARD_MASK[board[k]]
    for h in range(out.size):
        hand = COMBO_MASK[h]
        if n == 0:
            out[h] = start[h]
        elif hand & mask != 0:
            out[h] = -1.0
        else:
            out[h] = strength_kernel(mask | hand)
    return mask


@kernel
def _hand_row(row, h, share, n, mask, plays, count, suits, ranks, first, second, many):
    """One hand's features; ``share`` of the other hands that it beats now."""
    row[:] = 0.0
    row[0] = 1.0 if n > 0 else 0.0
    row[5] = share
    tents_kernel(share, row, 6)
    hand_row_kernel(row, h, n, mask, plays, count, suits, ranks, first, second, many)


@kernel
def trunk_features_kernel(board, n, start, out):
    """Features of all hands on a board of 0, 3, 4 or 5 cards, without any look at cards to come.

    The columns of :func:`~dupai.reading._features._kernels.hands.hand_features_kernel` (kind of made
    hand, draws, ranks), where those that need runouts are 0 and the share of hands beaten now stands for the win rate.

    Args:
        board: ``uint8[5]``, the first ``n`` cards count.
        start: ``float64[1326]``, win rates before the flop.
        out: ``float32[1326, 70]``, filled; 0 for hands that the board blocks.
    """
    out[:] = 0.0
    value = np.empty(1326)
    mask = _strengths(board, n, start, value)
    live = np.flatnonzero(value >= 0)
    share = np.zeros(1326)
    percentiles_kernel(value, np.ones(1326), live[np.argsort(value[live])], share)
    count = np.empty(13, np.int64)
    suits = np.empty(4, np.int64)
    ranks, first, second, many = board_counts_kernel(board, n, count, suits)
    alone = np.float64(strength_kernel(mask)) if n == 5 else -2.0
    for i in range(live.size):
        h = live[i]
        plays = value[h] == alone
        _hand_row(out[h], h, share[h], n, mask, plays, count, suits, ranks, first, second, many)


@kernel
def sample_features_kernel(rows, hand, row, hole, board, start, begin, end, out):
    """The features of the hand that the player of each sample held: samples ``begin`` to ``end``, which stand in
    the order of their hands; ``out`` ``float32[end - begin, 70]``."""
    value = np.empty(1326)
    count = np.empty(13, np.int64)
    suits = np.empty(4, np.int64)
    held = np.int64(-1)
    street = np.int64(-1)
    mask = np.uint64(0)
    alone = -2.0
    n = np.int64(0)
    for m in range(begin, end):
        h = hand[m]
        r = rows[row[m]]
        if h != held or r["street"] != street:
            held = np.int64(h)
            street = r["street"]
            n = _OPEN[street]
            mask = _strengths(board[h], n, start, value)
            alone = np.float64(strength_kernel(mask)) if n == 5 else -2.0
        two = hole[h, r["position"]]
        c = COMBO_INDEX[two[0], two[1]]
        worse = 0.0
        tied = 0.0
        total = 0.0
        for k in range(1326):
            if value[k] >= 0:
                total += 1.0
                if abs(value[k] - value[c]) <= 1e-9:
                    tied += 1.0
                elif value[k] < value[c]:
                    worse += 1.0
        ranks, top, second, many = board_counts_kernel(board[h], n, count, suits)
        share = (worse + 0.5 * tied) / total
        _hand_row(out[m - begin], c, share, n, mask, value[c] == alone, count, suits, ranks, top, second, many)
