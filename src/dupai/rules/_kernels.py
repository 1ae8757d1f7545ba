"""The rules as kernels over one-element structured arrays: ``s`` of ``STATE_DTYPE``, ``spec`` of ``SPEC_DTYPE``.

``to`` is everywhere a player's total of live chips in the hand (blinds and earlier streets included, antes not).

Sources: for casino rules the Tournament Directors Association's rules 2024 (reopening: 47; odd chips: 20) and
Robert's Rules of Poker, version 11 (limit all-ins of less than half a bet: its section on betting and raising); for
ACPC rules the reference dealer as its protocol notes describe it.
"""

import numpy as np

from dupai.base import kernel, next_below, uncounted_kernel
from dupai.cards import CARD_MASK
from dupai.cards.kernels import strength_kernel
from dupai.rules._layout import FOLD, LIMIT, POT_LIMIT, RAISE

#: The reference dealer keeps at most this many actions a round and refuses raises that might overrun them.
_ACPC_ROUND_ACTIONS = 64


@uncounted_kernel
def _call_level(s):
    """The total that calling leads to: ``top``, but never more than a live opponent has put in when nobody else can act
    (a big blind that was posted short leaves the nominal blind above what anybody can win)."""
    h = s[0]
    top = h["top"]
    if h["able"] == 1:
        p = h["actor"]
        most = np.int64(0)
        for i in range(h["players"]):
            if i != p and h["folded"][i] == 0 and h["total"][i] > most:
                most = h["total"][i]
        if most < top:
            top = max(most, h["total"][p])
    return top


@uncounted_kernel
def legal_kernel(s, spec):
    """What the actor may do: ``(fold, to_call, min_to, max_to)``, int64 each.

    ``fold`` is 1 when there is a bet to fold to; ``to_call`` the chips a call costs (0: check); ``min_to`` and
    ``max_to`` the smallest and largest total to raise to, both 0 when no raise is allowed. All 0 when the hand is over.
    """
    h = s[0]
    g = spec[0]
    zero = np.int64(0)
    if h["finished"] != 0:
        return zero, zero, zero, zero
    p = h["actor"]
    mine = h["total"][p]
    stack = h["stack"][p]
    top = h["top"]
    most = mine + stack
    level = top if h["able"] > 1 else _call_level(s)
    to_call = min(level - mine, stack)
    fold = np.int64(1) if to_call > 0 else zero
    street = h["street"]
    if h["able"] < 2 or most <= top or h["raises"] >= g["max_raises"][street]:
        return fold, to_call, zero, zero
    betting = g["betting"]
    size = g["bet_sizes"][street] if betting == LIMIT else h["min_to"] - top
    if g["acpc"] != 0:
        if h["acts"] + h["players"] > _ACPC_ROUND_ACTIONS:
            return fold, to_call, zero, zero
    elif h["acted"][p] != 0:
        # A player who has acted may raise again only when facing at least a full raise (limit: half a bet), made by
        # one raise or by several short all-ins together (TDA rule 47).
        faced = top - mine
        if (2 * faced if betting == LIMIT else faced) < size:
            return fold, to_call, zero, zero
    if betting == LIMIT:
        # Casino rule: an all-in of less than half a bet is completed, not raised.
        lowest = min(top + size if g["acpc"] != 0 else h["min_to"], most)
        return fold, to_call, lowest, lowest
    lowest = min(top + size, most)
    if betting == POT_LIMIT:
        pot = top - mine
        for i in range(h["players"]):
            pot += h["total"][i] + h["ante"][i]
        most = max(min(most, top + pot), lowest)
    return fold, to_call, lowest, most


@uncounted_kernel
def _finish(s, street):
    h = s[0]
    h["street"] = street
    h["finished"] = 1
    h["actor"] = -1
    h["pending"] = 0


