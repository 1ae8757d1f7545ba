"""One spot over many boards: a row of totals for each, in a csv file that can be gone on with."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

from dupai.base import ConfigError, DupaiError, NoProgress, Progress
from dupai.cards import cards, cards_text
from dupai.cfr.postflop._locks import Lock
from dupai.cfr.postflop._node import Node
from dupai.cfr.postflop._solver import solve
from dupai.cfr.postflop._spot import PLAYERS, SolveSpot

_FIRST = ("board", "iterations", "exploitability_%", "ev_oop", "ev_ip", "equity_oop", "equity_ip")


def read_boards(path: str | Path, size: int) -> list[str]:
    """Boards of a text file, one a line (``#`` begins a remark), in order and without doubles.

    Raises:
        ConfigError: the file cannot be read or names a board of another size. NotationError: not cards.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"boards {str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
    found = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        try:
            board = cards(text)
        except DupaiError as error:
            raise ConfigError(f"{path}, line {number}: {error}") from error
        if len(board) != size:
            raise ConfigError(f"{path}, line {number}: {text!r} has {len(board)} cards: the spot's board has {size}")
        found.append(cards_text(board))
    if not found:
        raise ConfigError(f"boards {str(path)!r}: the file names no board")
    return list(dict.fromkeys(found))


def _row(
    spot: SolveSpot, board: str, locks: Sequence[Lock], target: float, iterations: int, half: bool
) -> dict[str, str]:
    made = SolveSpot.from_dict({**spot.to_dict(), "board": board})
    solver = solve(made, target=target, max_iterations=iterations, half=half, locks=locks)
    node = Node(solver)
    row = {
        "board": board,
        "iterations": str(solver.iterations),
        "exploitability_%": f"{100 * solver.curve[-1].exploitability / spot.pot:.4f}",
    }
    for p, name in enumerate(PLAYERS):
        row[f"ev_{name}"] = f"{node.mean(node.ev, p):.4f}"
        row[f"equity_{name}"] = f"{node.mean(node.equity, p):.5f}"
    for action, share in zip(node.actions, node.frequencies(), strict=True):
        row[str(action)] = f"{share:.5f}"
    return row


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
    """Solve a spot on many boards; the file ``out`` (csv) grows by a row for each and boards in it are not done again.

    Rows: board, iterations, exploitability in percent of the pot, EV and equity of both players, and how often each
    action is taken at the root. Stops early, keeping what is done, when ``progress`` is cancelled.

    Raises:
        ConfigError: a spot cannot be solved, or ``out`` holds something else.
    """
    bar = progress or NoProgress()
    target_file = Path(out)
    wanted = list(boards)
    rows = {row["board"]: row for row in _read(target_file)}
    todo = [b for b in wanted if b not in rows]

    def keep(row: dict[str, str]) -> None:
        rows[row["board"]] = row
        _write(target_file, [rows[b] for b in (*(b for b in rows if b not in wanted), *wanted) if b in rows])
        done = sum(b in rows for b in wanted)
        bar.report(done, len(wanted), f"{row['board']}: exploitability {row['exploitability_%']} %")

    arguments = (tuple(locks), target, max_iterations, half)
    if jobs <= 1:
        for board in todo:
            if bar.cancelled:
                break
            keep(_row(spot, board, *arguments))
    else:
        plain = spot.to_dict()
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            waiting = iter(todo)
            running = {pool.submit(_row_of, plain, b, *arguments) for b, _ in zip(waiting, range(jobs), strict=False)}
            while running:
                done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in done:
                    keep(future.result())
                    following = None if bar.cancelled else next(waiting, None)
                    if following is not None:
                        running.add(pool.submit(_row_of, plain, following, *arguments))
    return [rows[b] for b in wanted if b in rows]


def _row_of(
    plain: dict[str, object], board: str, locks: Sequence[Lock], target: float, iterations: int, half: bool
) -> dict[str, str]:
    return _row(SolveSpot.from_dict(plain), board, locks, target, iterations, half)


def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    try:
        found = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"report {str(path)!r} cannot be read: {error}") from error
    if found and tuple(found[0])[: len(_FIRST)] != _FIRST:
        raise ConfigError(f"{str(path)!r} is no report: expected the columns {', '.join(_FIRST)}")
    return found


def _write(path: Path, rows: Sequence[dict[str, str]]) -> None:
    names = list(dict.fromkeys((*_FIRST, *(k for row in rows for k in row))))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
