"""One pass over the tree; as plain recursion on one screen: ``tests/naive/cfr_postflop.py``, which a test compares.

A pass says how much every hand of one player (the traverser) wins against the reach of the opponent.

Everything that a pass needs stands in a *context* ``x``, see :mod:`.slots`. ``at`` is the first slot of a street's
block in it, ``board`` the address of a line of its table of boards, ``p`` the traverser.

Modes: 0 iterate (regrets and strategy sums are updated), 1 best response to the average strategy, 2 expectation of the
average strategies. Values and weights are not scaled by the probability of a card. That factor comes in where the
results of its boards are added up, so that regrets of all streets have the same magnitude.

Sources: discounted CFR, Brown & Sandholm 2019 (AAAI), section 4; the sweep of showdowns in order of strength with
blockers taken out by inclusion and exclusion, Johanson et al. 2011 (IJCAI), section 4.
"""

import numpy as np

from dupai.base import kernel
from dupai.cfr.postflop._kernels import simd, slots
from dupai.cfr.postflop._kernels.bounds import bounded_down, bounded_up, load_number, matching

ITERATE, RESPOND, EXPECT = 0, 1, 2


@kernel
def _entry(line, column):
    """A number of a table of int64."""
    return simd.load64(line + 8 * column)


@kernel
def _down(x, at, board, p, half, mode):
    """Reach of the opponent at every row, from that of the roots."""
    q = 1 - p
    source = x[at + (slots.REGRET if mode == 0 else slots.SUM) + q]
    size = 2 if half else 4
    locks = _entry(board, slots.LOCKS)
    reach = x[at + slots.REACH + p]
    step = x[at + slots.REACH_STEP + p]
    row = _entry(board, slots.PADDED + q)
    store = _entry(board, slots.STORE + q)
    table = x[at + slots.DOWN + p]
    zero = simd.splat(np.float32(0.0))
    number = x[at + slots.DOWNS + p]
    for op in range(number):
        line = table + 8 * slots.DOWN_COLUMNS * op
        following = line + 8 * slots.DOWN_COLUMNS if op + 1 < number else table
        ahead = source + (store + row * _entry(following, 3)) * size
        parent = reach + step * _entry(line, 0)
        children = reach + step * _entry(line, 1)
        k = _entry(line, 2)
        base = store + row * _entry(line, 3)
        if locks != 0 and mode == 0:
            record = _entry(locks, _entry(line, 4))
            if record > 1:
                bounded_down(record, row, k, parent, children, step)
                continue
        even = simd.splat(np.float32(1.0) / np.float32(k))
        for h in range(0, row, 16):
            total = zero
            for a in range(k):
                simd.prefetch(ahead + (a * row + h) * size)
                total = total + simd.maximum(load_number(source, base + a * row + h, half), zero)
            factor, rest = matching(total, even)
            w = simd.load(parent + 4 * h)
            factor = factor * w
            rest = rest * w
            for a in range(k):
                r = simd.maximum(load_number(source, base + a * row + h, half), zero)
                simd.store(children + step * a + 4 * h, simd.fma(r, factor, rest))


@kernel
def _even_out(x, at, board, p):
    """Give hands that the symmetry of suits makes equal the same value at every leaf, to the bit: their mean.

    Boards that differ by suits only are solved once, which is right only while such hands play alike above them.
    Without this, rounding would in time drive them apart.
    """
    orbits = _entry(board, slots.ORBITS + p)
    size = _entry(board, slots.ORBIT_SIZE + p)
    for leaf in range(x[at + slots.LEAVES] if size else 0):
        row = x[at + slots.VALUE + p] + x[at + slots.VALUE_STEP + p] * _entry(x[at + slots.LEAF], leaf)
        i = 0
        while i < size:
            number = simd.load16(orbits + 2 * i)
            total = np.float32(0.0)
            for k in range(i + 1, i + 1 + number):
                total += simd.loadf(row + 4 * simd.load16(orbits + 2 * k))
            total /= np.float32(number)
            for k in range(i + 1, i + 1 + number):
                simd.storef(row + 4 * simd.load16(orbits + 2 * k), total)
            i += 1 + number


