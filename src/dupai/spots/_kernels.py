"""Decisions described while a hand is played through the rules' own kernels."""

import numpy as np

from dupai.base import kernel, uncounted_kernel
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, start_kernel
from dupai.spots._layout import DID_BET, DID_CALL, DID_CHECK, DID_FOLD, DID_RAISE, NOTHING
from dupai.spots._positions import POSITION_CLASS
from dupai.spots._sizes import MAX_RAISE, MIN_RAISE


@uncounted_kernel
def _next_street(s, track):
    """Forget the betting of the previous street, except for the player who made its last bet or raise."""
    h = s[0]
    t = track[0]
    t["street"] = h["street"]
    if t["aggressor"] >= 0:
        t["leader"] = t["aggressor"]
    t["aggressor"] = -1
    t["raises"] = t["calls"] = t["raise_by"] = t["raise_pot"] = 0
    for p in range(h["players"]):
        t["acted"][p] = t["checked"][p] = 0


@uncounted_kernel
def begin_track_kernel(s, track):
    """Begin to follow a hand whose blinds have just been posted (``s`` after ``start_kernel``)."""
    h = s[0]
    t = track[0]
    t["n"] = t["pot"] = 0
    t["aggressor"] = t["leader"] = -1
    for p in range(h["players"]):
        t["pot"] += h["total"][p] + h["ante"][p]
    _next_street(s, track)


@uncounted_kernel
def _after(s, spec, p):
    """Live players whose turn comes after position ``p`` on the streets after the first."""
    h = s[0]
    n = h["players"]
    first = spec[0]["first_player"][3]
    mine = (p - first + n) % n
    later = np.int64(0)
    for i in range(n):
        if h["folded"][i] == 0 and (i - first + n) % n > mine:
            later += 1
    return later


@uncounted_kernel
def _effective(s, p):
    """The most more chips that ``p`` can put in and some live opponent match."""
    h = s[0]
    most = np.int64(0)
    for i in range(h["players"]):
        if i != p and h["folded"][i] == 0:
            most = max(most, h["total"][i] + h["stack"][i])
    return max(min(h["stack"][p], most - h["total"][p]), np.int64(0))


@uncounted_kernel
def spot_kernel(s, spec, track, out, m):
    """Write what stands before the decision of ``s["actor"]`` into row ``m`` of ``out`` (SPOT_DTYPE), nothing done
    yet. The hand must not be over."""
    h = s[0]
    t = track[0]
    if h["street"] != t["street"]:
        _next_street(s, track)
    _, to_call, min_to, max_to = legal_kernel(s, spec)
    p = h["actor"]
    r = out[m]
    r["n"] = t["n"]
    r["street"] = h["street"]
    r["position"] = p
    r["position_class"] = POSITION_CLASS[h["players"], p]
    r["players"] = h["players"]
    r["pot"] = t["pot"]
    r["to_call"] = to_call
    r["bet"], r["total"], r["stack"] = h["bet"][p], h["total"][p], h["stack"][p]
    r["effective"] = _effective(s, p)
    r["min_to"], r["max_to"] = min_to, max_to
    r["big_blind"] = spec[0]["big_blind"]
    r["live"], r["able"] = h["live"], h["able"]
    r["behind"] = h["pending"] - 1
    r["after"] = _after(s, spec, p)
    r["raises"], r["calls"] = t["raises"], t["calls"]
    r["aggressor"], r["leader"] = t["aggressor"], t["leader"]
    r["acted"], r["checked"] = t["acted"][p], t["checked"][p]
    r["raise_by"], r["raise_pot"] = t["raise_by"], t["raise_pot"]
    r["did"] = NOTHING
    r["to"] = r["paid"] = r["all_in"] = 0


