"""What everybody sees at a decision: the features of the betting and of the board that the trained model sees."""

import numpy as np

from dupai.base import kernel
from dupai.spots import DID_BET, DID_CALL, DID_CHECK, DID_FOLD, DID_RAISE, NOTHING, size_class_kernel

#: Numbers of a decision.
PUBLIC_SIZE = 96
#: Where the parts begin.
_NOW, _PAST, _BOARD = 4, 44, 76
#: Native classes of action: fold, check or call, six sizes of raises, all-in.
ACTION_CLASSES = 9
#: Edges of the six classes of raises (chips beyond the call over the pot after it).
EDGES = (0.36, 0.6, 0.85, 1.2, 2.2)


@kernel
def class_of_kernel(rows, i, limit):
    """Native class of what was done at row ``i``; in limit games all raises are of the first size."""
    r = rows[i]
    did = r["did"]
    if did == DID_FOLD:
        return np.int64(0)
    if did < DID_BET:
        return np.int64(1)
    if limit:
        return np.int64(2)
    return _raise_class(r, r["to"])


@kernel
def _raise_class(r, to):
    return 2 + size_class_kernel(to, r["total"], r["stack"], r["to_call"], r["pot"], EDGES)


@kernel
def legal_classes_kernel(rows, i, limit, out):
    """Which native classes a legal action of row ``i`` falls into: ``out`` ``bool[9]``, filled."""
    r = rows[i]
    out[:] = False
    out[0] = r["to_call"] > 0
    out[1] = True
    low = r["min_to"]
    high = r["max_to"]
    if low <= 0:
        return
    if limit:
        out[2] = True
        return
    top = r["total"] + r["stack"]
    most = min(high, top - 1)
    if most >= low:
        for c in range(_raise_class(r, low), _raise_class(r, most) + 1):
            out[c] = True
    if high >= top:
        out[8] = True


@kernel
def _log(x):
    return np.log2(1.0 + max(x, 0.0))


@kernel
def public_features_kernel(rows, i, limit, board, n_board, out):
    """Features of the decision of row ``i`` (SPOT_DTYPE), given all rows before it in the hand.

    Args:
        rows: decisions of one hand from its first.
        i: which of them.
        limit: 1 in limit games.
        board: ``uint8[5]``, the first ``n_board`` cards are open.
        out: ``float32[96]``, filled.
    """
    # Long because it is one list of features; each is a line.
    out[:] = 0.0
    r = rows[i]
    me = r["position"]
    street = r["street"]
    pot = max(np.float64(r["pot"]), 1.0)
    bb = np.float64(max(r["big_blind"], 1))
    out[street] = 1.0
    o = _NOW
    out[o + r["position_class"]] = 1.0
    out[o + 6] = 1.0 if r["players"] == 2 else 0.0
    out[o + 7] = r["players"] / 10.0
    out[o + 8] = r["live"] / 6.0
    out[o + 9] = 1.0 if r["live"] == 2 else 0.0
    out[o + 10] = 1.0 if r["live"] == 3 else 0.0
    out[o + 11] = r["able"] / 6.0
    out[o + 12] = 1.0 if r["able"] <= 1 else 0.0
    out[o + 13] = r["behind"] / 6.0
    out[o + 14] = 1.0 if r["behind"] == 0 else 0.0
    out[o + 15] = 1.0 if r["after"] == 0 else 0.0
    out[o + 16] = limit
    out[o + 17] = 1.0 if r["to_call"] > 0 else 0.0
    out[o + 18] = r["to_call"] / (pot + r["to_call"])
    out[o + 19] = _log(r["to_call"] / bb) / 4.0
    out[o + 20] = _log(pot / bb) / 6.0
    out[o + 21] = _log(r["effective"] / pot) / 4.0
    out[o + 22] = _log(r["stack"] / bb) / 7.0
    out[o + 23] = _log((r["stack"] + r["total"]) / bb) / 7.0
    out[o + 24] = 1.0 if r["raises"] == 0 else 0.0
    out[o + 25] = 1.0 if r["raises"] == 1 else 0.0
    out[o + 26] = 1.0 if r["raises"] == 2 else 0.0
    out[o + 27] = 1.0 if r["raises"] >= 3 else 0.0
    out[o + 28] = min(r["calls"], 3) / 2.0
    out[o + 29] = 1.0 if r["acted"] > 0 else 0.0
    out[o + 30] = 1.0 if r["checked"] > 0 else 0.0
    out[o + 31] = 1.0 if r["leader"] == me else 0.0
    out[o + 32] = 1.0 if r["leader"] >= 0 and r["leader"] != me else 0.0
    size = r["raise_by"] / max(np.float64(r["raise_pot"]), 1.0)
    out[o + 33] = min(size, 3.0)
    out[o + 34] = _log(size)
    out[o + 35] = 1.0 if r["max_to"] > 0 else 0.0
    out[o + 36] = 1.0 if 0 < r["stack"] <= r["to_call"] else 0.0
    out[o + 37] = r["bet"] / pot
    out[o + 38] = 1.0 if r["effective"] < pot else 0.0
    out[o + 39] = r["total"] / pot
    # What was done before, by street: 8 numbers each.
    for j in range(i):
        q = rows[j]
        s = q["street"]
        at = _PAST + 8 * s
        did = q["did"]
        if did == NOTHING:
            continue
        by = 0.0
        if did >= DID_BET:
            before = np.float64(q["pot"] + q["to_call"])
            by = min((q["to"] - q["total"] - q["to_call"]) / max(before, 1.0), 3.0)
        if q["position"] == me:
            if did == DID_CHECK:
                out[at] = 1.0
            elif did == DID_CALL:
                out[at + 1] += 0.5
            elif did in (DID_BET, DID_RAISE):
                out[at + 2] += 0.5
                out[at + 3] = by
        elif did == DID_CALL:
            out[at + 4] += 0.5
        elif did >= DID_BET:
            out[at + 5] += 0.5
            out[at + 6] = by
        elif did == DID_CHECK:
            out[at + 7] += 0.5
    if n_board >= 3:
        _board_features(board, n_board, out)


