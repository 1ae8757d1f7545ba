"""Hands from one format to another, and what the other could not hold.

Every hand written is read back and compared with the one meant: what differs is counted as lost, so nothing is lost in
silence. A PHH file that was made of an ACPC log keeps the log's other lines as comments (``#acpc: SCORE:...``) and
gives the same log back, line for line.
"""

from __future__ import annotations

import gzip
import lzma
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import msgspec

from dupai.base import ConfigError, DupaiError, HistoryError, NoProgress, NotationError, Progress
from dupai.history._entries import file_kind, is_phh, text_lines
from dupai.history._files import LogFile
from dupai.history._store import Store
from dupai.notation import (
    AcpcError,
    AcpcHand,
    AcpcText,
    PhhTable,
    detect_game,
    format_acpc,
    format_phh,
    game_words,
    parse_acpc_line,
    read_acpc_entries,
    read_phh_tables,
    read_sites,
    record_of_phh,
    section_title,
    text_kind,
)
from dupai.rules import GameSpec, HandRecord

#: Hands between two looks at the progress.
_SLICE = 50
#: Hands left out that are described; more are only counted.
_DESCRIBED = 1_000
#: Lines of a log that tell its game.
_SAMPLE = 400
#: How a PHH file keeps a line of a log that is no hand, and how a hand keeps what stands after an all-in.
_MARK = "#acpc: "
_PADDING = "_acpc_padding"

#: Parts of a hand in words, for what was lost.
LOST = {
    "shown": "who showed the hole cards",
    "mucked": "cards published after the hand",
    "hero": "who recorded the hand",
    "about": "site, table, date and other fields",
    "seats": "seats (a log's go round with the hand number)",
    "names": "that the players have no names (written as p1, p2, ...)",
    "comment": "comments",
    "section": "sections",
    "spec": "rules of the game",
}

_Item = AcpcHand | AcpcText | AcpcError


class ConvertReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a conversion did.

    Attributes:
        source, target: Paths.
        hands: Hands written.
        left_out: (line, reason) of hands that could not be read or that the target cannot hold, the first 1,000.
        missing: How many were left out.
        lost: What the target could not hold of the hands written: (what, number of hands or lines).
        notes: What else is worth knowing.
        complete: False when it was stopped (nothing is written then).
    """

    source: str
    target: str
    hands: int
    left_out: tuple[tuple[int, str], ...] = ()
    missing: int = 0
    lost: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    complete: bool = True


class _Work:
    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.lost: Counter[str] = Counter()
        self.left: list[tuple[int, str]] = []
        self.missing = 0
        self.hands = 0
        self.notes: list[str] = []

    def leave(self, line: int, reason: str) -> None:
        self.missing += 1
        if len(self.left) < _DESCRIBED:
            self.left.append((line, reason))

    def compare(self, meant: HandRecord, back: HandRecord) -> None:
        """Count what of a hand did not come back."""
        if meant == back:
            return
        for field in meant.__struct_fields__:
            if getattr(meant, field) != getattr(back, field):
                if field not in LOST:
                    raise HistoryError(f"hand {meant.hand}: {field} {getattr(meant, field)} comes back as other")
                self.lost[LOST[field]] += 1


# reading -------------------------------------------------------------------------------------------------------------


def _read(path: str, spec: GameSpec | None, work: _Work) -> Iterator[_Item]:
    """Everything in a file (or a store), in order."""
    if (Path(path) / "store.json").is_file():
        for hand_id, record in _stored(Store(path)):
            yield AcpcHand(hand_id, record)
        return
    kind = file_kind(path)
    with LogFile(path) as file:
        count = 0

        def lines() -> Iterator[str]:
            nonlocal count
            for line in text_lines(file):
                count += 1
                if count % (4 * _SLICE) == 0:
                    work.progress.report(file.done, file.size, f"{work.hands:,} hands")
                yield line

        if kind == "phh":
            yield from _read_phh(lines())
        elif kind == "site":
            for hand in read_sites(lines()):
                yield AcpcHand(hand.line, hand.record) if hand.record else AcpcError(hand.line, "", hand.error)
        else:
            try:
                yield from read_acpc_entries(lines(), spec)
            except ConfigError as error:
                raise ConfigError(f"{path}: {error}") from None
        if file.cut is not None:
            yield AcpcError(0, "", file.cut)


def _stored(store: Store) -> Iterator[tuple[int, HandRecord]]:
    ids = [row[0] for row in store.rows("select hand_id from hands order by hand_id")]
    yield from zip(ids, store.records(), strict=True)


def _read_phh(lines: Iterable[str]) -> Iterator[_Item]:
    """Hands of a PHH file, and the lines of a log that it keeps."""
    kept: list[AcpcText] = []

    def watch() -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            if line.startswith(_MARK):
                text = line[len(_MARK) :]
                kept.append(AcpcText(number, text_kind(text) or "comment", text))
            yield line

    for table in read_phh_tables(watch()):
        line = table.line if isinstance(table, PhhTable) else int(str(table).partition(": ")[0])
        while kept and kept[0].line < line:
            yield kept.pop(0)
        if not isinstance(table, PhhTable):
            yield AcpcError(line, "", str(table).partition(": ")[2])
            continue
        padding = table.fields.pop(_PADDING, "")
        try:
            yield AcpcHand(line, record_of_phh(table.fields), str(padding))
        except DupaiError as error:
            yield AcpcError(line, "", str(error))
    yield from kept


# writing -------------------------------------------------------------------------------------------------------------


def _write_phh(items: Iterable[_Item], out: Callable[[str], object], work: _Work, single: bool) -> None:
    for item in items:
        if isinstance(item, AcpcText):
            out(f"{_MARK}{item.text}\n")
            continue
        if isinstance(item, AcpcError):
            work.leave(item.line, item.error)
            continue
        record = item.record
        try:
            text = format_phh(record)
            tables = list(read_phh_tables(text.splitlines()))
            if len(tables) != 1 or not isinstance(tables[0], PhhTable):
                raise NotationError(f"what was written is not one table: {tables}")
            work.compare(record, record_of_phh(tables[0].fields))
        except DupaiError as error:
            work.leave(item.line, str(error))
            continue
        if item.padding:
            text += f'{_PADDING} = "{item.padding}"\n'
        work.hands += 1
        if single and work.hands > 1:
            raise ConfigError("a .phh file holds one hand, and there are more: name it .phhs")
        out(text if single else f"[{work.hands}]\n{text}\n")


def _write_acpc(items: Iterable[_Item], out: Callable[[str], object], work: _Work) -> None:
    spec: GameSpec | None = None
    section = real = ""  # of the hands, and as a reader of the log will see it
    sample: list[str] = []
    for item in items:
        if isinstance(item, AcpcError):
            work.leave(item.line, item.error)
            continue
        if isinstance(item, AcpcText):
            if item.kind == "section":
                section = real = section_title(item.text)
            line = item.text
        else:
            record = item.record
            try:
                if spec is not None and record.spec != spec:
                    raise NotationError(
                        f"hand {record.hand} is of another game ({game_words(record.spec)}) than the log's first: "
                        "an ACPC log holds one"
                    )
                line = format_acpc(record, padding=item.padding)
                mark = f"# {record.section}"
                marked = record.section != section
                if marked and text_kind(mark) == "section":
                    real = record.section
                work.compare(record, parse_acpc_line(line, record.spec, section=real))
            except DupaiError as error:
                work.leave(item.line, str(error))
                continue
            spec = record.spec
            if marked:
                section = record.section
                out(mark + "\n")
            work.hands += 1
        if len(sample) < _SAMPLE:
            sample.append(line)
        out(line + "\n")
    if spec is not None:
        try:
            known = detect_game(sample).spec == spec
        except ConfigError:
            known = False
        if not known:
            rules = f"odd chips {spec.odd_chips}, minimum raise {spec.min_raise}"
            work.notes.append(f"the log does not say its game ({game_words(spec)}; {rules}): read it with --game")


def convert_file(
    source: str | PathLike[str],
    target: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> ConvertReport:
    """Write the hands of a file (ACPC log, PHH, poker site's text) or of a store as PHH (``.phhs``, one hand: ``.phh``)
    or else as an ACPC log; ``.xz`` and ``.gz`` compress. The target is there whole or not at all.

    Args:
        spec: The game of a log, None: the one its header names or its hands fit.
        force: Replace an existing target.

    Raises:
        ConfigError: the target exists; a ``.phh`` is to hold several hands; no game fits a log.
        HistoryError: a file cannot be read or written; no hand can be written.
    """
    path, goal = str(source), Path(target)
    name = goal.name.lower()
    if goal.exists() and (not force or os.path.samefile(path, goal)):
        raise ConfigError(f"{goal} is there already: expected a new name" + ("" if force else " (or --force)"))
    work = _Work(progress or NoProgress())
    part = goal.with_name(goal.name + ".part")
    done = False
    try:
        with _open(part, name) as file:

            def out(text: str) -> None:
                file.write(text.encode())

            items = _until_cancelled(_read(path, spec, work), work)
            if is_phh(name):
                _write_phh(items, out, work, name.removesuffix(".xz").removesuffix(".gz").endswith(".phh"))
            else:
                _write_acpc(items, out, work)
        if not work.progress.cancelled:
            if not work.hands:
                why = f": line {work.left[0][0]}: {work.left[0][1]}" if work.left else ""
                raise HistoryError(f"{path}: no hand of it can be written to {goal}{why}")
            part.replace(goal)
            done = True
    except OSError as error:
        raise HistoryError(f"{goal}: cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
    return ConvertReport(
        source=path,
        target=str(goal),
        hands=work.hands,
        left_out=tuple(work.left),
        missing=work.missing,
        lost=tuple(sorted(work.lost.items())),
        notes=tuple(work.notes),
        complete=done,
    )


def _until_cancelled(items: Iterator[_Item], work: _Work) -> Iterator[_Item]:
    for item in items:
        if work.progress.cancelled:
            return
        yield item


@contextmanager
def _open(path: Path, name: str) -> Iterator[BinaryIO]:
    """A new file, compressed as its final name says."""
    if name.endswith(".xz"):
        with lzma.open(path, "wb") as packed:
            yield packed  # type: ignore[misc]
    elif name.endswith(".gz"):
        with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
            yield packed  # type: ignore[misc]
    else:
        with path.open("wb") as file:
            yield file
