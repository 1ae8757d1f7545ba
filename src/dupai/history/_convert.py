"""The hands of any file or store one after another, and written in another format.

Every hand written is read back and compared with the original: what differs is counted as lost, so nothing is lost
silently. A PHH file made from an ACPC log keeps the log's other lines as comments (``#acpc: SCORE:...``) and converts
back to the same log, line for line.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np

from dupai.base import ConfigError, DupaiError, FileError, HistoryError, NoProgress, NotationError, Printable, Progress
from dupai.base.files import whole_path
from dupai.cards import NO_CARD, cards_text
from dupai.history._decisions import DECISION_COLUMNS, format_decisions
from dupai.history._entries import Entry, content_kind, file_kind, is_phh, no_hand, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._once import Seen
from dupai.history._store import Store
from dupai.history._verify import GAME_SAMPLE, cut_off, sample_game
from dupai.notation import (
    acpc,
    check_record,
    format_chips,
    format_ohh,
    format_pokerstars,
    parse_chips,
)
from dupai.notation.phh import PhhTable, format_phh, read_phh_tables, record_of_phh
from dupai.notation.sites import no_hands
from dupai.rules import GameSpec, HandRecord

#: Hands between two progress reports.
_SLICE = 100


def file_records(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    rejected: Callable[[int, str], None] | None = None,
    seen: Seen | None = None,
) -> Iterator[HandRecord]:
    """The hands of an ACPC log, a PHH file, a poker site's text (plain, ``.xz``, ``.gz``) or a store (a folder), in
    their order. Payoffs of logs are not recomputed: see :func:`dupai.history.verify_file`.

    Args:
        path: The file, or a store's folder.
        spec: The game of a log; None: inferred from its header or hands.
        progress: Gets how much of the file has been read; cancelling ends the hands.
        rejected: Called with line and reason of what cannot be read; without it an error is raised.
        seen: Hands of other files, which are left out. Within a file a hand comes once anyway, but for logs.

    Raises:
        FileError: the file cannot be read.
        HistoryError: it holds no hand, or (without ``rejected``) a bad one; names the line.
        ConfigError: no game was given and none fits.
    """
    look = progress or NoProgress()
    hands = refused = 0
    known, stored = seen or Seen(), seen is not None and os.path.isdir(path)
    for item in file_items(str(path), spec, look, partial(_checked_entries, known)):
        if isinstance(item, acpc.AcpcHand):
            hands += 1
            if not stored or not item.record.about or known.first(item.record):
                yield item.record
        elif isinstance(item, acpc.AcpcError):
            if rejected is None:
                raise HistoryError(f"{path}:{item.line}: {item.error}", line=item.line, path=path)
            refused += 1
            rejected(item.line, str(item.error))
    if not hands and not look.cancelled and not known.again:
        raise no_hand(str(path), refused=bool(refused))


def repeated_hands(
    paths: Sequence[str], spec: GameSpec | None = None, progress: Progress | None = None
) -> list[tuple[int, ...]]:
    """The keys of the hands of each file that an earlier one has, too; of ACPC logs, which number anew, there are none.

    Raises:
        FileError, HistoryError: as :func:`file_records`.
    """
    repeated, seen = [], Seen()
    for path in paths:
        own = Seen()
        if len(paths) > 1 and (os.path.isdir(path) or file_kind(path) != "acpc"):
            for _ in file_records(path, spec, progress=progress, rejected=lambda line, reason: None, seen=own):
                pass
        keys = own.keys
        repeated.append(tuple(keys[np.isin(keys, seen.keys)].tolist()))
        seen.know(keys)
    return repeated


def text_records(
    text: str, *, rejected: Callable[[int, str], None], progress: Progress | None = None, seen: Seen | None = None
) -> Iterator[HandRecord]:
    """The hands of a text in any of the formats of :func:`file_records`, which is told by its content. Every hand is
    replayed and its payoffs compared.

    Args:
        rejected: Called with line and reason of what cannot be read.
        progress: Cancelling ends the hands.
        seen: Hands of other texts, which are left out.

    Raises:
        ConfigError: an ACPC log of no usual game.
        HistoryError: it is no known text.
    """
    known, kind = seen or Seen(), content_kind(text)
    lines = re.split(r"\r\n|\r|\n", text)
    if kind == "acpc":
        sample = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        items: Iterator[acpc.AcpcEntry] = map(_checked, acpc.read_acpc_entries(iter(lines), sample_game(sample)))
    else:
        items = _checked_entries(known, kind, iter(lines))
    item = None
    for item in items:
        if progress is not None and progress.cancelled:
            return
        if isinstance(item, acpc.AcpcHand):
            yield item.record
        elif isinstance(item, acpc.AcpcError):
            rejected(item.line, str(item.error))
    if item is None and not known.again:
        raise HistoryError(no_hands(text))


def _checked(item: acpc.AcpcEntry) -> acpc.AcpcEntry:
    try:
        if isinstance(item, acpc.AcpcHand):
            check_record(item.record)
    except DupaiError as error:
        return acpc.AcpcError(item.line, "", str(error))
    return item


def _checked_entries(seen: Seen, kind: str, lines: Iterator[str]) -> Iterator[acpc.AcpcEntry]:
    return map(_item, (e._replace(record=None) if e.kind else e for e in read_entries(kind, lines, seen=seen)))


def _item(entry: Entry) -> acpc.AcpcEntry:
    record = entry.record
    return acpc.AcpcHand(entry.line, record) if record else acpc.AcpcError(entry.line, "", entry.error)


def file_items(
    path: str,
    spec: GameSpec | None,
    progress: Progress,
    by_hand: Callable[[str, Iterator[str]], Iterator[acpc.AcpcEntry]],
) -> Iterator[acpc.AcpcEntry]:
    """Everything in a file or store, in order, until ``progress`` is cancelled; ``line`` is the hand id in a store.

    ``by_hand`` reads the lines of a file of kind ``phh`` or ``site``. Where the file is cut off there is an error with
    line 0 at the end.
    """
    if os.path.isdir(path):
        store = Store(path)
        for number, (hand_id, record) in enumerate(store.numbered_records()):
            if number % _SLICE == 0:
                progress.report(number, None, f"{number:,} hands")
            if progress.cancelled:
                return
            yield acpc.AcpcHand(hand_id, record)
        return
    kind = file_kind(path)
    hands = 0
    with LogFile(path) as file:
        lines = text_lines(file)
        try:
            if kind == "acpc" and spec is None:
                spec = _game_of_log(path)
            for item in _acpc_items(file, lines, spec) if kind == "acpc" else by_hand(kind, lines):
                hands += isinstance(item, acpc.AcpcHand)
                if hands % _SLICE == 0:
                    file.report(progress, f"{hands:,} hands")
                if progress.cancelled:
                    return
                yield item
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}", key=error.key, path=path) from None
        if file.cut is not None:
            yield acpc.AcpcError(0, "", file.cut)


def _acpc_items(file: LogFile, lines: Iterator[str], spec: GameSpec | None) -> Iterator[acpc.AcpcEntry]:
    """The entries of a log; a last line that is cut off is an error, as ``verify`` has it."""
    last: acpc.AcpcEntry | None = None
    before: tuple[int, Sequence[str]] = (0, ())
    for item in acpc.read_acpc_entries(lines, spec):
        if last is not None:
            yield last
            before = (last.line, last.record.names) if isinstance(last, acpc.AcpcHand) else before
        last = item
    if (
        isinstance(last, acpc.AcpcHand)
        and file.last_line_open
        and (why := cut_off(last.line, last.record.names, before))
    ):
        yield acpc.AcpcError(last.line, "", why)
    elif last is not None:
        yield last


def _game_of_log(path: str) -> GameSpec:
    with LogFile(path) as file:
        return sample_game(next(file.blocks(GAME_SAMPLE), b""))


# conversion ----------------------------------------------------------------------------------------------------------

#: Hands left out that are described; further ones are only counted.
_DESCRIBED = 1_000
#: Formats that hands are written in, by the suffix of the file.
SUFFIXES = {
    ".log": "an ACPC log",
    ".phhs": "PHH",
    ".phh": "PHH, one hand",
    ".ohh": "Open Hand History",
    ".txt": "text of PokerStars",
    ".csv": "a row for each decision",
}
#: How a PHH file keeps a line of a log that is not a hand, and the field that keeps what follows an all-in.
_MARK = "#acpc: "
_PADDING = "_acpc_padding"

#: Parts of a hand in words, for what was lost.
LOST = {
    "hole": "hole cards that the one who recorded the hand did not see (see --hero)",
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


class ConvertReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """What a conversion did.

    Attributes:
        source, target: Paths.
        hands: Hands written.
        left_out: Line and reason of the first 1,000 hands that could not be read or that the target cannot hold.
        missing: Number of hands left out.
        lost: What the target could not hold of the hands written: description and number of hands.
        notes: Remarks.
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

    def headline(self) -> str:
        if not self.complete:
            return f"{self.source}: stopped, nothing is written"
        left_out = f", {self.missing:,} left out" if self.missing else ""
        return f"{self.source} -> {self.target}: {self.hands:,} hands{left_out}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """What was lost of the hands written."""
        return ("lost", "hands"), [(name, f"{hands:,}") for name, hands in self.lost]


class _Work:
    def __init__(self) -> None:
        self.lost: Counter[str] = Counter()
        self.left_out: list[tuple[int, str]] = []
        self.missing = self.hands = 0
        self.notes: list[str] = []

    def leave_out(self, line: int, reason: str) -> None:
        self.missing += 1
        if len(self.left_out) < _DESCRIBED:
            self.left_out.append((line, reason))

    def compare(self, record: HandRecord, back: HandRecord) -> None:
        """Count what of a hand did not come back. Payoffs may come back in other parts of a chip."""
        split = record.spec.split
        payoffs = tuple(parse_chips(format_chips(p, back.spec.split), split) for p in back.payoffs)
        back = msgspec.structs.replace(back, payoffs=payoffs, rake=-sum(payoffs))
        for field in record.__struct_fields__ if record != back else ():
            said, read = getattr(record, field), getattr(back, field)
            more = not said if field == "shown" else field == "about" and set(said) <= set(read)
            if said != read and not more:
                if field not in LOST:
                    raise HistoryError(f"hand {record.hand}: {field} {said} does not come back")
                self.lost[LOST[field]] += 1
        for mine, theirs in zip(record.hole, back.hole, strict=True):
            if mine != theirs and NO_CARD not in theirs:
                raise HistoryError(f"hand {record.hand}: {cards_text(theirs)} comes back for {cards_text(mine)}")


def _read_by_hand(kind: str, lines: Iterator[str]) -> Iterator[acpc.AcpcEntry]:
    """Hands of a site's text or a PHH file, and the lines of a log that the latter keeps."""
    if kind != "phh":
        yield from map(_item, read_entries(kind, lines))
        return
    texts: list[acpc.AcpcText] = []

    def watch() -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            if line.startswith(_MARK):
                text = line[len(_MARK) :]
                texts.append(acpc.AcpcText(number, acpc.text_kind(text) or "comment", text))
            yield line

    for table in read_phh_tables(watch()):
        line = table.line or 0
        while texts and texts[0].line < line:
            yield texts.pop(0)
        if not isinstance(table, PhhTable):
            yield acpc.AcpcError(line, "", str(table))
            continue
        padding = table.fields.pop(_PADDING, "")
        try:
            yield acpc.AcpcHand(line, record_of_phh(table.fields), str(padding))
        except DupaiError as error:
            yield acpc.AcpcError(line, "", str(error))
    yield from texts


