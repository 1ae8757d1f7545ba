"""How hands stand on a board: win rates, their spread, and percentiles, computed or looked up.

On a flop they are means over all turns, exact and the same for boards that differ by the names of suits: they are
read from a table that ships (``flops.npz``, made by ``python tools/flop_features.py``). Turns are computed (about 0.6
ms) and may be remembered in the table.
"""

from typing import NamedTuple

import numpy as np

from dupai.base import kernel, uncounted_kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.equity import sets_by_slot_kernel, sweep_kernel, sweep_sets_kernel
from dupai.equity.tables import number_kernel

#: Numbers of a hand on a board: win rates against all hands, the best 40 % and the best 12 %, standard deviation of the
#: first over the cards to come, how often it is above 0.85, percentiles of the strength now and of the second.
COLUMNS = 7
#: Bits of a number of hands where three share a word (:func:`dupai.equity.sweep_sets_kernel`).
_LANE = 20
_LANE_MASK = np.int64((1 << _LANE) - 1)
#: Canonical flops: turns are numbered from here in a :class:`BoardTable`.
_CANONICAL = 1_755
_S5, _S11, _M5 = np.uint64(5), np.uint64(11), np.uint64(31)


class BoardTable(NamedTuple):
    """Columns of hands by canonical board, for kernels as an argument.

    Attributes:
        word, maps: the index of boards, as :class:`dupai.equity.WinRateTable` has it, with turns.
        sets: ``float64[3, 1326]``: the sets of hands that hands are compared with, 1 for those that are in.
        flops: ``uint16[1755, 1326, 7]``: columns * 65,535; the last two where the flop is filled.
        turns: ``uint8[16432, 1326, 7]``: columns * 255.
        spread: ``float32[18187, 2]``: mean and standard deviation over hands of the fourth column.
        filled: ``bool[18187]``: which boards are there, flops first.
        sums: ``uint32[16432]``: of the columns of each turn that is there.
    """

    word: np.ndarray
    maps: np.ndarray
    sets: np.ndarray
    flops: np.ndarray
    turns: np.ndarray
    spread: np.ndarray
    filled: np.ndarray
    sums: np.ndarray


@kernel
def percentiles_kernel(value, weight, order, out):
    """Share of ``weight`` below each hand's ``value`` (half of what ties with it): ``order`` sorts ``value``."""
    total = 0.0
    n = order.size
    for i in range(n):
        total += weight[order[i]]
    scale = 1.0 / total if total > 0 else 0.0
    below = 0.0
    i = 0
    while i < n:
        j = i
        tied = 0.0
        while j < n and value[order[j]] - value[order[i]] <= 1e-9:
            tied += weight[order[j]]
            j += 1
        for k in range(i, j):
            out[order[k]] = (below + 0.5 * tied) * scale
        below += tied
        i = j


@kernel
def _full_boards(board, n, every):
    """``uint8[m, 5]``: the full boards that the first ``n`` cards of ``board`` can become; after a flop each
    ``every``-th river of a turn, starting at another one for each turn."""
    dead = np.zeros(52, np.bool_)
    for k in range(n):
        dead[board[k]] = True
    full = np.empty((52 * 52 if n == 3 else 52, 5), np.uint8)
    m = 0
    for turn in range(52):
        if dead[turn] if n == 3 else turn > 0:
            continue
        for river in range(52):
            if n == 5:
                if river > 0:
                    break
            elif dead[river] or (n == 3 and (river == turn or (river + (turn * 7) % every) % every != 0)):
                continue
            full[m, :n] = board[:n]
            if n == 3:
                full[m, 3] = turn
            if n < 5:
                full[m, 4] = river
            m += 1
    return full[:m]


@kernel
def _runouts(board, n, sets, rates, spread, high):
    """Mean win rates against three sets of hands, variance against the first over runouts, how often above 0.85.

    Args:
        board: ``uint8[5]``, the first ``n`` (4 or 5) cards count.
        sets: ``float64[3, 1326]``: 1 for the hands of each set, else 0.
        rates: ``float64[3, 1326]``, filled. spread, high: ``float64[1326]``, filled.
    """
    packed = np.zeros(1326, np.int64)
    for m in range(3):
        for h in range(1326):
            packed[h] |= np.int64(sets[m, h] > 0) << np.int64(_LANE * m)
    met = np.empty(1326, np.int64)
    points = np.empty(1326, np.int64)
    scratch = sets_by_slot_kernel(packed)
    seen = np.zeros((3, 1326))
    rates[:] = 0.0
    spread[:] = 0.0
    high[:] = 0.0
    for full in _full_boards(board, n, 1):
        sweep_sets_kernel(full, scratch, met, points)
        for h in range(1326):
            if met[h] & _LANE_MASK:
                r = 0.5 * (points[h] & _LANE_MASK) / (met[h] & _LANE_MASK)
                rates[0, h] += r
                seen[0, h] += 1.0
                spread[h] += r * r
                high[h] += 1.0 if r > 0.85 else 0.0
        for m in range(1, 3):
            by = np.int64(_LANE * m)
            for h in range(1326):
                many = met[h] >> by & _LANE_MASK
                if many:
                    rates[m, h] += 0.5 * (points[h] >> by & _LANE_MASK) / many
                    seen[m, h] += 1.0
    for h in range(1326):
        for m in range(3):
            if seen[m, h] > 0:
                rates[m, h] /= seen[m, h]
        if seen[0, h] > 0:
            spread[h] = max(spread[h] / seen[0, h] - rates[0, h] * rates[0, h], 0.0)
            high[h] /= seen[0, h]