@uncounted_kernel
def _able_from(s, p):
    """The first position from ``p`` clockwise that is neither folded nor all-in (one must exist)."""
    h = s[0]
    n = h["players"]
    if p >= n:
        p -= n
    while h["folded"][p] != 0 or h["all_in"][p] != 0:
        p += 1
        if p == n:
            p = np.int64(0)
    return p


@uncounted_kernel
def _nothing_to_decide(s):
    """Casino rule: the only player who can still act has matched every live opponent."""
    h = s[0]
    p = _able_from(s, np.int64(0))
    matched = True
    for i in range(h["players"]):
        if i != p and h["folded"][i] == 0 and h["total"][i] > h["total"][p]:
            matched = False
    return matched


@uncounted_kernel
def _proceed(s, spec, after):
    """Find the next player to act from position ``after`` on, or close the street, or end the hand."""
    h = s[0]
    g = spec[0]
    able = h["able"]
    if h["live"] == 1:
        _finish(s, h["street"])
        return
    nobody_left = able == 0 or (able == 1 and h["pending"] == 0)
    if nobody_left or (able == 1 and g["acpc"] == 0 and _nothing_to_decide(s)):
        _finish(s, np.int64(3))
        return
    if h["pending"] > 0:
        h["actor"] = _able_from(s, after)
        return
    street = h["street"]
    if street == 3:
        _finish(s, street)
        return
    street += 1
    h["street"] = street
    for i in range(h["players"]):
        h["bet"][i] = h["acted"][i] = 0
    h["raises"] = h["acts"] = 0
    h["pending"] = able
    h["min_to"] = h["top"] + (g["bet_sizes"][street] if g["betting"] == LIMIT else g["smallest_bet"])
    h["actor"] = _able_from(s, g["first_player"][street])


@uncounted_kernel
def apply_kernel(s, spec, kind, to):
    """Play one legal action (not checked): ``kind`` FOLD, CALL or RAISE; ``to`` the total of a raise, else ignored."""
    h = s[0]
    g = spec[0]
    p = h["actor"]
    h["acted"][p] = 1
    h["acts"] += 1
    if kind == FOLD:
        h["folded"][p] = 1
        h["live"] -= 1
        h["able"] -= 1
        h["pending"] -= 1
    else:
        if kind == RAISE:
            top = h["top"]
            h["raises"] += 1
            if g["acpc"] != 0:
                h["min_to"] = max(h["min_to"], 2 * to - top)
            elif g["betting"] == LIMIT:
                # Half a bet or more above the last full bet counts as a full bet. Less is no raise, for the cap too.
                size = g["bet_sizes"][h["street"]]
                if 2 * (h["min_to"] - to) <= size:
                    h["min_to"] = to + size
                else:
                    h["raises"] -= 1
            else:
                h["min_to"] = to + max(h["min_to"], to) - top
            h["top"] = to
            h["pending"] = h["able"] - 1
            by = to - h["total"][p]
        else:
            level = h["top"] if h["able"] > 1 else _call_level(s)
            by = min(level - h["total"][p], h["stack"][p])
            h["pending"] -= 1
        h["stack"][p] -= by
        h["bet"][p] += by
        h["total"][p] += by
        if h["stack"][p] == 0:
            h["all_in"][p] = 1
            h["able"] -= 1
    _proceed(s, spec, p + 1)


