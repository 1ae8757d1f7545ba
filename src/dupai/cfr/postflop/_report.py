"""Solve one spot on many boards: a csv file with a row for each, which an interrupted run continues."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, NamedTuple

from dupai.base import (
    ConfigError,
    DupaiError,
    FileError,
    NoProgress,
    NotationError,
    Progress,
    __version__,
    write_whole,
)
from dupai.cards import cards, cards_text
from dupai.cfr.postflop._locks import Lock
from dupai.cfr.postflop._node import Node
from dupai.cfr.postflop._solver import Solver
from dupai.cfr.postflop._spot import PLAYERS, SolveSpot
from dupai.jobs import end_with_parent

#: Columns of every report. ``work`` is the fingerprint of what the row depends on besides its board.
_FIRST = ("board", "work", "iterations", "exploitability_%", "ev_oop", "ev_ip", "equity_oop", "equity_ip")


def read_boards(path: str | Path, size: int) -> list[str]:
    """Read the boards of a text file, one a line (``#`` begins a comment), in order and without repetition.

    Raises:
        FileError: the file cannot be read, or holds no board.
        NotationError: a line is not a board of ``size`` cards.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"boards {str(path)!r} cannot be read: {reason}", path=path) from error
    boards = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        try:
            board = cards(text)
        except DupaiError as error:
            raise NotationError(f"{path}, line {number}: {error}", text=text, line=number, path=path) from error
        if len(board) != size:
            message = f"{path}, line {number}: {text!r} has {len(board)} cards: the spot's board has {size}"
            raise NotationError(message, text=text, line=number, path=path)
        boards.append(cards_text(board))
    if not boards:
        raise FileError(f"boards {str(path)!r}: the file names no board", path=path)
    return list(dict.fromkeys(boards))


class _Watched:
    """Progress of one board: told to nobody, ended with the whole."""

    def __init__(self, ended: Callable[[], bool]) -> None:
        self._ended = ended

    @property
    def cancelled(self) -> bool:
        return self._ended()

    def report(self, done: float, total: float | None, note: str = "") -> None:
        return None


class _Work(NamedTuple):
    """What is done with each board."""

    spot: dict[str, Any]
    locks: tuple[Lock, ...]
    target: float
    iterations: int
    half: bool

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that stand for the spot without its board, the settings and the version."""
        spot = {key: value for key, value in self.spot.items() if key != "board"}
        locks = [lock.to_dict() for lock in self.locks]
        depends = [__version__, spot, locks, self.target, self.iterations, self.half]
        return hashlib.blake2b(json.dumps(depends, sort_keys=True).encode(), digest_size=8).hexdigest()

    def row(self, board: str, ended: Callable[[], bool]) -> dict[str, str] | None:
        """The row of a board; None if it was broken off."""
        try:
            spot = SolveSpot.from_dict({**self.spot, "board": board})
            solver = Solver(spot, half=self.half, locks=self.locks)
        except DupaiError as error:
            raise ConfigError(f"board {board}: {error}") from error
        if not solver.run(self.target, max_iterations=self.iterations, progress=_Watched(ended)) and ended():
            return None
        node = Node(solver)
        row = {
            "board": board,
            "work": self.fingerprint,
            "iterations": str(solver.iterations),
            "exploitability_%": f"{100 * solver.curve[-1].exploitability / spot.pot:.4f}",
        }
        for p, name in enumerate(PLAYERS):
            row[f"ev_{name}"] = f"{node.mean(node.ev, p):.4f}"
            row[f"equity_{name}"] = f"{node.mean(node.equity, p):.5f}"
        for action, share in zip(node.actions, node.frequencies(), strict=True):
            row[str(action)] = f"{share:.5f}"
        return row


#: Set once the whole report is to end; in worker processes only.
_ending: Event | None = None


def _start_worker(ending: Event) -> None:
    global _ending
    # Ctrl-C reaches the whole process group; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _ending = ending


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started inside never hear of Ctrl-C, not even while they begin; this one hears of it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_worker(work: _Work, board: str) -> dict[str, str] | None:
    assert _ending is not None
    return work.row(board, _ending.is_set)


def report(
    spot: SolveSpot,
    boards: Iterable[str],
    out: str | Path,
    *,
    locks: Sequence[Lock] = (),
    target: float = 0.003,
    max_iterations: int = 1000,
    half: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[dict[str, str]]:
    """Solve a spot on many boards. The csv file ``out`` grows by a row for each; boards that it holds are not repeated.

    Columns: board, a fingerprint of the work (spot without board, locks, settings, version), iterations, exploitability
    in percent of the pot, EV and equity of both players, and the frequency of each action at the root. Stops early and
    keeps the finished rows when ``progress`` is cancelled.

    Raises:
        ConfigError: a spot cannot be solved.
        FileError: ``out`` cannot be read or written, or holds rows of other work.
    """
    bar = progress or NoProgress()
    target_file = Path(out)
    wanted = list(boards)
    work = _Work(spot.to_dict(), tuple(locks), target, max_iterations, half)
    rows = {row["board"]: row for row in _read(target_file, work.fingerprint)}
    todo = [b for b in wanted if b not in rows]

    def keep(row: dict[str, str]) -> None:
        rows[row["board"]] = row
        _write(target_file, [rows[b] for b in (*(b for b in rows if b not in wanted), *wanted) if b in rows])
        done = sum(b in rows for b in wanted)
        bar.report(done, len(wanted), f"{row['board']}: exploitability {row['exploitability_%']} %")

    if jobs <= 1:
        for board in todo:
            row = None if bar.cancelled else work.row(board, lambda: bar.cancelled)
            if row is None:
                break
            keep(row)
    else:
        context = get_context("spawn")
        ending = context.Event()
        with ProcessPoolExecutor(min(jobs, max(1, len(todo))), context, _start_worker, (ending,)) as pool:
            waiting = iter(todo)
            with _deaf():
                running = {pool.submit(_in_worker, work, b) for b in islice(waiting, jobs)}
            try:
                while running:
                    done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
                    if bar.cancelled:
                        ending.set()
                    for row in (future.result() for future in done):
                        if row is not None:
                            keep(row)
                    if not bar.cancelled:
                        running |= {pool.submit(_in_worker, work, b) for b in islice(waiting, jobs - len(running))}
            finally:
                ending.set()
    return [rows[b] for b in wanted if b in rows]


def _read(path: Path, fingerprint: str) -> list[dict[str, str]]:
    if not path.exists():
        return []
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileError(f"report {str(path)!r} cannot be read: {error}", path=path) from error
    if rows and tuple(rows[0])[: len(_FIRST)] != _FIRST:
        raise FileError(f"{str(path)!r} is not a solver report: expected the columns {', '.join(_FIRST)}", path=path)
    for row in rows:
        if row["work"] != fingerprint:
            raise FileError(
                f"report {str(path)!r} holds other work: its row for the board {row['board']} was made with another "
                "spot, range, lock, target or version; choose another file",
                path=path,
            )
    return rows


def _write(path: Path, rows: Sequence[dict[str, str]]) -> None:
    names = list(dict.fromkeys((*_FIRST, *(k for row in rows for k in row))))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue())
