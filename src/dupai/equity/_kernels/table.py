"""The win-rate table: from hole cards and board to one entry, and how index and entries are made.

The index is board first. A board's number (colexicographic over its sorted cards) gives a *word*: its canonical board
and the suit permutation that leads there. Each canonical board has 1326 entries, one for each combo: a read is three
look-ups. (Hands that are the same up to renaming of suits have an entry each: with one for all of them the table is
two thirds as large and a read at a random place takes up to three times as long.) The file that ships holds only the
first of such hands.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from dupai.base import counted_kernel, kernel, uncounted_kernel
from dupai.cards import CLASSES, COMBO_CARDS, COMBO_CLASS, COMBO_INDEX, COMBOS
from dupai.cards.kernels import CARD_PERMUTED, board_number_kernel
from dupai.equity._kernels.sweep import hand_kernel, sweep_kernel

#: Combos of a suit permutation's map (1326, the others unused): a power of two.
MAP = 2048
#: Number of flops: turns are numbered from here.
FLOPS = 22_100

_S5, _S6, _S11 = (np.uint64(n) for n in (5, 6, 11))
_M5, _M6 = np.uint64(31), np.uint8(63)
_COMBOS, _CLASSES, _FLOPS = np.uint64(COMBOS), np.uint64(CLASSES), np.uint64(FLOPS)
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
      * 32 + suit permutation;
    * ``maps`` ``uint16``, 2048 to each of the 24 suit permutations: combo -> combo;
    * ``entries`` ``uint16``: win rate * 65,535 of the 169 classes, then of the 1326 combos on each canonical flop, then
      on each canonical turn (0: the board blocks the combo).

    A table without the turn has shorter words and entries.
    """

    word: np.ndarray
    maps: np.ndarray
    entries: np.ndarray


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

    It is :func:`dupai.cards.kernels.board_number_kernel` without a branch or a division.
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
    """Where the entry of a combo on the board of that number lies."""
    word = np.uint64(table.word[number])
    c = np.uint64(table.maps[(word & _M5) << _S11 | combo])
    return (word >> _S5) * _COMBOS + c + _CLASSES


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
def unpack_kernel(classes, packed, entries):
    """The entries of all boards of one size from those of hands up to renaming of suits.

    Args:
        classes: :class:`dupai.cards.BoardClasses` of 3 or 4 cards.
        packed: board after board the entries of combos in ascending order, without those that the board blocks and
            those that a renaming of suits, which leaves the board as it is, turns into a combo before them.
        entries: as ``packed``, 1326 to a board: filled, except for blocked combos.

    Returns:
        How many packed entries there are.
    """
    n = classes.boards.shape[1]
    image = np.zeros(4, np.int64)
    fixed = np.zeros(24, np.int64)
    used = 0
    for at in range(classes.boards.shape[0]):
        cards = classes.boards[at]
        last = np.int64(cards[n - 1])
        number = board_number_kernel(n, np.int64(cards[0]), np.int64(cards[1]), np.int64(cards[2]), last)
        many = 0
        for p in range(24):
            for k in range(n):
                image[k] = np.int64(CARD_PERMUTED[p, cards[k]])
            if board_number_kernel(n, image[0], image[1], image[2], image[3]) == number:
                fixed[many] = p
                many += 1
        for combo in range(COMBOS):
            a = COMBO_CARDS[combo, 0]
            b = COMBO_CARDS[combo, 1]
            clear = True
            for m in range(n):
                if a == cards[m] or b == cards[m]:
                    clear = False
            if not clear:
                continue
            lowest = np.int64(combo)
            for k in range(many):
                other = COMBO_INDEX[CARD_PERMUTED[fixed[k], a], CARD_PERMUTED[fixed[k], b]]
                lowest = min(lowest, np.int64(other))
            if lowest == combo:
                entries[at * COMBOS + combo] = packed[used]
                used += 1
            else:
                entries[at * COMBOS + combo] = entries[at * COMBOS + lowest]
    return used


@kernel
def fill_kernel(classes, first, last, entries, class_points, class_total):
    """Entries of the canonical boards ``first`` to ``last - 1``, by a sweep of each.

    Args:
        classes: :class:`dupai.cards.BoardClasses` of 3 or 4 cards.
        entries: ``uint16``, 1326 to a board, filled for these boards (0 where the board blocks the combo).
        class_points, class_total: ``float64[169]``, to which each starting class's points (win 2, tie 1) and twice its
            hands met are added over these boards and their renamings. Whole numbers, exact below 2**53.
    """
    n = classes.boards.shape[1]
    weights = np.ones(COMBOS)
    win, tie, total = np.empty(COMBOS), np.empty(COMBOS), np.empty(COMBOS)
    board = np.zeros(5, np.uint8)
    for at in range(first, last):
        for k in range(n):
            board[k] = classes.boards[at, k]
        sweep_kernel(board, n, weights, win, tie, total)
        for combo in range(COMBOS):
            place = at * COMBOS + combo
            entries[place] = 0
            if total[combo] == 0.0:
                continue
            points = 2.0 * win[combo] + tie[combo]
            of = 2.0 * total[combo]
            class_points[COMBO_CLASS[combo]] += points * classes.size[at]
            class_total[COMBO_CLASS[combo]] += of * classes.size[at]
            entries[place] = np.uint16(points / of * 65535.0 + 0.5)
