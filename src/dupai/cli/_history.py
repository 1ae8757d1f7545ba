"""``dupai history``: what can be done with recorded hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from dupai.cli import _history_stats, _history_store
from dupai.cli._groups import Group

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


@app.callback()
def _history() -> None:
    """Recorded hands: check, keep, convert, count."""


@app.command()
def verify(
    files: Annotated[
        list[str],
        Argument(
            help="ACPC logs, PHH files (.phh, .phhs) or poker sites' texts, plain, .xz or .gz; or folders of them.",
            metavar="FILE",
        ),
    ],
    game: Annotated[
        str | None,
        Option(help="ACPC .game file or the name of a shipped game; without it the header or the hands tell."),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Replay every hand under our rules and recompute every payoff, the showdown winner included.

    Prints a line for every hand whose payoffs differ (mismatch) and every line that cannot be read or replayed
    (rejected), with file, line and what was expected. Showdowns whose cards are not all known are counted apart
    (unproven): chips are checked there, the winner is not.
    Exit code 0 when all is in order, 2 when not, 130 when stopped.

    JSON keys: hands (replayed to the end, mismatches included), mismatches, rejected, unproven, seconds (of work,
    without compiling kernels once), complete, files (list of file, hands, mismatches, rejected, unproven, seconds,
    game, why, complete, notes, problems: list of line, kind, message).

    Examples:

      dupai history verify match.log

      dupai history verify logs/*.log.xz --game holdem.nolimit.2p --json
    """
    from pathlib import Path

    from dupai.base import ConfigError
    from dupai.cli._common import print_json, progress
    from dupai.history import source_files, verify_files
    from dupai.rules import load_game

    spec = load_game(game) if game is not None else None
    files = source_files(files)
    for file in files:
        if not Path(file).is_file():
            raise ConfigError(f"{file!r} is not a file: expected ACPC logs or PHH files")
    with progress("verifying") as bar:
        reports = verify_files(files, spec, progress=bar)
        stopped = bar.cancelled
    seconds = sum(r.seconds for r in reports)
    hands = sum(r.hands for r in reports)
    mismatches = sum(r.mismatches for r in reports)
    rejected = sum(r.rejected for r in reports)
    complete = not stopped and all(r.complete for r in reports)
    if json:
        print_json(
            {
                "hands": hands,
                "mismatches": mismatches,
                "rejected": rejected,
                "unproven": sum(r.unproven for r in reports),
                "seconds": seconds,
                "complete": complete,
                "files": [_document(r) for r in reports],
            }
        )
    else:
        _print(reports)
        if len(reports) != 1:
            print(f"total: {hands:,} hands, {mismatches:,} mismatches, {rejected:,} rejected, {seconds:.2f} s")
        if not complete:
            print("stopped early: the lines above say what was done")
    if not complete:
        raise typer.Exit(130)
    if mismatches or rejected:
        raise typer.Exit(2)


def _document(report: VerifyReport) -> dict[str, object]:
    return {
        "file": report.file,
        "hands": report.hands,
        "mismatches": report.mismatches,
        "rejected": report.rejected,
        "unproven": report.unproven,
        "seconds": report.seconds,
        "game": report.game,
        "why": report.why,
        "complete": report.complete,
        "notes": list(report.notes),
        "problems": [{"line": p.line, "kind": p.kind, "message": p.message} for p in report.problems],
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