@uncounted_kernel
def did_kernel(s, spec, track, out, m, kind, to):
    """Play ``kind`` (FOLD, CALL, RAISE) with total ``to`` at the decision that ``spot_kernel`` wrote into row ``m``,
    and write into the row what was done."""
    h = s[0]
    t = track[0]
    r = out[m]
    p = r["position"]
    stack = r["stack"]
    t["n"] += 1
    t["acted"][p] += 1
    if kind == RAISE:
        if to <= 0:
            to = r["min_to"]  # limit games: the one size
        opened = t["raises"] > 0 or r["to_call"] > 0 or (r["street"] == 0 and h["top"] > 0)
        r["did"] = DID_RAISE if opened else DID_BET
    elif kind == CALL:
        if r["to_call"] > 0:
            r["did"] = DID_CALL
            t["calls"] += 1
        else:
            r["did"] = DID_CHECK
            t["checked"][p] = 1
    else:
        r["did"] = DID_FOLD
    raises = h["raises"]
    apply_kernel(s, spec, kind, to)
    # Not where the rules count none: a short all-in of a limit game, which is no full raise.
    if h["raises"] > raises:
        t["raise_by"] = to - r["total"] - r["to_call"]
        t["raise_pot"] = r["pot"] + r["to_call"]
        t["aggressor"] = p
        t["calls"] = 0
        t["raises"] += 1
    paid = stack - h["stack"][p]
    t["pot"] += paid
    r["paid"] = paid
    r["to"] = h["total"][p]
    r["all_in"] = 1 if paid > 0 and h["stack"][p] == 0 else 0


@kernel
def spots_kernel(spec, stacks, kind, to, s, track, out, m):
    """Play a hand and write a row of ``out`` for every decision, the due one last (``did`` NOTHING) if the hand is not
    over. ``kind`` and ``to`` (``int64[n]``) are its actions, ``stacks`` (``int64[players]``) those it begins with.
    Actions before ``m`` are played already: ``s``, ``track`` and ``out`` are as they were left; from 0 on, ``s`` and
    ``track`` are scratch. ``out`` needs n + 1 rows. Returns the number of rows, or -1 - i when action i is not legal
    (folding where checking is free is let pass); actions after the end are not looked at."""
    h = s[0]
    if m == 0:
        for p in range(stacks.size):
            h["stack"][p] = stacks[p]
        start_kernel(s, spec)
        begin_track_kernel(s, track)
    for i in range(m, kind.size):
        if h["finished"] != 0:
            return m
        spot_kernel(s, spec, track, out, m)
        r = out[m]
        if kind[i] == RAISE:
            size = r["min_to"] if to[i] <= 0 else to[i]
            if r["max_to"] == 0 or size < r["min_to"] or size > r["max_to"]:
                return -1 - np.int64(i)
        elif kind[i] != CALL and kind[i] != FOLD:
            return -1 - np.int64(i)
        did_kernel(s, spec, track, out, m, kind[i], to[i])
        m += 1
    if h["finished"] == 0:
        spot_kernel(s, spec, track, out, m)
        m += 1
    return m


@kernel(forceinline=True)
def raise_to_kernel(size, called, pot, low, high, half_up):
    """The total that a raise of ``size`` comes to: the twin of :func:`dupai.spots.raise_to`."""
    if size == MIN_RAISE:
        return low
    more = size * np.float64(pot)
    if size == MAX_RAISE or not more < high:
        return high
    to = called + np.int64(np.floor(more + 0.5)) if half_up else np.int64(np.rint(called + more))
    return max(low, min(high, to))


@kernel(forceinline=True)
def size_class_kernel(to, total, stack, to_call, pot, edges):
    """The class of a raise to ``to``, from 0: the twin of :meth:`dupai.spots.Menu.column_of_raise` where the all-in is
    a class of its own (``len(edges) + 1``). ``edges``: the boundaries between the other classes, rising."""
    if to >= total + stack:
        return np.int64(len(edges) + 1)
    after = pot + to_call
    size = (to - total - to_call) / after if after > 0 else 0.0
    at = np.int64(0)
    for edge in edges:
        at += size >= edge
    return at
