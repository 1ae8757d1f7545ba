"""Every hand of a file replayed under our rules and its payoffs recomputed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from functools import cache
from os import PathLike
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, DupaiError, HistoryError, NoProgress, Printable, Progress
from dupai.base.arrays import AnyArray
from dupai.base.text import whole_number
from dupai.history._entries import Entry, NoHands, file_kind, games_title, no_hand
from dupai.history._files import BLOCK, LogFile
from dupai.history._kernels import replay_kernel
from dupai.history._layout import MISMATCH, UNFINISHED, UNKNOWN_CARDS, UNPROVEN, accepted
from dupai.history._phh_blocks import Run, compile_phh, file_pieces
from dupai.notation import acpc, check_record, format_chips, quote
from dupai.notation.scan import GOOD, HAND_DTYPE, HandColumns, scan_kernel
from dupai.rules import MAX_PLAYERS, STATE_DTYPE, GameSpec, load_game

#: Hands replayed between two progress reports (well under 100 ms); hands read one by one.
_SLICE, _ENTRIES = 10_000, 100
#: Bytes at the start of a log that give its header, number of players and stakes.
_SAMPLE = 1 << 18
#: Bytes at the start of a log, as whole lines, on whose hands each game is tried.
GAME_SAMPLE = 2 << 20
#: Problems described in words; further ones are only counted.
_DESCRIBED = 10_000


class Problem(msgspec.Struct, frozen=True):
    """A line that does not reconcile (``mismatch``) or cannot be read or replayed (``rejected``).

    ``line`` is 0 for the file as a whole."""

    file: str
    line: int
    kind: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message}"


class VerifyReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """The result of verifying one file.

    Attributes:
        file: The path as given.
        hands: Hands replayed to their end (including mismatches, excluding rejected lines).
        mismatches: Hands whose payoffs are not those that the rules give, and scores that do not add up.
        rejected: Lines that cannot be read or replayed.
        unproven: Hands whose showdown cards are not all known: chips are checked, the winner is not.
        seconds: Time spent, with decompression, without compiling kernels (once).
        game: The game in words, empty when none was found; ``why`` says why it was chosen.
        complete: False when the work was stopped early.
        problems: The first 10,000 mismatches and rejected lines, by line.
        notes: Remarks.
    """

    file: str
    hands: int
    mismatches: int
    rejected: int
    seconds: float
    unproven: int = 0
    game: str = ""
    why: str = ""
    complete: bool = True
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.file}: {self.hands:,} hands, {self.mismatches} mismatches, {self.rejected} rejected"

    @property
    def ok(self) -> bool:
        """Whether every line reconciled."""
        return self.complete and not self.mismatches and not self.rejected


class _Scanner:
    """Scratch arrays that grow to the largest block and are reused."""

    def __init__(self) -> None:
        self._lines = self._bytes = 0

    def scan(self, block: bytes, line: int, players: int) -> tuple[HandColumns, int]:
        """Columns of a block whose first line has number ``line`` (valid until the next call), and its lines."""
        if (lines := block.count(b"\n")) > self._lines:
            self._lines = lines
            self.hands = np.zeros(lines, HAND_DTYPE)
            self.codes = np.zeros(lines, np.int64)
            self.other = np.zeros((lines, 3), np.int64)
        if (size := len(block)) > self._bytes:
            self._bytes = size
            self.to = np.zeros(size, np.int64)
            self.kind, self.street = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        text = np.frombuffer(block, np.uint8)
        n, m, k, lines = scan_kernel(text, line, players, self.hands, self.kind, self.to, self.street, self.other)
        return HandColumns(self.hands[:n], self.kind[:m], self.to[:m], self.street[:m], self.other[:k]), lines


class _Problems:
    """Counts problems and describes the first ones."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.mismatches = self.rejected = 0
        self.problems: list[Problem] = []

    def problem(self, line: int, kind: str, message: str) -> None:
        self.mismatches += kind == "mismatch"
        self.rejected += kind != "mismatch"
        if len(self.problems) < _DESCRIBED:
            self.problems.append(Problem(self.path, line, kind, message))

    def report(self, start: float, **fields: Any) -> VerifyReport:
        """The report of work that began at ``start``."""
        return VerifyReport(
            file=self.path,
            mismatches=self.mismatches,
            rejected=self.rejected,
            seconds=time.perf_counter() - start,
            problems=tuple(sorted(self.problems, key=lambda p: p.line or math.inf)),
            **fields,
        )


