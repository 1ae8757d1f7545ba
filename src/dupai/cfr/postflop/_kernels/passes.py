"""One pass over the tree: how much every hand of one player (the traverser) wins against the reach of the other.

Everything a pass needs stands in a *context*, ``int64``: sizes and the addresses of arrays that the caller keeps alive
(so that calling a kernel costs nothing and no reference is counted inside). Each street has a block of ``SLOTS``
numbers in it, and within it the entries that depend on the traverser stand twice, ``+ p``. Rows of one street have the
same length in scratch memory; in the storage of regrets each board has rows of its own length, a multiple of 16.

Modes: 0 iterate (regrets and strategy sums are updated), 1 best response to the average strategy, 2 expectation of the
average strategies. Values and weights are unscaled by the chance of a card; that factor comes in where the results of
its boards are added up, so that regrets of all streets have the same magnitude.

Sources: discounted CFR, Brown & Sandholm 2019 (AAAI), section 4; the sweep of showdowns in order of strength with
blockers taken out by inclusion and exclusion, Johanson et al. 2011 (IJCAI), section 4.
"""

import numpy as np

from dupai.base import kernel
from dupai.cfr.postflop._kernels.bounds import bounded_down, bounded_up, load_number
from dupai.cfr.postflop._kernels.simd import (
    load8,
    load16,
    load64,
    loadf,
    prefetch,
    splat,
    storef,
    transpose16,
    vadd,
    vdiv,
    vfma,
    vload,
    vload_short,
    vmax,
    vmin,
    vmul,
    vpick,
    vstore,
    vstore_half,
    vsub,
)

ITERATE, RESPOND, EXPECT = 0, 1, 2

# Slots of the context before the blocks of the streets
HALF, LEVELS, FIRST_LEVEL = 0, 1, 8
SLOTS = 48

# Slots of a street's block; those marked p stand for player 0 and 1
BOARDS = 0  # table of boards
REACH, REACH_STEP = 2, 4  # p: scratch rows of reach against traverser p; bytes of a row
VALUE, VALUE_STEP = 6, 8  # p
DOWN, DOWNS = 10, 12  # p: table of the other's nodes
UP, UPS = 14, 16  # p: table of all nodes, last first
BATCH, BATCHES = 18, 20  # p: table of batches of sixteen terminals' reaches
TERM = 22  # p: table of terminals
ROOT, ROOTS = 24, 26  # p: reach row and value row of each tree
CHANCE = 28  # p: reach row and value row where a card comes
REGRET, SUM = 30, 32  # p: storage
TURNED, WON, MET = 34, 35, 36  # scratch: reach by hand, results by hand
WON_ROWS, MET_ROWS = 37, 38
HELD = 39  # scratch: sums by card
FACTOR = 40  # chance of a card of the next street times 2**32, as an integer
LAST = 41  # 1 on the river
LEAF, LEAVES = 42, 43  # value rows of nodes where nobody acts

# Columns of the table of boards
BOARD_COLUMNS = 24
N, PADDED, STORE = 0, 2, 4  # p
CARDS, SAME = 6, 8  # p: addresses
PLACES = 10  # p: address of the hands' places on the board above, for each renaming
IMAGES = 12  # number of renamings
GROUPS, GROUP_COUNT = 13, 14
ALLIN = 15  # p
KIDS, KID_COUNT = 17, 18
ORBITS, ORBIT_SIZE = 20, 22  # p: address of int16: hands that are alike, as (how many, their places)
LOCKS = 19  # address of int64[nodes]: 0 free, 1 fixed, else the address of a record of bounds; or 0

# Columns of the other tables
DOWN_COLUMNS, UP_COLUMNS, BATCH_COLUMNS, TERM_COLUMNS = 5, 6, 20, 4