def _phh_back(text: str) -> HandRecord:
    """The hand of one table of PHH as it was written."""
    tables = list(read_phh_tables(text.split("\n")))
    if len(tables) != 1 or not isinstance(tables[0], PhhTable):
        raise NotationError(f"the text written is not one table: {tables}")
    return record_of_phh(tables[0].fields)


def _text_back(kind: str, text: str) -> HandRecord:
    """The hand of a text of another program."""
    entry = next(read_entries(kind, iter(text.split("\n"))))
    if entry.record is None or entry.kind:
        raise NotationError(f"the hand does not come back: {entry.error}")
    return entry.record


#: How a hand is written, by suffix, and read back (None: it cannot be).
_WRITERS: dict[str, tuple[Callable[[HandRecord], str], Callable[[str], HandRecord] | None]] = {
    ".phhs": (format_phh, _phh_back),
    ".phh": (format_phh, _phh_back),
    ".ohh": (format_ohh, partial(_text_back, "ohh")),
    ".txt": (format_pokerstars, partial(_text_back, "site")),
    ".csv": (format_decisions, None),
}


def _write_hands(suffix: str, items: Iterable[acpc.AcpcEntry], out: Callable[[str], object], work: _Work) -> None:
    write, read = _WRITERS[suffix]
    phh = is_phh(suffix)
    for item in items:
        if isinstance(item, acpc.AcpcText):
            out(f"{_MARK}{item.text}\n" if phh else "")
            continue
        if isinstance(item, acpc.AcpcError):
            work.leave_out(item.line, item.error)
            continue
        try:
            text = write(item.record)
            if read is not None:
                work.compare(item.record, read(text))
        except DupaiError as error:
            work.leave_out(item.line, str(error))
            continue
        if suffix == ".csv" and not work.hands:
            out(",".join(DECISION_COLUMNS) + "\n")
        work.hands += 1
        if suffix == ".phh" and work.hands > 1:
            raise ConfigError("a .phh file holds one hand, and there are more: name it .phhs", key="target")
        text += f'{_PADDING} = "{item.padding}"\n' if phh and item.padding else ""
        out(f"[{work.hands}]\n{text}\n" if suffix == ".phhs" else text)


