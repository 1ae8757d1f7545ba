"""Bytes of PHH tables of the usual shape to columns.

The usual shape is what PokerKit, our own writer and the public collections write: one field a line, ``key = value``,
plain text in quotes, whole numbers, lists on one line. A table with anything unusual (a field twice, an escape, an
unknown action, half-known cards, a card twice) gets the code UNUSUAL and is left to the Python reader, which also
explains what is wrong with a bad one. Helpers return where they stopped, or -1.
"""

from typing import NamedTuple

import numpy as np

from dupai.base import kernel
from dupai.base.arrays import I64, U8, AnyArray
from dupai.notation._kernels.acpc import line_end_kernel
from dupai.notation._kernels.phh_values import _acts, _numbers, _pair, _text_end, _texts, _truth, _value, _whole
from dupai.notation._layout import GOOD, UNUSUAL

_LF, _HASH, _OPEN, _CLOSE, _BACKSLASH, _DOUBLE = (ord(c) for c in '\n#[]\\"')
_SPACE, _COMMA, _COLON, _EQUALS, _ZERO, _NINE, _MINUS, _UNDERSCORE = (ord(c) for c in " ,:=09-_")
_FIELDS = (
    # What distinguishes games, in the order in which it is kept.
    *("variant", "antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet", "_odd_chips", "_min_raise"),
    *("_bet_sizes", "_max_raises", "_first_player"),
    # What a record holds under its own names.
    *("ante_trimming_status", "starting_stacks", "actions", "hand", "seats", "players", "finishing_stacks", "_rake"),
    *("_mucked", "_hero", "_game_stacks", "_section", "_comment"),
    # What is kept as it is and also has a meaning.
    *("venue", "table", "_unit", "winnings", "year", "month", "day", "time", "_time"),
)
_GAME = 11
_ID = {name: k for k, name in enumerate(_FIELDS)}
_TRIMMING, _STACKS, _ACTIONS, _HAND = (_ID[k] for k in ("ante_trimming_status", "starting_stacks", "actions", "hand"))
_SEATS, _PLAYERS, _FINISHING, _RAKE = (_ID[k] for k in ("seats", "players", "finishing_stacks", "_rake"))
_MUCKED, _HERO, _GAME_STACKS, _SECTION = (_ID[k] for k in ("_mucked", "_hero", "_game_stacks", "_section"))
_VENUE, _TABLE, _UNIT, _WINNINGS = (_ID[k] for k in ("venue", "table", "_unit", "winnings"))
_YEAR, _DAY, _TIME, _TIME2 = (_ID[k] for k in ("year", "day", "time", "_time"))
#: Fields that every table must have.
_NEEDED = sum(1 << _ID[k] for k in ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions"))
#: Most distinct fields of a table that have no name here.
_OTHERS = 40
#: Names are found by a perfect hash: multiply, add, keep eight bits.
_LETTERS = np.zeros((len(_FIELDS), 24), np.uint8)
for _k, _name in enumerate(_FIELDS):
    _LETTERS[_k, : len(_name)] = np.frombuffer(_name.encode(), np.uint8)


def _place(name, factor):
    value = 0
    for letter in name.encode():
        value = (value * factor + letter) & 0xFFFF
    return (value ^ (value >> 8)) & 0xFF


_FACTOR = next(f for f in range(3, 10_000, 2) if len({_place(n, f) for n in _FIELDS}) == len(_FIELDS))
_PLACES = np.full(256, -1, np.int64)
for _k, _name in enumerate(_FIELDS):
    _PLACES[_place(_name, _FACTOR)] = _k


class _Columns(NamedTuple):
    """What the tables are read into; see :func:`scan_phh_kernel`."""

    hands: AnyArray
    facts: AnyArray
    kind: U8
    to: I64
    actor: U8
    out: U8


@kernel
def _letter(c):
    """Whether ``c`` may stand in a bare key."""
    lower = c | 32
    return 97 <= lower <= 122 or _ZERO <= c <= _NINE or c in (_UNDERSCORE, _MINUS)


@kernel
def _key(text, p, end):
    """The key at ``p``: number of the field (-1: no name of ours) and where the key ends."""
    value = np.int64(0)
    q = p
    while q < end and _letter(text[q]):
        value = (value * _FACTOR + np.int64(text[q])) & 0xFFFF
        q += 1
    field = _PLACES[(value ^ (value >> 8)) & 0xFF]
    size = q - p
    if field >= 0:
        if size > 23 or _LETTERS[field, size] != 0:
            return np.int64(-1), q
        for k in range(size):
            if _LETTERS[field, k] != text[p + k]:
                return np.int64(-1), q
    return field, q


@kernel
def _append(text, p, q, out, o):
    """Copy ``text[p:q]`` to ``out``; where it ends there."""
    for k in range(p, q):
        out[o] = text[k]
        o += 1
    return o


@kernel
def _same(text, a, b, p, q):
    """Whether ``text[a:b]`` and ``text[p:q]`` are alike."""
    if b - a != q - p:
        return False
    for k in range(q - p):  # noqa: SIM110 (kernels have no generators)
        if text[a + k] != text[p + k]:
            return False
    return True


@kernel
def _date(text, when, clock, out, o):
    """Date (``when``: year, month, day; -1 unknown) and time of day (start and end in ``text``) to ``out``."""
    if when[0] >= 0 and when[1] >= 0 and when[2] >= 0:
        for k in range(3):
            if k:
                out[o] = _MINUS
                o += 1
            places = 4 if k == 0 else 2
            value = when[k]
            for j in range(places - 1, -1, -1):
                out[o + j] = _ZERO + value % 10
                value //= 10
            o += places
        if clock[1] > clock[0]:
            out[o] = 84  # T
            o += 1
    if clock[1] > clock[0] + 1 and text[clock[0] + 1] == _COLON:
        out[o] = _ZERO
        o += 1
    return _append(text, clock[0], clock[1], out, o)


@kernel
def _known(text, p, end, field, c, i, spans):
    """Read a field with a name of ours (but for the actions and what distinguishes games) into row ``i``: whether its
    value is usual. Counts are compared later; ``facts["named"]`` and others hold them until then."""
    h = c.hands[i]
    f = c.facts[i]
    if field == _TRIMMING:
        return _truth(text, p, end)
    if field == _STACKS:
        n = _numbers(text, p, end, False, f["stacks"])
        f["players"] = n
        for k in range(n):
            if not 1 <= f["stacks"][k] <= 10**12:
                return False
        return n >= 2
    if field in (_HAND, _RAKE, _HERO):
        value, q = _whole(text, p, end)
        if field == _HAND:
            h["hand"] = value
        elif field == _RAKE:
            f["rake"] = value
        else:
            f["hero"] = value - 1
        return q == end and (field != _HERO or 1 <= value <= 10)
    if field == _SEATS:
        n = _numbers(text, p, end, False, f["seats"])
        for k in range(n):
            f["seats"][k] -= 1
            if not 0 <= f["seats"][k] < 100:
                return False
            for j in range(k):
                if f["seats"][j] == f["seats"][k]:
                    return False
        return n > 0
    if field == _PLAYERS:
        f["named"] = _texts(text, p, end, h["names"])
        return f["named"] > 0
    if field == _FINISHING:
        f["given"] = _numbers(text, p, end, True, h["payoff"])
        return f["given"] > 0
    if field == _MUCKED:
        f["lost"] = _texts(text, p, end, spans)
        for k in range(f["lost"]):
            size = spans[k, 1] - spans[k, 0]
            if size:
                a, b = _pair(text, np.int64(spans[k, 0]), np.uint64(0))
                f["mucked"][k, 0] = a
                f["mucked"][k, 1] = b
                if size != 4 or a == 255:
                    return False
        return f["lost"] > 0
    if field == _GAME_STACKS:
        return False
    # A text of its own: section, comment, venue, room (a number will do) or unit.
    number = field == _TABLE and p < end and _ZERO <= text[p] <= _NINE
    q = _whole(text, p, end)[1] if number else _text_end(text, p, end) + 1
    span = f["words"][field - _SECTION]
    span[0] = p if number else p + 1
    span[1] = end if number else q - 1
    return q == end


@kernel
def _clear(c, i):
    h = c.hands[i]
    f = c.facts[i]
    h["hand"] = h["actions"] = h["rounds"] = 0
    f["players"] = f["given"] = f["named"] = f["lost"] = 0
    f["rake"] = f["hero"] = -1
    h["hole"][:] = 255
    h["board"][:] = 255
    f["seats"][:] = -1
    f["shown"][:] = 0
    f["mucked"][:] = 255
    f["words"][:] = -1


@kernel
def _when(text, p, end, field, when, clock):
    """Read a year, month, day or time of day: whether it is usual. ``time`` has priority over ``_time``."""
    if field <= _DAY:
        value, q = _whole(text, p, end)
        when[field - _YEAR] = value
        return q == end and end - p <= (4 if field == _YEAR else 2)
    if field == _TIME or clock[2] == 0:
        clock[0] = p + 1
        clock[1] = end - 1
        clock[2] = 1 if field == _TIME else 0
    return _text_end(text, p, end) == end - 1


@kernel
def _complete(text, c, i, had, highest, won):
    """Whether the fields of a table (``had``, as bits) are complete and consistent; reads the winnings (``won[0]`` to
    ``won[1]``) where there are no finishing stacks."""
    h = c.hands[i]
    f = c.facts[i]
    n = f["players"]
    if had & _NEEDED != _NEEDED or n < 2 or highest >= n or f["hero"] >= n:
        return False
    if (f["named"] and f["named"] != n) or (f["lost"] and f["lost"] != n):
        return False
    if had & (1 << _SEATS) and (f["seats"][n - 1] < 0 or (n < 10 and f["seats"][n] >= 0)):
        return False
    f["lost"] = (f["mucked"][:n, 0] != 255).any()
    if f["given"]:
        fits = f["given"] == n
        f["given"] = 1
        return fits
    if won[0] < 0:
        return False
    f["given"] = 2
    return _numbers(text, won[0], won[1], True, h["payoff"]) == n


@kernel
def _table(text, p, end, c, i, first, o, scratch):
    """Read the fields of a table from ``p`` to ``end`` into row ``i``: ``(slots, end of out)``; -1 slots: it is
    unusual."""
    # Long because a table is read in one pass over its lines, and combined after the last.
    spans, game, others, when, clock, won = scratch
    bad = np.int64(-1)
    f = c.facts[i]
    out = c.out
    had = slots = highest = np.int64(0)
    count = 0
    game[:] = -1
    when[:] = -1
    clock[:] = 0
    won[0] = -1
    f["extra"][0] = o
    while p < end:
        last, after = line_end_kernel(text, p)
        for k in range(p, last):
            if text[k] < 32 or text[k] > 126 or text[k] == _BACKSLASH:
                return bad, o
        if last == p or text[p] == _HASH:
            p = after
            continue
        field, q = _key(text, p, last)
        if q == p or last - q < 4 or text[q] != _SPACE or text[q + 1] != _EQUALS or text[q + 2] != _SPACE:
            return bad, o
        start = q + 3
        if field >= 0:
            if had & (np.int64(1) << field):
                return bad, o
            had |= np.int64(1) << field
        else:
            if count == _OTHERS:
                return bad, o
            for k in range(count):
                if _same(text, others[k, 0], others[k, 1], p, q):
                    return bad, o
            others[count, 0] = p
            others[count, 1] = q
            count += 1
        if 0 <= field < _GAME:
            game[field, 0] = start
            game[field, 1] = last
        elif field == _ACTIONS:
            slots, highest = _acts(text, start, last, c, i, first)
            if highest < 0:
                return bad, o
        elif 0 <= field < _WINNINGS and not _known(text, start, last, field, c, i, spans):
            return bad, o
        if field < 0 or field >= _VENUE:
            if field == _WINNINGS:
                won[0] = start
                won[1] = last
            elif field >= _YEAR and not _when(text, start, last, field, when, clock):
                return bad, o
            out[o] = _COMMA
            out[o + 1] = _DOUBLE
            o = _append(text, p, q, out, o + 2)
            out[o] = _DOUBLE
            out[o + 1] = _COLON
            o = _value(text, start, last, out, o + 2)
            if o < 0:
                return bad, np.int64(f["extra"][0])
        p = after
    if not _complete(text, c, i, had, highest, won):
        return bad, o
    if o > f["extra"][0]:
        out[f["extra"][0]] = 123  # the first comma becomes the brace
        out[o] = 125
        o += 1
    f["extra"][1] = o
    f["played"][0] = o
    o = _date(text, when, clock, out, o)
    f["played"][1] = o
    f["game"][0] = o
    out[o] = _ZERO + f["players"]
    o += 1
    for k in range(_GAME):
        out[o] = _LF
        o += 1
        o = _append(text, game[k, 0], game[k, 1], out, o)
    f["game"][1] = o
    return slots, o


@kernel
def _header(text, p, end):
    """Whether the line is ``[name]``."""
    if end - p < 3 or text[p] != _OPEN or text[end - 1] != _CLOSE:
        return False
    for k in range(p + 1, end - 1):  # noqa: SIM110 (kernels have no generators)
        if not _letter(text[k]):
            return False
    return True


@kernel
def scan_phh_kernel(text, line, hands, facts, kind, to, actor, out):
    """Read all tables of ``text`` (``uint8``, ends with a line end) into rows of ``HAND_DTYPE`` and ``PHH_DTYPE``;
    ``line`` is the number of the first line. A row reaches from its header to the next one (the first may lack one).

    Returns ``(tables, slots, end of out, lines)``. Needed: a row for each ``[`` that begins a line and one more, a
    slot for every seven bytes and one for each row, and ``out`` three times as long as the text."""
    c = _Columns(hands, facts, kind, to, actor, out)
    scratch = (
        np.zeros((10, 2), np.int64),
        np.zeros((_GAME, 2), np.int64),
        np.zeros((_OTHERS, 2), np.int64),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.zeros(2, np.int64),
    )
    size = np.int64(text.size)
    i = m = o = lines = p = np.int64(0)
    while p < size:
        begin = p
        h = hands[i]
        h["line"] = line + lines
        body = p
        headed = False
        while p < size:
            last, after = line_end_kernel(text, p)
            if text[p] == _OPEN and _header(text, p, last):
                if p > begin:
                    break
                headed = True
                body = after
            lines += 1
            p = after
        h["start"] = begin
        h["end"] = p
        h["action"] = m
        _clear(c, i)
        slots = np.int64(-1)
        if headed:
            slots, o = _table(text, body, p, c, i, m, o, scratch)
        if slots < 0:
            h["code"] = UNUSUAL
        else:
            h["code"] = GOOD
            h["actions"] = slots
            m += slots + 1  # one more for the check that only the ACPC rule asks for
        i += 1
    return i, m, o, lines