@kernel
def range_rates_kernel(board, n, weights, out):
    """Win rate of every hand against a range (``float64[1326]``, any scale) over runouts: all of a turn's, 12 of each
    hundred of a flop's. 0.5 for hands that meet nothing of the range.

    Args:
        board: ``uint8[5]``, the first ``n`` cards count.
        weights: ``float64[m, 1326]``: ranges.
        out: ``float64[m, 1326]``, filled.
    """
    win = np.empty(1326)
    tie = np.empty(1326)
    total = np.empty(1326)
    boards = _full_boards(board, n, 26)
    for m in range(weights.shape[0]):
        beaten = np.zeros(1326)
        met = np.zeros(1326)
        for full in boards:
            sweep_kernel(full, 5, weights[m], win, tie, total)
            for h in range(1326):
                beaten[h] += win[h] + 0.5 * tie[h]
                met[h] += total[h]
        for h in range(1326):
            out[m, h] = beaten[h] / met[h] if met[h] > 0 else 0.5


@kernel
def columns_kernel(board, n, sets, out):
    """The columns of all hands on a turn or a river.

    Args:
        board: ``uint8[5]``, the first ``n`` (4 or 5) cards count.
        sets: ``float64[3, 1326]``: 1 for the hands of each set that hands are compared with; the first: all.
        out: ``float64[1326, 7]``, filled; 0 for hands that the board blocks.
    """
    out[:] = 0.0
    rates = np.empty((3, 1326))
    spread = np.empty(1326)
    high = np.empty(1326)
    _runouts(board, n, sets, rates, spread, high)
    for h in range(1326):
        for m in range(3):
            out[h, m] = rates[m, h]
        out[h, 3] = np.sqrt(spread[h]) if n < 5 else 0.0
        out[h, 4] = high[h]
    _percentile_columns(board, n, out)


@kernel
def _percentile_columns(board, n, out):
    """The last two columns from the others, and 0 for hands that the board blocks."""
    mask = np.uint64(0)
    for k in range(n):
        mask |= CARD_MASK[board[k]]
    live = np.empty(1326, np.int64)
    strength = np.zeros(1326)
    rate = np.zeros(1326)
    weight = np.zeros(1326)
    m = 0
    for h in range(1326):
        if COMBO_MASK[h] & mask == 0:
            live[m] = h
            m += 1
            weight[h] = 1.0
            strength[h] = strength_kernel(mask | COMBO_MASK[h])
            rate[h] = out[h, 1]
        else:
            out[h] = 0.0
    hands = live[:m]
    place = np.zeros(1326)
    percentiles_kernel(strength, weight, hands[np.argsort(strength[hands])], place)
    for h in hands:
        out[h, 5] = place[h]
    percentiles_kernel(rate, weight, hands[np.argsort(rate[hands])], place)
    for h in hands:
        out[h, 6] = place[h]


@kernel
def _spread(columns, unit, out):
    """Mean and standard deviation of the fourth column over the hands that the board does not block."""
    mean = 0.0
    square = 0.0
    live = 0
    for h in range(1326):
        if columns[h, 6] > 0:
            x = columns[h, 3] / unit
            live += 1
            mean += x
            square += x * x
    mean /= live
    out[0] = mean
    out[1] = np.sqrt(max(square / live - mean * mean, 0.0))


@kernel
def _sum(columns):
    """A sum of a board's columns (``uint8``) in which places count; never 0."""
    total = np.uint32(1)
    for h in range(1326):
        for k in range(COLUMNS):
            total = np.uint32(total * np.uint32(31) + np.uint32(columns[h, k]))
    return max(total, np.uint32(1))