@kernel
def _board_features(board, n, out):
    count = np.zeros(13, np.int64)
    suits = np.zeros(4, np.int64)
    ranks = np.int64(0)
    for k in range(n):
        count[board[k] % 13] += 1
        suits[board[k] // 13] += 1
        ranks |= np.int64(1) << np.int64(board[k] % 13)
    o = _BOARD
    ranked = 0
    for r in range(12, -1, -1):
        if count[r] > 0 and ranked < 3:
            out[o + ranked] = (r + 1) / 13.0
            ranked += 1
    pairs = 0
    for r in range(13):
        pairs += 1 if count[r] >= 2 else 0
        if count[r] >= 3:
            out[o + 4] = 1.0
    out[o + 3] = pairs / 2.0
    most = 0
    for s in range(4):
        most = max(most, suits[s])
    out[o + 5] = 1.0 if most == 2 else 0.0
    out[o + 6] = 1.0 if most == 3 else 0.0
    out[o + 7] = 1.0 if most >= 4 else 0.0
    wheel = (ranks << 1) | (ranks >> 12 & 1)
    window = 0
    for r in range(10):
        held = 0
        for k in range(5):
            held += 1 if wheel >> (r + k) & 1 else 0
        window = max(window, held)
    out[o + 8] = 1.0 if window == 3 else 0.0
    out[o + 9] = 1.0 if window >= 4 else 0.0
    out[o + 10] = 1.0 if count[12] > 0 else 0.0
    # What the last card did.
    if n > 3:
        last = np.int64(board[n - 1])
        rank = last % 13
        higher = True
        for k in range(n - 1):
            if board[k] % 13 >= rank:
                higher = False
        out[o + 11] = 1.0 if higher else 0.0
        out[o + 12] = 1.0 if count[rank] >= 2 else 0.0
        out[o + 13] = 1.0 if suits[last // 13] >= 3 else 0.0
        out[o + 14] = (rank + 1) / 13.0
    if n == 5:
        turn = np.int64(board[3])
        out[o + 15] = 1.0 if suits[turn // 13] >= 3 else 0.0
        out[o + 16] = 1.0 if count[turn % 13] >= 2 else 0.0
    high = 0
    for k in range(3):
        high += 1 if board[k] % 13 >= 8 else 0
    out[o + 17] = high / 3.0
    flop_suits = 0
    for k in range(3):
        same = 0
        for m in range(3):
            same += 1 if board[m] // 13 == board[k] // 13 else 0
        flop_suits = max(flop_suits, same)
    out[o + 18] = flop_suits / 3.0