@kernel
def _up(x, at, board, p, half, mode, discount):
    """Values of all nodes from those of the leaves; in mode 0 regrets and sums are updated."""
    value = x[at + slots.VALUE + p]
    step = x[at + slots.VALUE_STEP + p]
    row = _entry(board, slots.PADDED + p)
    store = _entry(board, slots.STORE + p)
    table = x[at + slots.UP + p]
    locks = _entry(board, slots.LOCKS)
    regret = x[at + slots.REGRET + p]
    sums = x[at + slots.SUM + p]
    size = 2 if half else 4
    zero = simd.splat(np.float32(0.0))
    most, least = simd.splat(np.float32(60000.0)), simd.splat(np.float32(-60000.0))
    positive, negative = simd.splat(np.float32(discount[0])), simd.splat(np.float32(discount[1]))
    fade = simd.splat(np.float32(discount[2]))
    for op in range(x[at + slots.UPS + p]):
        line = table + 8 * slots.UP_COLUMNS * op
        kind = _entry(line, 0)
        out = value + step * _entry(line, 1)
        children = value + step * _entry(line, 2)
        k = _entry(line, 3)
        base = store + row * _entry(line, 4)
        ahead = (store + row * _entry(line, 5)) * size
        lock = 0
        if locks != 0 and kind == 1:
            lock = _entry(locks, _entry(line, 1))
        if kind == 0:  # the opponent acts: the reach is in the values already
            for h in range(0, 4 * row, 64):
                v = simd.load(children + h)
                for a in range(1, k):
                    v = v + simd.load(children + step * a + h)
                simd.store(out + h, v)
        elif lock > 1 and mode < 2:
            bounded_up(lock, row, k, base, children, out, step, sums, half, mode, discount)
        elif mode == 1 and lock == 0:
            for h in range(0, 4 * row, 64):
                v = simd.load(children + h)
                for a in range(1, k):
                    v = simd.maximum(v, simd.load(children + step * a + h))
                simd.store(out + h, v)
        else:
            source = regret if mode == 0 else sums
            even = simd.splat(np.float32(1.0) / np.float32(k))
            for h in range(0, row, 16):
                total = mixed = plain = zero
                for a in range(k):
                    r = simd.maximum(load_number(source, base + a * row + h, half), zero)
                    v = simd.load(children + step * a + 4 * h)
                    total = total + r
                    mixed = simd.fma(r, v, mixed)
                    plain = plain + v
                factor, rest = matching(total, even)
                v = simd.fma(plain, rest, mixed * factor)
                simd.store(out + 4 * h, v)
                if mode == 0 and lock == 0:
                    for a in range(k):
                        i = base + a * row + h
                        # storage is far larger than the near caches: without this half of the time would be waiting
                        simd.prefetch(regret + ahead + (a * row + h) * size)
                        simd.prefetch(sums + ahead + (a * row + h) * size)
                        r = load_number(regret, i, half)
                        gain = simd.load(children + step * a + 4 * h) - v
                        share = simd.fma(simd.maximum(r, zero), factor, rest)
                        r = simd.fma(r, simd.pick(r, positive, negative), gain)
                        s = simd.fma(load_number(sums, i, half), fade, share)
                        if half:
                            simd.store_half(regret + 2 * i, simd.maximum(simd.minimum(r, most), least))
                            simd.store_half(sums + 2 * i, s)
                        else:
                            simd.store(regret + 4 * i, r)
                            simd.store(sums + 4 * i, s)


@kernel
def _unblocked(total, held, cards, i):
    """``total`` less the sums of hand i's two cards, sixteen reaches side by side."""
    v = total - simd.load(held + 64 * simd.load8(cards + 2 * i))
    return v - simd.load(held + 64 * simd.load8(cards + 2 * i + 1))


@kernel
def _add_hand(held, cards, turned, j):
    """Add the reach of hand j to the sums of its two cards. Returns that reach."""
    r = simd.load(turned + 64 * j)
    a = held + 64 * simd.load8(cards + 2 * j)
    b = held + 64 * simd.load8(cards + 2 * j + 1)
    sum_a = simd.load(a) + r
    sum_b = simd.load(b) + r
    simd.store(a, sum_a)
    simd.store(b, sum_b)
    return r


@kernel
def _met(held, total, turned, cards, same, n, met, won, showdown, weigh):
    """Weight of the hands that each of mine can meet, sixteen reaches side by side; it is taken out of ``won``.

    The same hand counts as met (it was taken out with both of its cards) but cancels in wins less losses.
    """
    for i in range(n):
        v = _unblocked(total, held, cards, i)
        if showdown:
            simd.store(won + 64 * i, simd.load(won + 64 * i) - v)
        if weigh:
            simd.store(met + 64 * i, v + simd.load(turned + 64 * simd.load16(same + 2 * i)))