@kernel
def _down(x, at, board, p, half, mode):
    """Reach of the other at every row, from that of the roots."""
    q = 1 - p
    source = x[at + (REGRET if mode == 0 else SUM) + q]
    locks = load64(board + 8 * LOCKS)
    reach = x[at + REACH + p]
    step = x[at + REACH_STEP + p]
    row = load64(board + 8 * (PADDED + q))
    store = load64(board + 8 * (STORE + q))
    table = x[at + DOWN + p]
    zero = splat(np.float32(0.0))
    one = splat(np.float32(1.0))
    tiny = splat(np.float32(1e-30))
    number = x[at + DOWNS + p]
    for op in range(number):
        line = table + 8 * DOWN_COLUMNS * op
        following = line + 8 * DOWN_COLUMNS if op + 1 < number else table
        coming = source + (store + row * load64(following + 24)) * (2 if half else 4)
        come = reach + step * load64(line)
        go = reach + step * load64(line + 8)
        k = load64(line + 16)
        base = store + row * load64(line + 24)
        if locks != 0 and mode == 0:
            record = load64(locks + 8 * load64(line + 32))
            if record > 1:
                bounded_down(record, row, k, come, go, step)
                continue
        even = splat(np.float32(1.0) / np.float32(k))
        for h in range(0, row, 16):
            total = zero
            for a in range(k):
                prefetch(coming + (a * row + h) * (2 if half else 4))
                total = vadd(total, vmax(load_number(source, base + a * row + h, half), zero))
            some = vsub(total, tiny)
            inverse = vpick(some, vdiv(one, total), zero)
            rest = vpick(some, zero, even)
            w = vload(come + 4 * h)
            inverse = vmul(inverse, w)
            rest = vmul(rest, w)
            for a in range(k):
                r = vmax(load_number(source, base + a * row + h, half), zero)
                vstore(go + step * a + 4 * h, vfma(r, inverse, rest))


@kernel
def _even_out(x, at, board, p):
    """Hands that suits alike make equal get the same value at every leaf, to the bit: their mean.

    Boards that differ by suits only are solved once, which is right only while such hands play alike above them; left
    alone, rounding would in time drive them apart.
    """
    orbits = load64(board + 8 * (ORBITS + p))
    size = load64(board + 8 * (ORBIT_SIZE + p))
    for leaf in range(x[at + LEAVES] if size else 0):
        row = x[at + VALUE + p] + x[at + VALUE_STEP + p] * load64(x[at + LEAF] + 8 * leaf)
        i = 0
        while i < size:
            number = load16(orbits + 2 * i)
            total = np.float32(0.0)
            for k in range(i + 1, i + 1 + number):
                total += loadf(row + 4 * load16(orbits + 2 * k))
            total /= np.float32(number)
            for k in range(i + 1, i + 1 + number):
                storef(row + 4 * load16(orbits + 2 * k), total)
            i += 1 + number


