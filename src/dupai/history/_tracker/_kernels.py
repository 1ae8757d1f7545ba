"""The one place where hands become counters: batches of a million as well as the one hand that an agent has just seen.

Each hand is played through the rules engine; before every action the facts of the decision are collected, and each
statistic checks whether it applies. All facts are bits of int64 (``_facts``).
"""

import numpy as np

from dupai.base import kernel
from dupai.history._kernels.replay import uncalled_kernel
from dupai.history._tracker import _facts as F
from dupai.history._tracker._definitions import EACH, HAND_UNIT
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, start_kernel
from dupai.spots import BIG_BLIND, BUTTON, LATE, POSITION_CLASS, SMALL_BLIND

# The story of the hand, int64[10]: street; bets and raises on it; who made the last and the one before (-1: nobody);
# calls since; who made the last bet or raise of the street before; who raised last before the flop; who made a c-bet on
# this street; and on the street before, keeping the lead; whether the first raise was a steal.
_STREET, _RAISES, _LAST, _BEFORE, _CALLS, _LEADER, _PFR, _CBET, _CBET_BEFORE, _STEAL = range(10)
# Of each player, int64[10, 6]: actions on this street, checked and entered (called or raised) on it, statistics counted
# on this street, facts of the hand, role before the flop.
_ACTED, _CHECKED, _ENTERED, _COUNTED, _WORD, _ROLE = range(6)
_LIMIT = 1
_N_CLASSES = len(F.SIZE_CLASSES)
_ALL_IN = _N_CLASSES - 1
_LAST_END = len(F.SIZE_ENDS)
_MAX_FRACTION = 20_000
#: Results beyond 100,000 big blinds count as that in the sum of squares, which must stay inside int64.
_MAX_RESULT = 100_000_000


@kernel
def _begin(t, w, n):
    """Begin a hand."""
    for k in (_LAST, _BEFORE, _LEADER, _PFR, _CBET, _CBET_BEFORE):
        t[k] = -1
    for k in (_STREET, _RAISES, _CALLS, _STEAL):
        t[k] = 0
    for p in range(n):
        for k in range(6):
            w[p, k] = 0
        w[p, _WORD] = F.DEALT


@kernel
def _next_street(t, w, n, street):
    """A new street has begun."""
    if t[_STREET] == 0:
        t[_PFR] = t[_LAST]
    t[_LEADER] = t[_LAST]
    t[_CBET_BEFORE] = t[_CBET] if t[_CBET] >= 0 and t[_LAST] == t[_CBET] else -1
    t[_STREET] = street
    for k in (_LAST, _BEFORE, _CBET):
        t[k] = -1
    for k in (_RAISES, _CALLS):
        t[k] = 0
    for p in range(n):
        for k in (_ACTED, _CHECKED, _ENTERED, _COUNTED):
            w[p, k] = 0


@kernel
def _situation(s, t, w, p, to_call, max_to):
    """The facts that hold when ``p`` is to act."""
    h = s[0]
    street = t[_STREET]
    place = POSITION_CLASS[h["players"], p]
    facts = np.int64(F.PREFLOP) << street
    facts |= np.int64(F.R0) << min(t[_RAISES], np.int64(4)) if t[_RAISES] < 4 else np.int64(0)
    facts |= F.POSTFLOP * (street > 0)
    facts |= F.FACING * (to_call > 0)
    facts |= F.CAN_RAISE * (max_to > 0)
    facts |= F.CALLERS * (t[_CALLS] > 0)
    facts |= F.ENTERED * (w[p, _ENTERED] != 0)
    facts |= F.CHECKED_BEFORE * (w[p, _CHECKED] != 0)
    facts |= F.RERAISED * (t[_RAISES] > 1 and t[_BEFORE] == p)
    facts |= F.STEAL_SEAT * (place in (LATE, BUTTON, SMALL_BLIND))
    facts |= F.IN_BLIND * (place in (SMALL_BLIND, BIG_BLIND))
    if street == 0:
        facts |= F.UNOPENED * (t[_RAISES] == 0 and t[_CALLS] == 0 and to_call > 0)
        facts |= F.FACING_STEAL * (t[_STEAL] != 0 and t[_RAISES] == 1 and t[_CALLS] == 0)
        return facts
    facts |= F.PF_RAISER * (t[_PFR] == p)
    facts |= F.CBET_BEFORE * (t[_CBET_BEFORE] == p)
    facts |= F.FACING_CBET * (t[_CBET] >= 0 and t[_CBET] != p and t[_RAISES] == 1)
    leader = t[_LEADER]
    if leader < 0 or leader == p or w[leader, _ACTED] != 0:
        return facts
    if h["folded"][leader] == 0 and h["all_in"][leader] == 0:
        facts |= F.LEADER_BEHIND
    return facts