@kernel
def _sweep(board, p, turned, held, won):
    """Weight of the hands that each of mine beats less that of those that beat it, plus (not minus) the weight of what
    it can meet: sums over the hands in order of strength, sixteen reaches side by side. Returns the total weight."""
    mine = _entry(board, slots.CARDS + p)
    yours = _entry(board, slots.CARDS + 1 - p)
    groups = _entry(board, slots.GROUPS)
    total = simd.splat(np.float32(0.0))
    i = 0
    j = 0
    for g in range(_entry(board, slots.GROUP_COUNT)):
        i_end = simd.load16(groups + 4 * g + 2 * p)
        j_end = simd.load16(groups + 4 * g + 2 * (1 - p))
        if j == j_end:
            for k in range(i, i_end):
                v = _unblocked(total, held, mine, k)
                simd.store(won + 64 * k, v + v)
        else:
            for k in range(i, i_end):
                simd.store(won + 64 * k, _unblocked(total, held, mine, k))
            while j < j_end:
                total = total + _add_hand(held, yours, turned, j)
                j += 1
            for k in range(i, i_end):
                simd.store(won + 64 * k, _unblocked(total, held, mine, k) + simd.load(won + 64 * k))
        i = i_end
    return total


@kernel
def _gather_all(board, q, turned, held):
    """Sums by card over all hands of the opponent. Returns the total weight."""
    yours = _entry(board, slots.CARDS + q)
    total = simd.splat(np.float32(0.0))
    for j in range(_entry(board, slots.N + q)):
        total = total + _add_hand(held, yours, turned, j)
    return total


@kernel
def _table(board, p, turned, rows, step):
    """All-in before the river: ``rows`` (by reach) from the table of results of each pair of hands."""
    n = _entry(board, slots.PADDED + p)
    m = _entry(board, slots.N + 1 - p)
    at = _entry(board, slots.ALLIN + p)
    for h in range(0, n, 16):
        for half in range(2):
            # Eight sums in registers; kernels have no arrays of vectors.
            a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = simd.splat(np.float32(0.0))
            source = at + 2 * h * m
            r = turned + 32 * half
            for _ in range(m):
                e = simd.load_short(source)
                a0 = simd.fma(e, simd.splat(simd.loadf(r)), a0)
                a1 = simd.fma(e, simd.splat(simd.loadf(r + 4)), a1)
                a2 = simd.fma(e, simd.splat(simd.loadf(r + 8)), a2)
                a3 = simd.fma(e, simd.splat(simd.loadf(r + 12)), a3)
                a4 = simd.fma(e, simd.splat(simd.loadf(r + 16)), a4)
                a5 = simd.fma(e, simd.splat(simd.loadf(r + 20)), a5)
                a6 = simd.fma(e, simd.splat(simd.loadf(r + 24)), a6)
                a7 = simd.fma(e, simd.splat(simd.loadf(r + 28)), a7)
                source += 32
                r += 64
            out = rows + 8 * half * step + 4 * h
            simd.store(out, a0)
            simd.store(out + step, a1)
            simd.store(out + 2 * step, a2)
            simd.store(out + 3 * step, a3)
            simd.store(out + 4 * step, a4)
            simd.store(out + 5 * step, a5)
            simd.store(out + 6 * step, a6)
            simd.store(out + 7 * step, a7)


@kernel
def _turn_back(source, padded, out, step):
    """Rows by hand, sixteen reaches each, stored by reach."""
    table = np.empty(16, np.int64)
    for h in range(0, padded, 16):
        for k in range(16):
            table[k] = source + 64 * (h + k)
        simd.transpose(table.ctypes.data, 0, out + 4 * h, step)


@kernel
def _pay(line, term_table, value, won_rows, met_rows, step, padded):
    """Values of the terminals of a batch: win coefficient times weight won plus pay coefficient times weight met."""
    for t in range(_entry(line, 18), _entry(line, 19)):
        term = term_table + 8 * slots.TERM_COLUMNS * t
        out = value + step * _entry(term, 0)
        lane = step * _entry(term, 1)
        win = simd.loadf(term + 16)
        pay = simd.loadf(term + 20)
        w, v = simd.splat(win), simd.splat(pay)
        if win == 0.0:
            for h in range(0, 4 * padded, 64):
                simd.store(out + h, v * simd.load(met_rows + lane + h))
        elif pay == 0.0:
            for h in range(0, 4 * padded, 64):
                simd.store(out + h, w * simd.load(won_rows + lane + h))
        else:
            for h in range(0, 4 * padded, 64):
                met = v * simd.load(met_rows + lane + h)
                simd.store(out + h, simd.fma(w, simd.load(won_rows + lane + h), met))