@kernel
def _up(x, at, board, p, half, mode, alpha, beta, gamma):
    """Values of all nodes from those of the leaves; in mode 0 regrets and sums are updated."""
    value = x[at + VALUE + p]
    step = x[at + VALUE_STEP + p]
    row = load64(board + 8 * (PADDED + p))
    store = load64(board + 8 * (STORE + p))
    table = x[at + UP + p]
    locks = load64(board + 8 * LOCKS)
    regret = x[at + REGRET + p]
    sums = x[at + SUM + p]
    zero = splat(np.float32(0.0))
    one = splat(np.float32(1.0))
    tiny = splat(np.float32(1e-30))
    big = splat(np.float32(60000.0))
    small = splat(np.float32(-60000.0))
    va = splat(np.float32(alpha))
    vb = splat(np.float32(beta))
    vg = splat(np.float32(gamma))
    for op in range(x[at + UPS + p]):
        line = table + 8 * UP_COLUMNS * op
        kind = load64(line)
        out = value + step * load64(line + 8)
        come = value + step * load64(line + 16)
        k = load64(line + 24)
        base = store + row * load64(line + 32)
        coming = (store + row * load64(line + 40)) * (2 if half else 4)
        lock = 0
        if locks != 0 and kind == 1:
            lock = load64(locks + 8 * load64(line + 8))
        if kind == 0:  # the other acts: his reach is in the values already
            for h in range(0, 4 * row, 64):
                v = vload(come + h)
                for a in range(1, k):
                    v = vadd(v, vload(come + step * a + h))
                vstore(out + h, v)
        elif lock > 1 and mode < 2:
            bounded_up(lock, row, k, base, come, out, step, sums, half, mode, alpha, beta, gamma)
        elif mode == 1 and lock == 0:
            for h in range(0, 4 * row, 64):
                v = vload(come + h)
                for a in range(1, k):
                    v = vmax(v, vload(come + step * a + h))
                vstore(out + h, v)
        else:
            source = regret if mode == 0 else sums
            even = splat(np.float32(1.0) / np.float32(k))
            for h in range(0, row, 16):
                total = zero
                mixed = zero
                plain = zero
                for a in range(k):
                    r = vmax(load_number(source, base + a * row + h, half), zero)
                    v = vload(come + step * a + 4 * h)
                    total = vadd(total, r)
                    mixed = vfma(r, v, mixed)
                    plain = vadd(plain, v)
                some = vsub(total, tiny)
                inverse = vpick(some, vdiv(one, total), zero)
                rest = vpick(some, zero, even)
                v = vfma(plain, rest, vmul(mixed, inverse))
                vstore(out + 4 * h, v)
                if mode == 0 and lock == 0:
                    for a in range(k):
                        i = base + a * row + h
                        # storage is far larger than the nearer caches: half of the time would be spent waiting for it
                        ahead = coming + (a * row + h) * (2 if half else 4)
                        prefetch(regret + ahead)
                        prefetch(sums + ahead)
                        r = load_number(regret, i, half)
                        gain = vsub(vload(come + step * a + 4 * h), v)
                        share = vfma(vmax(r, zero), inverse, rest)
                        r = vfma(r, vpick(r, va, vb), gain)
                        s = vfma(load_number(sums, i, half), vg, share)
                        if half:
                            vstore_half(regret + 2 * i, vmax(vmin(r, big), small))
                            vstore_half(sums + 2 * i, s)
                        else:
                            vstore(regret + 4 * i, r)
                            vstore(sums + 4 * i, s)


@kernel
def _met(held, total, turned, cards, same, n, met, won, showdown, weigh):
    """Weight of the hands that each of mine can meet, sixteen reaches abreast; it is taken out of ``won``.

    The same hand counts as met (it was taken out with both of its cards) but cancels in wins less losses.
    """
    for i in range(n):
        v = vsub(total, vload(held + 64 * load8(cards + 2 * i)))
        v = vsub(v, vload(held + 64 * load8(cards + 2 * i + 1)))
        if showdown:
            vstore(won + 64 * i, vsub(vload(won + 64 * i), v))
        if weigh:
            vstore(met + 64 * i, vadd(v, vload(turned + 64 * load16(same + 2 * i))))


@kernel
def _sweep(board, p, turned, held, won):
    """Weight of the hands that each of mine beats less that of those that beat it, plus (not minus) the weight of what
    it can meet: sums over the hands in order of strength, sixteen reaches abreast. Returns the total weight."""
    q = 1 - p
    mine = load64(board + 8 * (CARDS + p))
    yours = load64(board + 8 * (CARDS + q))
    groups = load64(board + 8 * GROUPS)
    total = splat(np.float32(0.0))
    i = 0
    j = 0
    for g in range(load64(board + 8 * GROUP_COUNT)):
        i_end = load16(groups + 4 * g + 2 * p)
        j_end = load16(groups + 4 * g + 2 * q)
        if j == j_end:
            for k in range(i, i_end):
                v = vsub(total, vload(held + 64 * load8(mine + 2 * k)))
                v = vsub(v, vload(held + 64 * load8(mine + 2 * k + 1)))
                vstore(won + 64 * k, vadd(v, v))
        else:
            for k in range(i, i_end):
                v = vsub(total, vload(held + 64 * load8(mine + 2 * k)))
                vstore(won + 64 * k, vsub(v, vload(held + 64 * load8(mine + 2 * k + 1))))
            while j < j_end:
                r = vload(turned + 64 * j)
                a = held + 64 * load8(yours + 2 * j)
                b = held + 64 * load8(yours + 2 * j + 1)
                total = vadd(total, r)
                va = vadd(vload(a), r)
                vb = vadd(vload(b), r)
                vstore(a, va)
                vstore(b, vb)
                j += 1
            for k in range(i, i_end):
                v = vsub(total, vload(held + 64 * load8(mine + 2 * k)))
                v = vsub(v, vload(held + 64 * load8(mine + 2 * k + 1)))
                vstore(won + 64 * k, vadd(v, vload(won + 64 * k)))
        i = i_end
    return total