@kernel
def _remember(story, by_player, player, facts, kind, counts):
    """Update the story and the facts of the player's hand by the action; ``counts`` says whether the rules count a
    raise as one. (An all-in of less than half a bet may be none in limit games: to the others it is a call.)"""
    street = story[_STREET]
    raises = story[_RAISES]
    word = by_player[player, _WORD]
    by_player[player, _ACTED] += 1
    if street == 0:
        word |= F.DECIDED
        if facts & F.RERAISED:
            word |= F.FACED_RERAISE
    elif street == 1:
        if facts & F.FACING_CBET:
            word |= F.FACED_CBET_FLOP
        if facts & F.PF_RAISER and facts & F.R0 and facts & F.CAN_RAISE:
            word |= F.CBET_FLOP if kind == RAISE else F.NO_CBET_FLOP
    if kind == FOLD:
        word |= F.FOLDED | (street << F.STREET_SHIFT)
    elif kind == RAISE:
        if street == 0:
            word |= F.VPIP | F.PFR
            by_player[player, _ROLE] = 2 + 2 * min(raises, np.int64(2))
        if counts:
            if street == 0 and facts & F.UNOPENED and facts & F.STEAL_SEAT:
                story[_STEAL] = 1
            if raises == 0 and (facts & F.CBET_BEFORE or (street == 1 and facts & F.PF_RAISER)):
                story[_CBET] = player
            story[_BEFORE] = story[_LAST]
            story[_LAST] = player
            story[_RAISES] += 1
            story[_CALLS] = 0
        else:
            story[_CALLS] += 1
        by_player[player, _ENTERED] = 1
    elif facts & F.FACING:
        if street == 0:
            word |= F.VPIP
            by_player[player, _ROLE] = 1 + 2 * min(raises, np.int64(3))
        story[_CALLS] += 1
        by_player[player, _ENTERED] = 1
    else:
        if street == 0 and by_player[player, _ROLE] == 0:
            by_player[player, _ROLE] = 8
        by_player[player, _CHECKED] = 1
    by_player[player, _WORD] = word


@kernel
def _count_decision(facts, counted, masks, counts):
    """Count every statistic of decisions that these facts concern into a row; returns ``counted`` with those added."""
    for d in range(masks.shape[0]):
        if masks[d, 4] & HAND_UNIT or facts & masks[d, 0] != masks[d, 0] or facts & masks[d, 2]:
            continue
        if (masks[d, 1] and not facts & masks[d, 1]) or (counted >> d) & 1:
            continue
        counts[2 * d] += 1
        if facts & masks[d, 3]:
            counts[2 * d + 1] += 1
        if not masks[d, 4] & EACH:
            counted |= np.int64(1) << d
    return counted


@kernel
def _count_size(s, t, p, to, to_call, counts, start):
    """Count a bet or raise in its group and class: chips beyond the call, in thousandths of the pot after it."""
    h = s[0]
    pot = to_call
    for i in range(h["players"]):
        pot += h["total"][i] + h["ante"][i]
    beyond = to - h["total"][p] - to_call
    street = t[_STREET]
    group = np.int64(0) if street == 0 else 2 * street - 1 + min(t[_RAISES], np.int64(1))
    at = start + group * F.SIZE_WIDTH
    if to == h["total"][p] + h["stack"][p]:
        counts[at + _ALL_IN] += 1
        return
    fraction = (2000 * beyond + pot) // (2 * pot) if pot > 0 else np.int64(_MAX_FRACTION)
    fraction = min(fraction, np.int64(_MAX_FRACTION))
    k = np.int64(0)
    while k < _LAST_END and fraction >= F.SIZE_ENDS[k]:
        k += 1
    counts[at + k] += 1
    counts[at + _N_CLASSES] += fraction
    counts[at + _N_CLASSES + 1] += fraction * fraction


@kernel
def _result(payoff, units):
    """``(millionths, thousandths)`` of a big blind, rounded, of a payoff where ``units`` are a big blind."""
    whole = payoff // units
    rest = payoff - whole * units
    fine = whole * 1_000_000 + (2_000_000 * rest + units) // (2 * units)
    return fine, (fine + 500) // 1000


@kernel
def _finish(s, spec, w, payoffs, words):
    """Complete the facts of the hand for every player into ``words``."""
    h = s[0]
    n = h["players"]
    split = spec[0]["split"]
    alone, back = uncalled_kernel(s, spec)
    for p in range(n):
        word = w[p, _WORD]
        folded = (word & F.FOLDED) != 0
        if not folded:
            word |= h["street"] << F.STREET_SHIFT
        last = (word >> F.STREET_SHIFT) & 3
        if last > 0:
            word |= F.SAW_FLOP
        if not folded and h["live"] > 1:
            word |= F.SHOWDOWN
        put = h["total"][p] + h["ante"][p] - (back if p == alone else np.int64(0))
        if not folded and payoffs[p] + put * split > 0:
            word |= F.WON
        words[p] = word | (w[p, _ROLE] << F.ROLE_SHIFT)