def cut_off(line: int, names: Sequence[str], before: tuple[int, Sequence[str]]) -> str:
    """Why the last line of a log, a hand that has no line end, counts as cut off: its last name is the beginning of one
    in the hand ``before`` (line and names), which is the line before. Empty if it does not."""
    number, known = before
    name = names[-1]
    if number != line - 1 or name in known or not any(k.startswith(name) for k in known):
        return ""
    return (
        f"the log is cut off: its last line has no end, and its last name is {name!r} "
        f"(in the line before: {'|'.join(known)!r})"
    )


class LogVerifier(_Problems):
    """Verifies an ACPC log block by block.

    Attributes:
        choice: The game, None before the first block.
        scanner: Its ``codes`` say what replaying found for each hand of ``columns``, the block just read.
        line: Number of the next line.
        last: Line and names of the last hand read.
        sums: ``int64[2, 2, 10]``: payoffs by seat since the last score and since the start, for rotating and for fixed
            positions.
    """

    def __init__(self, path: str, spec: GameSpec | None, progress: Progress) -> None:
        super().__init__(path)
        self.progress = progress
        self.choice = None if spec is None else acpc.GameChoice(spec, acpc.game_words(spec), "given")
        self.scanner = _Scanner()
        self.state = np.zeros(1, STATE_DTYPE)
        self.payoffs = np.zeros(10, np.int64)
        self.hands = self.unproven = self.announced = 0
        self.line = 1
        self.last: tuple[int, tuple[str, ...]] = (0, ())
        self.complete = True
        self.sums = np.zeros((2, 2, 10), np.int64)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on a log that was read to its end."""
        if self.announced <= self.hands:
            return ()
        return (f"the header announces {self.announced} hands, the file has {self.hands}",)

    def explain(self, line: int, text: str, spec: GameSpec, code: int) -> None:
        """Record the problem of a line that the kernel did not accept, in the words of the Python parser."""
        kind = "mismatch" if code in (MISMATCH, UNKNOWN_CARDS) else "rejected"
        message = ""
        if len(self.problems) < _DESCRIBED:
            try:
                check_record(acpc.parse_acpc_line(text, spec))
            except DupaiError as error:
                message = str(error)
            else:
                raise AssertionError(f"the kernel returns {code} but the parser accepts {text!r}")
        if kind == "rejected":
            self.hands -= 1
        self.problem(line, kind, message)

    def game(self, block: bytes) -> GameSpec:
        """The game of the log; ``block`` is its first one.

        Raises:
            ConfigError: no game was given and none fits; names the file.
        """
        if self.choice is None:
            try:
                self.choice = self.detect(block)
            except ConfigError as error:
                raise ConfigError(f"{self.path}: {error}", key="game", path=self.path) from None
        return self.choice.spec

    def detect(self, block: bytes) -> acpc.GameChoice:
        """The game of a log that begins with this block, by at most :data:`GAME_SAMPLE` bytes of it, so that readers
        choose the same game whatever the size of their blocks."""
        if len(block) > GAME_SAMPLE:
            block = block[: block.rfind(b"\n", 0, GAME_SAMPLE) + 1] or block
        texts = [text.rstrip("\r") for text in block[:_SAMPLE].decode("utf-8", "replace").split("\n")]
        header = next(filter(None, map(acpc.header_game, texts)), None)
        lines = [(number, text.split(":", 5)) for number, text in enumerate(texts, 1) if text.startswith("STATE:")]
        if len(block) > _SAMPLE:
            lines = lines[:-1]  # the sample may end within it
        sample = acpc.sample_of(lines, header, 0)
        columns, _ = self.scanner.scan(block, 1, min(sample.players, MAX_PLAYERS))
        sample = msgspec.structs.replace(sample, hands=len(columns.hands))

        def fits(spec: GameSpec) -> tuple[int, int]:
            fine = self.replay(columns, spec)
            return fine, fine + int(np.count_nonzero(self.scanner.codes[: len(columns.hands)] == MISMATCH))

        return acpc.choose_game(sample, fits)

    def replay(self, columns: HandColumns, spec: GameSpec, begin: int = 0, end: int | None = None) -> int:
        """Replay hands ``begin`` to ``end``; returns how many are in order."""
        last = len(columns.hands) if end is None else end
        actions = (columns.kind, columns.to, columns.street)
        scratch = (self.state, self.payoffs)
        return int(replay_kernel(columns.hands, begin, last, *actions, spec.array, *scratch, self.scanner.codes))

    def block(self, block: bytes, file: LogFile) -> bool:
        """Verify one block; returns whether to go on."""
        spec = self.game(block)
        columns, lines = self.scanner.scan(block, self.line, spec.players)
        self.columns = columns
        total = len(columns.hands)
        done = 0
        while done < total and not self.progress.cancelled:
            self.replay(columns, spec, done, min(done + _SLICE, total))
            done = min(done + _SLICE, total)
            file.report(self.progress, f"{self.hands + done:,} hands")
        self.hands += done
        codes = self.scanner.codes[:done]
        self.unproven += int(np.count_nonzero(codes == UNPROVEN))
        for i in np.flatnonzero(~accepted(codes)).tolist():
            row = columns.hands[i]
            text = block[int(row["start"]) : int(row["end"])].decode("utf-8", "replace")
            self.explain(int(row["line"]), text, spec, int(codes[i]))
        self.other_lines(block, columns, done)
        if done < total:
            self.complete = False
            return False
        self.line += lines
        for row in columns.hands[-2:]:
            if row["code"] == GOOD:
                spans = row["names"][: spec.players].tolist()
                names = tuple(block[a:b].decode("utf-8", "replace") for a, b in spans)
                if file.last_line_open and row["line"] == columns.hands[-1]["line"]:
                    self.open_line(int(row["line"]), names)
                self.last = int(row["line"]), names
        return True

    def open_line(self, line: int, names: tuple[str, ...]) -> None:
        """Reject a last line without a line end if it is cut off."""
        if why := cut_off(line, names, self.last):
            self.hands -= 1
            self.scanner.codes[len(self.columns.hands) - 1] = UNFINISHED
            self.problem(line, "rejected", why)

    def other_lines(self, block: bytes, columns: HandColumns, done: int) -> None:
        """Lines that are not hands: headers are noted, scores compared, anything else is rejected."""
        hands = columns.hands[:done]
        start = 0
        for number, first, last in columns.other.tolist():
            text = block[first:last].decode("utf-8", "replace")
            kind = acpc.text_kind(text)
            if kind is None:
                expected = "expected STATE:..., SCORE:... or # and a comment"
                self.problem(number, "rejected", f"{quote(text)} is no line of a log: {expected}")
            elif kind == "score":
                upto = int(np.searchsorted(hands["line"], number))
                self.add(hands[start:upto], start)
                start = upto
                self.score(number, text)
            elif acpc.header_game(text) is not None:
                self.announced = whole_number(text.split()[-2]) or 0
        self.add(hands[start:], start)

    def add(self, hands: AnyArray, first: int) -> None:
        """Add the payoffs of hands to the sums by seat."""
        assert self.choice is not None
        n = self.choice.spec.players
        good = hands[self.scanner.codes[first : first + len(hands)] >= 0]
        payoffs = good["payoff"][:, :n]
        self.sums[:, 1, :n] += payoffs.sum(axis=0)
        turn = good["hand"] % n
        for k in range(n):
            self.sums[:, 0, :n] += np.roll(payoffs[turn == k].sum(axis=0), k)

    def score(self, line: int, text: str) -> None:
        """Compare a ``SCORE`` line with the hands (only if all of them were read)."""
        assert self.choice is not None
        n = self.choice.spec.players
        try:
            score = acpc.parse_score(text)
        except DupaiError as error:
            self.problem(line, "rejected", str(error))
            return
        if not self.rejected:
            sums = [tuple(row) for row in self.sums[:, :, :n].reshape(4, n).tolist()]
            if score.totals not in sums:
                expected = "|".join(format_chips(v) for v in sums[0])
                stated = "|".join(format_chips(v) for v in score.totals)
                self.problem(line, "mismatch", f"score {stated}: the hands add up to {expected}")
        self.sums[0] = 0


@cache
def compile_logs() -> None:
    """Compile (or load) the kernels, so that this is not counted as part of the time that a file takes."""
    work = LogVerifier("", load_game("holdem.nolimit.2p"), NoProgress())
    columns, _ = work.scanner.scan(b"\n", 1, 2)
    work.replay(columns, work.game(b""))


def sample_game(block: bytes) -> GameSpec:
    """The game of a log that begins with this block of whole lines, as :func:`verify_file` chooses it.

    Raises:
        ConfigError: none fits.
    """
    compile_logs()
    return LogVerifier("", None, NoProgress()).detect(block).spec


def verify_file(
    path: str | PathLike[str], spec: GameSpec | None = None, *, progress: Progress | None = None, block: int = BLOCK
) -> VerifyReport:
    """Replay every hand of a file under our rules and recompute every payoff.

    The file is an ACPC log, a PHH file or a poker site's text, plain, ``.xz`` or ``.gz``. Memory does not grow with
    it. Hands of PHH and of sites state their game; a log's game is ``spec``, else the one that its header names, else
    the usual game under which the hands of the first block reconcile. ``progress`` gets bytes of the file; when it is
    cancelled the report holds what was done so far.

    Raises:
        FileError: the file cannot be read.
        HistoryError: the file is empty.
        ConfigError: no game was given and none fits; names the file.
    """
    kind = file_kind(str(path))
    if kind != "acpc":
        return _verify_entries(str(path), progress or NoProgress(), kind)
    compile_logs()
    start = time.perf_counter()
    work = LogVerifier(str(path), spec, progress or NoProgress())
    with LogFile(path) as file:
        for text in file.blocks(block):
            if not work.block(text, file):
                break
        if file.cut is not None:
            work.problem(work.line, "rejected", file.cut)
    if work.choice is None and file.cut is None:
        raise HistoryError(f"{path}: the file is empty: expected hands", path=path)
    game, why = (work.choice.name, work.choice.why) if work.choice else ("", "")
    notes = work.notes if work.complete else ()
    counts = {"hands": work.hands, "unproven": work.unproven}
    return work.report(start, game=game, why=why, complete=work.complete, notes=notes, **counts)


def _verify_entries(path: str, progress: Progress, kind: str) -> VerifyReport:
    """As :func:`verify_file` for a file whose hands state their game: ``phh`` or ``site``."""
    if kind == "phh":
        compile_phh()
    start = time.perf_counter()
    work = _Problems(path)
    hands = unproven = 0
    games: set[str] = set()
    complete = True
    with LogFile(path) as file:
        for number, piece in enumerate(file_pieces(file, kind)):
            if (number % _ENTRIES == 0 or isinstance(piece, Run)) and file.report(progress, f"{hands:,} hands"):
                complete = False
                break
            hands += piece.hands
            unproven += piece.unproven
            games.update(piece.games if len(games) < 2 else ())
            if isinstance(piece, Entry) and piece.kind:
                work.problem(piece.line, piece.kind, piece.error)
        if file.cut is not None:
            work.problem(0, "rejected", file.cut)
    if complete and not hands and not work.problems:
        raise no_hand(path)
    why = "each hand says its own" if hands else ""
    game = games_title(games)
    return work.report(start, hands=hands, unproven=unproven, game=game, why=why, complete=complete)


def verify_files(
    paths: Iterable[str | PathLike[str]], spec: GameSpec | None = None, *, progress: Progress | None = None
) -> list[VerifyReport]:
    """Verify several files. One that cannot be read, or whose game is unknown, is reported as one rejected line; the
    summary of a tournament, which has no hands, as a note."""
    reports = []
    for path in paths:
        if progress is not None and progress.cancelled:
            break
        start = time.perf_counter()
        try:
            reports.append(verify_file(path, spec, progress=progress))
        except DupaiError as error:
            work, message = _Problems(str(path)), str(error).removeprefix(f"{path}: ")
            if not isinstance(error, NoHands):
                work.problem(0, "rejected", message)
            reports.append(work.report(start, hands=0, notes=(message,) if isinstance(error, NoHands) else ()))
    return reports
