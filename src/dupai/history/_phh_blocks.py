"""PHH files block by block: tables of the usual shape in kernels, all others one by one by the Python reader.

What the kernels accept, the Python reader (:func:`dupai.history._entries.read_entries`) reads as the same hand, in the
same order; whatever they do not accept is left to it. So one reader alone decides what is wrong with a hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from dupai.base.arrays import I64, AnyArray
from dupai.history._entries import Entry, game_title, noted, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._kernels import replay_phh_kernel, words_kernel
from dupai.history._layout import UNPROVEN, accepted
from dupai.history._once import LONG, Seen, number_key, played_key
from dupai.notation.scan import HAND_DTYPE, PHH_DTYPE, PHH_WORDS, UNITS, scan_phh_kernel
from dupai.rules import MAX_PLAYERS, SPEC_DTYPE, STATE_DTYPE, GameSpec

#: Bytes of text scanned at a time (a thousand hands or so, well under 100 ms).
_BLOCK = 1 << 20
#: So many bytes of text without a table's header are read line by line.
_LONGEST = 16 << 20
_HEADER = re.compile(rb"^\[[A-Za-z0-9_-]+\]\r*$", re.MULTILINE)


class Run(NamedTuple):
    """Hands ``first`` to ``last`` (exclusive) of a block, all accepted."""

    block: PhhBlock
    first: int
    last: int

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.last - self.first

    @property
    def unproven(self) -> int:
        """Number of hands with a showdown whose cards are not all known."""
        return int(np.count_nonzero(self.block.codes[self.first : self.last] == UNPROVEN))

    @property
    def games(self) -> list[str]:
        """Their games in words, without stacks, in order of appearance."""
        numbers = self.block.spec_of[self.first : self.last].tolist()
        return [self.block.games.titles[k] for k in dict.fromkeys(numbers)]


class Games:
    """The games of a file, distinguished by the text of their fields; the Python reader checks each once."""

    def __init__(self) -> None:
        self.specs: list[GameSpec] = []
        self.titles: list[str] = []
        self.array = np.zeros(0, SPEC_DTYPE)
        self._known: dict[bytes, int] = {}

    def number(self, key: bytes, table: bytes) -> int:
        """The number of the game of tables with this key, of which ``table`` is one; -1 if it cannot be read."""
        known = self._known.get(key)
        if known is not None:
            return known
        record = next((e.record for e in _entries_of(table, 1)), None)
        if record is None:
            return -1
        self._known[key] = len(self.specs)
        self.specs.append(record.spec)
        self.titles.append(game_title(record.spec))
        self.array = np.concatenate([self.array, record.spec.array])
        return len(self.specs) - 1


class PhhBlock:
    """Tables of one block as columns, valid until the next block is scanned.

    ``hands`` (``HAND_DTYPE``), ``facts`` (``PHH_DTYPE``), ``kind`` and ``to`` of the actions, ``codes`` (FINE, UNPROVEN
    or not accepted) and ``spec_of`` (a game of ``games``, or -1) by table; ``out`` is the scanner's text."""

    def __init__(self, text: bytes, games: Games, scratch: _Scratch, line: int) -> None:
        self.text = text
        self.bytes = np.frombuffer(text, np.uint8)
        self.games = games
        s = scratch.fit(text)
        self.kind, self.to = s["kind"], s["to"]
        n, _, size, self.lines = scan_phh_kernel(
            self.bytes, line, s["hands"], s["facts"], self.kind, self.to, s["actor"], s["out"]
        )
        self.hands, self.facts, self.out = s["hands"][:n], s["facts"][:n], s["out"][:size]
        self.codes = np.full(n, -1, np.int64)
        self.keys: dict[int, int] = {}
        self.spec_of = self._games(games)
        replay_phh_kernel(
            *(self.hands, self.facts, self.kind, self.to, s["actor"], games.array, self.spec_of),
            *(s["state"], s["payoffs"], self.codes),
        )

    def _games(self, games: Games) -> I64:
        good = np.flatnonzero(self.hands["code"] == 0)
        spec_of = np.full(len(self.hands), -1, np.int64)
        index, spans = _number_words(self.out, self.facts["game"][good])
        first = np.unique(index, return_index=True)[1]
        numbers = np.full(len(spans), -1, np.int64)
        for k, at in enumerate(good[first].tolist()):
            a, b = spans[k]
            numbers[k] = games.number(self.out[a:b].tobytes(), self.table(at))
        spec_of[good] = numbers[index]
        return spec_of

    def table(self, i: int) -> bytes:
        """The text of table ``i``."""
        return self.text[int(self.hands["start"][i]) : int(self.hands["end"][i])]

    def pieces(self, seen: Seen | None) -> Iterator[Run | Entry]:
        """All tables in order, but for hands that ``seen`` has seen."""
        good = accepted(self.codes)
        ends = ~good
        if seen is not None:
            self.keys = self._keys(np.flatnonzero(good))
            for i, key in self.keys.items():
                ends[i] = not seen.first_of(key, partial(self._told, i))
        done = 0
        for i in [*np.flatnonzero(ends).tolist(), len(good)]:
            if i > done:
                yield Run(self, done, i)
            if i < len(good) and not good[i]:
                yield from _entries_of(self.table(i), int(self.hands["line"][i]), seen)
            done = i + 1

    def _told(self, i: int) -> tuple[list[str], list[list[int]]]:
        """Names and hole cards of the accepted table ``i``."""
        index, names = self._names(np.array([i]))
        return [names[k] for k in index[0].tolist() if k >= 0], self.hands["hole"][
            i, : self.facts["players"][i]
        ].tolist()

    def _keys(self, rows: I64) -> dict[int, int]:
        """What tells accepted tables from all others (see :func:`dupai.history._once.hand_key`), by their numbers."""
        index, venues = self._numbered(self.facts["words"][rows, PHH_WORDS.index("venue")])
        numbers = self.hands["hand"][rows]
        long = (index >= 0) & (numbers >= 10 ** (LONG - 1))
        told = zip(rows[long].tolist(), index[long].tolist(), numbers[long].tolist(), strict=True)
        keys = {i: number_key(f'"{venues[k]}"', str(number)) for i, k, number in told}
        return keys if long.all() else keys | self._played(rows[~long])

    def _played(self, rows: I64) -> dict[int, int]:
        """The same by what was played."""
        hands, facts, spec_of = self.hands[rows], self.facts[rows], self.spec_of[rows]
        index, texts = self._names(rows)
        found = [self._numbered(facts["words"][:, PHH_WORDS.index(word)]) for word in ("venue", "room", "section")]
        words = [np.array(["", *values], object)[numbers + 1].tolist() for numbers, values in found]
        payoffs = hands["payoff"] // (UNITS // self.games.array["split"][spec_of])[:, None]
        ends = hands["action"] + hands["actions"]
        last = int(ends.max())
        acts = list(zip(self.kind[:last].tolist(), self.to[:last].tolist(), strict=True))
        most = int(facts["players"].max())  # places beyond are empty
        wide = (column[:, :most] for column in (facts["stacks"], hands["hole"], payoffs, index))
        lists = [c.tolist() for c in (rows, hands["hand"], spec_of, hands["board"], hands["action"], ends, *wide)]
        keys = {}
        for i, number, k, board, a, b, stacks, hole, won, named, venue, table, section in zip(
            *lists, *words, strict=True
        ):
            spec, names = self.games.specs[k], [texts[j] for j in named if j >= 0]
            about = (venue and f'"{venue}"', table and f'"{table}"', str(number), section)
            of = slice(spec.players)
            keys[i] = played_key(about, spec, stacks[of], hole[of], board, acts[a:b], won[of], names)
        return keys

    def words(self, name: str, first: int, last: int) -> tuple[AnyArray, list[str]]:
        """A word of ``PHH_WORDS`` of tables ``first`` to ``last``: index (-1: none) and values."""
        return self._numbered(self.facts["words"][first:last, PHH_WORDS.index(name)])

    def names(self, first: int, last: int) -> tuple[AnyArray, list[str]]:
        """Names by table and position of tables ``first`` to ``last``: index (-1: none), and values."""
        return self._names(slice(first, last))

    def _names(self, rows: slice | I64) -> tuple[AnyArray, list[str]]:
        facts = self.facts[rows]
        spans = self.hands["names"][rows].copy()
        spans[np.arange(MAX_PLAYERS) >= np.where(facts["named"] > 0, facts["players"], 0)[:, None]] = -1
        index, names = self._numbered(spans.reshape(-1, 2))
        return index.reshape(-1, MAX_PLAYERS), names

    def _numbered(self, words: AnyArray) -> tuple[AnyArray, list[str]]:
        index, spans = _number_words(self.bytes, words)
        return index, [self.text[a:b].decode("ascii") for a, b in spans]

    def written(self, name: str, first: int, last: int) -> list[str | None]:
        """``extra`` or ``played`` of tables ``first`` to ``last``; None where there is nothing."""
        spans = self.facts[name][first:last]
        begin = int(spans[0, 0])
        text = self.out[begin : int(spans[-1, 1])].tobytes().decode("ascii")
        return [text[a:b] or None for a, b in (spans - begin).tolist()]


