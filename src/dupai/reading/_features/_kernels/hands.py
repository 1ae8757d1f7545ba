"""What every hand is on a board: the features of hole cards that the trained model sees."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.equity.tables import number_kernel
from dupai.reading._features._kernels.boards import COLUMNS, columns_kernel, fill_kernel, table_columns_kernel

#: Numbers of a hand after the flop: see :data:`dupai.reading._model._features.HAND_NAMES`.
HAND_SIZE = 70
#: Kinds of made hand, in the order of their columns.
KINDS = 17
_NOTHING, _ACE, _UNDER, _BETWEEN, _OVER, _LOW, _SECOND, _TOP, _TOP_GOOD, _TWO, _TRIPS, _SET = range(12)
_STRAIGHT, _FLUSH, _FULL, _QUADS, _BOARD = range(12, 17)
_TENTS = 8
_KIND = 6 + _TENTS
_DRAW = _KIND + KINDS
_RANKS = _DRAW + 12
_JACK, _ACE_RANK = 9, 12


@kernel
def _straight(ranks):
    """Whether 13 bits of ranks hold five in a row (the ace below the deuce too)."""
    m = (ranks << 1) | (ranks >> 12 & 1)
    return (m & m >> 1 & m >> 2 & m >> 3 & m >> 4) != 0


@kernel
def tents_kernel(x, out, at):
    """A number of [0, 1] as eight overlapping tents, so that a network need not bend for itself."""
    y = x * (_TENTS - 1)
    i = min(max(np.int64(y), 0), _TENTS - 2)
    f = y - i
    out[at + i] = 1.0 - f
    out[at + i + 1] = f


@kernel
def _kind(a, b, count, n_ranks, top, second, suits, board_ranks, mask, n, plays):
    """Kind of made hand of ranks and suits of two cards on a board: see ``KINDS``."""
    ra = a % 13
    rb = b % 13
    both = board_ranks | np.int64(1) << ra | np.int64(1) << rb
    flush = False
    if a // 13 == b // 13:
        flush = suits[a // 13] >= 3
    else:
        flush = suits[a // 13] >= 4 or suits[b // 13] >= 4
    ca = count[ra]
    cb = count[rb]
    if plays:
        return _BOARD
    if ra == rb:
        if ca == 2:
            return _QUADS
    elif ca == 3 or cb == 3:
        return _QUADS
    paired = False
    trips = False
    for r in range(13):
        paired = paired or count[r] >= 2
        trips = trips or count[r] >= 3
    if ra == rb:
        if ca == 1 and paired:
            return _FULL
        if trips and ca == 0:
            return _FULL
    elif (ca == 2 and cb >= 1) or (cb == 2 and ca >= 1) or (trips and (ca == 1 or cb == 1)):
        return _FULL
    elif ca == 2 or cb == 2:
        # Trips with a second pair on the board are a full house too.
        pairs = 0
        for r in range(13):
            pairs += 1 if count[r] >= 2 else 0
        if pairs >= 2:
            return _FULL
    if flush:
        return _FLUSH
    if _straight(both) and (not _straight(board_ranks) or n == 5):
        return _STRAIGHT
    if ra == rb:
        if ca == 1:
            return _SET
        return _OVER if ra > top else (_BETWEEN if ra > second else _UNDER)
    if ca == 2 or cb == 2:
        return _TRIPS
    if ca == 1 and cb == 1:
        return _TWO
    if ca == 1 or cb == 1:
        pair = ra if ca == 1 else rb
        kicker = rb if ca == 1 else ra
        if pair == top:
            return _TOP_GOOD if kicker >= _JACK else _TOP
        return _SECOND if pair == second else _LOW
    return _ACE if ra == _ACE_RANK or rb == _ACE_RANK else _NOTHING


@kernel
def hand_features_kernel(table, board, n, out):
    """Features of all hands on a board of 3, 4 or 5 cards (``n``).

    Args:
        table: :class:`BoardTable`.
        board: ``uint8[5]``, the first ``n`` cards count.
        out: ``float32[1326, 70]``, filled; 0 for hands that the board blocks.
    """
    out[:] = 0.0
    columns = np.zeros((1326, COLUMNS))
    if n == 3:
        fill_kernel(table, board, n)
        number = number_kernel(board, n, True)
        for h in range(1326):
            table_columns_kernel(table, number, h, columns[h])
    else:
        columns_kernel(board, n, table.sets, columns)
    mask = np.uint64(0)
    for k in range(n):
        mask |= CARD_MASK[board[k]]
    count = np.empty(13, np.int64)
    suits = np.empty(4, np.int64)
    ranks, first, second, many = board_counts_kernel(board, n, count, suits)
    alone = strength_kernel(mask) if n == 5 else np.int64(0)
    for h in range(1326):
        if COMBO_MASK[h] & mask == 0:
            plays = n == 5 and strength_kernel(mask | COMBO_MASK[h]) == alone
            features_of_kernel(out[h], columns[h])
            hand_row_kernel(out[h], h, n, mask, plays, count, suits, ranks, first, second, many)


@kernel
def features_of_kernel(row, columns):
    """The columns of a board (:data:`COLUMNS`) as features of a hand."""
    for k in range(6):
        row[k] = columns[k]
    tents_kernel(columns[6], row, 6)


@kernel
def board_counts_kernel(board, n, count, suits):
    """Ranks and suits on the board, into ``count`` and ``suits``; returns its ranks as bits, the highest, the second
    (-1: none), and how many there are."""
    count[:] = 0
    suits[:] = 0
    ranks = np.int64(0)
    for k in range(n):
        count[board[k] % 13] += 1
        suits[board[k] // 13] += 1
        ranks |= np.int64(1) << np.int64(board[k] % 13)
    first = np.int64(-1)
    second = np.int64(-1)
    many = np.int64(0)
    for r in range(12, -1, -1):
        if count[r] > 0:
            many += 1
            if first < 0:
                first = np.int64(r)
            elif second < 0:
                second = np.int64(r)
    return ranks, first, second, many


@kernel
def hand_row_kernel(row, h, n, mask, plays, count, suits, ranks, first, second, many):
    """The features of a hand's own cards on a board that :func:`board_counts_kernel` counted: kind of made hand, draws,
    ranks. ``plays``: the board alone is the hand."""
    a = np.int64(COMBO_CARDS[h, 0])
    b = np.int64(COMBO_CARDS[h, 1])
    if a % 13 < b % 13:
        a, b = b, a
    if n > 0:
        row[_KIND + _kind(a, b, count, many, first, second, suits, ranks, mask, n, plays)] = 1.0
        _draws(row, a, b, suits, ranks, first, mask, n)
    else:
        row[_DRAW + 10] = 1.0 if a % 13 == b % 13 else 0.0
        row[_DRAW + 11] = (a % 13 - b % 13) / 12.0
    row[_RANKS + a % 13] = 1.0
    row[_RANKS + 13 + b % 13] = 1.0
    row[_RANKS + 26] = 1.0 if a // 13 == b // 13 else 0.0


@kernel
def alike_kernel(rows, of, first):
    """Which rows are the same, by a table of hashes.

    Args:
        rows: ``uint64[n, f]``: the bits of features, two in a word; at most 2,048 rows.
        of: ``int64[n]``, filled: the number of each row's kind, by first appearance.
        first: ``int64[n]``, filled as far as there are kinds: the first row of each.

    Returns:
        How many kinds there are.
    """
    slots = np.full(4096, -1, np.int64)
    kinds = np.int64(0)
    for i in range(rows.shape[0]):
        h = np.uint64(0)
        for j in range(rows.shape[1]):
            h = (h ^ rows[i, j]) * np.uint64(0xFF51AFD7ED558CCD)
            h ^= h >> np.uint64(32)
        slot = np.int64(h & np.uint64(4095))
        while slots[slot] >= 0:
            k = first[slots[slot]]
            same = True
            for j in range(rows.shape[1]):
                if rows[i, j] != rows[k, j]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & 4095
        if slots[slot] < 0:
            slots[slot] = kinds
            first[kinds] = i
            kinds += 1
        of[i] = slots[slot]
    return kinds


@kernel
def _draws(row, a, b, suits, board_ranks, top, mask, n):
    """Draws, overcards and blockers into the twelve columns from ``_DRAW``."""
    sa = a // 13
    sb = b // 13
    ra = a % 13
    rb = b % 13
    if sa == sb:
        held = suits[sa] + 2
        row[_DRAW] = 1.0 if held == 4 and n < 5 else 0.0
        row[_DRAW + 1] = 1.0 if held == 3 and n == 3 else 0.0
    else:
        row[_DRAW + 2] = 1.0 if (suits[sa] == 3 or suits[sb] == 3) and n < 5 else 0.0
    for k in range(2):
        s = sa if k == 0 else sb
        r = ra if k == 0 else rb
        if suits[s] >= 2:
            # How many higher cards of the suit are out: 0 is the nut card.
            above = 0
            for q in range(r + 1, 13):
                if mask & (np.uint64(1) << np.uint64(16 * s + q)) == 0:
                    above += 1
            flush = 3 if suits[s] >= 3 else 4
            if above == 0:
                row[_DRAW + flush] = 1.0
            elif above == 1 and suits[s] >= 3:
                row[_DRAW + 5] = 1.0
    both = board_ranks | np.int64(1) << ra | np.int64(1) << rb
    outs = 0
    if n < 5 and not _straight(both):
        for r in range(13):
            bit = np.int64(1) << r
            if both & bit == 0 and _straight(both | bit) and not _straight(board_ranks | bit):
                outs += 1
    row[_DRAW + 6] = 1.0 if outs == 1 else 0.0
    row[_DRAW + 7] = 1.0 if outs >= 2 else 0.0
    over = (1 if ra > top else 0) + (1 if rb > top else 0)
    row[_DRAW + 8] = 1.0 if over >= 1 else 0.0
    row[_DRAW + 9] = 1.0 if over == 2 else 0.0
    row[_DRAW + 10] = 1.0 if ra == rb else 0.0
    row[_DRAW + 11] = (ra - rb) / 12.0
