"""Values of PHH fields and the list of actions, byte by byte. Helpers return where they stopped, -1 where a value is
not of the usual shape (see ``phh.py``)."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK
from dupai.notation._kernels.acpc import _card, _chips, _number
from dupai.notation._layout import DEAL

_OPEN, _CLOSE, _DOUBLE, _SINGLE, _SPACE, _COMMA = (ord(c) for c in "[]\"' ,")
_ZERO, _NINE, _MINUS, _ASK = (ord(c) for c in "09-?")
_C, _D, _F, _H, _M, _P, _R, _S, _B = (ord(c) for c in "cdfhmprsb")
_TRUTH_SIZE = np.array([4, 5], np.int64)
_TRUTH = np.array([list(b"true\0"), list(b"false")], np.uint8)


@kernel
def _text_end(text, p, end):
    """The closing quote of the text in quotes that begins at ``p``."""
    if p >= end or (text[p] != _DOUBLE and text[p] != _SINGLE):
        return np.int64(-1)
    quote = text[p]
    q = p + 1
    while q < end and text[q] != quote:
        if text[q] == _DOUBLE:
            return np.int64(-1)
        q += 1
    return q if q < end else np.int64(-1)


@kernel
def _next(text, p, end):
    """Past the comma and space of a list, or the bracket that ends the line: ``(position, whether there is more)``."""
    if p + 1 < end and text[p] == _COMMA and text[p + 1] == _SPACE:
        return p + 2, True
    if p + 1 == end and text[p] == _CLOSE:
        return end, False
    return np.int64(-1), False


@kernel
def _whole(text, p, end):
    """A whole number without a sign and leading zeros."""
    if p + 1 < end and text[p] == _ZERO and _ZERO <= text[p + 1] <= _NINE:
        return np.int64(0), np.int64(-1)
    return _number(text, p, end)


@kernel
def _numbers(text, p, end, chips, values):
    """A list of at most ten whole numbers (``chips``: amounts, in 1/2520 chip) that ends at ``end``: how many, or
    -1."""
    n = np.int64(0)
    more = p < end and text[p] == _OPEN
    p = p + 1 if more else np.int64(-1)
    while more and n < 10:
        if chips:
            first = p + 1 if p < end and text[p] == _MINUS else p
            if first + 1 < end and text[first] == _ZERO and _ZERO <= text[first + 1] <= _NINE:
                return np.int64(-1)
            values[n], p = _chips(text, p, end)
        else:
            values[n], p = _whole(text, p, end)
        if p < 0:
            return p
        n += 1
        p, more = _next(text, p, end)
    return n if p >= 0 and not more else np.int64(-1)


@kernel
def _texts(text, p, end, spans):
    """A list of at most ten texts that ends at ``end``, start and end of each in ``spans``: how many, or -1."""
    n = np.int64(0)
    more = p < end and text[p] == _OPEN
    p = p + 1 if more else np.int64(-1)
    while more and n < 10:
        q = _text_end(text, p, end)
        if q < 0:
            return q
        spans[n, 0] = p + 1
        spans[n, 1] = q
        n += 1
        p, more = _next(text, q + 1, end)
    return n if p >= 0 and not more else np.int64(-1)


@kernel
def _copy(text, p, end, out, o):
    """Copy the number or text at ``p`` as JSON to ``out``: where it ends, and where ``out`` does (-1: neither)."""
    if p >= end:
        return p, np.int64(-1)
    if text[p] == _DOUBLE or text[p] == _SINGLE:
        q = _text_end(text, p, end)
        if q < 0:
            return p, np.int64(-1)
        out[o] = _DOUBLE
        size = q - p
        for k in range(1, size):
            out[o + k] = text[p + k]
        out[o + size] = _DOUBLE
        return q + 1, o + size + 1
    first = p
    if text[p] == _MINUS:
        p += 1
        if p < end and text[p] == _ZERO:
            return p, np.int64(-1)
    _, q = _whole(text, p, end)
    if q < 0:
        return p, np.int64(-1)
    for k in range(first, q):
        out[o] = text[k]
        o += 1
    return q, o


@kernel
def _truth(text, p, end):
    """Whether the text from ``p`` to ``end`` is ``true`` or ``false``."""
    size = end - p
    word = 0 if size == 4 else 1
    if size != _TRUTH_SIZE[word]:
        return False
    for k in range(size):  # noqa: SIM110 (kernels have no generators)
        if text[p + k] != _TRUTH[word, k]:
            return False
    return True


@kernel
def _value(text, p, end, out, o):
    """The value between ``p`` and ``end`` as JSON without spaces to ``out``: where that ends."""
    size = end - p
    if _truth(text, p, end):
        for k in range(size):
            out[o + k] = text[p + k]
        return o + size
    if size > 0 and text[p] == _OPEN:
        out[o] = _OPEN
        o += 1
        p += 1
        more = p + 1 != end or text[p] != _CLOSE
        while more:
            p, o = _copy(text, p, end, out, o)
            if o < 0:
                return o
            p, more = _next(text, p, end)
            if p < 0:
                return p
            out[o] = _COMMA
            o += 1 if more else 0
        out[o] = _CLOSE
        return o + 1
    p, o = _copy(text, p, end, out, o)
    return o if p == end else np.int64(-1)


@kernel
def _pair(text, p, used):
    """Two cards at ``p``, neither among ``used``: both, (255, 255) where they are not that."""
    a = _card(text, p, p + 2)
    b = _card(text, p + 2, p + 4)
    bad = np.int64(255)
    if a == 255 or b == 255 or a == b or (used & (CARD_MASK[a] | CARD_MASK[b])) != np.uint64(0):
        return bad, bad
    return a, b


@kernel
def _player(text, p, end):
    """``p1`` to ``p10`` at ``p``: position and where it ends."""
    if p >= end or text[p] != _P:
        return np.int64(0), np.int64(-1)
    value, p = _whole(text, p + 1, end)
    if value < 1 or value > 10:
        return value, np.int64(-1)
    return value - 1, p


@kernel
def _deal(text, p, q, hands, i, used, board):
    """``d dh p1 AsKd`` or ``d db 7c8d9h`` from ``p`` to ``q``: ``(used cards, board cards dealt)``, the latter -1 where
    it is neither."""
    bad = np.int64(-1)
    h = hands[i]
    if q - p < 7 or text[p + 1] != _SPACE or text[p + 2] != _D or text[p + 4] != _SPACE:
        return used, bad
    if text[p + 3] == _H:
        player, p = _player(text, p + 5, q)
        if p < 0 or q - p != 5 or text[p] != _SPACE:
            return used, bad
        p += 1
        if text[p] == _ASK and text[p + 1] == _ASK and text[p + 2] == _ASK and text[p + 3] == _ASK:
            return used, board
        a, b = _pair(text, p, used)
        if a == 255 or h["hole"][player, 0] != 255:
            return used, bad
        h["hole"][player, 0] = a
        h["hole"][player, 1] = b
        return used | CARD_MASK[a] | CARD_MASK[b], board
    if text[p + 3] != _B or (q - p - 5) % 2 != 0:
        return used, bad
    p += 5
    while p < q:
        c = _card(text, p, q)
        if c == 255 or board == 5 or used & CARD_MASK[c] != np.uint64(0):
            return used, bad
        used |= CARD_MASK[c]
        h["board"][board] = c
        board += 1
        p += 2
    return used, board


@kernel
def _show(text, p, q, hands, facts, i, player, used):
    """`` AsKd`` (or nothing) behind ``sm``: ``(used cards, whether that is all right)``."""
    if p == q:
        return used, True
    if q - p != 5 or text[p] != _SPACE:
        return used, False
    h = hands[i]
    first = np.int64(h["hole"][player, 0])
    if first == 255 and text[p + 1] == _ASK and text[p + 2] == _ASK and text[p + 3] == _ASK and text[p + 4] == _ASK:
        facts[i]["shown"][player] = 1
        return used, True
    second = np.int64(h["hole"][player, 1])
    if first == 255:
        a, b = _pair(text, p + 1, used)
        if a == 255:
            return used, False
        h["hole"][player, 0] = a
        h["hole"][player, 1] = b
        used |= CARD_MASK[a] | CARD_MASK[b]
    else:
        a, b = _pair(text, p + 1, np.uint64(0))
        if not ((a == first and b == second) or (a == second and b == first)):
            return used, False
    facts[i]["shown"][player] = 1
    return used, True


@kernel
def _acts(text, at, end, c, row, first):
    """Read the actions of table ``row`` into slots from ``first`` on: ``(slots, highest position)``, the latter
    -1 where an action is not of the usual shape.

    A slot is a FOLD, CALL or RAISE by ``actor``, with the total *of the street* in ``to``, or a DEAL, with the cards
    then on the board in ``to``."""
    bad = np.int64(-1)
    count = highest = board = np.int64(0)
    used = np.uint64(0)
    if at >= end or text[at] != _OPEN:
        return count, bad
    at += 1
    more = True
    while more:
        stop = _text_end(text, at, end)
        if stop - at < 4:
            return count, bad
        at += 1
        if text[at] == _D:
            before = board
            used, board = _deal(text, at, stop, c.hands, row, used, board)
            if board < 0:
                return count, bad
            if board > before:
                c.kind[first + count] = DEAL
                c.to[first + count] = board
                count += 1
            elif text[at + 3] == _H:
                highest = max(highest, _player(text, at + 5, stop)[0])
        else:
            player, at = _player(text, at, stop)
            if at < 0 or stop - at < 2 or text[at] != _SPACE:
                return count, bad
            highest = max(highest, player)
            at += 1
            if text[at] == _S and stop - at >= 2 and text[at + 1] == _M:
                used, fine = _show(text, at + 2, stop, c.hands, c.facts, row, player, used)
                if not fine:
                    return count, bad
            else:
                c.actor[first + count] = player
                c.to[first + count] = 0
                if text[at] == _F and stop - at == 1:
                    act = 0
                elif text[at] == _C and stop - at == 2 and text[at + 1] == _C:
                    act = 1
                elif (
                    text[at] == _C
                    and stop - at > 4
                    and text[at + 1] == _B
                    and text[at + 2] == _R
                    and text[at + 3] == _SPACE
                ):
                    act = 2
                    c.to[first + count], at = _number(text, at + 4, stop)
                    if at != stop:
                        return count, bad
                else:
                    return count, bad
                c.kind[first + count] = act
                count += 1
        at, more = _next(text, stop + 1, end)
        if at < 0:
            return count, bad
    return count, highest
