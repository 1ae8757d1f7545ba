"""Poker Hand History files verified hand by hand."""

from __future__ import annotations

import time
from collections.abc import Iterator

from dupai.base import DupaiError, HistoryError, Progress
from dupai.history._check import check_record
from dupai.history._files import LogFile
from dupai.history._report import Problem, VerifyReport
from dupai.notation import PhhTable, format_chips, game_words, read_phh_tables, record_of_phh

#: Hands between two looks at the progress (under 100 ms).
_SLICE = 100
#: Text read at a time, small enough for the progress to move.
_BLOCK = 1 << 18
#: Problems described in words; more are only counted.
_DESCRIBED = 10_000


def is_phh(path: str) -> bool:
    """Whether a file's name is that of a PHH file (``.phh``, ``.phhs``, also compressed)."""
    name = path.lower()
    for end in (".xz", ".gz"):
        name = name.removesuffix(end)
    return name.endswith((".phh", ".phhs"))


def _lines(file: LogFile) -> Iterator[str]:
    for block in file.blocks(_BLOCK):
        yield from block.decode("utf-8", "replace").split("\n")[:-1]


def verify_phh(path: str, progress: Progress) -> VerifyReport:
    """As :func:`dupai.history.verify_file` for a PHH file; each hand says its own game.

    Raises:
        HistoryError: the file cannot be read or is empty.
    """
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
        for number, table in enumerate(read_phh_tables(_lines(file))):
            if number % _SLICE == 0:
                progress.report(file.done, file.size, f"{hands:,} hands")
                if progress.cancelled:
                    complete = False
                    break
            if not isinstance(table, PhhTable):
                line, _, message = str(table).partition(": ")
                problem(int(line), "rejected", message)
                continue
            try:
                record = record_of_phh(table.fields)
            except DupaiError as error:
                problem(table.line, "rejected", str(error))
                continue
            hands += 1
            if len(games) < 2:
                games.add(game_words(record.spec).partition(", stacks")[0])
            try:
                unproven += not check_record(record)
                said, rake = table.fields.get("_rake", 0), format_chips(record.rake, record.spec.split)
                if str(said) != rake:
                    raise HistoryError(f"hand {record.hand}: _rake is {said}: expected {rake}, what the stacks lose")
            except DupaiError as error:
                problem(table.line, "mismatch", str(error))
        if file.cut is not None:
            problem(0, "rejected", file.cut)
    if complete and not hands and not problems:
        raise HistoryError(f"{path}: there is no hand in the file: expected a PHH table")
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
