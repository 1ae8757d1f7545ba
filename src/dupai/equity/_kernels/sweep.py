"""Every hand against a weighted range in one sweep over the sorted hands of a board.

The same with every pair of hands looked at, on one screen: ``tests/naive/equity_winrates.py``, which a test compares.

Hands on a river board are not evaluated one by one. Without a flush a hand's strength depends on its two ranks only: 91
rank pairs, each with sixteen (pocket pairs: six) hands. So weights are laid out by *slot* ::

    slot = pair * 16 + suit of the higher card * 4 + suit of the lower card        (1456 slots, 130 of them unused)

and a board is swept by rank pairs in the order of their strengths, with running sums of weights in all (``S``) and for
each card (``C``). The weight of weaker hands that share no card with hand {a, b} is S - C[a] - C[b]; after the group
of equal strength has been added, S - C[a] - C[b] + w[a, b] is that of hands not stronger (the hand itself was taken
out twice). Where three or more board cards share a suit, the hands that may make a flush leave their rank pairs and
are swept one by one among them as *singles*.
"""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK
from dupai.cards.kernels import strength_kernel

#: Rank pairs (higher, lower), and slots.
PAIRS = 91
SLOTS = PAIRS * 16
_MAX_KEYS = PAIRS + 1176


def _layout():
    hi = np.array([h for h in range(13) for _ in range(h + 1)], dtype=np.uint8)
    lo = np.array([q for h in range(13) for q in range(h + 1)], dtype=np.uint8)
    slot_of_combo = np.zeros(1326, dtype=np.int16)
    slot_cards = np.zeros((SLOTS, 2), dtype=np.uint8)
    card_slots = [[] for _ in range(52)]
    for index, (a, b) in enumerate(COMBO_CARDS.tolist()):
        if (a % 13, a // 13) < (b % 13, b // 13):
            a, b = b, a
        h, q = a % 13, b % 13
        slot = (h * (h + 1) // 2 + q) * 16 + a // 13 * 4 + b // 13
        slot_of_combo[index] = slot
        slot_cards[slot] = a, b
        card_slots[a].append(slot)
        card_slots[b].append(slot)
    return hi, lo, slot_of_combo, slot_cards, np.array(card_slots, dtype=np.int16)


PAIR_HI, PAIR_LO, SLOT_OF_COMBO, SLOT_CARDS, CARD_SLOTS = _layout()

#: Places (rank * 4 + suit) of the two cards of each combo, and of each slot, in sums by card.
COMBO_PLACES, _SLOT_PLACES = ((two % 13 * 4 + two // 13).astype(np.uint8) for two in (COMBO_CARDS, SLOT_CARDS))

_ONE = np.uint64(1)


@kernel
def pair_strengths_kernel(board, out):
    """Strength that each rank pair makes with five board cards when no flush counts.

    Args:
        board: ``uint8[5]``, different cards.
        out: ``uint16[91]``, filled; 0 where the board leaves too few cards of a rank.
    """
    count = np.zeros(13, np.int64)
    for k in range(5):
        count[board[k] % 13] += 1
    # Deal the board's ranks to suits in turn: no suit gets more than two, so two more cards never make a flush.
    mask = np.uint64(0)
    first = np.zeros(13, np.uint64)
    second = np.zeros(13, np.uint64)
    turn = 0
    for r in range(13):
        used = 0
        for _ in range(count[r]):
            used |= 1 << (turn & 3)
            turn += 1
        for s in range(4):
            bit = _ONE << np.uint64(16 * s + r)
            if used >> s & 1:
                mask |= bit
            elif first[r] == 0:
                first[r] = bit
            elif second[r] == 0:
                second[r] = bit
    p = 0
    for h in range(13):
        a = first[h]
        for q in range(h):
            b = first[q]
            out[p] = strength_kernel(mask | a | b) if a != 0 and b != 0 else 0
            p += 1
        out[p] = strength_kernel(mask | a | second[h]) if second[h] != 0 else 0
        p += 1


@kernel
def flush_suit_kernel(board):
    """The suit of which the five cards of ``board`` hold three or more, and how many: (suit, n), or (-1, 0)."""
    n = np.zeros(4, np.int64)
    for k in range(5):
        n[board[k] // 13] += 1
    for s in range(4):
        if n[s] >= 3:
            return s, n[s]
    return -1, 0


@kernel
def sort_by_strength_kernel(keys, ids, n, keys2, ids2):
    """Sort the first ``n`` of ``ids`` by ``keys`` (13 bits, as strengths are), both in place, stably: least significant
    digit first, 6 and 7 bits.

    Args:
        keys, ids: whole numbers of any dtype, ``[>= n]``.
        keys2, ids2: scratch of the same dtypes, ``[>= n]``.
    """
    low = np.zeros(65, np.int64)
    high = np.zeros(129, np.int64)
    for i in range(n):
        low[(np.int64(keys[i]) & 63) + 1] += 1
        high[(np.int64(keys[i]) >> 6) + 1] += 1
    for i in range(64):
        low[i + 1] += low[i]
    for i in range(128):
        high[i + 1] += high[i]
    for i in range(n):
        d = np.int64(keys[i]) & 63
        at = low[d]
        low[d] = at + 1
        keys2[at] = keys[i]
        ids2[at] = ids[i]
    for i in range(n):
        d = np.int64(keys2[i]) >> 6
        at = high[d]
        high[d] = at + 1
        keys[at] = keys2[i]
        ids[at] = ids2[i]


@kernel
def singles_kernel(board, suit, in_suit, slots, keys):
    """Hands that may hold a flush: their slots and strengths; returns how many.

    Three of the suit on the board: both cards must be of it; four: one; five: every hand is taken.
    """
    mask = np.uint64(0)
    for k in range(5):
        mask |= CARD_MASK[board[k]]
    n = 0
    if in_suit == 3:
        for h in range(1, 13):
            a = _ONE << np.uint64(16 * suit + h)
            if mask & a != 0:
                continue
            for q in range(h):
                b = _ONE << np.uint64(16 * suit + q)
                if mask & b == 0:
                    slots[n] = (h * (h + 1) // 2 + q) * 16 + 5 * suit
                    keys[n] = strength_kernel(mask | a | b)
                    n += 1
        return n
    need = 5 - in_suit
    for slot in range(SLOTS):
        a = SLOT_CARDS[slot, 0]
        b = SLOT_CARDS[slot, 1]
        if a == b or (1 if a // 13 == suit else 0) + (1 if b // 13 == suit else 0) < need:
            continue
        hand = CARD_MASK[a] | CARD_MASK[b]
        if hand & mask == 0:
            slots[n] = slot
            keys[n] = strength_kernel(mask | hand)
            n += 1
    return n


@kernel
def _sweep_board(board, weights, lt, le, keys, ids, keys2, ids2, slots, single, card_sum):
    """Add one river board to ``lt`` and ``le`` (by slot): weight of the weaker and of the not stronger hands. Returns
    the weight of all hands; ``card_sum`` then holds that of the hands with each card.

    ``weights`` must be 0 for every hand that the board blocks; what is added for those is meaningless: the caller
    restores it.
    """
    # Long because the three passes over a group share its loop: a helper that takes the arrays would cost as much as
    # the sums themselves.
    pair_strengths_kernel(board, keys)
    size = 0
    for p in range(PAIRS):
        if keys[p] != 0:
            keys[size] = keys[p]
            ids[size] = p
            size += 1
    suit, in_suit = flush_suit_kernel(board)
    singles = 0
    if in_suit != 0:
        singles = singles_kernel(board, suit, in_suit, slots, keys[size:])
        for lone in range(singles):
            ids[size + lone] = PAIRS + lone
            slot = slots[lone]
            single[lone, 0], single[lone, 1], single[lone, 2] = weights[slot], lt[slot], le[slot]
            weights[slot] = weights.dtype.type(0)
        size += singles
    sort_by_strength_kernel(keys, ids, size, keys2, ids2)
    zero = weights.dtype.type(0)
    card_sum[:] = zero
    total = zero
    begin = 0
    while begin < size:
        after = begin
        while after < size and keys[after] == keys[begin]:
            item = ids[after]
            if item < PAIRS:
                hi, lo = np.int64(PAIR_HI[item]) * 4, np.int64(PAIR_LO[item]) * 4
                l0, l1, l2, l3 = card_sum[lo], card_sum[lo + 1], card_sum[lo + 2], card_sum[lo + 3]
                for s in range(4):
                    rest = total - card_sum[hi + s]
                    at = np.int64(item) * 16 + 4 * s
                    lt[at] += rest - l0
                    lt[at + 1] += rest - l1
                    lt[at + 2] += rest - l2
                    lt[at + 3] += rest - l3
            else:
                lone = item - PAIRS
                slot = slots[lone]
                single[lone, 1] += total - card_sum[_SLOT_PLACES[slot, 0]] - card_sum[_SLOT_PLACES[slot, 1]]
            after += 1
        for m in range(begin, after):
            item = ids[m]
            if item < PAIRS:
                base = np.int64(item) * 16
                hi, lo = np.int64(PAIR_HI[item]) * 4, np.int64(PAIR_LO[item]) * 4
                l0 = l1 = l2 = l3 = zero
                for s in range(4):
                    at = base + 4 * s
                    w0, w1, w2, w3 = weights[at], weights[at + 1], weights[at + 2], weights[at + 3]
                    row = (w0 + w1) + (w2 + w3)
                    card_sum[hi + s] += row
                    total += row
                    l0 += w0
                    l1 += w1
                    l2 += w2
                    l3 += w3
                card_sum[lo] += l0
                card_sum[lo + 1] += l1
                card_sum[lo + 2] += l2
                card_sum[lo + 3] += l3
            else:
                lone = item - PAIRS
                x = single[lone, 0]
                total += x
                card_sum[_SLOT_PLACES[slots[lone], 0]] += x
                card_sum[_SLOT_PLACES[slots[lone], 1]] += x
        for m in range(begin, after):
            item = ids[m]
            if item < PAIRS:
                base = np.int64(item) * 16
                hi, lo = np.int64(PAIR_HI[item]) * 4, np.int64(PAIR_LO[item]) * 4
                l0, l1, l2, l3 = card_sum[lo], card_sum[lo + 1], card_sum[lo + 2], card_sum[lo + 3]
                for s in range(4):
                    at = base + 4 * s
                    rest = total - card_sum[hi + s]
                    le[at] += rest - l0 + weights[at]
                    le[at + 1] += rest - l1 + weights[at + 1]
                    le[at + 2] += rest - l2 + weights[at + 2]
                    le[at + 3] += rest - l3 + weights[at + 3]
            else:
                lone = item - PAIRS
                slot = slots[lone]
                rest = total - card_sum[_SLOT_PLACES[slot, 0]] - card_sum[_SLOT_PLACES[slot, 1]]
                single[lone, 2] += rest + single[lone, 0]
        begin = after
    for lone in range(singles):
        slot = slots[lone]
        weights[slot], lt[slot], le[slot] = single[lone, 0], single[lone, 1], single[lone, 2]
    return total


@kernel
def sets_by_slot_kernel(packed):
    """The scratch of :func:`sweep_sets_kernel` for sets of hands, ``int64[1326]``: 1 in the lane of every set that
    holds the hand."""
    by_slot = np.zeros(SLOTS, np.int64)
    for c in range(1326):
        by_slot[SLOT_OF_COMBO[c]] = packed[c]
    keys = np.empty((4, _MAX_KEYS), np.uint16)
    return by_slot, np.empty((3, SLOTS), np.int64), keys, np.empty(1176, np.int16), np.empty((1176, 3), np.int64)


@kernel
def sweep_sets_kernel(full, scratch, met, points):
    """Every hand on a full board against several sets of hands at once: how many of each set it can meet, and two
    points for each that it beats and one for a tie. Numbers of three sets are packed into one word of three lanes of
    20 bits: sums and differences of whole words do all lanes, as no lane of a result is below 0.

    Args:
        full: ``uint8[5]``.
        scratch: of :func:`sets_by_slot_kernel`.
        met, points: ``int64[1326]``, filled; 0 for hands that the board blocks.
    """
    by_slot, sums, keys, slots, single = scratch
    w, lt, le = sums[0], sums[1], sums[2]
    w[:] = by_slot
    lt[:] = 0
    le[:] = 0
    mask = np.uint64(0)
    for k in range(5):
        mask |= CARD_MASK[full[k]]
        for m in range(51):
            w[CARD_SLOTS[full[k], m]] = 0
    card_sum = np.empty(52, np.int64)
    total = _sweep_board(full, w, lt, le, keys[0], keys[1], keys[2], keys[3], slots, single, card_sum)
    for c in range(1326):
        if COMBO_MASK[c] & mask != 0:
            met[c] = 0
            points[c] = 0
            continue
        slot = np.int64(SLOT_OF_COMBO[c])
        met[c] = total - card_sum[COMBO_PLACES[c, 0]] - card_sum[COMBO_PLACES[c, 1]] + w[slot]
        # The hand itself ties with nothing: it was counted in le and taken off.
        points[c] = lt[slot] + le[slot]


@kernel
def river_hand_kernel(a, b, board):
    """One hand against one uniform hand on a full board: of the 990, how many it beats and how many it ties with.

    Args:
        a, b: the hole cards (not on the board).
        board: ``uint8[5]``.
    """
    mask = np.uint64(0)
    suit, in_suit = flush_suit_kernel(board)
    live = np.full(13, 4, np.int64)
    suited = np.ones(13, np.int64)
    for k in range(5):
        mask |= CARD_MASK[board[k]]
        live[board[k] % 13] -= 1
        if board[k] // 13 == suit:
            suited[board[k] % 13] = 0
    live[a % 13] -= 1
    live[b % 13] -= 1
    if a // 13 == suit:
        suited[a % 13] = 0
    if b // 13 == suit:
        suited[b % 13] = 0
    mine = np.int64(strength_kernel(mask | CARD_MASK[a] | CARD_MASK[b]))
    strengths = np.empty(PAIRS, np.uint16)
    pair_strengths_kernel(board, strengths)
    if in_suit == 5:
        strengths[:] = strength_kernel(mask)
    win = 0
    tie = 0
    plain = 0
    if in_suit >= 4:
        # One card of the suit makes a flush and its partner does not matter: no full house is possible then.
        lane = mask & (np.uint64(0xFFFF) << np.uint64(16 * suit))
        for r in range(13):
            live[r] -= suited[r]
            plain += live[r]
        for r in range(13):
            if suited[r]:
                theirs = np.int64(strength_kernel(lane | _ONE << np.uint64(16 * suit + r)))
                win += plain * (theirs < mine)
                tie += plain * (theirs == mine)
    p = 0
    for h in range(13):
        for q in range(h + 1):
            hands = live[h] * (live[h] - 1) // 2 if h == q else live[h] * live[q]
            if in_suit == 3 and h != q:
                hands -= suited[h] * suited[q]
            theirs = np.int64(strengths[p])
            win += hands * (theirs < mine)
            tie += hands * (theirs == mine)
            p += 1
    if in_suit != 0:
        for h in range(1, 13):
            if suited[h]:
                for q in range(h):
                    if suited[q]:
                        two = _ONE << np.uint64(16 * suit + h) | _ONE << np.uint64(16 * suit + q)
                        theirs = np.int64(strength_kernel(mask | two))
                        win += theirs < mine
                        tie += theirs == mine
    return win, tie


@kernel
def runouts_kernel(n_board, dead):
    """The turns and rivers that complete a board of 3, 4 (only the river counts) or 5 cards (one empty runout).

    Args:
        dead: ``bool[52]``: cards that cannot come.

    Returns:
        ``uint8[m, 2]``, ascending.
    """
    out = np.zeros((1176, 2), np.uint8)
    n = 0
    for turn in range(52 if n_board == 3 else 1):
        if n_board == 3 and dead[turn]:
            continue
        for river in range(turn + 1 if n_board == 3 else 0, 52 if n_board < 5 else 1):
            if n_board == 5 or not dead[river]:
                out[n, 0] = turn
                out[n, 1] = river
                n += 1
    return out[:n]


@kernel
def table_cards_kernel(a, b, board, n_board):
    """A copy of the board (``uint8[5]``, the first ``n_board`` cards count) and the cards that it and the hole cards
    take out of the deck (``bool[52]``)."""
    full = np.zeros(5, np.uint8)
    dead = np.zeros(52, np.bool_)
    dead[a] = dead[b] = True
    for k in range(n_board):
        full[k] = board[k]
        dead[board[k]] = True
    return full, dead


@kernel
def hand_kernel(a, b, board, n_board):
    """Win rate (ties half) of one hand against one uniform hand on 3, 4 or 5 board cards, over every runout.

    Args:
        a, b: the hole cards.
        board: ``uint8[5]``, the first ``n_board`` cards count. About 1 µs on a river, 50 µs on a turn, 1 ms on a flop.
    """
    full, dead = table_cards_kernel(a, b, board, n_board)
    if n_board == 5:
        win, tie = river_hand_kernel(a, b, full)
        return (2 * win + tie) / 1980.0
    points = 0
    rest = runouts_kernel(n_board, dead)
    for i in range(rest.shape[0]):
        full[n_board:] = rest[i, n_board - 3 :]
        win, tie = river_hand_kernel(a, b, full)
        points += 2 * win + tie
    return points / (1980.0 * rest.shape[0])


@kernel
def _card_sums(w, card_sum):
    """Weight of all hands with each card, by rank * 4 + suit, into ``card_sum`` (``float64[52]``)."""
    card_sum[:] = 0.0
    for p in range(PAIRS):
        hi = np.int64(PAIR_HI[p]) * 4
        lo = np.int64(PAIR_LO[p]) * 4
        for s in range(4):
            at = 16 * p + 4 * s
            card_sum[hi + s] += (w[at] + w[at + 1]) + (w[at + 2] + w[at + 3])
        for s in range(4):
            at = 16 * p + s
            card_sum[lo + s] += (w[at] + w[at + 4]) + (w[at + 8] + w[at + 12])


@kernel
def _block(card, w, lt, le, saved):
    """Take the hands that hold ``card`` out of ``w`` and save their values in ``saved`` (``float64[51, 3]``)."""
    for k in range(51):
        slot = CARD_SLOTS[card, k]
        saved[k, 0], saved[k, 1], saved[k, 2] = w[slot], lt[slot], le[slot]
        w[slot] = 0.0


@kernel
def _unblock(card, w, lt, le, saved):
    """Undo :func:`_block` and discard what was added to those hands meanwhile."""
    for k in range(51):
        slot = CARD_SLOTS[card, k]
        w[slot], lt[slot], le[slot] = saved[k, 0], saved[k, 1], saved[k, 2]


@kernel
def sweep_kernel(board, n_board, weights, win, tie, total):
    """Every hand against a weighted range, summed over all runouts of a board of 3, 4 or 5 cards.

    Args:
        board: ``uint8[5]``, the first ``n_board`` different cards count.
        n_board: 3, 4 or 5.
        weights: ``float64[1326]``, any non-negative weights; those of blocked hands are taken as 0.
        win, tie, total: ``float64[1326]``, filled with the weight of opposing hands that the hand beats, ties with and
            meets (the sum over runouts); all 0 for blocked hands. Multiply by the hand's own weight for range
            against range.
    """
    w, lt, le = np.zeros(SLOTS), np.zeros(SLOTS), np.zeros(SLOTS)
    keys, ids = np.empty(_MAX_KEYS, np.uint16), np.empty(_MAX_KEYS, np.uint16)
    keys2, ids2 = np.empty(_MAX_KEYS, np.uint16), np.empty(_MAX_KEYS, np.uint16)
    slots = np.empty(1176, np.int16)
    single = np.empty((1176, 3))
    card_sum = np.zeros(52)
    kept4, kept5 = np.empty((51, 3)), np.empty((51, 3))
    full = np.empty(5, np.uint8)
    on_board = np.zeros(52, np.bool_)
    for k in range(n_board):
        full[k] = board[k]
        on_board[board[k]] = True
    for c in range(1326):
        w[SLOT_OF_COMBO[c]] = weights[c]
    for k in range(n_board):
        for m in range(51):
            w[CARD_SLOTS[board[k], m]] = 0.0

    runouts = 1.0
    if n_board == 5:
        _sweep_board(full, w, lt, le, keys, ids, keys2, ids2, slots, single, card_sum)
    elif n_board == 4:
        runouts = 44.0
        for river in range(52):
            if not on_board[river]:
                full[4] = river
                _block(river, w, lt, le, kept5)
                _sweep_board(full, w, lt, le, keys, ids, keys2, ids2, slots, single, card_sum)
                _unblock(river, w, lt, le, kept5)
    else:
        runouts = 990.0
        for turn in range(51):
            if on_board[turn]:
                continue
            full[3] = turn
            _block(turn, w, lt, le, kept4)
            for river in range(turn + 1, 52):
                if not on_board[river]:
                    full[4] = river
                    _block(river, w, lt, le, kept5)
                    _sweep_board(full, w, lt, le, keys, ids, keys2, ids2, slots, single, card_sum)
                    _unblock(river, w, lt, le, kept5)
            _unblock(turn, w, lt, le, kept4)

    _card_sums(w, card_sum)
    everything = 0.0
    for weight in card_sum:
        everything += weight
    everything *= 0.5
    # Sums and differences of weights leave rounding of this size where the true value is 0.
    nothing = everything * 1e-12
    for k in range(n_board):
        card_sum[board[k] % 13 * 4 + board[k] // 13] = np.inf  # nothing is met with a card of the board
    for c in range(1326):
        slot = np.int64(SLOT_OF_COMBO[c])
        met = everything - card_sum[COMBO_PLACES[c, 0]] - card_sum[COMBO_PLACES[c, 1]] + w[slot]
        met = met * runouts if met > nothing else 0.0
        less = min(max(lt[slot], 0.0), met)
        total[c] = met
        win[c] = less
        tie[c] = min(max(le[slot] - lt[slot], 0.0), met - less)
