"""PHH files block by block: tables of the usual shape in kernels, all others one by one by the careful reader.

What the kernels accept, the careful reader (:func:`dupai.history._entries.read_entries`) reads as the same hand, in
order; what they do not take, for whatever reason, is left to it. So there is one judge of what is wrong with a hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.history._entries import Entry, read_entries
from dupai.history._files import LogFile
from dupai.history._kernels import replay_phh_kernel, words_kernel
from dupai.history._layout import FINE, UNPROVEN, Array
from dupai.notation import HAND_DTYPE, PHH_DTYPE, PHH_WORDS, game_words, scan_phh_kernel
from dupai.rules import SPEC_DTYPE, STATE_DTYPE, GameSpec

#: Bytes of text scanned at a time (a thousand hands or so, well under 100 ms).
_BLOCK = 1 << 20
#: Text without a table's header for this long is read line by line.
_LONGEST = 16 << 20
_HEADER = re.compile(rb"^\[[A-Za-z0-9_-]+\]\r*$", re.MULTILINE)


class Run(NamedTuple):
    """Hands ``first`` to ``last`` (not included) of a block, all accepted."""

    block: PhhBlock
    first: int
    last: int

    @property
    def hands(self) -> int:
        """How many there are."""
        return self.last - self.first

    @property
    def unproven(self) -> int:
        """How many of them have a showdown whose cards are not all known."""
        return int(np.count_nonzero(self.block.codes[self.first : self.last] == UNPROVEN))

    @property
    def games(self) -> list[str]:
        """Their games in words without stacks, in the order met."""
        met = self.block.spec_of[self.first : self.last]
        return [self.block.games.words[k] for k in dict.fromkeys(met.tolist())]


class Games:
    """The games met in a file: told apart by what their tables write, each checked once by the careful reader."""

    def __init__(self) -> None:
        self.specs: list[GameSpec] = []
        self.words: list[str] = []
        self.array = np.zeros(0, SPEC_DTYPE)
        self._known: dict[bytes, int] = {}

    def number(self, key: bytes, table: bytes) -> int:
        """The number of the game that tables with this key are of; ``table`` is one; -1 where it cannot be read."""
        known = self._known.get(key)
        if known is not None:
            return known
        record = next((e.record for e in entries_of(table, 1)), None)
        if record is None:
            return -1
        self._known[key] = len(self.specs)
        self.specs.append(record.spec)
        self.words.append(game_words(record.spec).partition(", stacks")[0])
        self.array = np.concatenate([self.array, record.spec.array])
        return len(self.specs) - 1


class PhhBlock:
    """Tables of one block as columns, valid until the next block is scanned.

    ``hands`` (``HAND_DTYPE``), ``facts`` (``PHH_DTYPE``), ``kind`` and ``to`` of the actions, ``codes`` (FINE, UNPROVEN
    or not accepted) and ``spec_of`` (a game of ``games``, or -1) by table; ``out`` the scanner's text."""

    def __init__(self, text: bytes, games: Games, scratch: dict[str, Array], line: int) -> None:
        self.text = text
        self.bytes = np.frombuffer(text, np.uint8)
        self.games = games
        s = scratch
        n, _, o, self.lines = scan_phh_kernel(
            self.bytes, line, s["hands"], s["facts"], s["kind"], s["to"], s["actor"], s["out"]
        )
        self.hands, self.facts = s["hands"][:n], s["facts"][:n]
        self.kind, self.to, self.out = s["kind"], s["to"], s["out"][:o]
        self.codes = np.full(n, -1, np.int64)
        self.spec_of = self._games(games)
        replay_phh_kernel(
            *(self.hands, self.facts, 0, n, self.kind, self.to, s["actor"], games.array, self.spec_of),
            *(s["state"], s["payoffs"], self.codes),
        )

    def _games(self, games: Games) -> npt.NDArray[np.int64]:
        good = np.flatnonzero(self.hands["code"] == 0)
        spec_of = np.full(len(self.hands), -1, np.int64)
        index, spans = number_words(self.out, self.facts["game"][good])
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

    def pieces(self) -> Iterator[Run | Entry]:
        """All tables in order."""
        good = (self.codes == FINE) | (self.codes == UNPROVEN)
        done = 0
        for i in [*np.flatnonzero(~good).tolist(), len(good)]:
            if i > done:
                yield Run(self, done, i)
            if i < len(good):
                yield from entries_of(self.table(i), int(self.hands["line"][i]))
            done = i + 1

    def words(self, name: str, first: int, last: int) -> tuple[Array, list[str]]:
        """A word of ``PHH_WORDS`` of tables ``first`` to ``last``: index (-1: none) and values."""
        k = PHH_WORDS.index(name)
        index, spans = number_words(self.bytes, self.facts["words"][first:last, k])
        return index, self._texts(spans)

    def names(self, first: int, last: int) -> tuple[Array, list[str]]:
        """Who sits where in tables ``first`` to ``last``: index by table and position (-1: none), and names."""
        spans = self.hands["names"][first:last].copy()
        spans[np.arange(10) >= np.where(self.named(first, last), self.players(first, last), 0)[:, None]] = -1
        index, found = number_words(self.bytes, spans.reshape(-1, 2))
        return index.reshape(-1, 10), self._texts(found)

    def named(self, first: int, last: int) -> Array:
        """Whether the tables name their players."""
        return self.facts["named"][first:last] > 0

    def players(self, first: int, last: int) -> Array:
        """Players dealt in."""
        return self.facts["players"][first:last]

    def _texts(self, spans: list[list[int]]) -> list[str]:
        return [self.text[a:b].decode("ascii") for a, b in spans]

    def written(self, name: str, first: int, last: int) -> list[str | None]:
        """``extra`` or ``played`` of tables ``first`` to ``last``; None where there is nothing."""
        spans = self.facts[name][first:last]
        begin = int(spans[0, 0])
        text = self.out[begin : int(spans[-1, 1])].tobytes().decode("ascii")
        return [text[a:b] or None for a, b in (spans - begin).tolist()]


