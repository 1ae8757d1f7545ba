"""Scanned PHH tables replayed, each under its own game, and compared with what its file says of the result."""

import numpy as np

from dupai.base import kernel
from dupai.history._layout import FINE, ILLEGAL, MISMATCH, UNFINISHED, UNKNOWN_CARDS, UNPROVEN
from dupai.notation import DEAL, GOOD, UNITS
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, settle_kernel, start_kernel


@kernel
def _play(s, spec, hands, i, kind, to, actor):
    """Apply the slots of hand ``i`` and leave its actions in their place, with totals for the hand: 0, or why not."""
    h = s[0]
    casino = spec[0]["acpc"] == 0
    first = hands[i]["action"]
    last = first + hands[i]["actions"]
    w = first
    for a in range(first, last + 1):
        if a == last or kind[a] == DEAL:
            # The check that only the ACPC rule asks for: the others are all-in and there is nothing to call.
            if h["finished"] == 0 and h["able"] == 1:
                _, to_call, _, _ = legal_kernel(s, spec)
                if to_call == 0:
                    apply_kernel(s, spec, CALL, np.int64(0))
                    kind[w] = CALL
                    to[w] = 0
                    w += 1
            continue
        p = h["actor"]
        if h["finished"] != 0 or np.int64(actor[a]) != p:
            return ILLEGAL
        act = np.int64(kind[a])
        size = np.int64(0)
        if act == RAISE:
            size = to[a] + h["total"][p] - h["bet"][p]
            _, _, min_to, max_to = legal_kernel(s, spec)
            if not 0 < min_to <= size <= max_to:
                return ILLEGAL
        elif act == FOLD and not casino:
            fold, _, _, _ = legal_kernel(s, spec)
            if fold == 0:
                return ILLEGAL
        apply_kernel(s, spec, act, size)
        kind[w] = act
        to[w] = size
        w += 1
    hands[i]["actions"] = w - first
    return FINE if h["finished"] != 0 else UNFINISHED


@kernel
def _cards_fit(s, r, f):
    """Whether the board is no longer than the hand, and cards published afterwards stand nowhere else."""
    h = s[0]
    open_cards = 0 if h["street"] == 0 else h["street"] + 2
    for k in range(open_cards, 5):
        if r["board"][k] != 255:
            return False
    if f["lost"] == 0:
        return True
    n = f["players"]
    for i in range(n):
        for j in range(2):
            c = f["mucked"][i, j]
            if c == 255:
                continue
            for k in range(5):
                if r["board"][k] == c:
                    return False
            for p in range(n):
                if p == i:
                    continue
                for k in range(2):
                    if f["mucked"][p, k] == c or r["hole"][p, k] == c:
                        return False
    return True


@kernel
def _results(s, r, f, split):
    """Turn what the file gives (``r["payoff"]``: finishing stacks or winnings) into net results, all in 1/2520 chip;
    False where they are no multiples of 1/split chip. See ``record_of_phh``."""
    h = s[0]
    n = f["players"]
    for p in range(n):
        if r["payoff"][p] % (UNITS // split) != 0:
            return False
    if f["given"] == 1:
        for p in range(n):
            r["payoff"][p] -= f["stacks"][p] * UNITS
        return True
    top = np.int64(0)
    second = np.int64(0)
    rest = max(f["rake"], np.int64(0)) * UNITS
    for p in range(n):
        total = h["total"][p]
        rest += r["payoff"][p] - (total + h["ante"][p]) * UNITS
        if total > top:
            second = top
            top = total
        elif total > second:
            second = total
    # Sites differ in whether an uncalled bet counts as won: it does where the winnings and the rake are all chips.
    for p in range(n):
        back = np.int64(0) if rest == 0 else max(h["total"][p] - second, np.int64(0))
        r["payoff"][p] -= (h["total"][p] + h["ante"][p] - back) * UNITS
    return True


@kernel
def _settles(s):
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
def _reconcile(s, spec, r, f, payoffs):
    """As ``check_record``, in units of 1/2520 chip, and the rake with what the file says of it."""
    h = s[0]
    n = f["players"]
    rake = np.int64(0)
    for p in range(n):
        rake -= r["payoff"][p]
    if rake != max(f["rake"], np.int64(0)) * UNITS:
        return MISMATCH
    unit = UNITS // spec[0]["split"]
    if not _settles(s):
        if rake < 0:
            return UNKNOWN_CARDS
        for p in range(n):
            most = -(h["total"][p] + h["ante"][p]) * UNITS
            if r["payoff"][p] < most or (h["folded"][p] != 0 and r["payoff"][p] != most):
                return UNKNOWN_CARDS
        return UNPROVEN
    settle_kernel(s, spec, payoffs)
    for p in range(n):
        paid = r["payoff"][p]
        right = payoffs[p] * unit
        lost = -(h["total"][p] + h["ante"][p]) * UNITS
        if paid != right and not (rake > 0 and paid < right and right > lost):
            return MISMATCH
    return FINE


@kernel
def replay_phh_kernel(hands, facts, begin, end, kind, to, actor, specs, spec_of, s, payoffs, codes):
    """Replay tables ``begin`` to ``end`` (``HAND_DTYPE`` and ``PHH_DTYPE``, from ``scan_phh_kernel``).

    ``specs`` (``SPEC_DTYPE[k]``; their stacks do not matter) and ``spec_of`` (``int64``, -1: not known) say the game of
    each. ``codes[i]`` becomes FINE, UNPROVEN, or a reason why the Python reader must look at the table. Of accepted
    hands, ``kind``, ``to`` and ``hands["actions"]`` then hold the actions as records do, ``hands["payoff"]`` the net
    results in 1/2520 chip. ``s`` (``STATE_DTYPE[1]``) and ``payoffs`` (``int64[10]``) are scratch."""
    h = s[0]
    for i in range(begin, end):
        r = hands[i]
        f = facts[i]
        if r["code"] != GOOD or spec_of[i] < 0:
            codes[i] = -1
            continue
        spec = specs[spec_of[i] : spec_of[i] + 1]
        for k in range(5):
            h["board"][k] = r["board"][k]
        for p in range(f["players"]):
            h["stack"][p] = f["stacks"][p]
            h["hole"][p, 0] = r["hole"][p, 0]
            h["hole"][p, 1] = r["hole"][p, 1]
        start_kernel(s, spec)
        code = np.int64(_play(s, spec, hands, i, kind, to, actor))
        if code == FINE:
            if not _cards_fit(s, r, f) or not _results(s, r, f, spec[0]["split"]):
                code = np.int64(ILLEGAL)
            else:
                code = np.int64(_reconcile(s, spec, r, f, payoffs))
        codes[i] = code
