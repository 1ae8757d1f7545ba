"""Exact equity: before the flop by rank multisets, later by running through the runouts.

Before the flop a board is not dealt card by card. Without a flush only its ranks count: 6,175 multisets, each standing
for as many boards as there are live cards of its ranks to choose from. They are the products of a part in the low
ranks (247 of them) and a part in the high ranks (1,279), so weights and keys come as one product and one sum.

Boards on which somebody has a flush are counted beside it. For suit s let a rank with x (0 or 1) live cards of the suit
and y others contribute x + y z for one card, C(y, 2) z^2 + x y z for two, x C(y, 2) z^2 + ... for three: in the product
over the ranks of a multiset the coefficient of z^k says how many of its boards have k cards of another suit, 5 - k of
this one. A player with m cards of the suit has a flush when k <= m <= 2. A polynomial is one integer with 21 bits for
each of the coefficients of 1, z, z^2 (a deck has 2,598,960 boards of five but only 1,712,304 < 2^21 are left beside
four cards), the product of polynomials the product of integers, higher powers drop out above bit 63.
"""

from itertools import combinations

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, hand_value_table
from dupai.cards.kernels import CARD_KEY, FLUSH_STRENGTH, rank_strength_kernel, strength_kernel
from dupai.equity._kernels.monte_carlo import best_kernel

