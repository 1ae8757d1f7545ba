"""Scanned hands of ACPC logs replayed under the rules, and what replaying all kinds of hands has in common."""

import numpy as np

from dupai.base import kernel
from dupai.history._layout import FINE, ILLEGAL, MISMATCH, UNFINISHED, UNKNOWN_CARDS, UNPROVEN, WRONG_ROUNDS
from dupai.notation.scan import GOOD, UNITS
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, settle_kernel, start_kernel


@kernel
def begin_kernel(s, spec, r, stacks):
    """Begin hand ``r`` (a row of ``HAND_DTYPE``) with its cards and these stacks."""
    h = s[0]
    for k in range(5):
        h["board"][k] = r["board"][k]
    for p in range(spec[0]["players"]):
        h["stack"][p] = stacks[p]
        h["hole"][p, 0] = r["hole"][p, 0]
        h["hole"][p, 1] = r["hole"][p, 1]
    start_kernel(s, spec)


@kernel
def top_two_kernel(s):
    """The largest and second largest live chips that a player put in: their difference is an uncalled bet."""
    h = s[0]
    top = second = np.int64(0)
    for p in range(h["players"]):
        total = h["total"][p]
        if total > top:
            second = top
            top = total
        elif total > second:
            second = total
    return top, second


@kernel
def uncalled_kernel(s, spec):
    """``(player, chips)``: the bet or ante that one player put in beyond what anybody else did, and gets back (0 chips
    if there is none). Levels as in ``settle_kernel``: antes lie below bets."""
    h = s[0]
    antes_top = np.int64(0)
    for p in range(h["players"]):
        antes_top = max(antes_top, h["ante"][p])
    player = np.int64(0)
    top = second = np.int64(-1)
    for p in range(h["players"]):
        level = h["ante"][p] if h["ante"][p] < spec[0]["antes"][p] else antes_top + h["total"][p]
        if level > top:
            player, top, second = np.int64(p), level, top
        elif level > second:
            second = level
    bet = h["total"][player] - max(second - antes_top, np.int64(0))
    return player, max(bet, np.int64(0)) + max(h["ante"][player] - second, np.int64(0)) if top > second else np.int64(0)


@kernel
def settles_kernel(s):
    """Whether all cards that the showdown needs are known (or there is no showdown)."""
    h = s[0]
    if h["live"] > 1:
        for k in range(5):
            if h["board"][k] == 255:
                return False
        for p in range(h["players"]):
            if h["folded"][p] == 0 and (h["hole"][p, 0] == 255 or h["hole"][p, 1] == 255):
                return False
    return True


@kernel
def losses_fit_kernel(s, r):
    """Whether nobody loses more than they put in, and everybody who folded exactly that: what can be checked without
    the cards. ``r["payoff"]`` is in 1/2520 chip."""
    h = s[0]
    for p in range(h["players"]):
        paid = r["payoff"][p]
        most = -(h["total"][p] + h["ante"][p]) * UNITS
        if paid < most or (h["folded"][p] != 0 and paid != most):
            return False
    return True


@kernel
def _play(s, spec, hands, i, kind, to, street):
    """Apply the actions of hand ``i``: 0, or why that is impossible. Checks written after an all-in are either absent
    or one for each live player and round."""
    h = s[0]
    limit = spec[0]["bet_sizes"][0] > 0  # only limit games have bet sizes
    a = hands[i]["action"]
    last = a + hands[i]["actions"]
    round_ = np.int64(0)
    while a < last:
        if h["finished"] != 0:
            break
        round_ = np.int64(street[a])
        if round_ != h["street"]:
            return ILLEGAL
        act = kind[a]
        fold, _, min_to, max_to = legal_kernel(s, spec)
        size = to[a]
        if act == RAISE:
            if limit:
                if size != -1 or min_to == 0:
                    return ILLEGAL
                size = min_to
            elif size < min_to or size > max_to or min_to == 0:
                return ILLEGAL
        elif act == FOLD and fold == 0:
            return ILLEGAL
        apply_kernel(s, spec, np.int64(act), size)
        a += 1
    if h["finished"] == 0:
        return UNFINISHED
    if hands[i]["rounds"] != h["street"] + 1:
        return WRONG_ROUNDS
    live = h["live"]
    while a < last:
        if live < 2 or np.int64(street[a]) <= round_:
            return ILLEGAL
        round_ = np.int64(street[a])
        n = np.int64(0)
        while a < last and np.int64(street[a]) == round_:
            if kind[a] != CALL:
                return ILLEGAL
            n += 1
            a += 1
        if n != live:
            return ILLEGAL
    return FINE


@kernel
def _reconcile(s, spec, r, payoffs):
    """Compare the payoffs of a finished hand with those that the rules give."""
    n = spec[0]["players"]
    unit = UNITS // spec[0]["split"]
    if not settles_kernel(s):
        for p in range(n):
            if r["payoff"][p] % unit != 0:
                return MISMATCH  # a part of a chip that the game does not have
        return UNPROVEN if losses_fit_kernel(s, r) and r["payoff"][:n].sum() == 0 else UNKNOWN_CARDS
    settle_kernel(s, spec, payoffs)
    for p in range(n):
        if payoffs[p] * unit != r["payoff"][p]:
            return MISMATCH
    return FINE


@kernel
def replay_kernel(hands, begin, end, kind, to, street, spec, s, payoffs, codes):
    """Replay hands ``begin`` to ``end`` of ``HAND_DTYPE`` under ``spec``; returns how many are in order.

    ``codes[i]`` becomes FINE, UNPROVEN (in order as far as can be checked without all cards of a showdown), MISMATCH
    (wrong payoffs), another reason why the hand cannot be replayed, or minus the scanner's code.
    ``s`` (``STATE_DTYPE[1]``) and ``payoffs`` (``int64[10]``) are scratch.
    """
    fine = np.int64(0)
    for i in range(begin, end):
        r = hands[i]
        if r["code"] != GOOD:
            codes[i] = -r["code"]
            continue
        begin_kernel(s, spec, r, spec[0]["stacks"])
        code = _play(s, spec, hands, i, kind, to, street)
        if code == FINE:
            code = _reconcile(s, spec, r, payoffs)
        codes[i] = code
        if code in (FINE, UNPROVEN):
            fine += 1
    return fine
