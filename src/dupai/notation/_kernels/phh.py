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
def _known(text, at, end, field, columns, row, spans):
    """Read a field with a name of ours (but for the actions and what distinguishes games) into ``row``: whether its
    value is usual. Counts are compared later; ``facts["named"]`` and others hold them until then."""
    hand = columns.hands[row]
    facts = columns.facts[row]
    if field == _TRIMMING:
        return _truth(text, at, end)
    if field == _STACKS:
        count = _numbers(text, at, end, False, facts["stacks"])
        facts["players"] = count
        for place in range(count):
            if not 1 <= facts["stacks"][place] <= 10**12:
                return False
        return count >= 2
    if field in (_HAND, _RAKE, _HERO):
        value, after = _whole(text, at, end)
        if field == _HAND:
            hand["hand"] = value
        elif field == _RAKE:
            facts["rake"] = value
        else:
            facts["hero"] = value - 1
        return after == end and (field != _HERO or 1 <= value <= 10)
    if field == _SEATS:
        count = _numbers(text, at, end, False, facts["seats"])
        for place in range(count):
            facts["seats"][place] -= 1
            if not 0 <= facts["seats"][place] < 100:
                return False
            for j in range(place):
                if facts["seats"][j] == facts["seats"][place]:
                    return False
        return count > 0
    if field == _PLAYERS:
        facts["named"] = _texts(text, at, end, hand["names"])
        return facts["named"] > 0
    if field == _FINISHING:
        facts["given"] = _numbers(text, at, end, True, hand["payoff"])
        return facts["given"] > 0
    if field == _MUCKED:
        facts["lost"] = _texts(text, at, end, spans)
        for place in range(facts["lost"]):
            size = spans[place, 1] - spans[place, 0]
            if size:
                a, b = _pair(text, np.int64(spans[place, 0]), np.uint64(0))
                facts["mucked"][place, 0] = a
                facts["mucked"][place, 1] = b
                if size != 4 or a == 255:
                    return False
        return facts["lost"] > 0
    if field == _GAME_STACKS:
        return False
    # A text of its own: section, comment, venue, room (a number will do) or unit.
    number = field == _TABLE and at < end and _ZERO <= text[at] <= _NINE
    after = _whole(text, at, end)[1] if number else _text_end(text, at, end) + 1
    span = facts["words"][field - _SECTION]
    span[0] = at if number else at + 1
    span[1] = end if number else after - 1
    return after == end


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
def _table(text, at, end, columns, row, first, out_end, scratch):
    """Read the fields of a table from ``at`` to ``end`` into ``row``: ``(slots, end of out)``; -1 slots: it is
    unusual."""
    # Long because a table is read in one pass over its lines, and combined after the last.
    spans, game, others, when, clock, won = scratch
    bad = np.int64(-1)
    facts = columns.facts[row]
    out = columns.out
    had = slots = highest = np.int64(0)
    count = 0
    game[:] = -1
    when[:] = -1
    clock[:] = 0
    won[0] = -1
    facts["extra"][0] = out_end
    while at < end:
        last, after = line_end_kernel(text, at)
        for place in range(at, last):
            if text[place] < 32 or text[place] > 126 or text[place] == _BACKSLASH:
                return bad, out_end
        if last == at or text[at] == _HASH:
            at = after
            continue
        field, stop = _key(text, at, last)
        if (
            stop == at
            or last - stop < 4
            or text[stop] != _SPACE
            or text[stop + 1] != _EQUALS
            or text[stop + 2] != _SPACE
        ):
            return bad, out_end
        start = stop + 3
        if field >= 0:
            if had & (np.int64(1) << field):
                return bad, out_end
            had |= np.int64(1) << field
        else:
            if count == _OTHERS:
                return bad, out_end
            for place in range(count):
                if _same(text, others[place, 0], others[place, 1], at, stop):
                    return bad, out_end
            others[count, 0] = at
            others[count, 1] = stop
            count += 1
        if 0 <= field < _GAME:
            game[field, 0] = start
            game[field, 1] = last
        elif field == _ACTIONS:
            slots, highest = _acts(text, start, last, columns, row, first)
            if highest < 0:
                return bad, out_end
        elif 0 <= field < _WINNINGS and not _known(text, start, last, field, columns, row, spans):
            return bad, out_end
        if field < 0 or field >= _VENUE:
            if field == _WINNINGS:
                won[0] = start
                won[1] = last
            elif field >= _YEAR and not _when(text, start, last, field, when, clock):
                return bad, out_end
            out[out_end] = _COMMA
            out[out_end + 1] = _DOUBLE
            out_end = _append(text, at, stop, out, out_end + 2)
            out[out_end] = _DOUBLE
            out[out_end + 1] = _COLON
            out_end = _value(text, start, last, out, out_end + 2)
            if out_end < 0:
                return bad, np.int64(facts["extra"][0])
        at = after
    if not _complete(text, columns, row, had, highest, won):
        return bad, out_end
    if out_end > facts["extra"][0]:
        out[facts["extra"][0]] = 123  # the first comma becomes the brace
        out[out_end] = 125
        out_end += 1
    facts["extra"][1] = out_end
    facts["played"][0] = out_end
    out_end = _date(text, when, clock, out, out_end)
    facts["played"][1] = out_end
    facts["game"][0] = out_end
    out[out_end] = _ZERO + facts["players"]
    out_end += 1
    for place in range(_GAME):
        out[out_end] = _LF
        out_end += 1
        out_end = _append(text, game[place, 0], game[place, 1], out, out_end)
    facts["game"][1] = out_end
    return slots, out_end


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