#: Key of a card by its rank alone: the suit counters in the low bits play no part in a look-up without flush.
_RANK_KEY = CARD_KEY[:13] & np.uint64(0xFFFFFFFF00000000)
#: The lowest strength that beats every flush but a straight flush, and the lowest straight flush.
_FULL_HOUSE, _STRAIGHT_FLUSH = (int(np.flatnonzero((hand_value_table() >> 20) >= kind)[0]) for kind in (6, 8))
#: Split of the ranks: deuce to six, seven to ace.
_SPLIT = 5
_BITS = 21
_COEFFICIENT = (1 << _BITS) - 1
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_CHOOSE = np.array([[1, n, n * (n - 1) // 2, n * (n - 1) * (n - 2) // 6, int(n == 4)] for n in range(5)], np.int64)
_SUBSETS5, _SUBSETS4, _SUBSETS3 = (
    np.array([sum(1 << r for r in c) for c in combinations(range(13), n)], np.int64) for n in (5, 4, 3)
)


def _parts(ranks):
    """Multisets of at most five cards over ``ranks``, by size: how each grows from an earlier one by one rank.

    Returns:
        parent, rank, count (``int64[m]``: the multiset without its last rank, that rank, how many of it), key
        (``uint64[m]``) and start (``int64[7]``: first multiset of each size).
    """
    all_ = sorted(_counts(len(ranks), 5), key=lambda c: (sum(c), c))
    place = {c: i for i, c in enumerate(all_)}
    rows = np.zeros((3, len(all_)), np.int64)
    keys = np.zeros(len(all_), np.uint64)
    for i, c in enumerate(all_):
        if sum(c):
            last = max(k for k, n in enumerate(c) if n)
            rows[:, i] = place[(*c[:last], 0, *c[last + 1 :])], ranks[last], c[last]
            with np.errstate(over="ignore"):
                keys[i] = (np.array(c, np.uint64) * _RANK_KEY[list(ranks)]).sum()
    start = np.searchsorted([sum(c) for c in all_], np.arange(7)).astype(np.int64)
    return (*rows, keys, start)


def _counts(ranks, most):
    """Every way to have at most ``most`` cards, at most four of a rank."""
    if ranks == 0:
        return [()]
    return [(n, *rest) for n in range(min(4, most) + 1) for rest in _counts(ranks - 1, most - n)]


_LOW_PARENT, _LOW_RANK, _LOW_COUNT, _LOW_KEY, _LOW_START = _parts(range(_SPLIT))
_HIGH_PARENT, _HIGH_RANK, _HIGH_COUNT, _HIGH_KEY, _HIGH_START = _parts(range(_SPLIT, 13))


@kernel
def _live(gone, live, lanes):
    """Live cards by rank (``int64[13]``) and by suit as lanes (``int64[4]``), given the mask of those that are gone."""
    left = 0
    for r in range(13):
        live[r] = 0
    for s in range(4):
        lanes[s] = 0
        for r in range(13):
            if (gone >> np.uint64(16 * s + r)) & _ONE == 0:
                live[r] += 1
                lanes[s] |= 1 << r
                left += 1
    return left


@kernel
def _fill(parent, rank, count, live, factor):
    """Boards (``int64[m]``) and polynomials (``int64[4, m]``) of every part, each from its parent by one product."""
    weight, poly = np.empty(parent.size, np.int64), np.empty((4, parent.size), np.int64)
    weight[0] = poly[0, 0] = poly[1, 0] = poly[2, 0] = poly[3, 0] = 1
    for i in range(1, weight.size):
        q = parent[i]
        r = rank[i]
        c = count[i]
        weight[i] = weight[q] * _CHOOSE[live[r], c]
        for s in range(4):
            poly[s, i] = poly[s, q] * factor[s, r, c]
    return weight, poly


@kernel
def _multisets(live, lanes):
    """Boards and polynomials of the parts in the low and in the high ranks, given the live cards by rank and suit."""
    factor = np.zeros((4, 13, 5), np.int64)
    for s in range(4):
        for r in range(13):
            x = lanes[s] >> r & 1
            y = live[r] - x
            factor[s, r, 0] = 1
            factor[s, r, 1] = x + (y << _BITS)
            factor[s, r, 2] = (x * y << _BITS) + (_CHOOSE[y, 2] << 2 * _BITS)
            factor[s, r, 3] = x * _CHOOSE[y, 2] << 2 * _BITS
    low, low_poly = _fill(_LOW_PARENT, _LOW_RANK, _LOW_COUNT, live, factor)
    high, high_poly = _fill(_HIGH_PARENT, _HIGH_RANK, _HIGH_COUNT, live, factor)
    return low, low_poly, high, high_poly


@kernel
def _both_flush(in_suit, most, other, lane, x, y):
    """Boards of one suit on which both players have a flush: wins of the first, ties.

    Args:
        in_suit: live cards of the suit; ``lane`` the same as a set of ranks.
        most: how many cards of other suits the board may have.
        other: live cards of other suits.
        x, y: the players' cards of the suit.
    """
    win = tie = 0
    if x | y == 0:
        return 0, in_suit * (in_suit - 1) * (in_suit - 2) * (in_suit - 3) * (in_suit - 4) // 120
    no = ~lane
    for k in range(most + 1):
        subsets = _SUBSETS5 if k == 0 else (_SUBSETS4 if k == 1 else _SUBSETS3)
        w = 0
        t = 0
        for j in range(subsets.size):
            b = subsets[j]
            if b & no == 0:
                mine = FLUSH_STRENGTH[b | x]
                theirs = FLUSH_STRENGTH[b | y]
                w += 1 if mine > theirs else 0
                t += 1 if mine == theirs else 0
        ways = 1 if k == 0 else (other if k == 1 else other * (other - 1) // 2)
        win += w * ways
        tie += t * ways
    return win, tie


@kernel
def _others(k, r, q, in_suit, live):
    """Ways to take one card (k = 1) of rank r or two (k = 2) of ranks q <= r that are not of a suit."""
    y = live[r] - (in_suit >> r & 1)
    if k == 1:
        return y
    return y * (y - 1) // 2 if q == r else y * (live[q] - (in_suit >> q & 1))


@kernel
def _straight_flush_saves(k, in_suit, live, lane, key):
    """Boards with 5 - k cards of a suit that give its holder a straight flush and the other a full house or quads.

    Args:
        k: 1 or 2; in_suit: live cards of the suit; live: live cards by rank.
        lane: cards of the suit that the holder has; key: the other's cards.
    """
    boards = 0
    for b in _SUBSETS4 if k == 1 else _SUBSETS3:
        if b & ~in_suit or FLUSH_STRENGTH[b | lane] < _STRAIGHT_FLUSH:
            continue
        full = key
        for r in range(13):
            if b >> r & 1:
                full += _RANK_KEY[r]
        for r in range(13):
            for q in range(r + 1 if k == 2 else 1):
                ways = _others(k, r, q, in_suit, live)
                if (
                    ways
                    and rank_strength_kernel(full + _RANK_KEY[r] + (_RANK_KEY[q] if k == 2 else _ZERO)) >= _FULL_HOUSE
                ):
                    boards += ways
    return boards


@kernel
def matchup_kernel(a0, a1, b0, b1, dead):
    """Hand against hand over every board of five: boards that the first wins, ties, boards in all.

    Args:
        a0, a1, b0, b1: four different cards.
        dead: ``uint64`` mask of further cards that are out of the deck.
    """
    # Long because its counters live in registers: helpers that take the arrays would keep counting references.
    live = np.empty(13, np.int64)
    lanes = np.empty(4, np.int64)
    gone = np.uint64(dead) | CARD_MASK[a0] | CARD_MASK[a1] | CARD_MASK[b0] | CARD_MASK[b1]
    left = _live(gone, live, lanes)
    lane_a, lane_b = np.zeros(4, np.int64), np.zeros(4, np.int64)
    suited_a, suited_b = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for c in (a0, a1):
        lane_a[c // 13] |= 1 << (c % 13)
        suited_a[c // 13] += 1
    for c in (b0, b1):
        lane_b[c // 13] |= 1 << (c % 13)
        suited_b[c // 13] += 1
    low, low_poly, high, high_poly = _multisets(live, lanes)

    # Coefficients that mean: only the first has a flush, only the second, somebody has one.
    only_a, only_b, some = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    for s in range(4):
        for k in range(3):
            bits = _COEFFICIENT << (_BITS * k)
            if k <= suited_a[s] or k <= suited_b[s]:
                some[s] |= bits
            if suited_b[s] < k <= suited_a[s]:
                only_a[s] |= bits
            if suited_a[s] < k <= suited_b[s]:
                only_b[s] |= bits
    a_0, a_1, a_2, a_3 = only_a[0], only_a[1], only_a[2], only_a[3]
    b_0, b_1, b_2, b_3 = only_b[0], only_b[1], only_b[2], only_b[3]
    m_0, m_1, m_2, m_3 = some[0], some[1], some[2], some[3]
    h_0, h_1, h_2, h_3 = high_poly[0], high_poly[1], high_poly[2], high_poly[3]
    key_a = _RANK_KEY[a0 % 13] + _RANK_KEY[a1 % 13]
    key_b = _RANK_KEY[b0 % 13] + _RANK_KEY[b1 % 13]
    win = 0
    tie = 0
    for size in range(6):
        first = _HIGH_START[5 - size]
        end = _HIGH_START[6 - size]
        for i in range(_LOW_START[size], _LOW_START[size + 1]):
            w0 = low[i]
            if w0 == 0:
                continue
            ka = key_a + _LOW_KEY[i]
            kb = key_b + _LOW_KEY[i]
            q_0, q_1, q_2, q_3 = low_poly[0, i], low_poly[1, i], low_poly[2, i], low_poly[3, i]
            for j in range(first, end):
                w = w0 * high[j]
                if w == 0:
                    continue
                sa = rank_strength_kernel(ka + _HIGH_KEY[j])
                sb = rank_strength_kernel(kb + _HIGH_KEY[j])
                p_0, p_1, p_2, p_3 = q_0 * h_0[j], q_1 * h_1[j], q_2 * h_2[j], q_3 * h_3[j]
                fa = (p_0 & a_0) + (p_1 & a_1) + (p_2 & a_2) + (p_3 & a_3)
                fb = (p_0 & b_0) + (p_1 & b_1) + (p_2 & b_2) + (p_3 & b_3)
                f = (p_0 & m_0) + (p_1 & m_1) + (p_2 & m_2) + (p_3 & m_3)
                w -= (f & _COEFFICIENT) + (f >> _BITS & _COEFFICIENT) + (f >> 2 * _BITS)
                # a flush of one player alone (k is 1 or 2 then) loses to a full house or quads, unless it is straight
                fa = (fa >> _BITS & _COEFFICIENT) + (fa >> 2 * _BITS)
                fb = (fb >> _BITS & _COEFFICIENT) + (fb >> 2 * _BITS)
                win += (w if sa > sb else 0) + (fa if sb < _FULL_HOUSE else 0) + (fb if sa >= _FULL_HOUSE else 0)
                tie += w if sa == sb else 0
    for s in range(4):
        in_suit = 0
        for r in range(13):
            in_suit += lanes[s] >> r & 1
        w, t = _both_flush(in_suit, min(suited_a[s], suited_b[s]), left - in_suit, lanes[s], lane_a[s], lane_b[s])
        win += w
        tie += t
        for k in range(1, 3):
            if suited_b[s] < k <= suited_a[s]:
                win += _straight_flush_saves(k, lanes[s], live, lane_a[s], key_b)
            elif suited_a[s] < k <= suited_b[s]:
                win -= _straight_flush_saves(k, lanes[s], live, lane_b[s], key_a)
    return win, tie, left * (left - 1) * (left - 2) * (left - 3) * (left - 4) // 120


@kernel
def matchups_kernel(hands, start, stop, win, tie):
    """:func:`matchup_kernel` for the rows ``start`` to ``stop`` of ``hands`` (``uint8[m, 4]``), full deck."""
    for i in range(start, stop):
        w, t, _ = matchup_kernel(
            np.int64(hands[i, 0]), np.int64(hands[i, 1]), np.int64(hands[i, 2]), np.int64(hands[i, 3]), np.uint64(0)
        )
        win[i] = w
        tie[i] = t


@kernel
def _winners(strengths, n):
    """Who has the greatest of ``n`` strengths, as a bit set."""
    best = 0
    winners = 0
    for p in range(n):
        best, winners = best_kernel(strengths[p], p, best, winners)
    return winners


@kernel
def deal_kernel(holes, n, dead, hist):
    """Several known hands over every board of five: adds the boards to ``hist[winners]`` (``int64[2**n]``).

    As :func:`matchup_kernel`, but boards with a flush are enumerated by their cards of the suit and the multiset of the
    others: half a millisecond for three hands.

    Args:
        holes: ``int64[n, 2]``, different cards.
        dead: ``uint64`` mask of further cards that are out of the deck.
    """
    live = np.empty(13, np.int64)
    lanes = np.empty(4, np.int64)
    gone = np.uint64(dead)
    suited = np.zeros((4, n), np.int64)
    lane = np.zeros((4, n), np.int64)
    keys = np.zeros(n, np.uint64)
    for p in range(n):
        for h in range(2):
            c = holes[p, h]
            gone |= CARD_MASK[c]
            suited[c // 13, p] += 1
            lane[c // 13, p] |= 1 << (c % 13)
            keys[p] += _RANK_KEY[c % 13]
    _live(gone, live, lanes)
    low, low_poly, high, high_poly = _multisets(live, lanes)
    some = np.zeros(4, np.int64)
    most = np.zeros(4, np.int64)
    for s in range(4):
        for p in range(n):
            most[s] = max(most[s], suited[s, p])
        some[s] = (1 << _BITS * (most[s] + 1)) - 1
    strengths = np.empty(n, np.int64)
    for size in range(6):
        for i in range(_LOW_START[size], _LOW_START[size + 1]):
            if low[i] == 0:
                continue
            for j in range(_HIGH_START[5 - size], _HIGH_START[6 - size]):
                w = low[i] * high[j]
                if w == 0:
                    continue
                f = 0
                for s in range(4):
                    f += low_poly[s, i] * high_poly[s, j] & some[s]
                w -= (f & _COEFFICIENT) + (f >> _BITS & _COEFFICIENT) + (f >> 2 * _BITS)
                key = _LOW_KEY[i] + _HIGH_KEY[j]
                for p in range(n):
                    strengths[p] = rank_strength_kernel(keys[p] + key)
                hist[_winners(strengths, n)] += w
    for s in range(4):
        no = ~lanes[s]
        for b in _SUBSETS5:
            if b & no == 0:
                for p in range(n):
                    strengths[p] = FLUSH_STRENGTH[b | lane[s, p]]
                hist[_winners(strengths, n)] += 1
        for k in range(1, most[s] + 1):
            _some_flush(k, lanes[s], live, suited[s], lane[s], keys, n, strengths, hist)


@kernel
def _some_flush(k, in_suit, live, suited, lane, keys, n, strengths, hist):
    """Boards with 5 - k cards of a suit of which some player has at least k: the rest of :func:`deal_kernel`."""
    for b in _SUBSETS4 if k == 1 else _SUBSETS3:
        if b & ~in_suit:
            continue
        key = np.uint64(0)
        for r in range(13):
            if b >> r & 1:
                key += _RANK_KEY[r]
        for p in range(n):
            if suited[p] >= k:
                strengths[p] = FLUSH_STRENGTH[b | lane[p]]
        for r in range(13):
            for q in range(r + 1 if k == 2 else 1):
                ways = _others(k, r, q, in_suit, live)
                if ways == 0:
                    continue
                board = key + _RANK_KEY[r] + (_RANK_KEY[q] if k == 2 else _ZERO)
                for p in range(n):
                    if suited[p] < k:
                        strengths[p] = rank_strength_kernel(keys[p] + board)
                hist[_winners(strengths, n)] += ways


@kernel
def deals_kernel(deals, weights, order, start, stop, dead, hist):
    """Weighted deals of hands before the flop: adds boards times weight to ``hist[winners]`` (``float64[2**n]``).

    Args:
        deals: ``int16[m, n]``, combos that share no card; ``weights`` ``float64[m]``.
        order: ``int32[m]``, the order in which the deals are taken, of which ``start`` to ``stop`` now.
    """
    n = deals.shape[1]
    boards = np.empty(1 << n, np.int64)
    holes = np.empty((n, 2), np.int64)
    for i in range(start, stop):
        d = order[i]
        if n == 2:
            a = deals[d, 0]
            b = deals[d, 1]
            win, tie, total = matchup_kernel(
                np.int64(COMBO_CARDS[a, 0]),
                np.int64(COMBO_CARDS[a, 1]),
                np.int64(COMBO_CARDS[b, 0]),
                np.int64(COMBO_CARDS[b, 1]),
                dead,
            )
            boards[1] = win
            boards[2] = total - win - tie
            boards[3] = tie
        else:
            for p in range(n):
                holes[p, 0] = COMBO_CARDS[deals[d, p], 0]
                holes[p, 1] = COMBO_CARDS[deals[d, p], 1]
            boards[:] = 0
            deal_kernel(holes, n, dead, boards)
        for winners in range(1, 1 << n):
            hist[winners] += weights[d] * boards[winners]


@kernel
def joint_deals_kernel(masks, weights, size, deals, joint):
    """All ways to deal one combo to each player without a card twice.

    Args:
        masks: ``uint64[n, m]``, the players' combos as masks, of player p the first ``size[p]``.
        weights: ``float64[n, m]``.
        deals: ``int16[k, n]`` filled with places in ``masks``; ``joint`` ``float64[k]`` with products of weights. With
            ``k == 0`` they are only counted.

    Returns:
        How many there are (more than k are not written).
    """
    n = size.size
    room = joint.size
    at = np.full(n, -1, np.int64)
    used = np.zeros(n + 1, np.uint64)
    product = np.ones(n + 1)
    count = 0
    p = 0
    while p >= 0:
        at[p] += 1
        if at[p] == size[p]:
            at[p] = -1
            p -= 1
            continue
        mask = masks[p, at[p]]
        if mask & used[p] != 0:
            continue
        used[p + 1] = used[p] | mask
        product[p + 1] = product[p] * weights[p, at[p]]
        if p + 1 < n:
            p += 1
            continue
        if count < room:
            for q in range(n):
                deals[count, q] = at[q]
            joint[count] = product[n]
        count += 1
    return count


@kernel
def runout_deals_kernel(masks, deals, weights, board, runouts, order, start, stop, strengths, hist):
    """Weighted deals over runouts: adds weights to ``hist[winners]`` (``float64[2**n]``).

    Args:
        masks: ``uint64[u]``, the combos that the deals use.
        deals: ``int16[m, n]``, places in ``masks``; ``weights`` ``float64[m]``.
        board: mask of the board; ``runouts`` ``uint64[r]`` masks of what completes it to five cards.
        order: ``int32[r]``, the order of the runouts, as in :func:`deals_kernel`.
        strengths: ``int64[u]``, scratch.
    """
    n = deals.shape[1]
    for i in range(start, stop):
        runout = runouts[order[i]]
        full = board | runout
        for u in range(masks.size):
            strengths[u] = strength_kernel(masks[u] | full) if masks[u] & runout == 0 else -1
        for d in range(deals.shape[0]):
            best = 0
            winners = 0
            for p in range(n):
                s = strengths[deals[d, p]]
                if s < 0:
                    winners = 0
                    break
                best, winners = best_kernel(s, p, best, winners)
            hist[winners] += weights[d]
