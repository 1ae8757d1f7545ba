"""The win-rate table: from hole cards and board to one entry, and how index and entries are made.

The index is board first. A board's number (colexicographic over its sorted cards) gives a *word*: its canonical board,
the suit permutation that leads there, and the kind of symmetry that is left. The permuted hole cards go to the least
of their images under those symmetries; a bit set over the 1326 combos marks these representatives for each canonical
board, and counting the marks below gives the place of the entry. So there is exactly one entry for each pair of hole
cards and board up to renaming of suits.
"""

from typing import NamedTuple

import numpy as np

from dupai.base import kernel
from dupai.cards import COMBO_CARDS, COMBO_CLASS, COMBO_INDEX
from dupai.equity._kernels.sweep import hand_kernel, sweep_kernel

#: Each word of a bit set holds 48 combos and, above them, how many are marked in the words before.
WORD_COMBOS = 48
WORDS = 28
#: Most kinds of symmetry (stabilisers) there can be: S4 has 30 subgroups.
KINDS = 30

_CHOOSE = np.array(
    [[0, 1, 0, 0, 0]] + [[1, n, n * (n - 1) // 2, n * (n - 1) * (n - 2) // 6, 0] for n in range(1, 53)], dtype=np.int64
)
_CHOOSE[0] = (1, 0, 0, 0, 0)
for _n in range(1, 53):
    _CHOOSE[_n, 4] = _CHOOSE[_n - 1, 4] + _CHOOSE[_n - 1, 3]

_ONE = np.uint64(1)
_LOW48 = np.uint64((1 << WORD_COMBOS) - 1)
_U48 = np.uint64(WORD_COMBOS)


class WinRateTable(NamedTuple):
    """Arrays of the win-rate table, for kernels as an argument (too large to be captured). All are read-only.

    ``combo_permuted`` is :data:`dupai.cards.COMBO_PERMUTED`. For flops and turns: ``word`` of each board number
    (canonical board * 1024 + kind of symmetry * 32 + suit permutation), ``representative`` ``int16[kinds, 1326]``,
    ``rows`` ``uint64[boards, 28]`` (bit sets), ``start`` (first entry of each canonical board) and the entries
    (``uint16``, win rate * 65535). The turn's entries may be empty (not built yet): then a turn is counted out.
    """

    preflop: np.ndarray
    combo_permuted: np.ndarray
    flop_word: np.ndarray
    flop_representative: np.ndarray
    flop_rows: np.ndarray
    flop_start: np.ndarray
    flop: np.ndarray
    turn_word: np.ndarray
    turn_representative: np.ndarray
    turn_rows: np.ndarray
    turn_start: np.ndarray
    turn: np.ndarray


@kernel
def _bits(x):
    """Number of set bits (LLVM knows this pattern and uses the machine's instruction)."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def _number3(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return _CHOOSE[a, 1] + _CHOOSE[b, 2] + _CHOOSE[c, 3]


@kernel
def _number4(a, b, c, d):
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return _CHOOSE[a, 1] + _CHOOSE[b, 2] + _CHOOSE[c, 3] + _CHOOSE[d, 4]


@kernel
def _place(row, combo):
    """How many representatives of a row come before ``combo``."""
    c = np.uint64(combo)
    word = row[c // _U48]
    below = word & ((_ONE << (c % _U48)) - _ONE)
    return np.int64(word >> _U48) + np.int64(_bits(below))


@kernel
def win_rate_kernel(table, hole0, hole1, board, n_board):
    """Win rate (ties half) against one uniform hand: one read of the table (a river is counted out, about 1 µs).

    Args:
        table: :class:`WinRateTable`.
        hole0, hole1: hole cards in either order.
        board: ``uint8[5]``, the first ``n_board`` cards count, in any order.
        n_board: 0, 3, 4 or 5.

    Returns:
        ``float64``; exact to 1e-5 where it is read, else exact. Nothing is checked: cards must differ.
    """
    combo = COMBO_INDEX[hole0, hole1]
    if n_board == 0:
        return table.preflop[COMBO_CLASS[combo]] / 65535.0
    if n_board == 3:
        word = table.flop_word[_number3(np.int64(board[0]), np.int64(board[1]), np.int64(board[2]))]
        at = word >> 10
        combo = table.flop_representative[(word >> 5) & 31, table.combo_permuted[word & 31, combo]]
        return table.flop[table.flop_start[at] + _place(table.flop_rows[at], combo)] / 65535.0
    if n_board == 4 and table.turn.size != 0:
        word = table.turn_word[_number4(np.int64(board[0]), np.int64(board[1]), np.int64(board[2]), np.int64(board[3]))]
        at = word >> 10
        combo = table.turn_representative[(word >> 5) & 31, table.combo_permuted[word & 31, combo]]
        return table.turn[table.turn_start[at] + _place(table.turn_rows[at], combo)] / 65535.0
    return hand_kernel(hole0, hole1, board, n_board)


@kernel
def win_rates_table_kernel(table, board, n_board, out):
    """The table's win rate of all 1326 combos on a board of 0, 3 or 4 cards into ``out`` (``float64[1326]``)."""
    dead = np.zeros(52, np.bool_)
    for k in range(n_board):
        dead[board[k]] = True
    for combo in range(1326):
        a = COMBO_CARDS[combo, 0]
        b = COMBO_CARDS[combo, 1]
        out[combo] = np.nan if dead[a] or dead[b] else win_rate_kernel(table, a, b, board, n_board)


@kernel
def _permute_number(permutation, cards, n):
    a = np.int64(permutation[cards[0] // 13]) * 13 + cards[0] % 13
    b = np.int64(permutation[cards[1] // 13]) * 13 + cards[1] % 13
    c = np.int64(permutation[cards[2] // 13]) * 13 + cards[2] % 13
    if n == 3:
        return _number3(a, b, c)
    return _number4(a, b, c, np.int64(permutation[cards[3] // 13]) * 13 + cards[3] % 13)


@kernel
def index_kernel(n, permutations, combo_permuted, word, boards, rows, start, size, representative):
    """Fill the index of all boards of ``n`` cards; returns how many canonical boards, kinds and entries there are.

    Args:
        n: 3 or 4.
        permutations: ``uint8[24, 4]``, suit -> suit, the identity first.
        combo_permuted: ``int16[24, 1326]``.
        word: ``uint32[C(52, n)]``, filled.
        boards: ``uint8[canonical boards, n]``, filled, cards ascending.
        rows: ``uint64[canonical boards, 28]``, filled.
        start: ``int32[canonical boards]``, filled.
        size: ``int16[canonical boards]``, filled: how many of all boards are renamings of each.
        representative: ``int16[30, 1326]``, filled for the kinds that occur.
    """
    canonical = 0
    kinds = 0
    entries = 0
    kind_of = np.zeros(KINDS, np.int64)
    cards = np.zeros(4, np.int64)
    for k in range(n):
        cards[k] = k
    for number in range(word.size):
        least = np.int64(number)
        by = 0
        fixed = 0
        for p in range(24):
            image = _permute_number(permutations[p], cards, n)
            if image < least:
                least = image
                by = p
            elif image == number:
                fixed |= 1 << p
        if least < number:
            found = np.int64(word[least] >> 10)
            size[found] += 1
            word[number] = (word[least] & 0xFFFFFFE0) | by
        else:
            kind = 0
            while kind < kinds and kind_of[kind] != fixed:
                kind += 1
            if kind == kinds:
                kind_of[kind] = fixed
                kinds += 1
                for combo in range(1326):
                    lowest = combo
                    for p in range(24):
                        if fixed >> p & 1:
                            lowest = min(lowest, combo_permuted[p, combo])
                    representative[kind, combo] = lowest
            word[number] = canonical << 10 | kind << 5
            start[canonical] = entries
            size[canonical] = 1
            for k in range(n):
                boards[canonical, k] = cards[k]
            marked = 0
            for w in range(WORDS):
                bits = np.uint64(marked) << _U48
                for k in range(min(WORD_COMBOS, 1326 - w * WORD_COMBOS)):
                    combo = w * WORD_COMBOS + k
                    if representative[kind, combo] == combo:
                        clear = True
                        for m in range(n):
                            if COMBO_CARDS[combo, 0] == cards[m] or COMBO_CARDS[combo, 1] == cards[m]:
                                clear = False
                        if clear:
                            bits |= _ONE << np.uint64(k)
                            marked += 1
                rows[canonical, w] = bits
            entries += marked
            canonical += 1
        # The next set of cards in colexicographic order.
        k = 0
        while k < n - 1 and cards[k] + 1 == cards[k + 1]:
            cards[k] = k
            k += 1
        cards[k] += 1
    return canonical, kinds, entries


@kernel
def fill_kernel(n, boards, rows, start, first, last, entries, size, class_points, class_total):
    """Entries of the canonical boards ``first`` to ``last - 1``, by a sweep of each.

    Args:
        n, boards, rows, start, size: as :func:`index_kernel` filled them.
        entries: ``uint16``, filled where these boards' entries lie.
        class_points, class_total: ``float64[169]``, to which each starting class's points (win 2, tie 1) and twice its
            hands met are added over these boards and their renamings. Whole numbers, exact below 2**53.
    """
    weights = np.ones(1326)
    win = np.empty(1326)
    tie = np.empty(1326)
    total = np.empty(1326)
    board = np.zeros(5, np.uint8)
    for at in range(first, last):
        for k in range(n):
            board[k] = boards[at, k]
        sweep_kernel(board, n, weights, win, tie, total)
        place = np.int64(start[at])
        for combo in range(1326):
            if total[combo] == 0.0:
                continue
            points = 2.0 * win[combo] + tie[combo]
            of = 2.0 * total[combo]
            class_points[COMBO_CLASS[combo]] += points * size[at]
            class_total[COMBO_CLASS[combo]] += of * size[at]
            if rows[at, combo // WORD_COMBOS] >> np.uint64(combo % WORD_COMBOS) & _ONE:
                entries[place] = np.uint16(points / of * 65535.0 + 0.5)
                place += 1
