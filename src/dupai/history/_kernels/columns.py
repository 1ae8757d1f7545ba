"""Accepted hands replayed once more into the rows of the store, and names and words numbered."""

import numpy as np

from dupai.base import kernel
from dupai.history._kernels.replay import begin_kernel, uncalled_kernel
from dupai.history._layout import FINE, UNPROVEN
from dupai.notation.scan import UNITS
from dupai.spots import DID_FOLD, TRACK_DTYPE, begin_track_kernel, did_kernel, spot_kernel

_BASIS, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@kernel
def _word(text, first, last, slots, spans, words):
    """The number of the word from ``first`` to ``last``: that of an earlier one, or ``words`` (how many there are so
    far), and then the word is added."""
    mask = np.int64(slots.size - 1)
    key = _BASIS
    for q in range(first, last):
        key = (key ^ np.uint64(text[q])) * _PRIME
    slot = np.int64(key >> np.uint64(20)) & mask
    while True:
        word = np.int64(slots[slot])
        if word < 0:
            slots[slot] = words
            spans[words, 0] = first
            spans[words, 1] = last
            return words
        start = np.int64(spans[word, 0])
        same = np.int64(spans[word, 1]) - start == last - first
        if same:
            for q in range(last - first):
                if text[start + q] != text[first + q]:
                    same = False
                    break
        if same:
            return word
        slot = (slot + 1) & mask


@kernel
def words_kernel(text, words, slots, spans, index):
    """Number the words of ``text`` from ``words[k, 0]`` to ``words[k, 1]`` (-1: none). ``index[k]`` (-1: none) becomes
    an index into ``spans``, the start and end in ``text`` of each distinct word in order of appearance. ``slots`` is an
    open hash table: ``int32``, its length a power of two above twice the number of words, filled with -1. Returns the
    number of distinct words."""
    many = np.int64(0)
    for k in range(words.shape[0]):
        if words[k, 0] < 0:
            index[k] = -1
            continue
        word = _word(text, np.int64(words[k, 0]), np.int64(words[k, 1]), slots, spans, many)
        if word == many:
            many += 1
        index[k] = word
    return many


@kernel
def columns_kernel(hands, codes, kind, to, specs, spec_of, stacks, s, rows):
    """Write the rows of the accepted hands (codes FINE and UNPROVEN), which must replay, into ``rows`` (``Rows``) from
    ``rows.at`` on, and move ``at``. ``rows.players["player"]`` is left alone; ``s`` (``STATE_DTYPE[1]``) is scratch.

    ``specs[spec_of[i]]`` is the game of hand ``i`` and ``stacks[i]`` (ten columns) the stacks it begins with; where
    ``spec_of`` or ``stacks`` has one row, that row holds for all hands."""
    h = s[0]
    at = rows.at
    track = np.zeros(1, TRACK_DTYPE)
    for i in range(hands.size):
        if codes[i] != FINE and codes[i] != UNPROVEN:
            continue
        r = hands[i]
        k = spec_of[min(i, spec_of.size - 1)]
        spec = specs[k : k + 1]
        n = spec[0]["players"]
        stack = stacks[min(i, stacks.shape[0] - 1)]
        begin_kernel(s, spec, r, stack)
        first = at[1]
        for p in range(n):
            row = rows.players[first + p]
            row["stack"] = stack[p]
            row["ante"] = h["ante"][p]
            row["blind"] = h["bet"][p]
            row["folded"] = -1
        begin_track_kernel(s, track)
        m = at[2]
        for a in range(r["action"], r["action"] + r["actions"]):
            if h["finished"] != 0:
                break  # checks written after everybody is all-in
            spot_kernel(s, spec, track, rows.actions, m)
            did_kernel(s, spec, track, rows.actions, m, np.int64(kind[a]), np.int64(to[a]))
            if rows.actions[m]["did"] == DID_FOLD:
                rows.players[first + rows.actions[m]["position"]]["folded"] = rows.actions[m]["street"]
            m += 1
        showdown = h["live"] > 1
        unit = UNITS // spec[0]["split"]
        _, back = uncalled_kernel(s, spec)
        pot = -back
        for p in range(n):
            pot += h["total"][p] + h["ante"][p]
            row = rows.players[first + p]
            row["position"] = p
            row["put"] = h["total"][p]
            row["all_in"] = h["stack"][p] == 0
            row["showdown"] = showdown and row["folded"] < 0
            row["payoff"] = r["payoff"][p] // unit
            row["hole"][0] = r["hole"][p, 0]
            row["hole"][1] = r["hole"][p, 1]
        hand = rows.hands[at[0]]
        hand["row"] = i
        hand["pot"] = pot
        hand["actions"] = m - at[2]
        hand["street"] = h["street"]
        hand["showdown"] = showdown
        for c in range(5):
            hand["board"][c] = r["board"][c]
        at[0] += 1
        at[1] += n
        at[2] = m
