"""Files that are read hand by hand (PHH, texts of poker sites): every hand with what is wrong with it."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from dupai.base import DupaiError, HistoryError
from dupai.history._files import LogFile
from dupai.history._once import Seen, hand_key
from dupai.notation import (
    check_record,
    check_unstated_rake,
    format_chips,
    is_ohh,
    parse_chips,
    read_ohh,
    read_sites,
    site_of,
)
from dupai.notation.acpc import game_words
from dupai.notation.phh import PhhTable, read_phh_tables, record_of_phh
from dupai.notation.sites import is_summary, no_hands
from dupai.rules import GameSpec, HandRecord

#: Bytes of text read at a time, few enough for the progress to move.
_BLOCK = 1 << 18
#: Letters at the start of a text by which its kind is recognized.
_HEAD = 1 << 14
#: What logs of matches have at the start of a line, a log without a hand, and what a table of PHH has.
_LOG, _COMMENTS = re.compile(r"^(?:STATE|SCORE):", re.MULTILINE), re.compile(r"(?:\s*[#;].*(?:\n|\Z))+\s*")
_PHH = re.compile(r"^\s*variant\s*=", re.MULTILINE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NoHands(HistoryError):
    """A file that is in order and has no hands: the summary of a tournament."""


class Entry(NamedTuple):
    """A hand and the ``line`` on which it begins.

    ``kind`` is "" when all is well, ``rejected`` when the hand cannot be read (``record`` is None), ``mismatch`` when
    it does not reconcile; ``error`` says why. ``proven``: the winners were recomputed. ``key`` is that of
    :func:`dupai.history._once.hand_key` where hands that were seen before are left out."""

    line: int
    record: HandRecord | None
    proven: bool = False
    kind: str = ""
    error: str = ""
    key: int = 0

    @property
    def hands(self) -> int:
        """1 if the hand was replayed, else 0."""
        return int(self.record is not None)

    @property
    def unproven(self) -> int:
        """1 if the hand is in order but has a showdown whose cards are not all known, else 0."""
        return int(self.record is not None and not self.kind and not self.proven)

    @property
    def games(self) -> list[str]:
        """Its game in words, without stacks."""
        return [] if self.record is None else [game_title(self.record.spec)]


def game_title(spec: GameSpec) -> str:
    """A game in words, without stacks."""
    return game_words(spec).partition(", stacks")[0]


def games_title(games: set[str]) -> str:
    """The one game of a file, ``several games``, or nothing."""
    return next(iter(games), "") if len(games) < 2 else "several games"


def is_phh(path: str) -> bool:
    """Whether a file's name is that of a PHH file (``.phh``, ``.phhs``, also compressed)."""
    return path.lower().removesuffix(".xz").removesuffix(".gz").endswith((".phh", ".phhs"))


def file_kind(path: str) -> str:
    """The kind of a file: ``phh`` by its name, otherwise as :func:`content_kind`.

    Raises:
        FileError: the file cannot be opened.
    """
    if is_phh(path):
        return "phh"
    head = _beginning(path)
    return content_kind(head) if head.strip() else "acpc"


def _beginning(path: str) -> str:
    """The first lines of a file."""
    with LogFile(path) as file:
        return decoded(next(iter(file.blocks(_HEAD)), b""))


def content_kind(text: str) -> str:
    """The kind of a text by its beginning: ``phh``, ``ohh``, ``acpc`` or ``site``, which an unknown text counts as."""
    head = text[:_HEAD]
    if is_ohh(head):
        return "ohh"
    if site_of(head) is not None:
        return "site"
    return "phh" if _PHH.search(head) else "acpc" if _LOG.search(head) or _COMMENTS.fullmatch(head) else "site"


def no_hand(path: str, *, refused: bool = False) -> HistoryError:
    """The error of a file (or store) in which no hand can be read; ``refused``: it holds some that are refused."""
    if refused or os.path.isdir(path) or file_kind(path) != "site":
        return HistoryError(f"{path}: there is no hand in the file that can be read", path=path)
    text = _beginning(path)
    return (NoHands if is_summary(text) else HistoryError)(f"{path}: {no_hands(text)}", path=path)


