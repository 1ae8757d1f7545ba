"""Hands replayed once more, and what stood before every action written down column by column."""

import numpy as np

from dupai.base import kernel
from dupai.cards import RANKS, SUITS
from dupai.history._layout import FINE, UNPROVEN
from dupai.notation import UNITS
from dupai.rules import start_kernel
from dupai.spots import DID_FOLD, SPOT_DTYPE, TRACK_DTYPE, begin_track_kernel, did_kernel, spot_kernel

_RANK = np.frombuffer(RANKS.encode(), dtype=np.uint8)
_SUIT = np.frombuffer(SUITS.encode(), dtype=np.uint8)
_UNKNOWN = ord("?")
_BASIS, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@kernel
def _put_card(out, at, c):
    """Two letters of a card (``??`` for an unknown one) into ``out``; where they end."""
    if c == 255:
        out[at] = _UNKNOWN
        out[at + 1] = _UNKNOWN
    else:
        out[at] = _RANK[c % 13]
        out[at + 1] = _SUIT[c // 13]
    return at + 2


@kernel
def _word(text, first, last, slots, spans, words):
    """The number of the word from ``first`` to ``last``: one of those met (``words`` of them), else ``words`` itself,
    and then it is put among them."""
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
def names_kernel(text, hands, codes, players, slots, spans, player):
    """Number the names of accepted hands: ``player`` (by hand and position) indexes ``spans`` (start and end in
    ``text`` of each different name, in the order met). ``slots`` is an open hash table: ``int32``, a power of two
    longer than twice the names, filled with -1. Returns how many names there are."""
    names = np.int64(0)
    k = np.int64(0)
    for i in range(hands.size):
        if codes[i] != FINE and codes[i] != UNPROVEN:
            continue
        for p in range(players):
            first = np.int64(hands[i]["names"][p, 0])
            name = _word(text, first, np.int64(hands[i]["names"][p, 1]), slots, spans, names)
            if name == names:
                names += 1
            player[k] = name
            k += 1
    return names


@kernel
def words_kernel(text, words, slots, spans, index):
    """Number the words of ``text`` from ``words[k, 0]`` to ``words[k, 1]`` (-1: none), as ``names_kernel`` does with
    names: ``index[k]``, -1 for none. Returns how many different ones there are."""
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
def _actions(s, spec, hands, i, kind, to, at, A, folded, hand, track, spot):
    """Play hand ``i`` and write a row for every action; the rows of its players begin at ``at[1]``. ``track`` and
    ``spot`` (one element each) are scratch."""
    h = s[0]
    r = spot[0]
    begin_track_kernel(s, track)
    m = at[2]
    first = hands[i]["action"]
    for a in range(first, first + hands[i]["actions"]):
        if h["finished"] != 0:
            break  # checks written after everybody was all-in
        spot_kernel(s, spec, track, spot, 0)
        did_kernel(s, spec, track, spot, 0, np.int64(kind[a]), np.int64(to[a]))
        A.hand[m] = hand
        A.n[m] = a - first
        A.street[m] = r["street"]
        A.position[m] = r["position"]
        A.to_call[m] = r["to_call"]
        A.bet[m] = r["bet"]
        A.pot[m] = r["pot"]
        A.stack[m] = r["stack"]
        A.min_to[m] = r["min_to"]
        A.live[m] = r["live"]
        A.able[m] = r["able"]
        A.raises[m] = r["raises"]
        A.calls[m] = r["calls"]
        A.aggressor[m] = r["aggressor"]
        A.leader[m] = r["leader"]
        A.acted[m] = r["acted"]
        A.checked[m] = r["checked"] != 0
        A.kind[m] = r["did"]
        A.paid[m] = r["paid"]
        A.total[m] = r["to"]
        A.all_in[m] = r["all_in"] != 0
        if r["did"] == DID_FOLD:
            folded[r["position"]] = r["street"]
        m += 1
    return m


@kernel
def columns_kernel(hands, codes, kind, to, specs, spec_of, stacks, s, H, P, A, at):
    """Write rows for the accepted hands (codes FINE and UNPROVEN), which must replay: ``H``, ``P``, ``A`` are
    HandRows, PlayerRows and ActionRows (``P.player`` is read, all else written), ``s`` scratch. ``at`` (``int64[3]``:
    rows of hands, players and actions) says where to begin and is moved on.

    ``specs[spec_of[i]]`` is the game of hand ``i`` and ``stacks[i]`` (ten columns) those that it begins with; where
    ``spec_of`` or ``stacks`` has one row it is that of all hands."""
    h = s[0]
    folded = np.zeros(10, np.int64)
    track = np.zeros(1, TRACK_DTYPE)
    spot = np.zeros(1, SPOT_DTYPE)
    for i in range(hands.size):
        if codes[i] != FINE and codes[i] != UNPROVEN:
            continue
        r = hands[i]
        k = spec_of[min(i, spec_of.size - 1)]
        spec = specs[k : k + 1]
        n = spec[0]["players"]
        unit = UNITS // spec[0]["split"]
        begun = stacks[min(i, stacks.shape[0] - 1)]
        for p in range(n):
            h["stack"][p] = begun[p]
            folded[p] = -1
        start_kernel(s, spec)
        row = at[0]
        first = at[1]
        for p in range(n):
            P.ante[first + p] = h["ante"][p]
            P.blind[first + p] = h["bet"][p]
        begin = at[2]
        end = _actions(s, spec, hands, i, kind, to, at, A, folded, row, track, spot)
        for m in range(begin, end):
            A.player[m] = P.player[first + A.position[m]]
        showdown = h["live"] > 1
        pot = np.int64(0)
        top = np.int64(0)
        second = np.int64(0)
        for p in range(n):
            total = h["total"][p]
            pot += total + h["ante"][p]
            if total > top:
                second = top
                top = total
            elif total > second:
                second = total
            k = first + p
            P.hand[k] = row
            P.position[k] = p
            P.stack[k] = begun[p]
            P.put[k] = total
            P.folded[k] = folded[p]
            P.all_in[k] = h["stack"][p] == 0
            P.showdown[k] = showdown and folded[p] < 0
            P.payoff[k] = r["payoff"][p] // unit
            a = np.int64(r["hole"][p, 0])
            b = np.int64(r["hole"][p, 1])
            letter = np.int64(P.hole_end[k])
            P.known[k] = a != 255 or b != 255
            if P.known[k]:
                letter = _put_card(P.hole, _put_card(P.hole, letter, a), b)
            P.hole_end[k + 1] = letter
        H.row[row] = i
        H.street[row] = h["street"]
        H.showdown[row] = showdown
        H.actions[row] = end - begin
        H.pot[row] = pot - (top - second)
        letter = np.int64(H.board_end[row])
        for c in range(5):
            if r["board"][c] != 255:
                letter = _put_card(H.board, letter, np.int64(r["board"][c]))
        H.board_end[row + 1] = letter
        at[0] = row + 1
        at[1] = first + n
        at[2] = end
