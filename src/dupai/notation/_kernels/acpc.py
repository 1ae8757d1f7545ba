"""Bytes of ACPC log lines to columns. Helpers return where they stopped, -1 where the text is malformed."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, RANKS, SUITS
from dupai.notation._layout import BAD_BETTING, BAD_CARDS, BAD_HAND, BAD_NAMES, BAD_PAYOFFS, GOOD, UNITS


def _places(letters):
    table = np.full(256, 255, dtype=np.uint8)
    for i, letter in enumerate(letters):
        table[ord(letter)] = i
    return table


_RANK = _places(RANKS)
_SUIT = _places(SUITS)
_BAR, _COLON, _SLASH, _DOT, _MINUS = ord("|"), ord(":"), ord("/"), ord("."), ord("-")
_F, _C, _R, _ZERO, _NINE, _LF, _CR = ord("f"), ord("c"), ord("r"), ord("0"), ord("9"), ord("\n"), ord("\r")
_STATE = np.frombuffer(b"STATE:", dtype=np.uint8)


@kernel
def line_end_kernel(text, p):
    """The line at ``p``: where its text ends (without line ends), and where the next line begins."""
    stop = p
    while text[stop] != _LF:
        stop += 1
    last = stop
    while last > p and text[last - 1] == _CR:
        last -= 1
    return last, stop + 1


@kernel
def _number(text, p, end):
    """Digits from ``p`` (1 to 15 of them): their value and where they end, -1 if there are none or too many."""
    value = np.int64(0)
    q = p
    while q < end and _ZERO <= text[q] <= _NINE:
        value = value * 10 + (np.int64(text[q]) - _ZERO)
        q += 1
        if q - p > 15:
            return value, np.int64(-1)
    return value, (q if q > p else np.int64(-1))


@kernel
def _chips(text, p, end):
    """An amount such as ``-2.5`` in 1/2520 chip; see :func:`dupai.notation.parse_chips`."""
    negative = p < end and text[p] == _MINUS
    if negative:
        p += 1
    value, p = _number(text, p, end)
    if p < 0:
        return value, p
    value *= UNITS
    if p < end and text[p] == _DOT:
        first = p + 1
        fraction, p = _number(text, first, end)
        if p < 0 or p - first > 9:
            return value, np.int64(-1)
        scale = np.int64(1)
        for _ in range(p - first):
            scale *= 10
        part = (2 * fraction * UNITS + scale) // (2 * scale)
        # What `%.6f` prints of a multiple is within half of its last place, and large doubles add to that.
        if abs(part * scale - fraction * UNITS) * 1_000_000 >= UNITS * scale:
            return value, np.int64(-1)
        value += part
    return (-value if negative else value), p


@kernel
def _card(text, p, end):
    """The card at ``p``, 255 if there is none."""
    if p + 1 >= end:
        return np.int64(255)
    rank = np.int64(_RANK[text[p]])
    suit = np.int64(_SUIT[text[p + 1]])
    if rank == 255 or suit == 255:
        return np.int64(255)
    return suit * 13 + rank


@kernel
def _betting(text, p, end, first, kind, to, street):
    """Read actions from ``p`` to the colon: ``(actions, rounds, position after the colon)``."""
    n = round_ = np.int64(0)
    while p < end and text[p] != _COLON:
        letter = text[p]
        p += 1
        if letter == _SLASH:
            round_ += 1
            if round_ > 3:
                return n, round_, np.int64(-1)
            continue
        size = np.int64(0)
        if letter == _F:
            act = 0
        elif letter == _C:
            act = 1
        elif letter == _R:
            act = 2
            size = np.int64(-1)
            if p < end and _ZERO <= text[p] <= _NINE:
                size, p = _number(text, p, end)
                if p < 0:
                    return n, round_, p
        else:
            return n, round_, np.int64(-1)
        kind[first + n] = act
        to[first + n] = size
        street[first + n] = round_
        n += 1
    return n, round_ + 1, (p + 1 if p < end else np.int64(-1))


@kernel
def _cards(text, p, end, players, rounds, hands, i):
    """Read hole cards of ``players`` and the boards of ``rounds`` into row ``i``; returns where they end, after the
    colon."""
    h = hands[i]
    used = np.uint64(0)
    for k in range(5):
        h["board"][k] = 255
    for player in range(players):
        empty = p < end and (text[p] == _BAR or text[p] == _SLASH or text[p] == _COLON)
        for k in range(2):
            c = np.int64(255)
            if not empty:
                c = _card(text, p, end)
                if c == 255 or used & CARD_MASK[c] != np.uint64(0):
                    return np.int64(-1)
                used |= CARD_MASK[c]
                p += 2
            h["hole"][player, k] = c
        if player < players - 1:
            if p >= end or text[p] != _BAR:
                return np.int64(-1)
            p += 1
    k = 0
    for round_ in range(1, rounds):
        if p >= end or text[p] != _SLASH:
            return np.int64(-1)
        p += 1
        for _ in range(3 if round_ == 1 else 1):
            c = _card(text, p, end)
            if c == 255 or used & CARD_MASK[c] != np.uint64(0):
                return np.int64(-1)
            used |= CARD_MASK[c]
            h["board"][k] = c
            k += 1
            p += 2
    return p + 1 if p < end and text[p] == _COLON else np.int64(-1)


@kernel
def _line(text, p, end, players, hands, i, first, kind, to, street):
    """Read everything after ``STATE:`` of a line into row ``i`` and set its code; returns the number of actions."""
    h = hands[i]
    h["hand"], p = _number(text, p, end)
    if p < 0 or p >= end or text[p] != _COLON:
        h["code"] = BAD_HAND
        return np.int64(0)
    n, rounds, p = _betting(text, p + 1, end, first, kind, to, street)
    h["actions"] = n
    h["rounds"] = rounds
    if p < 0:
        h["code"] = BAD_BETTING
        return n
    p = _cards(text, p, end, players, rounds, hands, i)
    if p < 0:
        h["code"] = BAD_CARDS
        return n
    for player in range(players):
        h["payoff"][player], p = _chips(text, p, end)
        if p < 0 or p >= end or text[p] != (_COLON if player == players - 1 else _BAR):
            h["code"] = BAD_PAYOFFS
            return n
        p += 1
    for player in range(players):
        q = p
        while q < end and text[q] != _BAR:
            q += 1
        if q == p or (q == end) != (player == players - 1):
            h["code"] = BAD_NAMES
            return n
        h["names"][player, 0] = p
        h["names"][player, 1] = q
        p = q + 1
    h["code"] = GOOD
    return n


@kernel
def scan_kernel(text, line, players, hands, kind, to, street, other):
    """Read all lines of ``text`` (``uint8``, ends with a line end); ``line`` is the number of the first one.

    Returns ``(hands, actions, others, lines)``. The arrays must be long enough: one row a line, one action a byte.
    """
    end = np.int64(text.size)
    i = m = k = lines = p = np.int64(0)
    while p < end:
        last, after = line_end_kernel(text, p)
        state = last - p >= 6
        if state:
            for j in range(6):
                if text[p + j] != _STATE[j]:
                    state = False
        if state:
            h = hands[i]
            h["line"] = line + lines
            h["start"] = p
            h["end"] = last
            h["action"] = m
            h["actions"] = 0
            h["rounds"] = 0
            m += _line(text, p + 6, last, players, hands, i, m, kind, to, street)
            i += 1
        elif last > p:
            other[k, 0] = line + lines
            other[k, 1] = p
            other[k, 2] = last
            k += 1
        lines += 1
        p = after
    return i, m, k, lines
