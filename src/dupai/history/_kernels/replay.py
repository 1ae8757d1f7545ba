"""Scanned hands replayed under the rules and their payoffs recomputed, hand after hand."""

import numpy as np

from dupai.base import kernel
from dupai.history._layout import FINE, ILLEGAL, MISMATCH, UNFINISHED, UNKNOWN_CARDS, UNPROVEN, WRONG_ROUNDS
from dupai.notation import GOOD, UNITS
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, settle_kernel, start_kernel


@kernel
def _play(s, spec, hands, i, kind, to, street):
    """Apply the actions of hand ``i``: 0, or why that cannot be. Checks written after an all-in are one a live player
    and round, or none."""
    h = s[0]
    limit = spec[0]["bet_sizes"][0] > 0  # only limit games have bet sizes
    first = hands[i]["action"]
    last = first + hands[i]["actions"]
    round_ = np.int64(0)
    a = first
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
def _shown(s):
    """Whether all cards that a showdown needs are known."""
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
def _balances(s, r):
    """What can be said of payoffs without the cards: they sum to 0, nobody loses more than he put in, who folded just
    that."""
    h = s[0]
    sum_ = np.int64(0)
    for p in range(h["players"]):
        paid = r["payoff"][p]
        most = -(h["total"][p] + h["ante"][p]) * UNITS
        if paid < most or (h["folded"][p] != 0 and paid != most):
            return False
        sum_ += paid
    return sum_ == 0


@kernel
def replay_kernel(hands, begin, end, kind, to, street, spec, s, payoffs, codes):
    """Replay hands ``begin`` to ``end`` of ``HAND_DTYPE`` under ``spec``; how many are in order.

    ``codes[i]`` becomes FINE, UNPROVEN (in order as far as can be told without all cards of a showdown), MISMATCH (the
    payoffs are not those of the hand), another reason why the hand cannot be replayed, or minus the scanner's code.
    ``s`` (``STATE_DTYPE[1]``) and ``payoffs`` (``int64[10]``) are scratch.
    """
    h = s[0]
    g = spec[0]
    n = g["players"]
    split = g["split"]
    fine = np.int64(0)
    for i in range(begin, end):
        r = hands[i]
        if r["code"] != GOOD:
            codes[i] = -r["code"]
            continue
        for k in range(5):
            h["board"][k] = r["board"][k]
        for p in range(n):
            h["stack"][p] = g["stacks"][p]
            h["hole"][p, 0] = r["hole"][p, 0]
            h["hole"][p, 1] = r["hole"][p, 1]
        start_kernel(s, spec)
        code = _play(s, spec, hands, i, kind, to, street)
        if code == FINE:
            if _shown(s):
                settle_kernel(s, spec, payoffs)
                for p in range(n):
                    if payoffs[p] * (UNITS // split) != r["payoff"][p]:
                        code = MISMATCH
            else:
                code = UNPROVEN if _balances(s, r) else UNKNOWN_CARDS
        codes[i] = code
        if code in (FINE, UNPROVEN):
            fine += 1
    return fine
