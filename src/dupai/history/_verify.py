"""Every hand of a log replayed under our rules and its payoffs recomputed."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cache
from os import PathLike
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, DupaiError, HistoryError, NoProgress, Progress
from dupai.history._check import check_record
from dupai.history._entries import file_kind
from dupai.history._files import BLOCK, LogFile
from dupai.history._kernels import replay_kernel
from dupai.history._layout import FINE, MISMATCH, UNKNOWN_CARDS, UNPROVEN
from dupai.history._report import Problem, VerifyReport
from dupai.history._verify_phh import verify_phh
from dupai.notation import (
    GOOD,
    HAND_DTYPE,
    GameChoice,
    HandColumns,
    choose_game,
    format_chips,
    game_words,
    header_game,
    parse_acpc_line,
    parse_score,
    sample_of,
    scan_kernel,
    text_kind,
)
from dupai.rules import MAX_PLAYERS, SPEC_DTYPE, STATE_DTYPE, GameSpec

#: Hands replayed between two looks at the progress (well under 100 ms).
_SLICE = 10_000
#: Bytes of a log that tell its header, number of players and stakes.
_SAMPLE = 1 << 18
#: Problems described in words; more are only counted.
_DESCRIBED = 10_000


class _Scanner:
    """Scratch arrays that grow to the largest block and are used again and again."""

    def __init__(self) -> None:
        self._lines = self._bytes = 0

    def _grow(self, lines: int, size: int) -> None:
        if lines > self._lines:
            self._lines = lines
            self.hands = np.zeros(lines, HAND_DTYPE)
            self.codes = np.zeros(lines, np.int64)
            self.other = np.zeros((lines, 3), np.int64)
        if size > self._bytes:
            self._bytes = size
            self.kind = np.zeros(size, np.uint8)
            self.to = np.zeros(size, np.int64)
            self.street = np.zeros(size, np.uint8)

    def scan(self, block: bytes, line: int, players: int) -> tuple[HandColumns, int]:
        """Columns of a block whose first line has number ``line`` (valid until the next call), and its lines."""
        self._grow(block.count(b"\n"), len(block))
        text = np.frombuffer(block, np.uint8)
        n, m, k, lines = scan_kernel(text, line, players, self.hands, self.kind, self.to, self.street, self.other)
        return HandColumns(self.hands[:n], self.kind[:m], self.to[:m], self.street[:m], self.other[:k]), lines


class _Verifier:
    def __init__(self, path: str, spec: GameSpec | None, progress: Progress) -> None:
        self.path = path
        self.progress = progress
        self.choice = None if spec is None else GameChoice(spec, game_words(spec), "given")
        self.scanner = _Scanner()
        self.state = np.zeros(1, STATE_DTYPE)
        self.payoffs = np.zeros(10, np.int64)
        self.hands = self.mismatches = self.rejected = self.unproven = 0
        self.line = 1
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        #: Line and names of the last hand read.
        self.last: tuple[int, tuple[str, ...]] = (0, ())
        self.announced = 0
        self.complete = True
        # Sums of payoffs by seat, positions rotating and fixed, since the last score and since the start.
        self.sums = np.zeros((2, 2, 10), np.int64)

    # one problem ---------------------------------------------------------------------------------------------------

    def problem(self, line: int, kind: str, message: str) -> None:
        if kind == "mismatch":
            self.mismatches += 1
        else:
            self.rejected += 1
        if len(self.problems) < _DESCRIBED:
            self.problems.append(Problem(self.path, line, kind, message))

    def judge(self, line: int, text: str, spec: GameSpec, code: int) -> None:
        """Put a line that the kernel did not pass where it belongs, with what the parser says about it."""
        kind = "mismatch" if code in (MISMATCH, UNKNOWN_CARDS) else "rejected"
        message = ""
        if len(self.problems) < _DESCRIBED:
            try:
                check_record(parse_acpc_line(text, spec))
            except DupaiError as error:
                message = str(error)
            else:
                raise AssertionError(f"the kernel answers {code} and the parser finds nothing wrong in {text!r}")
        if kind == "rejected":
            self.hands -= 1
        self.problem(line, kind, message)

    # one block -----------------------------------------------------------------------------------------------------

    def detect(self, block: bytes) -> GameChoice:
        header = None
        lines = []
        for number, raw in enumerate(block[:_SAMPLE].split(b"\n"), 1):
            text = raw.decode("utf-8", "replace").rstrip("\r")
            if text.startswith("STATE:"):
                lines.append((number, text.split(":", 5)))
            elif header is None:
                header = header_game(text)
        if len(block) > _SAMPLE:
            lines = lines[:-1]  # cut where the sample ends
        sample = sample_of(lines, header, 0)
        if sample is None:
            raise ConfigError("there is no whole hand in it: expected lines STATE:hand:betting:cards:payoffs:names")
        columns, _ = self.scanner.scan(block, 1, min(sample.players, MAX_PLAYERS))
        sample = msgspec.structs.replace(sample, hands=len(columns.hands))

        def fits(spec: GameSpec) -> tuple[int, int]:
            fine = self.replay(columns, spec)
            return fine, fine + int(np.count_nonzero(self.scanner.codes[: len(columns.hands)] == MISMATCH))

        return choose_game(sample, fits)

    def replay(self, columns: HandColumns, spec: GameSpec, begin: int = 0, end: int | None = None) -> int:
        return int(
            replay_kernel(
                columns.hands,
                begin,
                len(columns.hands) if end is None else end,
                columns.kind,
                columns.to,
                columns.street,
                spec.array,
                self.state,
                self.payoffs,
                self.scanner.codes,
            )
        )

    def block(self, block: bytes, file: LogFile) -> bool:
        """Verify one block; whether to go on."""
        if self.choice is None:
            self.choice = self.detect(block)
        spec = self.choice.spec
        columns, lines = self.scanner.scan(block, self.line, spec.players)
        self.columns = columns
        total = len(columns.hands)
        done = 0
        fine = 0
        while done < total and not self.progress.cancelled:
            fine += self.replay(columns, spec, done, min(done + _SLICE, total))
            done = min(done + _SLICE, total)
            self.progress.report(file.done, file.size, f"{self.hands + done:,} hands")
        self.hands += done
        codes = self.scanner.codes[:done]
        self.unproven += int(np.count_nonzero(codes == UNPROVEN))
        if fine != done:
            for i in np.flatnonzero((codes != FINE) & (codes != UNPROVEN)).tolist():
                row = columns.hands[i]
                text = block[int(row["start"]) : int(row["end"])].decode("utf-8", "replace")
                self.judge(int(row["line"]), text, spec, int(codes[i]))
        self.other(block, columns, done)
        if done < total:
            self.complete = False
            return False
        self.line += lines
        if total > 1 and columns.hands[-2]["code"] == GOOD:
            self.last = _line_and_names(block, columns.hands[-2], spec.players)
        if total and columns.hands[-1]["code"] == GOOD:
            here = _line_and_names(block, columns.hands[-1], spec.players)
            if file.last_line_open:
                self.open_line(*here)
            self.last = here
        return True

    def open_line(self, line: int, names: tuple[str, ...]) -> None:
        """The last line has no line end: it is cut when its last name is the beginning of one in the line before."""
        before, known = self.last
        name = names[-1]
        if before == line - 1 and name not in known and any(k.startswith(name) for k in known):
            self.hands -= 1
            self.problem(
                line,
                "rejected",
                f"the log is cut off: its last line has no end, and its last name is {name!r} "
                f"(in the line before: {'|'.join(known)!r})",
            )

    def other(self, block: bytes, columns: HandColumns, done: int) -> None:
        """Lines that are not hands: headers are noted, scores added up, anything else rejected."""
        hands = columns.hands[:done]
        start = 0
        for number, first, last in columns.other.tolist():
            text = block[first:last].decode("utf-8", "replace")
            kind = text_kind(text)
            if kind is None:
                shown = repr(text if len(text) <= 60 else text[:57] + "...")
                self.problem(
                    number, "rejected", f"{shown} is no line of a log: expected STATE:..., SCORE:... or # and a comment"
                )
            elif kind == "score":
                upto = int(np.searchsorted(hands["line"], number))
                self.add(hands[start:upto], start)
                start = upto
                self.score(number, text)
            elif header_game(text) is not None:
                words = text.split()[-2]
                self.announced = int(words) if words.isdigit() else 0
        self.add(hands[start:], start)

    def add(self, hands: npt.NDArray[Any], first: int) -> None:
        """Add the payoffs of hands to the sums by seat."""
        assert self.choice is not None
        n = self.choice.spec.players
        codes = self.scanner.codes[first : first + len(hands)]
        good = hands[codes >= 0] if len(hands) else hands
        paid = good["payoff"][:, :n]
        self.sums[:, 1, :n] += paid.sum(axis=0)
        turn = good["hand"] % n
        for k in range(n):
            self.sums[:, 0, :n] += np.roll(paid[turn == k].sum(axis=0), k)

    def score(self, line: int, text: str) -> None:
        """Compare a ``SCORE`` line with the hands (only when all of them were read)."""
        assert self.choice is not None
        n = self.choice.spec.players
        try:
            said = parse_score(text)
        except DupaiError as error:
            self.problem(line, "rejected", str(error))
            return
        if not self.rejected:
            sums = self.sums[:, :, :n].reshape(4, n)
            totals = [tuple(row) for row in sums.tolist()]
            if said.totals not in totals:
                want = "|".join(format_chips(v) for v in totals[0])
                have = "|".join(format_chips(v) for v in said.totals)
                self.problem(line, "mismatch", f"score {have}: the hands add up to {want}")
        self.sums[0] = 0


def _line_and_names(block: bytes, row: Any, players: int) -> tuple[int, tuple[str, ...]]:
    names = tuple(block[a:b].decode("utf-8", "replace") for a, b in row["names"][:players].tolist())
    return int(row["line"]), names


@cache
def _compile() -> None:
    """Have the kernels compiled (or loaded), which is no part of the time that a file takes."""
    columns, _ = _Scanner().scan(b"\n", 1, 2)
    state, spec = np.zeros(1, STATE_DTYPE), np.zeros(1, SPEC_DTYPE)
    args = (columns.kind, columns.to, columns.street, spec, state, np.zeros(10, np.int64), np.zeros(1, np.int64))
    replay_kernel(columns.hands, 0, 0, *args)


def verify_file(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    block: int = BLOCK,
) -> VerifyReport:
    """Replay every hand of an ACPC log (plain, ``.xz`` or ``.gz``) under our rules and recompute every payoff.

    Memory does not grow with the file. Without a ``spec`` the game is the one that the header names, or the usual one
    under which the hands of the first block reconcile. ``progress`` is told bytes of the file; when it is cancelled
    the report holds what was done so far. A PHH file (``.phh``, ``.phhs``) or a site's text is read hand by
    hand; each says its game.

    Raises:
        HistoryError: the file cannot be read.
        ConfigError: no game was given and none fits; names the file.
    """
    kind = file_kind(str(path))
    if kind != "acpc":
        return verify_phh(str(path), progress or NoProgress(), kind)
    _compile()
    start = time.perf_counter()
    work = _Verifier(str(path), spec, progress or NoProgress())
    with LogFile(path) as file:
        try:
            for text in file.blocks(block):
                if not work.block(text, file):
                    break
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None
        if file.cut is not None:
            work.problem(work.line, "rejected", file.cut)
    if work.choice is None and file.cut is None:
        raise HistoryError(f"{path}: the file is empty: expected an ACPC log")
    if work.announced > work.hands and work.complete:
        work.notes.append(f"the header announces {work.announced} hands, the file has {work.hands}")
    return VerifyReport(
        file=str(path),
        hands=work.hands,
        mismatches=work.mismatches,
        rejected=work.rejected,
        unproven=work.unproven,
        seconds=time.perf_counter() - start,
        game=work.choice.name if work.choice else "",
        why=work.choice.why if work.choice else "",
        complete=work.complete,
        problems=tuple(sorted(work.problems, key=lambda p: p.line)),
        notes=tuple(work.notes),
    )


def verify_files(
    paths: Iterable[str | PathLike[str]], spec: GameSpec | None = None, *, progress: Progress | None = None
) -> list[VerifyReport]:
    """Verify several files; one that cannot be read, or whose game is not known, is reported as one rejected line."""
    reports = []
    for path in paths:
        if progress is not None and progress.cancelled:
            break
        start = time.perf_counter()
        try:
            reports.append(verify_file(path, spec, progress=progress))
        except (ConfigError, HistoryError) as error:
            message = str(error).removeprefix(f"{path}: ")
            problem = Problem(str(path), 0, "rejected", message)
            reports.append(
                VerifyReport(
                    file=str(path),
                    hands=0,
                    mismatches=0,
                    rejected=1,
                    seconds=time.perf_counter() - start,
                    problems=(problem,),
                )
            )
    return reports