def _write_acpc(items: Iterable[acpc.AcpcEntry], out: Callable[[str], object], work: _Work) -> None:
    spec: GameSpec | None = None
    section = real = ""  # that of the hands, and the one that a reader of the log will see
    sample = bytearray()
    for item in items:
        if isinstance(item, acpc.AcpcError):
            work.leave_out(item.line, item.error)
            continue
        if isinstance(item, acpc.AcpcText):
            if item.kind == "section":
                section = real = acpc.section_title(item.text)
            line = item.text
        else:
            record = item.record
            try:
                if spec is not None and record.spec != spec:
                    raise NotationError(
                        f"hand {record.hand} is of another game ({acpc.game_words(record.spec)}) than the log's first: "
                        "an ACPC log holds one"
                    )
                line = acpc.format_acpc(record, padding=item.padding)
                # A section with line ends or other runs of space would be several lines, or another one.
                mark = f"# {' '.join(record.section.split())}"
                marked = record.section != section
                if marked and acpc.text_kind(mark) == "section":
                    real = acpc.section_title(mark)
                work.compare(record, acpc.parse_acpc_line(line, record.spec, section=real))
            except DupaiError as error:
                work.leave_out(item.line, str(error))
                continue
            spec = record.spec
            if marked:
                section = record.section
                out(mark + "\n")
            work.hands += 1
        if len(sample) < GAME_SAMPLE:
            sample += f"{line}\n".encode("utf-8", "replace")
        out(line + "\n")
    if spec is not None:
        try:
            known = sample_game(bytes(sample)) == spec
        except ConfigError:
            known = False
        if not known:
            rules = f"odd chips {spec.odd_chips}, minimum raise {spec.min_raise}"
            work.notes.append(f"the log does not say its game ({acpc.game_words(spec)}; {rules}): read it with --game")


