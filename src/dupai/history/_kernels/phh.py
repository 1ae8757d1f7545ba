"""Scanned PHH tables replayed, each under its own game, and compared with the result that the file states."""

import numpy as np

from dupai.base import kernel
from dupai.history._kernels.replay import begin_kernel, losses_fit_kernel, settles_kernel, top_two_kernel
from dupai.history._layout import FINE, ILLEGAL, MISMATCH, UNFINISHED, UNKNOWN_CARDS, UNPROVEN
from dupai.notation.scan import DEAL, GOOD, UNITS
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, settle_kernel


@kernel
def _play(s, spec, hands, i, kind, to, actor):
    """Apply the slots of hand ``i`` and replace them by its actions, with totals for the hand: 0, or why not."""
    h = s[0]
    casino = spec[0]["acpc"] == 0
    first = hands[i]["action"]
    last = first + hands[i]["actions"]
    w = first
    for a in range(first, last + 1):
        if a == last or kind[a] == DEAL:
            dealt = to[a] if a < last else np.int64(0)
            # A check that only the ACPC rule demands: the others are all-in and there is nothing to call.
            if h["finished"] == 0 and h["able"] == 1:
                _, to_call, _, _ = legal_kernel(s, spec)
                if to_call == 0:
                    apply_kernel(s, spec, CALL, np.int64(0))
                    kind[w] = CALL
                    to[w] = 0
                    w += 1
            if dealt > 0 and (h["street"] == 0 or dealt > h["street"] + 2):
                return ILLEGAL
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
    """Whether the board is no longer than the hand, and no card published afterwards is also elsewhere."""
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
    """Turn what the file states (``r["payoff"]``: finishing stacks or winnings) into net results, all in 1/2520 chip;
    False where they are not multiples of 1/split chip. See ``record_of_phh``."""
    h = s[0]
    n = f["players"]
    for p in range(n):
        if r["payoff"][p] % (UNITS // split) != 0:
            return False
    if f["given"] == 1:
        for p in range(n):
            r["payoff"][p] -= f["stacks"][p] * UNITS
        return True
    rest = max(f["rake"], np.int64(0)) * UNITS
    for p in range(n):
        rest += r["payoff"][p] - (h["total"][p] + h["ante"][p]) * UNITS
    _, second = top_two_kernel(s)
    # Sites differ in whether an uncalled bet counts as won: it does where winnings and rake add up to all chips.
    for p in range(n):
        back = np.int64(0) if rest == 0 else max(h["total"][p] - second, np.int64(0))
        r["payoff"][p] -= (h["total"][p] + h["ante"][p] - back) * UNITS
    return True


@kernel
def _reconcile(s, spec, r, f, payoffs):
    """As ``check_record``, in units of 1/2520 chip; also compares the rake with the one that the file states."""
    h = s[0]
    n = f["players"]
    rake = np.int64(0)
    for p in range(n):
        rake -= r["payoff"][p]
    if rake != max(f["rake"], np.int64(0)) * UNITS:
        return MISMATCH
    if not settles_kernel(s):
        return UNPROVEN if rake >= 0 and losses_fit_kernel(s, r) else UNKNOWN_CARDS
    settle_kernel(s, spec, payoffs)
    for p in range(n):
        paid = r["payoff"][p]
        right = payoffs[p] * (UNITS // spec[0]["split"])
        lost = -(h["total"][p] + h["ante"][p]) * UNITS
        if paid != right and not (rake > 0 and paid < right and right > lost):
            return MISMATCH
    return FINE


@kernel
def replay_phh_kernel(hands, facts, kind, to, actor, specs, spec_of, s, payoffs, codes):
    """Replay tables (``HAND_DTYPE`` and ``PHH_DTYPE``, from ``scan_phh_kernel``).

    ``specs[spec_of[i]]`` (``SPEC_DTYPE``; its stacks do not matter) is the game of table ``i`` (``spec_of`` -1:
    unknown). ``codes[i]`` becomes FINE, UNPROVEN, or a reason why the Python reader must look at the table. For
    accepted hands ``kind``, ``to`` and ``hands["actions"]`` then hold the actions as records do, and
    ``hands["payoff"]`` the net results in 1/2520 chip. ``s`` (``STATE_DTYPE[1]``) and ``payoffs`` (``int64[10]``) are
    scratch."""
    for i in range(hands.size):
        r = hands[i]
        f = facts[i]
        if r["code"] != GOOD or spec_of[i] < 0:
            codes[i] = -1
            continue
        spec = specs[spec_of[i] : spec_of[i] + 1]
        begin_kernel(s, spec, r, f["stacks"])
        code = np.int64(_play(s, spec, hands, i, kind, to, actor))
        if code == FINE:
            if not _cards_fit(s, r, f) or not _results(s, r, f, spec[0]["split"]):
                code = np.int64(ILLEGAL)
            else:
                code = np.int64(_reconcile(s, spec, r, f, payoffs))
        codes[i] = code
