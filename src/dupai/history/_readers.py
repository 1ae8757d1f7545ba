"""Reading a file block by block into finished parts of the store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import HistoryError, Progress
from dupai.history._entries import Entry, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._kernels import columns_kernel, names_kernel
from dupai.history._layout import FINE, UNFINISHED, UNPROVEN, ActionRows, HandRows, PlayerRows
from dupai.history._parts import (
    Facts,
    Part,
    RecordRows,
    Words,
    blind_columns,
    game_text,
    part_tables,
    write_part,
    write_whole,
)
from dupai.history._phh_blocks import Run, compile_phh, phh_pieces
from dupai.history._schema import SCHEMA_VERSION
from dupai.history._store import Manifest
from dupai.history._verify import _compile, _Verifier
from dupai.notation import HAND_DTYPE, GameChoice, game_words, section_title, text_kind
from dupai.rules import SPEC_DTYPE, STATE_DTYPE, GameSpec

#: Hands between two looks at the progress.
_SLICE = 50
#: Where the next part begins once there is none.
_END = 1 << 62


class Journal(msgspec.Struct, kw_only=True):
    """How far an import has come; written after every part."""

    version: int = SCHEMA_VERSION
    block: int = 0
    kind: str = ""
    spec: str = ""
    #: Parts done (with rows or without), numbers of those with rows, bytes of text done, where the next part begins.
    done: int = 0
    parts: list[int] = []
    text: int = 0
    line: int = 1
    hands: int = 0
    players: int = 0
    actions: int = 0
    rejected: int = 0
    mismatches: int = 0
    unproven: int = 0
    #: What the reader of logs carries from block to block.
    state: dict[str, Any] = {}


class Job:
    """One file on its way into the store."""

    def __init__(self, folder: Path, number: int, journal: Journal) -> None:
        self.folder = folder
        self.number = number
        self.journal = journal
        self.resumed = journal.done
        self.rejects: list[tuple[int, str, str]] = []
        self.hash = hashlib.sha256()
        self.read = 0

    def note(self, block: bytes) -> None:
        """Count and hash the text that passes."""
        self.hash.update(block)
        self.read += len(block)

    def reject(self, line: int, kind: str, reason: str) -> None:
        self.rejects.append((line, kind, reason))
        self.journal.rejected += 1
        self.journal.mismatches += kind == "mismatch"

    def part(self, part: Part | None, line: int) -> None:
        """Finish a part; ``line`` begins the next one."""
        j = self.journal
        if part is not None:
            write_part(self.folder, j.done, part)
            j.parts.append(j.done)
            j.hands += part.rows[0]
            j.players += part.rows[1]
            j.actions += part.rows[2]
        if self.rejects:
            text = "".join(f"{n}\t{kind}\t{_flat(why)}\n" for n, kind, why in sorted(self.rejects, key=_line_of))
            write_whole(self.folder / f"rejects-{j.done:05}.tsv", text.encode())
            self.rejects = []
        j.done += 1
        j.line = line
        j.text = self.read
        write_whole(self.folder / "journal.json", msgspec.json.encode(j))

    def finish(self, manifest: Manifest) -> None:
        """Put the rejects together and the manifest beside the parts."""
        pieces = sorted(self.folder.glob("rejects-*.tsv"))
        if pieces:
            with (self.folder / "rejects.tsv").open("wb") as out:
                out.write(b"line\tkind\treason\n")
                for piece in pieces:
                    out.write(piece.read_bytes())
            for piece in pieces:
                piece.unlink()
        write_whole(self.folder / "manifest.json", msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        (self.folder / "journal.json").unlink()


def _line_of(reject: tuple[int, str, str]) -> int:
    return reject[0]


def _flat(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


# logs ----------------------------------------------------------------------------------------------------------------


class LogReader(_Verifier):
    """Verifies a log block by block and keeps the hands that are in order."""

    def __init__(self, path: str, spec: GameSpec | None, progress: Progress, job: Job) -> None:
        super().__init__(path, spec, progress)
        self.job = job
        self.section = ""
        self.H, self.P, self.A = HandRows.empty(0), PlayerRows.empty(0), ActionRows.empty(0)
        state = job.journal.state
        if state:
            self.choice = msgspec.convert(state["choice"], GameChoice)
            self.line, self.hands, self.announced = job.journal.line, state["hands"], state["announced"]
            self.rejected, self.mismatches = state["rejected"], state["mismatches"]
            self.last = (state["last"][0], tuple(state["last"][1]))
            self.sums = np.array(state["sums"], np.int64)
            self.section = state["section"]

    def problem(self, line: int, kind: str, message: str) -> None:
        if kind == "mismatch":
            self.mismatches += 1
        else:
            self.rejected += 1
        self.job.reject(line, kind, message)

    def open_line(self, line: int, names: tuple[str, ...]) -> None:
        before = self.rejected
        super().open_line(line, names)
        if self.rejected > before:
            self.scanner.codes[len(self.columns.hands) - 1] = UNFINISHED

    def part(self, block: bytes) -> None:
        """The rows of the block just verified, as the next part."""
        assert self.choice is not None
        spec = self.choice.spec
        columns = self.columns
        codes = self.scanner.codes[: len(columns.hands)]
        good = int(np.count_nonzero((codes == FINE) | (codes == UNPROVEN)))
        part = self.rows(block, spec, good) if good else None
        self.job.journal.unproven += int(np.count_nonzero(codes == UNPROVEN))
        for _, first, last in columns.other.tolist():
            text = block[first:last].decode("utf-8", "replace")
            if text_kind(text) == "section":
                self.section = section_title(text)
        self.job.journal.state = {
            "choice": msgspec.to_builtins(self.choice),
            "hands": int(self.hands),
            "announced": self.announced,
            "rejected": self.rejected,
            "mismatches": self.mismatches,
            "last": self.last,
            "sums": self.sums.tolist(),
            "section": self.section,
        }
        self.job.part(part, int(self.line))

    def rows(self, block: bytes, spec: GameSpec, good: int) -> Part:
        """The rows of the ``good`` hands."""
        columns = self.columns
        n = spec.players
        codes = self.scanner.codes[: len(columns.hands)]
        if good > len(self.H.row):
            self.H, self.P = HandRows.empty(good), PlayerRows.empty(good * n)
        if len(columns.kind) > len(self.A.n):
            self.A = ActionRows.empty(len(columns.kind))
        slots = np.full(1 << (2 * good * n).bit_length(), -1, np.int32)
        spans = np.empty((good * n, 2), np.int32)
        text = np.frombuffer(block, np.uint8)
        names = names_kernel(text, columns.hands, codes, n, slots, spans, self.P.player)
        at = np.zeros(3, np.int64)
        stacks = np.zeros((1, 10), np.int64)
        stacks[0, :n] = spec.stacks
        columns_kernel(
            *(columns.hands, codes, columns.kind, columns.to, spec.array, np.zeros(1, np.int64), stacks),
            *(self.state, self.H, self.P, self.A, at),
        )
        row = self.H.row[:good]
        line, hand = columns.hands["line"][row], columns.hands["hand"][row]
        seat = (self.P.position[: good * n] + hand[self.P.hand[: good * n]]) % n
        small, big, ante = blind_columns(spec)
        facts = Facts(
            line=line,
            hand=hand,
            section=self.sections(block, line),
            game=(0, [game_text(spec, spec.stacks)]),
            betting=(0, [spec.betting]),
            players=n,
            small_blind=small,
            big_blind=big,
            ante=ante,
            split=spec.split,
            proven=codes[row] == FINE,
            names=[block[a:b].decode("utf-8", "replace") for a, b in spans[:names].tolist()],
            seat=seat,
            shown=self.P.showdown[: good * n],
        )
        return part_tables(self.job.number, self.job.journal.hands, at, self.H, self.P, self.A, facts)

    def sections(self, block: bytes, line: Any) -> tuple[Any, list[str]]:
        """The section of each hand, as index and values."""
        words = Words()
        words.add(self.section)
        lines = []
        for number, first, last in self.columns.other.tolist():
            text = block[first:last].decode("utf-8", "replace")
            if text_kind(text) == "section":
                lines.append(number)
                words.add(section_title(text))
        index, values = words.column()
        return index[np.searchsorted(np.array(lines, np.int64), line)], values


@cache
def compile_kernels() -> None:
    """Have the kernels compiled (or loaded), which is no part of the time that a file takes."""
    _compile()
    compile_phh()
    hands, codes = np.zeros(0, HAND_DTYPE), np.zeros(0, np.int64)
    slots, spans, names = np.full(2, -1, np.int32), np.zeros((0, 2), np.int32), np.zeros(0, np.int32)
    names_kernel(np.frombuffer(b"\n", np.uint8), hands, codes, 2, slots, spans, names)
    rows = (HandRows.empty(0), PlayerRows.empty(0), ActionRows.empty(0), np.zeros(3, np.int64))
    spec, state = np.zeros(1, SPEC_DTYPE), np.zeros(1, STATE_DTYPE)
    spec["split"] = 1
    columns_kernel(
        *(hands, codes, np.zeros(0, np.uint8), np.zeros(0, np.int64), spec),
        *(np.zeros(1, np.int64), np.zeros((1, 10), np.int64), state, *rows),
    )


def read_log(path: str, spec: GameSpec | None, progress: Progress, job: Job, block: int) -> LogReader | None:
    """All blocks of a log; None when stopped.

    Raises:
        ConfigError, HistoryError: as :func:`dupai.history.verify_file`.
    """
    work = LogReader(path, spec, progress, job)
    with LogFile(path) as file:
        for number, text in enumerate(file.blocks(block)):
            job.note(text)
            if number < job.resumed:
                progress.report(file.done, file.size, "finding where it stopped")
                continue
            if number == job.resumed and number and job.read - len(text) != job.journal.text:
                raise Stale
            if progress.cancelled or not work.block(text, file):
                return None
            work.part(text)
        if file.cut is not None and "cut" not in job.journal.state:
            work.problem(work.line, "rejected", file.cut)
            job.journal.state["cut"] = True
            job.part(None, int(work.line))
    if work.choice is None:
        raise HistoryError(f"{path}: {file.cut or 'the file is empty: expected hands'}")
    return work


class Stale(Exception):
    """What an earlier import left does not fit the file."""


# hand by hand --------------------------------------------------------------------------------------------------------


def read_hands(path: str, kind: str, progress: Progress, job: Job, most: int) -> set[str] | None:
    """All hands of a PHH file or a site's text; the games met (up to two), None when stopped.

    Raises:
        HistoryError: the file cannot be read.
    """
    rows = RecordRows(most)
    j = job.journal
    games: set[str] = set(j.state.get("games", ()))
    begin = j.line
    unproven = 0

    def part(line: int) -> None:
        nonlocal unproven
        j.state = {"games": sorted(games)}
        j.unproven += unproven
        unproven = 0
        job.part(rows.part(job.number, j.hands) if rows.at[0] else None, line)
        rows.clear()

    def add_run(run: Run) -> None:
        nonlocal unproven
        while run.hands:
            many = rows.room(run)
            if not many or len(job.rejects) >= most:
                part(int(run.block.hands["line"][run.first]))
                many = rows.room(run)
            some, run = run._replace(last=run.first + many), run._replace(first=run.first + many)
            rows.add_run(some)
            unproven += some.unproven
            games.update(some.games if len(games) < 2 else ())

    with LogFile(path) as file:
        if kind == "phh":
            pieces: Iterator[Run | Entry] = phh_pieces(file, job.note, begin)
        else:
            pieces = read_entries(kind, text_lines(file, job.note), begin)
        for number, piece in enumerate(pieces):
            if number % _SLICE == 0 or isinstance(piece, Run):
                progress.report(file.done, file.size, f"{j.hands + int(rows.at[0]):,} hands")
                if progress.cancelled:
                    return None
            if isinstance(piece, Run):
                add_run(piece)
                continue
            record = piece.record
            if (record is not None and rows.full(record)) or len(job.rejects) >= most:
                part(piece.line)
            if piece.kind or record is None:
                job.reject(piece.line, piece.kind, piece.error)
                continue
            try:
                rows.add(record, piece.line, piece.proven)
            except HistoryError as error:
                job.reject(piece.line, "rejected", str(error))
                continue
            unproven += not piece.proven
            if len(games) < 2:
                games.add(game_words(record.spec).partition(", stacks")[0])
        if j.line < _END:
            if file.cut is not None:
                job.reject(0, "rejected", file.cut)
            part(_END)
    if not j.hands and not j.rejected:
        raise HistoryError(f"{path}: there is no hand in the file")
    return games
