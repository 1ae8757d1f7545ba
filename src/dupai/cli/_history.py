"""``dupai history``: commands for recorded hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from typer import Argument, Option

from dupai.base import FileError
from dupai.cli import _history_stats, _history_store
from dupai.cli._common import print_json, progress
from dupai.cli._groups import Group
from dupai.cli._shared import JsonOption, fields, leave, named_game

if TYPE_CHECKING:
    from dupai.history import VerifyReport

app = typer.Typer(name="history", cls=Group, no_args_is_help=True, help="Recorded hands: check, keep, convert, count.")

app.command("import")(_history_store.import_)
app.command()(_history_store.show)
app.command()(_history_store.convert)
app.command()(_history_stats.stats)
app.command()(_history_stats.leaks)

#: Problems printed in the terminal; ``--json`` gives all.
_SHOWN = 100


@app.command()
def verify(
    files: list[str] = Argument(
        ...,
        help="ACPC logs, PHH files (.phh, .phhs) or poker sites' texts, plain, .xz or .gz; or folders of them.",
        metavar="FILE",
    ),
    game: str | None = Option(
        None, help="ACPC .game file or shipped game; default: the game that the header or the hands name."
    ),
    json: JsonOption = False,
) -> None:
    """Replay every hand under our rules and recompute every payoff, the showdown winner included.

    Prints a line for every hand whose payoffs differ (mismatch) and every line that cannot be read or replayed
    (rejected), with file, line and the expected value. Showdowns with unknown cards are counted separately (unproven):
    their chips are checked, their winner is not. Exit code 0 when all is in order, 2 when not, 130 when stopped.

    JSON keys: hands (replayed to the end, mismatches included), mismatches, rejected, unproven, seconds (of work,
    without compiling kernels once), complete, files (list of file, hands, mismatches, rejected, unproven, seconds,
    game, why, complete, notes, problems: list of line, kind, message).

    Examples:

      dupai history verify match.log

      dupai history verify logs/*.log.xz --game holdem.nolimit.2p --json
    """
    from pathlib import Path

    from dupai.history import source_files, verify_files

    spec = named_game(game)
    files = source_files(files)
    for file in files:
        if not Path(file).is_file():
            raise FileError(f"{file!r} is not a file: expected ACPC logs or PHH files", path=file)
    with progress("verifying") as bar:
        reports = verify_files(files, spec, progress=bar)
        stopped = bar.cancelled
    total = {key: sum(getattr(r, key) for r in reports) for key in _TOTALS.split()}
    complete = not stopped and all(r.complete for r in reports)
    if json:
        documents = [_document(r) for r in reports]
        print_json({**total, "complete": complete, "files": documents})
    else:
        _print(reports)
        if len(reports) != 1:
            counts = ", ".join(f"{total[key]:,} {key}" for key in _TOTALS.split()[:3])
            print(f"total: {counts}, {total['seconds']:.2f} s")
        if not complete:
            print("stopped early: the lines above say what was done")
    leave(complete=complete, ok=not (total["mismatches"] or total["rejected"]))


#: Counts of a report that are added up.
_TOTALS = "hands mismatches rejected unproven seconds"


def _document(report: VerifyReport) -> dict[str, object]:
    return {
        **fields(report, f"file {_TOTALS} game why complete"),
        "notes": list(report.notes),
        "problems": [fields(problem, "line kind message") for problem in report.problems],
    }


def _print(reports: list[VerifyReport]) -> None:
    for report in reports:
        for problem in report.problems[:_SHOWN]:
            print(f"{problem.kind}: {problem}")
        more = report.mismatches + report.rejected - min(len(report.problems), _SHOWN)
        if more > 0:
            print(f"{report.file}: {more:,} more problems (--json lists them)")
        rate = f", {report.hands / report.seconds:,.0f} hands/s" if report.hands and report.seconds > 0 else ""
        game = f" [{report.game}; {report.why}]" if report.game else ""
        print(
            f"{report.file}: {report.hands:,} hands, {report.mismatches:,} mismatches, {report.rejected:,} rejected, "
            f"{f'{report.unproven:,} unproven, ' if report.unproven else ''}"
            f"{report.seconds:.2f} s{rate}{game}"
        )
        for note in report.notes:
            print(f"{report.file}: note: {note}")