@kernel
def _gather_all(board, q, turned, held):
    """Sums by card over all hands of the other. Returns the total weight."""
    yours = load64(board + 8 * (CARDS + q))
    total = splat(np.float32(0.0))
    for j in range(load64(board + 8 * (N + q))):
        r = vload(turned + 64 * j)
        a = held + 64 * load8(yours + 2 * j)
        b = held + 64 * load8(yours + 2 * j + 1)
        total = vadd(total, r)
        va = vadd(vload(a), r)
        vb = vadd(vload(b), r)
        vstore(a, va)
        vstore(b, vb)
    return total


@kernel
def _table(board, p, turned, rows, step):
    """All-in before the river: ``rows`` (by reach) from the table of how each pair of hands fares."""
    n = load64(board + 8 * (PADDED + p))
    m = load64(board + 8 * (N + 1 - p))
    at = load64(board + 8 * (ALLIN + p))
    for h in range(0, n, 16):
        for half in range(2):
            zero = splat(np.float32(0.0))
            a0 = zero
            a1 = zero
            a2 = zero
            a3 = zero
            a4 = zero
            a5 = zero
            a6 = zero
            a7 = zero
            source = at + 2 * h * m
            r = turned + 32 * half
            for _ in range(m):
                e = vload_short(source)
                a0 = vfma(e, splat(loadf(r)), a0)
                a1 = vfma(e, splat(loadf(r + 4)), a1)
                a2 = vfma(e, splat(loadf(r + 8)), a2)
                a3 = vfma(e, splat(loadf(r + 12)), a3)
                a4 = vfma(e, splat(loadf(r + 16)), a4)
                a5 = vfma(e, splat(loadf(r + 20)), a5)
                a6 = vfma(e, splat(loadf(r + 24)), a6)
                a7 = vfma(e, splat(loadf(r + 28)), a7)
                source += 32
                r += 64
            out = rows + 8 * half * step + 4 * h
            vstore(out, a0)
            vstore(out + step, a1)
            vstore(out + 2 * step, a2)
            vstore(out + 3 * step, a3)
            vstore(out + 4 * step, a4)
            vstore(out + 5 * step, a5)
            vstore(out + 6 * step, a6)
            vstore(out + 7 * step, a7)


@kernel
def _ends(x, at, board, p, last):
    """Values of all terminals of one street on one board."""
    q = 1 - p
    value = x[at + VALUE + p]
    step = x[at + VALUE_STEP + p]
    turned = x[at + TURNED]
    won = x[at + WON]
    met = x[at + MET]
    won_rows = x[at + WON_ROWS]
    met_rows = x[at + MET_ROWS]
    held = x[at + HELD]
    n = load64(board + 8 * (N + p))
    padded = load64(board + 8 * (PADDED + p))
    other = load64(board + 8 * (PADDED + q))
    cards = load64(board + 8 * (CARDS + p))
    same = load64(board + 8 * (SAME + p))
    zero = splat(np.float32(0.0))
    terms = x[at + TERM + p]
    for b in range(x[at + BATCHES + p]):
        # a batch: 16 addresses of rows, whether showdowns and whether weights are asked for, its terminals
        line = x[at + BATCH + p] + 8 * BATCH_COLUMNS * b
        showdown = load64(line + 128)
        weigh = load64(line + 136)
        for h in range(0, other, 16):
            transpose16(line, 4 * h, turned + 64 * h, 64)
        vstore(turned + 64 * other, zero)  # what a hand meets that the other cannot have
        if weigh or last:
            for c in range(0, 52 * 64, 64):
                vstore(held + c, zero)
            swept = showdown != 0 and last
            if swept:
                total = _sweep(board, p, turned, held, won)
            else:
                total = _gather_all(board, q, turned, held)
            _met(held, total, turned, cards, same, n, met, won, swept, weigh != 0)
            if swept:
                for h in range(0, padded, 16):
                    _turn_back(won + 64 * h, won_rows + 4 * h, step)
            if weigh:
                for h in range(0, padded, 16):
                    _turn_back(met + 64 * h, met_rows + 4 * h, step)
        if showdown and not last:
            _table(board, p, turned, won_rows, step)
        for t in range(load64(line + 144), load64(line + 152)):
            term = terms + 8 * TERM_COLUMNS * t
            out = value + step * load64(term)
            lane = step * load64(term + 8)
            win = loadf(term + 16)
            pay = loadf(term + 20)
            if win == 0.0:
                w = splat(pay)
                for h in range(0, 4 * padded, 64):
                    vstore(out + h, vmul(w, vload(met_rows + lane + h)))
            elif pay == 0.0:
                w = splat(win)
                for h in range(0, 4 * padded, 64):
                    vstore(out + h, vmul(w, vload(won_rows + lane + h)))
            else:
                w = splat(win)
                v = splat(pay)
                for h in range(0, 4 * padded, 64):
                    vstore(out + h, vfma(w, vload(won_rows + lane + h), vmul(v, vload(met_rows + lane + h))))


