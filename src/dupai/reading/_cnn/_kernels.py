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
#: Differences of sums of float32 below this are rounding.
_NOISE = np.float32(1e-6)


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
def _convolve(values, weights, y, x, out):
    """Add what one cell (``values`` ``float32[c]``, at ``y``, ``x``) gives to a convolution of 5 x 5 over ``out``
    (``float32[side, side * d]``, sides as in the maps): ``weights`` ``float32[5, c, 5 * d]``."""
    wide = weights.shape[2]
    deep = wide // 5
    begin, end = max(x - 2, 0) * deep, min((x + 3) * deep, out.shape[1])
    skipped = begin - (x - 2) * deep
    for b in range(max(y - 2, 0), min(y + 3, out.shape[0])):
        row = out[b, begin:end]
        for c in range(values.size):
            value = values[c]
            if value != 0.0:
                line = weights[y - b + 2, c, skipped : skipped + end - begin]
                for j in range(row.size):
                    row[j] += value * line[j]


@kernel
def _pool(cells, y, begin, end, out):
    """The 2 x 2 cells of row ``y`` from column ``begin`` on, cut off below 0, the largest of each map: ``cells``
    ``float32[side, side * d]`` into ``out`` ``float32[end - begin, d]``."""
    deep = out.shape[1]
    for x in range(begin, end):
        a, b = cells[2 * y, 2 * x * deep : (2 * x + 1) * deep], cells[2 * y, (2 * x + 1) * deep : (2 * x + 2) * deep]
        c = cells[2 * y + 1, 2 * x * deep : (2 * x + 1) * deep]
        e = cells[2 * y + 1, (2 * x + 1) * deep : (2 * x + 2) * deep]
        to = out[x - begin]
        for d in range(deep):
            to[d] = max(max(max(a[d], b[d]), max(c[d], e[d])), np.float32(0.0))


@kernel
def _reach(card):
    """Where a hole card changes the first maps, as pooled: first row, end of rows, first column, end of columns."""
    y, x = card // 13, card % 13
    return max(y - 2, 0) // 2, (y + 2) // 2 + 1, max(x - 2, 0) // 2, (x + 2) // 2 + 1


@kernel
def paper_maps_kernel(public, hands, first, first_bias, second, second_bias, out):
    """What the paper's two convolutions make of one decision with each of ``hands`` (``int64[n]``): ``out``
    ``float32[n, 5, 5, d]``.

    ``public`` ``float32[20, 20]`` is the matrix without hole cards; ``first`` ``float32[5, 1, 5 * c]`` and ``second``
    ``float32[5, c, 5 * d]`` are weights by row, map, and column and new map, columns from right to left. What a single
    card changes is worked out once for each card. A hand changes what its two cards change, but for the cells that both
    reach: those are cut off below 0 together.
    """
    half, maps, deep = CNN_SIDE // 2, first_bias.size, second_bias.size
    cells = np.empty((CNN_SIDE, CNN_SIDE * maps), np.float32)
    pooled = np.empty((half, half, maps), np.float32)
    deeper = np.empty((half, half * deep), np.float32)
    for x in range(CNN_SIDE):
        cells[:, x * maps : (x + 1) * maps] = first_bias
    for x in range(half):
        deeper[:, x * deep : (x + 1) * deep] = second_bias
    value = np.empty(1, np.float32)
    for y in range(CNN_SIDE):
        for x in range(CNN_SIDE):
            value[0] = public[y, x]
            _convolve(value, first, y, x, cells)
    for y in range(half):
        _pool(cells, y, 0, half, pooled[y])
        for x in range(half):
            _convolve(pooled[y, x], second, y, x, deeper)
    # Of the 20 x 20 cells hole cards change the first six rows, of the 10 x 10 deeper ones the first five.
    own = cells[:6].copy()
    change = np.zeros((52, 3, 8, maps), np.float32)
    moved = np.zeros((52, 5, half * deep), np.float32)
    value[0] = 1.0
    for card in range(52):
        _convolve(value, first, card // 13, card % 13, own)
        top, bottom, left, right = _reach(card)
        for y in range(top, bottom):
            _pool(own, y, left, right, change[card, y, left:right])
            for x in range(left, right):
                for d in range(maps):
                    change[card, y, x, d] -= pooled[y, x, d]
                _convolve(change[card, y, x], second, y, x, moved[card])
        own[:] = cells[:6]
    both, rest = deeper[:6].copy(), np.empty((8, maps), np.float32)
    for m in range(hands.size):
        one, other = np.int64(COMBO_CARDS[hands[m], 0]), np.int64(COMBO_CARDS[hands[m], 1])
        for y in range(5):
            row, start, a, b = both[y], deeper[y], moved[one, y], moved[other, y]
            for j in range(row.size):
                row[j] = start[j] + a[j] + b[j]
        top, bottom, left, right = _reach(one)
        top_2, bottom_2, left_2, right_2 = _reach(other)
        left, right = max(left, left_2), min(right, right_2)
        if left < right:
            _convolve(value, first, one // 13, one % 13, own)
            _convolve(value, first, other // 13, other % 13, own)
            for y in range(max(top, top_2), min(bottom, bottom_2)):
                _pool(own, y, left, right, rest)
                for x in range(left, right):
                    largest = np.float32(0.0)
                    for d in range(maps):
                        gap = rest[x - left, d] - pooled[y, x, d] - change[one, y, x, d] - change[other, y, x, d]
                        rest[x - left, d] = gap
                        largest = max(largest, abs(gap))
                    if largest > _NOISE:
                        _convolve(rest[x - left], second, y, x, both[:5])
            for y in range(6):
                row, start = own[y], cells[y]
                for j in range(row.size):
                    row[j] = start[j]
        for y in range(5):
            _pool(both if y < 3 else deeper, y, 0, 5, out[m, y])


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