def _number_words(text: AnyArray, words: AnyArray) -> tuple[AnyArray, list[list[int]]]:
    """Number the words that ``words`` (start and end in ``text``; -1: none) spans: index, and the span of each distinct
    word, in order of appearance."""
    n = len(words)
    index, spans = np.empty(n, np.int32), np.empty((n, 2), np.int32)
    slots = np.full(1 << (2 * n + 1).bit_length(), -1, np.int32)
    distinct = words_kernel(text, np.ascontiguousarray(words), slots, spans, index)
    return index, spans[:distinct].tolist()


def number_names(block: bytes, names: AnyArray) -> tuple[AnyArray, list[str]]:
    """Number names of a log, each given by where it begins and ends in ``block`` (``[..., 2]``): the index of each, and
    the names in order of appearance."""
    index, spans = _number_words(np.frombuffer(block, np.uint8), names.reshape(-1, 2))
    return index, [block[a:b].decode("utf-8", "replace") for a, b in spans]


def _entries_of(table: bytes, line: int, seen: Seen | None = None) -> Iterator[Entry]:
    """What the Python reader finds in the text of a table whose first line has number ``line``."""
    return read_entries("phh", table.decode("utf-8", "replace").split("\n")[:-1], line, line, seen)


class _Scratch(dict[str, AnyArray]):
    """Arrays that grow to the largest block and are reused."""

    def __init__(self) -> None:
        super().__init__(state=np.zeros(1, STATE_DTYPE), payoffs=np.zeros(10, np.int64))
        self._rows = self._size = -1

    def fit(self, text: bytes) -> _Scratch:
        rows = text.count(b"\n[") + 2
        if rows > self._rows:
            self._rows = rows
            self["hands"], self["facts"] = np.zeros(rows, HAND_DTYPE), np.zeros(rows, PHH_DTYPE)
        if len(text) + 7 * rows > self._size:
            self._size = len(text) + 7 * rows
            slots = self._size // 7 + 1
            self["kind"], self["actor"] = np.zeros(slots, np.uint8), np.zeros(slots, np.uint8)
            self["to"], self["out"] = np.zeros(slots, np.int64), np.zeros(3 * self._size, np.uint8)
        return self