@kernel
def _start(s, spec, stacks):
    for p in range(spec[0]["players"]):
        s[0]["stack"][p] = stacks[p]
    start_kernel(s, spec)


@kernel
def tally_kernel(hands, rows, masks, scratch, s, counts, words, codes):
    """Count hands (the first seven fields of :class:`HandBatch`, ``n`` hands) into ``counts``.

    ``rows int64[n, 10]`` is the row of ``counts int64[r, columns]`` for each position, -1: none; ``masks`` are the
    statistics. ``words int64[n, 10]`` gets the facts of the hands, ``codes int64[n]`` 0, or 1 + the index of the action
    at which a hand cannot be played (such a hand is counted nowhere). ``scratch int64[m]``, as long as the longest
    hand, and ``s`` (``STATE_DTYPE[1]``) are working space.
    """
    specs, spec_of, stacks, firsts, kind, totals, payoffs = hands
    sizes = 2 * masks.shape[0]
    t = np.zeros(10, np.int64)
    w = np.zeros((10, 6), np.int64)
    h = s[0]
    for i in range(spec_of.shape[0]):
        k = spec_of[i]
        spec = specs[k : k + 1]
        n = spec[0]["players"]
        begin, end = firsts[i], firsts[i + 1]
        # Play the hand twice: first to see whether it can be played at all, then to count.
        codes[i] = _check(s, spec, stacks[i], begin, end, kind, totals, scratch)
        if codes[i] != 0:
            continue
        _start(s, spec, stacks[i])
        _begin(t, w, n)
        for a in range(begin, end):
            if h["finished"] != 0:
                break
            p = h["actor"]
            if h["street"] != t[_STREET]:
                _next_street(t, w, n, h["street"])
            _, to_call, _, max_to = legal_kernel(s, spec)
            act = np.int64(kind[a])
            size = scratch[a - begin]
            facts = _situation(s, t, w, p, to_call, max_to)
            passive = F.DID_CALL if to_call > 0 else F.DID_CHECK
            done = facts | (F.DID_RAISE if act == RAISE else F.DID_FOLD if act == FOLD else passive)
            row = rows[i, p]
            if row >= 0:
                w[p, _COUNTED] = _count_decision(done, w[p, _COUNTED], masks, counts[row])
                if act == RAISE and spec[0]["betting"] != _LIMIT:
                    _count_size(s, t, p, size, to_call, counts[row], sizes)
            raises = h["raises"]
            apply_kernel(s, spec, act, size)
            _remember(t, w, p, facts, act, act == RAISE and h["raises"] > raises)
        _finish(s, spec, w, payoffs[i], words[i])
        units = spec[0]["big_blind"]
        if units == 0:  # no blinds: count in the largest ante, or else in chips
            units = max(spec[0]["antes"].max(), np.int64(1))
        _count_hand(words[i], payoffs[i], rows[i], n, units * spec[0]["split"], masks, counts)


@kernel
def _count_hand(words, payoffs, rows, n, units, masks, counts):
    """Count the statistics of hands, and the money (``units`` are a big blind)."""
    money = counts.shape[1] - F.MONEY_WIDTH
    share, _ = _result(-payoffs[:n].sum(), units * n)
    for p in range(n):
        row = rows[p]
        if row < 0:
            continue
        word = words[p]
        for d in range(masks.shape[0]):
            if masks[d, 4] & HAND_UNIT == 0 or word & masks[d, 0] != masks[d, 0] or word & masks[d, 2]:
                continue
            counts[row, 2 * d] += 1
            if word & masks[d, 3]:
                counts[row, 2 * d + 1] += 1
        fine, coarse = _result(payoffs[p], units)
        coarse = min(max(coarse, np.int64(-_MAX_RESULT)), np.int64(_MAX_RESULT))
        counts[row, money] += 1
        counts[row, money + 1] += fine
        counts[row, money + 2] += coarse * coarse
        counts[row, money + 3] += share


@kernel
def _check(s, spec, stacks, begin, end, kind, to, sizes):
    """Play the actions: 0 if they are legal and end the hand, else 1 + the index of the first that does not fit.
    ``sizes`` gets the totals of the raises, those of limit games computed. Checks that a log writes after the end (of
    players who are all-in) are accepted."""
    h = s[0]
    _start(s, spec, stacks)
    a = begin
    while a < end and h["finished"] == 0:
        act = np.int64(kind[a])
        size = np.int64(0)
        if act == RAISE:
            _, _, min_to, max_to = legal_kernel(s, spec)
            size = min_to if spec[0]["betting"] == _LIMIT else to[a]
            if min_to == 0 or size < min_to or size > max_to:
                return a - begin + 1
        sizes[a - begin] = size
        apply_kernel(s, spec, act, size)
        a += 1
    while a < end:
        if kind[a] != CALL:
            return a - begin + 1
        a += 1
    return np.int64(0) if h["finished"] != 0 else end - begin + 1