def convert_file(
    source: str | PathLike[str],
    target: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    force: bool = False,
    hero: str | None = None,
    progress: Progress | None = None,
) -> ConvertReport:
    """Write the hands of a file (any that :func:`file_records` reads) or of a store in the format that the target's
    suffix names (:data:`SUFFIXES`); ``.xz`` and ``.gz`` after it compress. The target is written whole or not at all.

    Args:
        spec: The game of a log; None: the one that its header names or that its hands fit.
        force: Replace an existing target.
        hero: Name of the player whose hands they are: other hole cards are written only where they were shown.

    Raises:
        FileError: a file cannot be read or written; the target exists.
        ConfigError: an unknown suffix; a ``.phh`` would hold several hands; no game fits a log.
        HistoryError: no hand can be written.
    """
    path, goal = str(source), Path(target)
    name = goal.name.lower()
    suffix = Path(name.removesuffix(".xz").removesuffix(".gz")).suffix
    if suffix not in SUFFIXES:
        expected = ", ".join(f"{one} ({words})" for one, words in SUFFIXES.items())
        named = f"the suffix {suffix}" if suffix else "a name without suffix"
        raise ConfigError(f"{goal}: {named} is no format of hands: expected {expected}", key="target")
    if os.path.exists(goal) and (not force or (os.path.exists(path) and os.path.samefile(path, goal))):
        hint = "" if force else " (or --force)"
        raise FileError(f"{goal} is there already: expected a new name{hint}", path=goal)
    progress = progress or NoProgress()
    work = _Work()
    try:
        with whole_path(goal) as part:
            with _open(part, name) as file:

                def out(text: str) -> None:
                    file.write(text.encode())

                items = file_items(path, spec, progress, _read_by_hand)
                items = items if hero is None else _seen_by(items, hero)
                if suffix in _WRITERS:
                    _write_hands(suffix, items, out, work)
                else:
                    _write_acpc(items, out, work)
            if progress.cancelled:
                raise _Cancelled
            if not work.hands and not work.left_out:
                raise no_hand(path)
            if not work.hands:
                why = f": line {work.left_out[0][0]}: {work.left_out[0][1]}"
                raise HistoryError(f"{path}: no hand of it can be written to {goal}{why}", path=path)
    except _Cancelled:
        pass
    return ConvertReport(
        source=path,
        target=str(goal),
        hands=work.hands,
        left_out=tuple(work.left_out),
        missing=work.missing,
        lost=tuple(sorted(work.lost.items())),
        notes=tuple(work.notes),
        complete=not progress.cancelled,
    )


def _seen_by(items: Iterable[acpc.AcpcEntry], hero: str) -> Iterator[acpc.AcpcEntry]:
    """The hands as a player knows them, or as an observer does where that player is not at the table. Without a word
    on who showed, everybody did who saw the showdown."""
    for item in items:
        if isinstance(item, acpc.AcpcHand):
            record = item.record
            if not record.shown:
                state = record.at()
                shown = tuple(state.showdown and not folded for folded in state.folded)
                record = msgspec.structs.replace(record, shown=shown)
            position = record.names.index(hero) if hero in record.names else None
            item = acpc.AcpcHand(item.line, record.seen_by(position), item.padding)
        yield item


class _Cancelled(Exception):
    """The conversion was stopped: nothing is to be written."""


@contextmanager
def _open(path: Path, name: str) -> Iterator[IO[bytes]]:
    """A file for writing, compressed as ``name`` says."""
    with ExitStack() as files:
        file: Any = files.enter_context(path.open("wb"))
        if name.endswith(".xz"):
            file = files.enter_context(lzma.open(file, "wb"))
        elif name.endswith(".gz"):
            file = files.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
        yield file
