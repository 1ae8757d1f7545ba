"""Reading a file block by block into finished parts of the store."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.base import HistoryError, Progress
from dupai.base.files import open_whole, write_whole
from dupai.history._entries import games_title, no_hand
from dupai.history._files import LogFile
from dupai.history._kernels import columns_kernel
from dupai.history._layout import FINE, Rows, accepted
from dupai.history._once import Seen, part_keys, write_keys
from dupai.history._parts import Part, RecordRows, Words, one_game, write_part
from dupai.history._phh_blocks import Run, compile_phh, file_pieces, number_names
from dupai.history._schema import SCHEMA_VERSION, blind_columns, game_text
from dupai.history._store import Manifest
from dupai.history._verify import LogVerifier, compile_logs
from dupai.notation.acpc import GameChoice, section_title, text_kind
from dupai.notation.scan import HAND_DTYPE
from dupai.rules import STATE_DTYPE, GameSpec, load_game

#: Hands between two progress reports.
_SLICE = 50
#: Where the next part begins once there is none.
_END = 1 << 62
#: What a reader of logs carries from block to block beside its game, sums and last hand.
_CARRIED = ("hands", "announced", "rejected", "mismatches", "section")


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
    again: int = 0
    #: What the reader of logs carries from block to block.
    state: dict[str, Any] = {}


class Read(NamedTuple):
    """What a file that was read to its end is: its game in words, why that game was chosen, and remarks."""

    game: str
    why: str
    notes: tuple[str, ...] = ()


class Stale(Exception):
    """What an earlier import left does not fit the file."""


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
        """Count and hash a block of text."""
        self.hash.update(block)
        self.read += len(block)

    def reject(self, line: int, kind: str, reason: str) -> None:
        """List a line that is not taken."""
        self.rejects.append((line, kind, reason))
        self.journal.rejected += 1
        self.journal.mismatches += kind == "mismatch"

    def part(self, part: Part | None, line: int, keys: Sequence[int] | None = None) -> None:
        """Finish a part; ``line`` begins the next one, and ``keys`` are those of its hands."""
        j = self.journal
        if part is not None:
            write_part(self.folder, j.done, part)
            if keys is not None:
                write_keys(self.folder, j.done, keys)
            hands, players, actions = part.rows.at.tolist()
            j.parts.append(j.done)
            j.hands += hands
            j.players += players
            j.actions += actions
            j.unproven += int(np.count_nonzero(~part.hands["proven"]))
        if self.rejects:
            lines = [f"{n}\t{kind}\t{_flat(why)}\n" for n, kind, why in sorted(self.rejects, key=lambda r: r[0])]
            write_whole(self.folder / f"rejects-{j.done:05}.tsv", "".join(lines))
            self.rejects = []
        j.done += 1
        j.line = line
        j.text = self.read
        write_whole(self.folder / "journal.json", msgspec.json.encode(j))

    def finish(self, manifest: Manifest) -> None:
        """Join the lists of rejects and write the manifest beside the parts."""
        pieces = sorted(self.folder.glob("rejects-*.tsv"))
        if pieces:
            with open_whole(self.folder / "rejects.tsv", "wb") as out:
                out.write(b"line\tkind\treason\n")
                for piece in pieces:
                    out.write(piece.read_bytes())
        write_whole(self.folder / "manifest.json", msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        # The journal goes first: without it, whoever is killed here begins again and never joins a part of the pieces.
        # Hidden files are what a killed import had begun to write.
        for path in (self.folder / "journal.json", *pieces, *self.folder.glob(".*")):
            path.unlink()


def _flat(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


# logs ----------------------------------------------------------------------------------------------------------------


class LogReader(LogVerifier):
    """Verifies a log block by block and keeps the hands that are in order."""

    def __init__(self, path: str, spec: GameSpec | None, progress: Progress, job: Job) -> None:
        super().__init__(path, spec, progress)
        self.job = job
        self.section = ""
        self.room = Rows.empty(0, 0, 0)
        state = job.journal.state
        if state:
            self.choice = msgspec.convert(state["choice"], GameChoice)
            self.line = job.journal.line
            self.last = (state["last"][0], tuple(state["last"][1]))
            self.sums = np.array(state["sums"], np.int64)
            for name in _CARRIED:
                setattr(self, name, state[name])

    def problem(self, line: int, kind: str, message: str) -> None:
        self.mismatches += kind == "mismatch"
        self.rejected += kind != "mismatch"
        self.job.reject(line, kind, message)

    def part(self, block: bytes) -> None:
        """Write the rows of the block just verified as the next part."""
        assert self.choice is not None
        part = self.rows(block, self.choice.spec)
        state = {name: getattr(self, name) for name in _CARRIED}
        state |= {"choice": msgspec.to_builtins(self.choice), "last": self.last, "sums": self.sums.tolist()}
        self.job.journal.state = state
        self.job.part(part if len(part.rows.hands) else None, int(self.line))

    def rows(self, block: bytes, spec: GameSpec) -> Part:
        """The rows of the hands in order of a block."""
        columns = self.columns
        n = spec.players
        codes = self.scanner.codes[: len(columns.hands)]
        fine = accepted(codes)
        good = int(np.count_nonzero(fine))
        if good > len(self.room.hands) or len(columns.kind) > len(self.room.actions):
            most = max(good, len(self.room.hands))
            self.room = Rows.empty(most, most * n, max(len(columns.kind), len(self.room.actions)))
        self.room.at[:] = 0
        self.room.players["player"][: good * n], names = number_names(block, columns.hands["names"][fine, :n])
        game = one_game(spec, spec.stacks)
        columns_kernel(columns.hands, codes, columns.kind, columns.to, *game, self.state, self.room)
        rows = self.room.used
        row = rows.hands["row"]
        line, hand = columns.hands["line"][row], columns.hands["hand"][row]
        small, big, ante = blind_columns(spec)
        return Part(
            source=self.job.number,
            first=self.job.journal.hands,
            rows=rows,
            hands={
                "line": line,
                "hand": hand,
                "section": self.sections(block, line),
                "game": (0, [game_text(spec, spec.stacks)]),
                "betting": (0, [spec.betting]),
                "comment": (0, [""]),
                "players": n,
                "small_blind": small,
                "big_blind": big,
                "ante": ante,
                "split": spec.split,
                "proven": codes[row] == FINE,
                "rake": 0,
                "hero": -1,
            },
            players={
                "player": names,
                "seat": (rows.players["position"] + np.repeat(hand, n)) % n,
                "shown": rows.players["showdown"],
            },
        )

    def sections(self, block: bytes, line: Any) -> tuple[Any, list[str]]:
        """The section of each hand, as index and values; ``section`` becomes the last one."""
        words = Words()
        words.add(self.section)
        lines = []
        for number, first, last in self.columns.other.tolist():
            text = block[first:last].decode("utf-8", "replace")
            if text_kind(text) == "section":
                lines.append(number)
                self.section = section_title(text)
                words.add(self.section)
        index, values = words.column()
        return index[np.searchsorted(np.array(lines, np.int64), line)], values


@cache
def compile_kernels() -> None:
    """Compile (or load) the kernels, so that this is not counted as part of the time that a file takes."""
    compile_logs()
    compile_phh()
    hands, codes = np.zeros(0, HAND_DTYPE), np.zeros(0, np.int64)
    number_names(b"\n", hands["names"])
    game = one_game(load_game("holdem.nolimit.2p"), (0, 0))
    state, kind, to = np.zeros(1, STATE_DTYPE), np.zeros(0, np.uint8), np.zeros(0, np.int64)
    columns_kernel(hands, codes, kind, to, *game, state, Rows.empty(0, 0, 0))


def read_log(path: str, spec: GameSpec | None, progress: Progress, job: Job) -> Read | None:
    """Read all blocks of a log into parts; None when stopped.

    Raises:
        ConfigError, FileError, HistoryError: as :func:`dupai.history.verify_file`.
        Stale: the journal does not fit the file.
    """
    work = LogReader(path, spec, progress, job)
    with LogFile(path) as file:
        for number, text in enumerate(file.blocks(job.journal.block)):
            job.note(text)
            if number < job.resumed:
                file.report(progress, "finding where it stopped")
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
        raise HistoryError(f"{path}: {file.cut or 'the file is empty: expected hands'}", path=path)
    return Read(work.choice.name, work.choice.why, work.notes)


# hand by hand --------------------------------------------------------------------------------------------------------


def read_hands(path: str, progress: Progress, job: Job, seen: Seen) -> Read | None:
    """Read all hands of a PHH file or a site's text into parts, but for those seen before; None when stopped.

    Raises:
        FileError: the file cannot be read.
        HistoryError: it holds no hand.
    """
    j = job.journal
    most = j.block
    rows = RecordRows(most)
    games: set[str] = set(j.state.get("games", ()))
    begin = j.line
    keys: list[int] = []
    again, notes = j.again, []
    seen.know(*part_keys(job.folder, j.parts).values())

    def part(line: int) -> None:
        j.state = {"games": sorted(games)}
        j.again = again + seen.again
        job.part(rows.part(job.number, j.hands) if rows.hands else None, line, keys)
        rows.clear()
        keys.clear()

    def room(line: int, actions: list[int]) -> int:
        """Room for the next hands, after finishing the part if there is none; ``line`` is that of the first hand."""
        some = rows.room(actions)
        if not some or len(job.rejects) >= most:
            part(line)
            some = rows.room(actions)
        return some

    with LogFile(path) as file:
        for number, piece in enumerate(file_pieces(file, j.kind, job.note, begin, seen)):
            if (number % _SLICE == 0 or isinstance(piece, Run)) and file.report(
                progress, f"{j.hands + rows.hands:,} hands"
            ):
                return None
            if isinstance(piece, Run):
                run = piece
                while run.hands:
                    hands = run.block.hands[run.first : run.last]
                    some = run._replace(last=run.first + room(int(hands["line"][0]), hands["actions"].tolist()))
                    rows.add_run(some)
                    keys += map(run.block.keys.__getitem__, range(some.first, some.last))
                    games.update(some.games if len(games) < 2 else ())
                    run = run._replace(first=some.last)
                continue
            if piece.kind == "waits":
                notes.append(piece.error)
                continue
            if piece.record is not None:
                room(piece.line, [len(piece.record.actions)])
            elif len(job.rejects) >= most:
                part(piece.line)
            if piece.kind or piece.record is None:
                job.reject(piece.line, piece.kind, piece.error)
                continue
            try:
                rows.add(piece.record, piece.line, piece.proven)
            except HistoryError as error:
                job.reject(piece.line, "rejected", str(error))
                continue
            keys.append(piece.key)
            if len(games) < 2:
                games.update(piece.games)
        if j.line < _END:
            if file.cut is not None:
                job.reject(0, "rejected", file.cut)
            part(_END)
    if not j.hands and not j.rejected and not j.again and not notes:
        raise no_hand(path)
    return Read(games_title(games), "each hand says its own", tuple(notes))
