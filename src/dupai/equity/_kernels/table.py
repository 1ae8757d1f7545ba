"""The win-rate table: from hole cards and board to one entry, and how index and entries are made.

The index is board first. A board's number (colexicographic over its sorted cards) gives a *word*: its canonical board,
the suit permutation that leads there, and the kind of symmetry that is left. The permuted hole cards go to the least
of their images under those symmetries; a bit set over the 1326 combos marks these representatives for each canonical
board, and counting the marks below gives the place of the entry. So there is exactly one entry for each pair of hole
cards and board up to renaming of suits.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from dupai.base import counted_kernel, kernel, uncounted_kernel
from dupai.cards import CARD_PERMUTED, COMBO_CARDS, COMBO_CLASS, COMBO_INDEX, board_number_kernel
from dupai.equity._kernels.sweep import hand_kernel, sweep_kernel

#: Each word of a bit set holds 48 combos and, above them, how many are marked in the words before.
WORD_COMBOS = 48
WORDS = 28
#: Words of a row (the first entry, 28 words, 3 unused) and combos of a map (1326, the others unused): powers of two.
ROW = 32
MAP = 2048
#: Number of flops: turns are numbered from here.
FLOPS = 22_100
#: Most kinds of symmetry (stabilisers) there can be: S4 has 30 subgroups.
KINDS = 30

_ONE, _S5, _S6, _S11, _S16 = (np.uint64(n) for n in (1, 5, 6, 11, 16))
_M5, _M6W, _M6 = np.uint64(31), np.uint64(63), np.uint8(63)
_U48 = np.uint64(WORD_COMBOS)
#: c * this >> 16 is c // 48 for every c below 2048.
_INVERSE48 = np.uint64(1366)
_FLOPS = np.uint64(FLOPS)
#: Ways to choose 2, 3, 4 of n; 63 stands for a card that is not there.
_CHOOSE2, _CHOOSE3, _CHOOSE4 = (np.array([comb(n, k) * (n < 63) for n in range(64)], np.uint32) for k in (2, 3, 4))
#: Combo of two cards, the first * 64 + the second.
_COMBO = np.zeros((52, 64), np.uint16)
_COMBO[:, :52] = np.maximum(COMBO_INDEX, 0)
_COMBO = _COMBO.ravel()
_UNIT = 1.0 / 65535.0
#: Hands whose entries are read together.
_BLOCK = 256


class WinRateTable(NamedTuple):
    """Arrays of the win-rate table, for kernels as an argument (too large to be captured). All are read-only.

    * ``word`` ``uint32``: for each board number, flops first, then (where the table has them) turns: canonical board
      * 2048 + number of the map for the symmetry that is left * 32 + suit permutation;
    * ``maps`` ``uint16``, 2048 to a map: combo -> combo under each of the 24 suit permutations, then, for each kind of
      symmetry, combo -> the least of its images;
    * ``rows`` ``uint64``, 32 to a canonical board: its first entry, then the bit set of its representatives, 48 combos
      a word with the number marked before in the top bits;
    * ``entries`` ``uint16``: win rate * 65,535 of the 169 classes, then of all flops, then of all turns.

    A table without the turn is shorter in all but ``maps``.
    """

    word: np.ndarray
    maps: np.ndarray
    rows: np.ndarray
    entries: np.ndarray


@uncounted_kernel
def _bits(x):
    """Number of set bits (LLVM knows this pattern and uses the machine's instruction)."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@counted_kernel
def _counted_out(hole0, hole1, a, b, c, d, e, n):
    board = np.empty(5, np.uint8)
    board[0], board[1], board[2], board[3], board[4] = a, b, c, d, e
    return hand_kernel(hole0, hole1, board, n)


@uncounted_kernel
def _combo(hole0, hole1):
    return np.uint64(_COMBO[np.uint64(hole0) << _S6 | np.uint64(hole1)])


@uncounted_kernel
def number_kernel(board, n_board, known):
    """Number of a flop (0..22,099) or, if ``known``, a turn (22,100..292,824): as ``word`` has them; else 0.

    It is :func:`dupai.cards.board_number_kernel` without a branch or a division.
    """
    a = board[0] & _M6
    b = board[1] & _M6
    c = board[2] & _M6
    d = board[3] & _M6 if n_board == 4 else _M6
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    number = np.uint64(a) + np.uint64(_CHOOSE2[b]) + np.uint64(_CHOOSE3[c]) + np.uint64(_CHOOSE4[d])
    if n_board == 4:
        number += _FLOPS
    if n_board == 0 or n_board == 5 or (n_board == 4 and not known):
        number = np.uint64(0)
    return number


@uncounted_kernel
def _place(table, number, combo):
    """Where the entry of a combo on the board of that number lies; the board must not block it."""
    word = np.uint64(table.word[number])
    c = np.uint64(table.maps[(word & _M5) << _S11 | combo])
    c = np.uint64(table.maps[((word >> _S5) & _M6W) << _S11 | c])
    w = (c * _INVERSE48) >> _S16
    row = (word >> _S11) << _S5
    bits = table.rows[row + _ONE + w]
    below = bits & ((_ONE << (c - w * _U48)) - _ONE)
    return table.rows[row] + (bits >> _U48) + _bits(below)


@uncounted_kernel
def entry_kernel(table, number, combo):
    """Entry (win rate * 65,535) of a combo on the board of that number; the board must not block it."""
    return table.entries[_place(table, number, combo)]


@uncounted_kernel(forceinline=True)
def win_rate_kernel(table, hole0, hole1, board, n_board):
    """Win rate (ties half) against one uniform hand: one read of the table (a river is counted out, about 1 µs).

    Args:
        table: :class:`WinRateTable`.
        hole0, hole1: hole cards in either order.
        board: ``uint8[5]``, the first ``n_board`` cards count, in any order.
        n_board: 0, 3, 4 or 5.

    Returns:
        ``float64``; exact to 1e-5 where it is read, else exact. Nothing is checked: cards must differ. A turn that the
        table does not hold is counted out (50 µs).
    """
    # Inlined, because a call would copy 33 words of array descriptors; only scalars go to the rare case, which is not.
    # Few instructions let several reads wait for memory at once. Together: 20 ns a read (turn 50), not 70 (220).
    known = table.word.size != FLOPS
    if n_board == 5 or (n_board == 4 and not known):
        # Casts: one specialisation of the large kernels below, whatever integers the cards come as.
        h0, h1, n = np.int64(hole0), np.int64(hole1), np.int64(n_board)
        return _counted_out(h0, h1, board[0], board[1], board[2], board[3], board[4], n)
    combo = _combo(hole0, hole1)
    if n_board == 0:
        return table.entries[COMBO_CLASS[combo]] * _UNIT
    return entry_kernel(table, number_kernel(board, n_board, known), combo) * _UNIT


@kernel
def win_rate_batch_kernel(table, hole, board, n_board, out):
    """:func:`win_rate_kernel` for many hands, all with ``n_board`` board cards; 40 ns each on turns.

    Args:
        table: :class:`WinRateTable`.
        hole: ``uint8[n, 2]``.
        board: ``uint8[n, 5]``.
        n_board: 0, 3, 4 or 5.
        out: ``float64[n]``, filled.
    """
    known = table.word.size != FLOPS
    if n_board == 0 or n_board == 5 or (n_board == 4 and not known):
        for i in range(out.size):
            out[i] = win_rate_kernel(table, hole[i, 0], hole[i, 1], board[i], n_board)
        return
    # First where the entries lie, then the entries: so that the waits for memory overlap.
    places = np.empty(_BLOCK, np.uint64)
    for first in range(0, out.size, _BLOCK):
        n = min(_BLOCK, out.size - first)
        for k in range(n):
            i = first + k
            places[k] = _place(table, number_kernel(board[i], n_board, known), _combo(hole[i, 0], hole[i, 1]))
        for k in range(n):
            out[first + k] = table.entries[places[k]] * _UNIT


@kernel
def win_rates_table_kernel(table, board, n_board, out):
    """The table's win rate of all 1326 combos on a board of 0, 3 or 4 cards into ``out`` (``float64[1326]``)."""
    dead = np.zeros(52, np.bool_)
    for k in range(n_board):
        dead[board[k]] = True
    number = number_kernel(board, n_board, table.word.size != FLOPS)
    for combo in range(1326):
        if dead[COMBO_CARDS[combo, 0]] or dead[COMBO_CARDS[combo, 1]]:
            out[combo] = np.nan
        elif n_board == 0:
            out[combo] = table.entries[COMBO_CLASS[combo]] * _UNIT
        else:
            out[combo] = entry_kernel(table, number, np.uint64(combo)) * _UNIT


@kernel
def index_kernel(classes, maps, word, rows, kind_of, boards_before, entries_before):
    """Fill the index of all boards of one size; returns how many entries they have.

    Args:
        classes: :class:`dupai.cards.BoardClasses` of 3 or 4 cards.
        maps: ``uint16[54, 2048]``; the first 24 rows are given, rows of new kinds of symmetry are filled.
        word: ``uint32[C(52, n)]``, filled as in :class:`WinRateTable`.
        rows: ``uint64[canonical boards, 32]``, filled.
        kind_of: ``int64[30]``: the permutations of each kind known, as bits; 0 where there is none yet. Updated.
        boards_before, entries_before: canonical boards and entries that come before these in the table.
    """
    entries = entries_before
    image = np.zeros(4, np.int64)
    n = classes.boards.shape[1]
    kinds = np.zeros(classes.boards.shape[0], np.int64)
    for at in range(classes.boards.shape[0]):
        cards = classes.boards[at]
        number = board_number_kernel(
            n, np.int64(cards[0]), np.int64(cards[1]), np.int64(cards[2]), np.int64(cards[n - 1])
        )
        fixed = 0
        for p in range(24):
            for k in range(n):
                image[k] = np.int64(CARD_PERMUTED[p, cards[k]])
            if board_number_kernel(n, image[0], image[1], image[2], image[3]) == number:
                fixed |= 1 << p
        kind = 0
        while kind_of[kind] != 0 and kind_of[kind] != fixed:
            kind += 1
        kinds[at] = kind
        if kind_of[kind] == 0:
            kind_of[kind] = fixed
            for combo in range(1326):
                lowest = combo
                for p in range(24):
                    if fixed >> p & 1:
                        lowest = min(lowest, np.int64(maps[p, combo]))
                maps[24 + kind, combo] = lowest
        rows[at, 0] = entries
        marked = 0
        for w in range(WORDS):
            bits = np.uint64(marked) << _U48
            for k in range(min(WORD_COMBOS, 1326 - w * WORD_COMBOS)):
                combo = w * WORD_COMBOS + k
                if maps[24 + kind, combo] == combo:
                    clear = True
                    for m in range(n):
                        if COMBO_CARDS[combo, 0] == cards[m] or COMBO_CARDS[combo, 1] == cards[m]:
                            clear = False
                    if clear:
                        bits |= _ONE << np.uint64(k)
                        marked += 1
            rows[at, 1 + w] = bits
        entries += marked
    for number in range(word.size):
        at = np.int64(classes.class_of[number])
        word[number] = (boards_before + at) << 11 | (24 + kinds[at]) << 5 | np.int64(classes.permutation[number])
    return entries - entries_before


@kernel
def fill_kernel(classes, rows, first, last, entries, skip, class_points, class_total):
    """Entries of the canonical boards ``first`` to ``last - 1``, by a sweep of each.

    Args:
        classes, rows: as :func:`index_kernel` took and filled them.
        entries: ``uint16``, filled where these boards' entries lie, counted from ``skip``.
        class_points, class_total: ``float64[169]``, to which each starting class's points (win 2, tie 1) and twice its
            hands met are added over these boards and their renamings. Whole numbers, exact below 2**53.
    """
    n = classes.boards.shape[1]
    weights = np.ones(1326)
    win, tie, total = np.empty(1326), np.empty(1326), np.empty(1326)
    board = np.zeros(5, np.uint8)
    for at in range(first, last):
        for k in range(n):
            board[k] = classes.boards[at, k]
        sweep_kernel(board, n, weights, win, tie, total)
        place = np.int64(rows[at, 0]) - skip
        for combo in range(1326):
            if total[combo] == 0.0:
                continue
            points = 2.0 * win[combo] + tie[combo]
            of = 2.0 * total[combo]
            class_points[COMBO_CLASS[combo]] += points * classes.size[at]
            class_total[COMBO_CLASS[combo]] += of * classes.size[at]
            if rows[at, 1 + combo // WORD_COMBOS] >> np.uint64(combo % WORD_COMBOS) & _ONE:
                entries[place] = np.uint16(points / of * 65535.0 + 0.5)
                place += 1
