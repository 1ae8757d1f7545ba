"""Poker Hand History files and texts of poker sites verified; each hand says its own game."""

from __future__ import annotations

import time

from dupai.base import HistoryError, Progress
from dupai.history._entries import is_phh as is_phh, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._phh_blocks import Run, compile_phh, phh_pieces
from dupai.history._report import Problem, VerifyReport
from dupai.notation import game_words

#: Hands read one by one between two looks at the progress (under 100 ms).
_SLICE = 100
#: Problems described in words; more are only counted.
_DESCRIBED = 10_000


def verify_phh(path: str, progress: Progress, kind: str = "phh") -> VerifyReport:
    """As :func:`dupai.history.verify_file` for a PHH file (or a ``site`` text); each hand says its own game.

    Raises:
        HistoryError: the file cannot be read or is empty.
    """
    if kind == "phh":
        compile_phh()
    start = time.perf_counter()
    problems: list[Problem] = []
    count = {"mismatch": 0, "rejected": 0}
    hands = unproven = 0
    games: set[str] = set()
    complete = True

    def problem(line: int, kind: str, message: str) -> None:
        count[kind] += 1
        if len(problems) < _DESCRIBED:
            problems.append(Problem(path, line, kind, message))

    with LogFile(path) as file:
        for number, piece in enumerate(phh_pieces(file) if kind == "phh" else read_entries(kind, text_lines(file))):
            if number % _SLICE == 0 or isinstance(piece, Run):
                progress.report(file.done, file.size, f"{hands:,} hands")
                if progress.cancelled:
                    complete = False
                    break
            if isinstance(piece, Run):
                hands += piece.hands
                unproven += piece.unproven
                games.update(piece.games if len(games) < 2 else ())
                continue
            if piece.record is not None:
                hands += 1
                unproven += not piece.kind and not piece.proven
                if len(games) < 2:
                    games.add(game_words(piece.record.spec).partition(", stacks")[0])
            if piece.kind:
                problem(piece.line, piece.kind, piece.error)
        if file.cut is not None:
            problem(0, "rejected", file.cut)
    if complete and not hands and not problems:
        what = "a PHH table" if kind == "phh" else "hands of a poker site"
        raise HistoryError(f"{path}: there is no hand in the file: expected {what}")
    return VerifyReport(
        file=path,
        hands=hands,
        mismatches=count["mismatch"],
        rejected=count["rejected"],
        unproven=unproven,
        seconds=time.perf_counter() - start,
        game=games.pop() if len(games) == 1 else "several games" if games else "",
        why="each hand says its own" if hands else "",
        complete=complete,
        problems=tuple(problems),
    )