def number_words(text: Array, words: Array) -> tuple[Array, list[list[int]]]:
    """Number the words that ``words`` (start and end in ``text``; -1: none) spans: index, and where each different one
    stands, in the order met."""
    n = len(words)
    index, spans = np.empty(n, np.int32), np.empty((n, 2), np.int32)
    slots = np.full(1 << (2 * n + 1).bit_length(), -1, np.int32)
    many = words_kernel(text, np.ascontiguousarray(words), slots, spans, index)
    return index, spans[:many].tolist()


def entries_of(table: bytes, line: int) -> Iterator[Entry]:
    """What the careful reader finds in the text of a table whose first line has number ``line``."""
    for entry in read_entries("phh", table.decode("utf-8", "replace").split("\n")[:-1]):
        yield entry._replace(line=entry.line + line - 1)


class _Scratch(dict[str, Array]):
    """Arrays that grow to the largest block and are used again and again."""

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


def phh_pieces(
    file: LogFile, note: Callable[[bytes], object] | None = None, start: int = 1, *, size: int = 0
) -> Iterator[Run | Entry]:
    """The hands of a PHH file from line ``start`` on (where one begins), in order: runs of accepted ones, and entries.

    ``note`` is given every block of text (``size`` bytes or so; 0: 1 MB). A run is valid until the next piece is
    asked for."""
    games, scratch = Games(), _Scratch()
    blocks = _noted(file.blocks(size or _BLOCK), note)
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
            found = PhhBlock(text, games, scratch.fit(text), line)
            yield from found.pieces()
            line += found.lines
    else:
        text = b"".join(held)
        if text:
            yield from PhhBlock(text, games, scratch.fit(text), line).pieces()
        return
    rest = (x for block in (*held, *blocks) for x in block.decode("utf-8", "replace").split("\n")[:-1])
    yield from _from_line(read_entries("phh", rest), line)


#: A hand that both readers take, to have all that they need loaded.
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
    """Have the kernels compiled (or loaded), which is no part of the time that a file takes."""
    PhhBlock(_SMALL, Games(), _Scratch().fit(_SMALL), 1)


def _noted(blocks: Iterable[bytes], note: Callable[[bytes], object] | None) -> Iterator[bytes]:
    for block in blocks:
        if note is not None:
            note(block)
        yield block


def _from_line(entries: Iterable[Entry], line: int) -> Iterator[Entry]:
    for entry in entries:
        yield entry._replace(line=entry.line + line - 1)


def _skip(block: bytes, line: int, start: int) -> tuple[bytes, int]:
    """What a block has from line ``start`` on, and the number of its first line, when its own is ``line``."""
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