@kernel
def _ends(x, at, board, p, last):
    """Values of all terminals of one street on one board."""
    q = 1 - p
    value = x[at + slots.VALUE + p]
    step = x[at + slots.VALUE_STEP + p]
    turned = x[at + slots.TURNED]
    won, met = x[at + slots.WON], x[at + slots.MET]
    won_rows, met_rows = x[at + slots.WON_ROWS], x[at + slots.MET_ROWS]
    held = x[at + slots.HELD]
    n = _entry(board, slots.N + p)
    padded = _entry(board, slots.PADDED + p)
    other = _entry(board, slots.PADDED + q)
    cards = _entry(board, slots.CARDS + p)
    same = _entry(board, slots.SAME + p)
    zero = simd.splat(np.float32(0.0))
    for b in range(x[at + slots.BATCHES + p]):
        # a batch: 16 addresses of rows, whether showdowns and whether weights are needed, its terminals
        line = x[at + slots.BATCH + p] + 8 * slots.BATCH_COLUMNS * b
        showdown = _entry(line, 16)
        weigh = _entry(line, 17)
        for h in range(0, other, 16):
            simd.transpose(line, 4 * h, turned + 64 * h, 64)
        simd.store(turned + 64 * other, zero)  # a hand that the opponent cannot have
        if weigh or last:
            for c in range(0, 52 * 64, 64):
                simd.store(held + c, zero)
            swept = showdown != 0 and last
            if swept:
                total = _sweep(board, p, turned, held, won)
            else:
                total = _gather_all(board, q, turned, held)
            _met(held, total, turned, cards, same, n, met, won, swept, weigh != 0)
            if swept:
                _turn_back(won, padded, won_rows, step)
            if weigh:
                _turn_back(met, padded, met_rows, step)
        if showdown and not last:
            _table(board, p, turned, won_rows, step)
        _pay(line, x[at + slots.TERM + p], value, won_rows, met_rows, step, padded)


@kernel
def _bring_down(x, at, below, board, p):
    """Reach where a card comes, by the hands of the board below."""
    q = 1 - p
    n = _entry(board, slots.N + q)
    padded = _entry(board, slots.PADDED + q)
    places = _entry(board, slots.PLACES + q)
    for s in range(x[below + slots.ROOTS + p]):
        source = x[at + slots.REACH + p] + x[at + slots.REACH_STEP + p] * _entry(x[at + slots.CHANCE + p], 2 * s)
        out = x[below + slots.REACH + p] + x[below + slots.REACH_STEP + p] * _entry(x[below + slots.ROOT + p], 2 * s)
        for j in range(n):
            simd.storef(out + 4 * j, simd.loadf(source + 4 * simd.load16(places + 2 * j)))
        for j in range(n, padded):
            simd.storef(out + 4 * j, np.float32(0.0))


@kernel
def _bring_up(x, at, below, board, p, out_base):
    """Add the values of the trees below to the rows of the street above, for each renaming of suits."""
    n = _entry(board, slots.N + p)
    value, step = x[below + slots.VALUE + p], x[below + slots.VALUE_STEP + p]
    for s in range(x[below + slots.ROOTS + p]):
        source = value + step * _entry(x[below + slots.ROOT + p], 2 * s + 1)
        out = out_base + x[at + slots.VALUE_STEP + p] * s
        place = _entry(board, slots.PLACES + p)
        for _ in range(_entry(board, slots.IMAGES)):
            for i in range(n):
                to = out + 4 * simd.load16(place + 2 * i)
                simd.storef(to, simd.loadf(to) + simd.loadf(source + 4 * i))
            place += 2 * n


@kernel
def _scaled(x, at, p, source, trees, n, add):
    """Sums by tree, times the probability of a card, to the value rows of a street's chance nodes."""
    factor = simd.splat(np.float32(np.float64(x[at + slots.FACTOR]) / 4294967296.0))
    step = x[at + slots.VALUE_STEP + p]
    for s in range(trees):
        to = x[at + slots.VALUE + p] + step * _entry(x[at + slots.CHANCE + p], 2 * s + 1)
        for h in range(0, 4 * n, 64):
            v = simd.load(source + step * s + h) * factor
            simd.store(to + h, simd.load(to + h) + v if add else v)


@kernel
def _zero(base, step, rows, n):
    zero = simd.splat(np.float32(0.0))
    for s in range(rows):
        for h in range(0, 4 * n, 64):
            simd.store(base + step * s + h, zero)