@kernel
def _turn_back(source, out, step):
    """Sixteen hands by sixteen reaches, stored by reach."""
    table = np.empty(16, np.int64)
    for k in range(16):
        table[k] = source + 64 * k
    transpose16(table.ctypes.data, 0, out, step)


@kernel
def _bring_down(x, at, below, board, p):
    """Reach where a card comes, by the hands of the board below."""
    q = 1 - p
    n = load64(board + 8 * (N + q))
    padded = load64(board + 8 * (PADDED + q))
    places = load64(board + 8 * (PLACES + q))
    for s in range(x[below + ROOTS + p]):
        source = x[at + REACH + p] + x[at + REACH_STEP + p] * load64(x[at + CHANCE + p] + 16 * s)
        out = x[below + REACH + p] + x[below + REACH_STEP + p] * load64(x[below + ROOT + p] + 16 * s)
        for j in range(n):
            storef(out + 4 * j, loadf(source + 4 * load16(places + 2 * j)))
        for j in range(n, padded):
            storef(out + 4 * j, np.float32(0.0))


@kernel
def _bring_up(x, at, below, board, p, out_base, out_step):
    """Add the values of the trees below to the rows of the street above, for each renaming of suits."""
    n = load64(board + 8 * (N + p))
    places = load64(board + 8 * (PLACES + p))
    images = load64(board + 8 * IMAGES)
    for s in range(x[below + ROOTS + p]):
        source = x[below + VALUE + p] + x[below + VALUE_STEP + p] * load64(x[below + ROOT + p] + 16 * s + 8)
        out = out_base + out_step * s
        place = places
        for _ in range(images):
            for i in range(n):
                to = out + 4 * load16(place + 2 * i)
                storef(to, loadf(to) + loadf(source + 4 * i))
            place += 2 * n


@kernel
def _scaled(source, step, rows, n, factor, out, out_step, table, add):
    """Rows of sums by tree to the value rows that ``table`` names, times ``factor``."""
    w = splat(factor)
    for s in range(rows):
        to = out + out_step * load64(table + 16 * s + 8)
        for h in range(0, 4 * n, 64):
            v = vmul(vload(source + step * s + h), w)
            vstore(to + h, vadd(vload(to + h), v) if add else v)


@kernel
def _zero(base, step, rows, n):
    zero = splat(np.float32(0.0))
    for s in range(rows):
        for h in range(0, 4 * n, 64):
            vstore(base + step * s + h, zero)


@kernel
def discounts(t):
    """(alpha, beta, gamma) of iteration t = 0, 1, ...: factors of positive regrets, negative regrets and sums.

    Discounted CFR with 1.5, a fixed half for negative regrets, and 3 counted from the last power of 4.
    """
    a = max(t - 1, 0) ** 1.5
    power = 0
    if t > 0:
        power = 1
        while power * 4 <= t:
            power *= 4
    g = np.float64(t - power)
    return a / (a + 1.0), 0.5, (g / (g + 1.0)) ** 3


#: What :func:`pass_kernel` is asked to do.
TOP_DOWN, BELOW, CLEAR, TOP_UP, RIVERS, RIVER, VISIT = range(7)