@kernel
def fill_kernel(table, board, n):
    """Make sure that a flop or a turn (``uint8[5]``, ``n`` cards) is in the table."""
    word = np.uint64(table.word[number_kernel(board, n, True)])
    at = np.int64(word >> _S5)
    if table.filled[at]:
        return
    if n == 4:
        # The file may have the turn, from this process or another.
        turn = at - _CANONICAL
        if table.sums[turn] != 0 and table.sums[turn] == _sum(table.turns[turn]):
            _spread(table.turns[turn], 255.0, table.spread[at])
            table.filled[at] = True
            return
    columns = np.zeros((1326, COLUMNS))
    if n == 3:
        for h in range(1326):
            place = np.int64(table.maps[(word & _M5) << _S11 | np.uint64(h)])
            for k in range(5):
                columns[h, k] = table.flops[at, place, k] / 65535.0
        _percentile_columns(board, 3, columns)
    else:
        columns_kernel(board, n, table.sets, columns)
    for h in range(1326):
        place = np.int64(table.maps[(word & _M5) << _S11 | np.uint64(h)])
        for k in range(COLUMNS):
            if n == 3:
                table.flops[at, place, k] = np.uint16(columns[h, k] * 65535.0 + 0.5)
            else:
                table.turns[at - _CANONICAL, place, k] = np.uint8(columns[h, k] * 255.0 + 0.5)
    if n == 3:
        _spread(table.flops[at], 65535.0, table.spread[at])
    else:
        turn = at - _CANONICAL
        _spread(table.turns[turn], 255.0, table.spread[at])
        table.sums[turn] = _sum(table.turns[turn])
    # Last: threads that fill the same board write the same numbers.
    table.filled[at] = True


@uncounted_kernel
def table_columns_kernel(table, number, combo, out):
    """The columns of a hand on the flop or turn of that number (:func:`dupai.equity.number_kernel`), into ``out``
    (``[7]``); the board must be filled."""
    word = np.uint64(table.word[number])
    at = np.int64(word >> _S5)
    place = np.int64(table.maps[(word & _M5) << _S11 | np.uint64(combo)])
    if at < _CANONICAL:
        for k in range(COLUMNS):
            out[k] = table.flops[at, place, k] * (1.0 / 65535.0)
    else:
        for k in range(COLUMNS):
            out[k] = table.turns[at - _CANONICAL, place, k] * (1.0 / 255.0)


@uncounted_kernel
def spread_kernel(table, board, n):
    """Mean and standard deviation over hands of the fourth column of a flop or turn that is filled."""
    at = np.int64(np.uint64(table.word[number_kernel(board, n, True)]) >> _S5)
    return table.spread[at, 0], table.spread[at, 1]


@kernel
def river_columns_kernel(full, scratch, met, points, combos, out):
    """The columns of some hands on a full board (about 12 µs), as :func:`columns_kernel` has them.

    Args:
        full: ``uint8[5]``.
        scratch, met, points: of :func:`dupai.equity.sweep_sets_kernel`, with the three sets.
        combos: ``int64[k]``: the hands; the board blocks none of them.
        out: ``float64[k, 7]``, filled.
    """
    sweep_sets_kernel(full, scratch, met, points)
    mask = np.uint64(0)
    for k in range(5):
        mask |= CARD_MASK[full[k]]
    # Rates are compared as fractions, by products below 2**24 that are exact in numbers of this size.
    part = np.empty(1326, np.float32)
    whole = np.empty(1326, np.float32)
    lane = np.int64(_LANE)
    for h in range(1326):
        part[h] = points[h] >> lane & _LANE_MASK
        whole[h] = met[h] >> lane & _LANE_MASK
        if whole[h] == 0:
            # The board blocks it: above all others, and taken off the count.
            part[h] = np.float32(met[h] & _LANE_MASK == 0)
            whole[h] = np.float32(met[h] & _LANE_MASK > 0)
    for i in range(combos.size):
        h = combos[i]
        out[i, 0] = 0.5 * (points[h] & _LANE_MASK) / (met[h] & _LANE_MASK)
        out[i, 1] = 0.5 * part[h] / whole[h]
        many = met[h] >> np.int64(2 * _LANE) & _LANE_MASK
        out[i, 2] = 0.5 * (points[h] >> np.int64(2 * _LANE) & _LANE_MASK) / many if many else 0.0
        out[i, 3] = 0.0
        out[i, 4] = 1.0 if out[i, 0] > 0.85 else 0.0
        twice = np.float32(0)
        for g in range(1326):
            theirs = part[g] * whole[h]
            own = part[h] * whole[g]
            twice += np.float32(theirs < own) + np.float32(theirs <= own)
        out[i, 6] = 0.5 * twice / 1081.0
        # Hands that share a card with it are not among those that it meets.
        mine = strength_kernel(mask | COMBO_MASK[h])
        points_now = (points[h] & _LANE_MASK) + 1
        for c in range(52):
            bit = CARD_MASK[c]
            if bit & (mask | COMBO_MASK[h]):
                continue
            for held in COMBO_CARDS[h]:
                other = strength_kernel(mask | bit | CARD_MASK[held])
                points_now += 2 if other < mine else (1 if other == mine else 0)
        out[i, 5] = points_now / 2162.0