@uncounted_kernel
def start_kernel(s, spec):
    """Begin a hand: post antes, then blinds, and find the first actor. ``s["stack"]``, ``hole`` and ``board`` must be
    set, every stack positive; all other fields are written here. A stack too short posts what it has and is all-in."""
    h = s[0]
    g = spec[0]
    n = g["players"]
    h["players"] = n
    able = n
    for i in range(n):
        stack = h["stack"][i]
        ante = min(g["antes"][i], stack)
        blind = min(g["blinds"][i], stack - ante)
        stack -= ante + blind
        h["stack"][i] = stack
        h["ante"][i] = ante
        h["bet"][i] = h["total"][i] = blind
        h["folded"][i] = h["acted"][i] = h["strength"][i] = 0
        h["all_in"][i] = stack == 0
        able -= stack == 0
    # The nominal big blind must be called even when it was posted short.
    top = g["big_blind"]
    h["top"] = top
    h["min_to"] = top + (g["bet_sizes"][0] if g["betting"] == LIMIT else g["smallest_bet"])
    h["street"] = h["finished"] = h["raises"] = h["acts"] = h["actor"] = 0
    h["live"] = n
    h["able"] = h["pending"] = able
    _proceed(s, spec, g["first_player"][0])


@uncounted_kernel
def cards_kernel(s, spec, rng_state):
    """Draw hole cards by position, then the five board cards; touches nothing else (positions not dealt in get 255).

    ``rng_state`` is ``uint64[4]`` (``Rng.state``). Uniform over deals: a card already out is drawn again."""
    h = s[0]
    used = np.uint64(0)
    holes = 2 * spec[0]["players"]
    for k in range(holes + 5):
        while True:
            c = next_below(rng_state, np.int64(52))
            bit = CARD_MASK[c]
            if used & bit == np.uint64(0):
                break
        used |= bit
        if k < holes:
            h["hole"][k >> 1, k & 1] = c
        else:
            h["board"][k - holes] = c
    for i in range(spec[0]["players"], 10):
        h["hole"][i, 0] = h["hole"][i, 1] = 255


@uncounted_kernel
def deal_kernel(s, spec, rng_state):
    """Draw the cards (``cards_kernel``), take the stacks of ``spec`` and begin the hand (``start_kernel``)."""
    cards_kernel(s, spec, rng_state)
    for i in range(spec[0]["players"]):
        s[0]["stack"][i] = spec[0]["stacks"][i]
    start_kernel(s, spec)


@uncounted_kernel
def _below(ante, total, antes_top, level):
    """How much of a player's money lies below ``level``: antes fill the levels to ``antes_top``, bets those above."""
    return min(ante, level) + max(min(level - antes_top, total), np.int64(0))


@uncounted_kernel
def settle_kernel(s, spec, payoffs):
    """Net result of every player of a finished hand into ``payoffs`` (``int64[10]``), in 1/split chips; sums to 0.

    Pots are layers, one for each different amount that a live player has in; each goes to its best hands. At a
    showdown the live hands and the board must be known. A live player alone in a layer gets it back (an uncalled bet).
    Casino rule: odd chips go one each to the winners clockwise from the button, pot by pot; ACPC rule: exact fractions.
    """
    h = s[0]
    g = spec[0]
    n = h["players"]
    split = g["split"]
    antes_top = np.int64(0)
    highest = np.int64(0)
    for i in range(n):
        payoffs[i] = -(h["total"][i] + h["ante"][i]) * split
        antes_top = max(antes_top, h["ante"][i])
        highest = max(highest, h["total"][i])
    highest += antes_top
    board = np.uint64(0)
    if h["live"] > 1:
        for k in range(5):
            board |= CARD_MASK[h["board"][k]]
        for i in range(n):
            if h["folded"][i] == 0:
                mask = board | CARD_MASK[h["hole"][i, 0]] | CARD_MASK[h["hole"][i, 1]]
                h["strength"][i] = strength_kernel(mask)
    prev = np.int64(-1)
    contenders = h["live"]
    while contenders > 0:
        # The lowest level of a live player above the last layer; the last layer also takes dead money above it.
        level = highest
        at_level = np.int64(0)
        best = 0
        winners = np.int64(0)
        for i in range(n):
            if h["folded"][i] == 0:
                mine = h["ante"][i] if h["ante"][i] < g["antes"][i] else antes_top + h["total"][i]
                if mine > prev:
                    if at_level == 0 or mine < level:
                        level = mine
                        at_level = np.int64(1)
                    elif mine == level:
                        at_level += 1
                    if h["strength"][i] > best:
                        best = h["strength"][i]
                        winners = np.int64(1)
                    elif h["strength"][i] == best:
                        winners += 1
        pot = np.int64(0)
        upper = highest if at_level == contenders else level
        for i in range(n):
            ante = h["ante"][i]
            total = h["total"][i]
            pot += _below(ante, total, antes_top, upper) - _below(ante, total, antes_top, max(prev, np.int64(0)))
        pot *= split
        share = pot // winners
        odd = pot - share * winners
        for i in range(n):
            if h["folded"][i] == 0 and h["strength"][i] == best:
                mine = h["ante"][i] if h["ante"][i] < g["antes"][i] else antes_top + h["total"][i]
                if mine > prev:
                    payoffs[i] += share
                    if odd > 0:
                        payoffs[i] += 1
                        odd -= 1
        contenders -= at_level
        prev = level