def file_pieces(
    file: LogFile, kind: str, note: Callable[[bytes], object] | None = None, start: int = 1, seen: Seen | None = None
) -> Iterator[Run | Entry]:
    """The hands of a file of this ``kind`` (``phh`` or ``site``) from line ``start`` on (where one begins), in order.

    ``note`` is called with every block of text. A run is valid until the next piece is asked for. Hands that ``seen``
    has seen are left out."""
    if kind == "phh":
        return phh_pieces(file, note, start, seen)
    return read_entries(kind, text_lines(file, note), start, seen=seen)


def phh_pieces(
    file: LogFile,
    note: Callable[[bytes], object] | None = None,
    start: int = 1,
    seen: Seen | None = None,
    *,
    size: int = 0,
) -> Iterator[Run | Entry]:
    """As :func:`file_pieces` for a PHH file: runs of hands that the kernels accept, and single hands. A block of text
    has about ``size`` bytes (0: 1 MB)."""
    games, scratch = Games(), _Scratch()
    blocks = noted(file.blocks(size or _BLOCK), note)
    line = 1
    held: list[bytes] = []
    for raw in blocks:
        block = raw
        if line < start:
            block, line = _skip(block, line, start)
        cut = _last_header(block)
        if cut is None:
            held.append(block)
            if sum(map(len, held)) > _LONGEST:
                break
            continue
        text = b"".join((*held, block[:cut]))
        held = [block[cut:]]
        if text:
            scanned = PhhBlock(text, games, scratch, line)
            yield from scanned.pieces(seen)
            line += scanned.lines
    else:
        text = b"".join(held)
        if text:
            yield from PhhBlock(text, games, scratch, line).pieces(seen)
        return
    rest = (x for block in chain(held, blocks) for x in block.decode("utf-8", "replace").split("\n")[:-1])
    yield from read_entries("phh", rest, line, line, seen)


#: A hand that both readers accept; reading it loads everything that they need.
_SMALL = b"""[1]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [9, 9]
actions = ["p2 f"]
finishing_stacks = [10, 8]
"""


@cache
def compile_phh() -> None:
    """Compile (or load) the kernels, so that this is not counted as part of the time that a file takes."""
    PhhBlock(_SMALL, Games(), _Scratch(), 1)


def _skip(block: bytes, line: int, start: int) -> tuple[bytes, int]:
    """The part of a block from line ``start`` on and the number of its first line; the block begins with ``line``."""
    lines = block.count(b"\n")
    if line + lines <= start:
        return b"", line + lines
    at = -1
    for _ in range(start - line):
        at = block.index(b"\n", at + 1)
    return block[at + 1 :], start


def _last_header(block: bytes) -> int | None:
    """Where the last table of a block begins."""
    at = len(block)
    while at > 0:
        at = block.rfind(b"[", 0, at)
        if at < 0:
            return None
        if (at == 0 or block[at - 1] == 10) and _HEADER.match(block, at):
            return at
    return None