@kernel
def pass_kernel(x, task, p, mode, alpha, beta, gamma, first, end, sums, middle_sums, table):
    """The one way in.

    Tasks:
        TOP_DOWN: first half of a pass over the first street: reach everywhere, terminals.
        CLEAR: zero one thread's ``sums`` (address). BELOW: the boards below the first street, numbered
            first <= i < end; their results are added to ``sums``; ``middle_sums`` (address) is scratch.
        TOP_UP: second half: the threads' sums (addresses, ``table`` int64) become values, then all nodes of the first
            street; none with an empty table, where the chance nodes' values are there already.
        RIVERS: iterations first <= t < end of a spot on the river. RIVER: one pass over it.
        VISIT: values on one board below the first street, left in scratch memory, after TOP_DOWN. ``first`` is a number
            of the second street's boards; ``end`` one of the third's, or -1 for none.
    """
    # One loop whose turns are boards: what is done with a board stands in it once only, as compiling it takes seconds.
    top = FIRST_LEVEL
    below = top + SLOTS
    half = x[HALF] != 0
    deep = x[LEVELS] == 3
    root = x[top + BOARDS]
    if task == CLEAR:
        _zero(sums, x[top + VALUE_STEP + p], x[below + ROOTS + p], load64(root + 8 * (PADDED + p)))
        return
    if task == TOP_UP:
        padded = load64(root + 8 * (PADDED + p))
        factor = np.float32(np.float64(x[top + FACTOR]) / 4294967296.0)
        step = x[top + VALUE_STEP + p]
        chance = x[top + CHANCE + p]
        for k in range(table.shape[0]):
            _scaled(table[k], step, x[below + ROOTS + p], padded, factor, x[top + VALUE + p], step, chance, k > 0)
    turn = first  # iteration, or board of the second street
    grand = -1  # board of the third street, -1: enter the second, -2: leave it
    while True:
        at = top
        board = root
        down = task != TOP_UP
        up = task != TOP_DOWN
        if task == RIVERS:
            if turn >= end:
                break
            alpha, beta, gamma = discounts(turn)
        elif task in (BELOW, VISIT):
            if task == BELOW and turn >= end:
                break
            at = below
            board = x[below + BOARDS] + 8 * BOARD_COLUMNS * turn
            if grand >= 0:
                at = below + SLOTS
                board = x[at + BOARDS] + 8 * BOARD_COLUMNS * grand
            elif grand == -2:
                down = False
            else:
                up = not deep
        if at > top and down:
            _bring_down(x, at - SLOTS, at, board, p)
        if down:
            _down(x, at, board, p, half, mode)
            _ends(x, at, board, p, x[at + LAST] != 0)
        if up:
            _even_out(x, at, board, p)
            _up(x, at, board, p, half, mode, alpha, beta, gamma)
            if at > top and (task == BELOW or end < 0):
                out = sums if at == below else middle_sums
                if out != 0:
                    _bring_up(x, at - SLOTS, at, board, p, out, x[at - SLOTS + VALUE_STEP + p])
        # what comes next
        if task == RIVERS:
            p = 1 - p
            turn += 1 if p == 0 else 0
        elif task in (BELOW, VISIT):
            second = x[below + BOARDS] + 8 * BOARD_COLUMNS * turn
            trees = x[below + SLOTS + ROOTS + p] if deep else 0
            if task == VISIT and end >= 0:
                if grand == end:
                    break
                grand = end
                continue
            if deep and grand == -1:
                if trees:
                    _zero(middle_sums, x[below + VALUE_STEP + p], trees, load64(second + 8 * (PADDED + p)))
                grand = load64(second + 8 * KIDS) if trees else -2
            elif deep and grand >= 0:
                grand += 1
                if grand == load64(second + 8 * KIDS) + load64(second + 8 * KID_COUNT):
                    grand = -2
                    factor = np.float32(np.float64(x[below + FACTOR]) / 4294967296.0)
                    step = x[below + VALUE_STEP + p]
                    chance = x[below + CHANCE + p]
                    wide = load64(second + 8 * (PADDED + p))
                    _scaled(middle_sums, step, trees, wide, factor, x[below + VALUE + p], step, chance, False)
            else:
                grand = -1
                turn += 1
                if task == VISIT:
                    break
        else:
            break