@uncounted_kernel
def _turn(s, spec):
    fold, to_call, min_to, max_to = legal_kernel(s, spec)
    return s[0]["actor"], s[0]["street"], fold, to_call, min_to, max_to


@uncounted_kernel
def apply_legal_kernel(s, spec, kind, to):
    """``apply_kernel`` and ``legal_kernel`` in one call: ``(actor, street, fold, to_call, min_to, max_to)``."""
    apply_kernel(s, spec, kind, to)
    return _turn(s, spec)


@uncounted_kernel
def start_legal_kernel(s, spec):
    """``start_kernel`` and ``legal_kernel`` in one call, for Python."""
    start_kernel(s, spec)
    return _turn(s, spec)


@uncounted_kernel
def deal_legal_kernel(s, spec, rng_state):
    """``deal_kernel`` and ``legal_kernel`` in one call, for Python."""
    deal_kernel(s, spec, rng_state)
    return _turn(s, spec)


@uncounted_kernel
def copy_kernel(s, out):
    """Copy one hand to another."""
    out[0] = s[0]


@uncounted_kernel
def view_kernel(s, position, out):
    """Copy ``s`` to ``out`` with every card hidden that ``position`` (-1: an observer) cannot see: the board of later
    streets, other players' hole cards, except those of live players once a showdown has ended the hand."""
    h = s[0]
    out[0] = s[0]
    o = out[0]
    shown = h["finished"] != 0 and h["live"] > 1
    for k in range(0 if h["street"] == 0 else h["street"] + 2, 5):
        o["board"][k] = 255
    for i in range(10):
        if i >= h["players"] or (i != position and not (shown and h["folded"][i] == 0)):
            o["hole"][i, 0] = o["hole"][i, 1] = 255
        if not shown:
            o["strength"][i] = 0


@kernel
def random_hands_kernel(s, spec, rng_state, payoffs, hands):
    """Deal and play ``hands`` hands at random and settle each; the number of actions played.

    Every decision is uniform over the kinds allowed (fold only when facing a bet, call, raise), a raise uniform over
    the legal totals. ``payoffs`` (``int64[10]``, 1/split chips) is left with the sum over all hands."""
    once = np.zeros(10, np.int64)
    payoffs[:] = 0
    h = s[0]
    actions = np.int64(0)
    for _ in range(hands):
        deal_kernel(s, spec, rng_state)
        while h["finished"] == 0:
            fold, _call, lowest, most = legal_kernel(s, spec)
            kinds = fold + np.int64(1)
            if most > 0:
                kinds += np.int64(1)
            kind = next_below(rng_state, kinds) + np.int64(1) - fold
            to = np.int64(0)
            if kind == RAISE:
                to = lowest + next_below(rng_state, most - lowest + np.int64(1))
            apply_kernel(s, spec, kind, to)
            actions += 1
        settle_kernel(s, spec, once)
        for i in range(h["players"]):
            payoffs[i] += once[i]
    return actions
