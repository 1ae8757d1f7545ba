"""Files that are read hand by hand (PHH, texts of poker sites): every hand with what was found wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from dupai.base import DupaiError, HistoryError
from dupai.history._check import check_record
from dupai.history._files import LogFile
from dupai.notation import PhhTable, format_chips, read_phh_tables, read_sites, record_of_phh, site_of
from dupai.rules import HandRecord

#: Text read at a time, small enough for the progress to move.
_BLOCK = 1 << 18
#: Bytes looked at to tell a site's text from a log.
_HEAD = 1 << 14


class Entry(NamedTuple):
    """A hand and the ``line`` it begins on. ``kind`` is "" when all is well, ``rejected`` when it could not be read
    (``record`` is None), ``mismatch`` when it does not reconcile; ``error`` says why. ``proven``: the winners were
    recomputed."""

    line: int
    record: HandRecord | None
    proven: bool = False
    kind: str = ""
    error: str = ""


def is_phh(path: str) -> bool:
    """Whether a file's name is that of a PHH file (``.phh``, ``.phhs``, also compressed)."""
    name = path.lower()
    for end in (".xz", ".gz"):
        name = name.removesuffix(end)
    return name.endswith((".phh", ".phhs"))


def file_kind(path: str) -> str:
    """``phh`` (by the name), ``site`` (by the first lines) or ``acpc``.

    Raises:
        HistoryError: the file cannot be opened.
    """
    if is_phh(path):
        return "phh"
    with LogFile(path) as file:
        head = next(iter(file.blocks(_HEAD)), b"")[:_HEAD].decode("utf-8", "replace")
    if any(line.startswith("STATE:") for line in head.split("\n")):
        return "acpc"
    return "acpc" if site_of(head) is None else "site"


def text_lines(file: LogFile, note: Callable[[bytes], object] | None = None) -> Iterator[str]:
    """The lines of a file without their ends; ``note`` is given every block."""
    for block in file.blocks(_BLOCK):
        if note is not None:
            note(block)
        yield from block.decode("utf-8", "replace").split("\n")[:-1]


def read_entries(kind: str, lines: Iterable[str], start: int = 1) -> Iterator[Entry]:
    """The hands of the lines from number ``start`` on (where a hand begins); ``kind`` is ``phh`` or ``site``."""
    rest = islice(lines, start - 1, None)
    for entry in _phh(rest) if kind == "phh" else _sites(rest):
        yield entry._replace(line=entry.line + start - 1)


def _phh(lines: Iterable[str]) -> Iterator[Entry]:
    for table in read_phh_tables(lines):
        if not isinstance(table, PhhTable):
            line, _, message = str(table).partition(": ")
            yield Entry(int(line), None, False, "rejected", message)
            continue
        try:
            record = record_of_phh(table.fields)
        except DupaiError as error:
            yield Entry(table.line, None, False, "rejected", str(error))
            continue
        yield _checked(table.line, record, str(table.fields.get("_rake", 0)))


def _sites(lines: Iterable[str]) -> Iterator[Entry]:
    for hand in read_sites(lines):
        if hand.record is None:
            yield Entry(hand.line, None, False, "rejected", hand.error)
        else:
            yield _checked(hand.line, hand.record, None)


def _checked(line: int, record: HandRecord, said: str | None) -> Entry:
    """Reconcile a hand, and its rake with what its source says."""
    try:
        proven = check_record(record)
        rake = format_chips(record.rake, record.spec.split)
        if said is not None and said != rake:
            raise HistoryError(f"hand {record.hand}: _rake is {said}: expected {rake}, what the stacks lose")
    except DupaiError as error:
        return Entry(line, record, False, "mismatch", str(error))
    return Entry(line, record, proven)
