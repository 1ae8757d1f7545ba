"""Solve one spot on many boards: a csv file with a row for each, which an interrupted run continues."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from dupai.base import ConfigError, DupaiError, FileError, NotationError, Progress, __version__
from dupai.base.files import read_text, write_whole
from dupai.base.text import quoted, readable
from dupai.cards import cards, cards_text
from dupai.cfr.postflop._locks import Lock
from dupai.cfr.postflop._node import SpotNode
from dupai.cfr.postflop._solver import SpotSolver
from dupai.cfr.postflop._spot import PLAYERS, SolveSpot
from dupai.jobs import Backend, Pulse, stream

Row = dict[str, str]
#: Columns of every report. ``work`` is the fingerprint of what the row depends on besides its board.
_FIRST = ("board", "work", "iterations", "exploitability_%", "ev_oop", "ev_ip", "equity_oop", "equity_ip")
#: The columns that hold no number.
_TEXT = ("board", "work")


def read_boards(path: str | Path, size: int) -> list[str]:
    """Read the boards of a text file, one a line (``#`` begins a comment), in order and without repetition. Of boards
    with the same cards the first stays.

    Raises:
        FileError: the file cannot be read, or holds no board.
        NotationError: a line is not a board of ``size`` cards.
    """
    lines = read_text(path, "boards").splitlines()
    boards = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        try:
            board = cards(text)
            if len(board) != size:
                raise NotationError(f"{text!r} has {len(board)} cards: the spot's board has {size}")
        except DupaiError as error:
            raise NotationError(f"{path}, line {number}: {error}", text=text, line=number, path=path) from error
        boards.append(cards_text(board))
    if not boards:
        raise FileError(f"boards {str(path)!r}: the file names no board", path=path)
    return _distinct(boards)


def _distinct(boards: Iterable[str]) -> list[str]:
    """The boards without those that only have another order of cards than one before."""
    first: dict[str, str] = {}
    for board in boards:
        first.setdefault(_same(board), board)
    return list(first.values())


def _same(board: str) -> str:
    """The cards of a board in one order: boards are the same whatever the order of their cards."""
    return cards_text(sorted(cards(board)))


class _Work(NamedTuple):
    """How each board is solved."""

    locks: tuple[Lock, ...]
    spot: dict[str, Any]
    target: float
    iterations: int
    half: bool

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that stand for the spot without its board, the settings and the version."""
        spot = {key: value for key, value in self.spot.items() if key != "board"}
        depends = [__version__, spot, [lock.to_dict() for lock in self.locks], *self[2:]]
        return hashlib.blake2b(json.dumps(depends, sort_keys=True).encode(), digest_size=8).hexdigest()


def _solve_board(work: _Work, board: str, pulse: Pulse) -> Row | None:
    """The row of a board; None if it was interrupted."""
    try:
        spot = SolveSpot.from_dict({**work.spot, "board": board})
        solver = SpotSolver(spot, half=work.half, locks=work.locks)
    except DupaiError as error:
        raise ConfigError(f"board {board}: {error}") from error
    if not solver.run(work.target, max_iterations=work.iterations, progress=pulse) and pulse.cancelled:
        return None
    node = SpotNode(solver)
    row = {
        "board": board,
        "work": work.fingerprint,
        "iterations": str(solver.iterations),
        "exploitability_%": f"{100 * solver.curve[-1].exploitability / spot.pot:.4f}",
    }
    for p, name in enumerate(PLAYERS):
        row[f"ev_{name}"] = f"{node.mean(node.ev, p):.4f}"
        row[f"equity_{name}"] = f"{node.mean(node.equity, p):.5f}"
    for action, share in zip(node.actions, node.frequencies(), strict=True):
        row[str(action)] = f"{share:.5f}"
    return row


class _Table:
    """The rows of a report file by board. The file is written anew with each row, ``boards`` last, in their order."""

    def __init__(self, path: Path, fingerprint: str, boards: Sequence[str]) -> None:
        self.path = path
        self.rows = {_same(row["board"]): row for row in self._read(fingerprint)}
        self.boards = list(map(_same, boards))

    def _read(self, fingerprint: str) -> list[Row]:
        if not self.path.exists():
            return []
        text = read_text(self.path, "report")
        reader = csv.DictReader(io.StringIO(text))
        try:
            rows = list(reader)
        except csv.Error as error:
            raise FileError(f"report {str(self.path)!r} cannot be read: {error}", path=self.path) from error
        begun = tuple(reader.fieldnames or ())[: len(_FIRST)]
        if text and (begun != _FIRST or any(None in row or None in row.values() for row in rows)):
            expected = ", ".join(_FIRST)
            raise FileError(
                f"{str(self.path)!r} is not a solver report: expected the columns {expected}", path=self.path
            )
        for row in rows:
            for name, cell in row.items():
                # Only a column of an action is empty where a board has no such action.
                needed = name in _FIRST and name not in _TEXT
                whole = name != "iterations" or cell.isdecimal()
                if name not in _TEXT and (cell or needed) and not (readable(float, cell) and whole):
                    raise FileError(
                        f"report {str(self.path)!r}, board {quoted(row['board'])}: {name} is {quoted(cell)}: "
                        "expected a number",
                        path=self.path,
                    )
            if not readable(cards, row["board"]):
                board = quoted(row["board"])
                raise FileError(f"report {str(self.path)!r}: {board} is not a board", path=self.path)
            if row["work"] != fingerprint:
                raise FileError(
                    f"report {str(self.path)!r} holds other work: its row for the board {row['board']} was made with "
                    "another spot, range, lock, target or version; choose another file",
                    path=self.path,
                )
        return rows

    def get(self, board: str) -> Row | None:
        return self.rows.get(_same(board))

    def put(self, board: str, row: Row) -> Row:
        self.rows[_same(board)] = row
        text = io.StringIO()
        others = [b for b in self.rows if b not in self.boards]
        rows = [self.rows[b] for b in (*others, *self.boards) if b in self.rows]
        names = dict.fromkeys((*_FIRST, *(name for row in rows for name in row)))
        writer = csv.DictWriter(text, list(names), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_whole(self.path, text.getvalue())
        return row


def solve_report(
    spot: SolveSpot,
    boards: Iterable[str],
    out: str | Path,
    *,
    locks: Sequence[Lock] = (),
    target: float = 0.003,
    max_iterations: int = 1000,
    half: bool = False,
    jobs: int = 1,
    backend: Backend | str | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """Solve a spot on many boards. The csv file ``out`` grows by a row for each; boards that it holds are not repeated.

    A board in another order of its cards is the same one. Columns: board, a fingerprint of the work (spot without
    board, locks, settings, version), iterations, exploitability in percent of the pot, EV and equity of both players,
    and the frequency of each action at the root. Stops early and keeps the finished rows when ``progress`` is
    cancelled.

    Args:
        spot: its board is replaced.
        boards: the boards, each with as many cards as the spot's.
        out: the csv file.
        locks, target, max_iterations, half: as for :func:`~dupai.cfr.solve_spot`.
        jobs, backend: how many boards are solved at once, and where (see :func:`dupai.jobs.share_out`).

    Returns:
        The rows of ``boards`` that are done.

    Raises:
        ConfigError: a spot cannot be solved.
        FileError: ``out`` cannot be read or written, is no report, holds a cell that is no number, or rows of other
            work.
    """
    tasks = _distinct(boards)
    work = _Work(tuple(locks), spot.to_dict(), target, max_iterations, half)
    table = _Table(Path(out), work.fingerprint, tasks)
    results = stream(
        partial(_solve_board, work), tasks, backend=backend, jobs=jobs, progress=progress, keeper=table, keys=tasks
    )
    rows = {tasks[index]: row for index, row in results if row is not None}
    return [rows[board] for board in tasks if board in rows]