def noted(blocks: Iterable[bytes], note: Callable[[bytes], object] | None) -> Iterator[bytes]:
    """The blocks; ``note`` is called with each before it is used."""
    for block in blocks:
        if note is not None:
            note(block)
        yield block


def text_lines(file: LogFile, note: Callable[[bytes], object] | None = None) -> Iterator[str]:
    """The lines of a file without their ends; ``note`` is called with every block."""
    blocks = noted(file.blocks(_BLOCK), note)
    first = next(blocks, b"")
    wide = codecs.getincrementaldecoder(code)("replace") if (code := _wide(first)) else None
    rest = ""
    for block in chain((first,), blocks):
        text = rest + (_decoded(block) if wide is None else wide.decode(block))
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        yield from lines
    if rest:
        yield rest


def _decoded(block: bytes) -> str:
    """A block of lines as text: UTF-8, and lines that are not, Windows-1252."""
    try:
        return block.decode()
    except UnicodeDecodeError:
        return "".join(map(_line, block.splitlines(keepends=True)))


def _line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def decoded(text: bytes) -> str:
    """The text of a whole file or of its beginning: UTF-16 by its mark, else UTF-8, else Windows-1252."""
    code = _wide(text)
    return text.decode(code, "replace") if code else _decoded(text)


def _wide(text: bytes) -> str:
    """The name of a text's encoding in two bytes a letter, by its mark or by a letter without one; or nothing."""
    return "utf-16" if text[:2] in _UTF_16 else "utf-16-le" if text[1:2] == b"\0" else ""


def read_entries(
    kind: str, lines: Iterable[str], start: int = 1, first: int = 1, seen: Seen | None = None
) -> Iterator[Entry]:
    """The hands from line number ``start`` on (where a hand begins); ``lines`` begin with number ``first``, and
    ``kind`` is ``phh``, ``ohh`` or ``site``. Hands that ``seen`` has seen are left out."""
    if kind == "site":  # what several hands share may stand before all of them
        entries: Iterator[Entry] = (e for e in _sites(lines, start - first + 1))
    else:
        rest = islice(lines, start - first, None)
        entries = (e._replace(line=e.line + start - first) for e in (_phh if kind == "phh" else _ohh)(rest))
    for entry in entries:
        record = None if entry.kind else entry.record
        key = 0 if seen is None or record is None else hand_key(record)
        if seen is None or record is None or seen.first(record, key):
            yield entry._replace(line=entry.line + first - 1, key=key)


def _phh(lines: Iterable[str]) -> Iterator[Entry]:
    for table in read_phh_tables(lines):
        try:
            if not isinstance(table, PhhTable):
                raise table
            record = record_of_phh(table.fields)
        except DupaiError as error:
            yield Entry(table.line or 0, None, False, "rejected", str(error))
            continue
        yield _checked(table.line, record, partial(_check_rake, stated=table.fields.get("_rake")))


def _ohh(lines: Iterable[str]) -> Iterator[Entry]:
    for line, hand in read_ohh(lines):
        yield Entry(line, None, False, "rejected", hand) if isinstance(hand, str) else _checked(line, hand)


def _sites(lines: Iterable[str], start: int) -> Iterator[Entry]:
    for hand in read_sites(lines, start):
        yield Entry(hand.line, hand.record, hand.proven, hand.kind, hand.error)


def _checked(line: int, record: HandRecord, check_rake: Callable[[HandRecord], object] = lambda record: None) -> Entry:
    """Reconcile a hand, and its rake with the one that the source states."""
    try:
        proven = check_record(record)
        check_rake(record)
    except DupaiError as error:
        return Entry(line, record, False, "mismatch", str(error))
    return Entry(line, record, proven)


def _check_rake(record: HandRecord, stated: object) -> None:
    """Compare the rake of a PHH hand with the one that it states (None: it states none)."""
    split = record.spec.split
    if stated is None:
        check_unstated_rake(record)
    elif parse_chips(str(stated), split) != record.rake:
        expected = format_chips(record.rake, split)
        raise HistoryError(f"hand {record.hand}: _rake is {stated}: expected {expected}, what the stacks lose")