@kernel
def discounts(t):
    """(alpha, beta, gamma) of iteration t = 0, 1, ...: factors of positive regrets, negative regrets and sums.

    Discounted CFR with exponent 1.5 for positive regrets, a fixed half for negative ones, and exponent 3 for sums,
    counted from the last power of 4.
    """
    a = max(t - 1, 0) ** 1.5
    power = 0
    if t > 0:
        power = 1
        while power * 4 <= t:
            power *= 4
    g = np.float64(t - power)
    return a / (a + 1.0), 0.5, (g / (g + 1.0)) ** 3


#: The tasks of :func:`pass_kernel`.
TOP_DOWN, BELOW, CLEAR, TOP_UP, RIVERS, RIVER, VISIT = range(7)


@kernel
def pass_kernel(x, task, p, mode, discount, first, end, sums, middle_sums, table):
    """The one entry point. ``discount``: factors as of :func:`discounts`.

    Tasks:
        TOP_DOWN: first half of a pass over the first street: reach everywhere, terminals.
        CLEAR: zero one thread's ``sums`` (address). BELOW: the boards below the first street, numbered
            first <= i < end; their results are added to ``sums``; ``middle_sums`` (address) is scratch.
        TOP_UP: second half: the threads' sums (addresses, ``table`` int64) become values, then all nodes of the first
            street. With an empty table the chance nodes' values must be there already.
        RIVERS: iterations first <= t < end of a spot on the river. RIVER: one pass over it.
        VISIT: values on one board below the first street, left in scratch memory, after TOP_DOWN. ``first`` is a number
            of the second street's boards; ``end`` one of the third's, or -1 for none.
    """
    # One loop over boards, and long: the work on a board stands in it only once, because compiling it takes seconds.
    top = slots.FIRST_LEVEL
    below = top + slots.SLOTS
    half = x[slots.HALF] != 0
    deep = x[slots.LEVELS] == 3
    root = x[top + slots.BOARDS]
    padded = _entry(root, slots.PADDED + p)
    if task == CLEAR:
        _zero(sums, x[top + slots.VALUE_STEP + p], x[below + slots.ROOTS + p], padded)
        return
    if task == TOP_UP:
        for k in range(table.shape[0]):
            _scaled(x, top, p, table[k], x[below + slots.ROOTS + p], padded, k > 0)
    turn = first  # iteration, or board of the second street
    grand = -1  # board of the third street; -1: enter the second, -2: leave it
    while True:
        at = top
        board = root
        down = task != TOP_UP
        up = task != TOP_DOWN
        if task == RIVERS:
            if turn >= end:
                break
            discount = discounts(turn)
        elif task in (BELOW, VISIT):
            if task == BELOW and turn >= end:
                break
            at = below
            board = x[below + slots.BOARDS] + 8 * slots.BOARD_COLUMNS * turn
            if grand >= 0:
                at = below + slots.SLOTS
                board = x[at + slots.BOARDS] + 8 * slots.BOARD_COLUMNS * grand
            elif grand == -2:
                down = False
            else:
                up = not deep
        if at > top and down:
            _bring_down(x, at - slots.SLOTS, at, board, p)
        if down:
            _down(x, at, board, p, half, mode)
            _ends(x, at, board, p, x[at + slots.LAST] != 0)
        if up:
            _even_out(x, at, board, p)
            _up(x, at, board, p, half, mode, discount)
            if at > top and (task == BELOW or end < 0):
                out = sums if at == below else middle_sums
                if out != 0:
                    _bring_up(x, at - slots.SLOTS, at, board, p, out)
        # what comes next
        if task == RIVERS:
            p = 1 - p
            turn += 1 if p == 0 else 0
        elif task in (BELOW, VISIT):
            second = x[below + slots.BOARDS] + 8 * slots.BOARD_COLUMNS * turn
            trees = x[below + slots.SLOTS + slots.ROOTS + p] if deep else 0
            if task == VISIT and end >= 0:
                if grand == end:
                    break
                grand = end
                continue
            wide = _entry(second, slots.PADDED + p)
            if deep and grand == -1:
                _zero(middle_sums, x[below + slots.VALUE_STEP + p], trees, wide)
                grand = _entry(second, slots.KIDS) if trees else -2
            elif deep and grand >= 0:
                grand += 1
                if grand == _entry(second, slots.KIDS) + _entry(second, slots.KID_COUNT):
                    grand = -2
                    _scaled(x, below, p, middle_sums, trees, wide, False)
            else:
                grand = -1
                turn += 1
                if task == VISIT:
                    break
        else:
            break
