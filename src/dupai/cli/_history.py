"""``dupai history``: commands for recorded hands."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import typer
from typer import Argument, Option

from dupai.base import ConfigError, FileError
from dupai.base.text import duration
from dupai.cli import _history_stats
from dupai.cli._common import BackendOption, JobsOption, console, print_json, progress, resolve_jobs, say
from dupai.cli._shared import PLAYER, Group, JsonOption, LogGameOption, answer, fields, leave, named_game, table
from dupai.cli._telling import print_hand

if TYPE_CHECKING:
    from dupai.history import HandLine, ImportReport, Store, VerifyReport

app = typer.Typer(name="history", cls=Group, no_args_is_help=True, help="Recorded hands: check, keep, convert, count.")

#: Hands left out that are printed; --json gives more.
_SHOWN_LEFT_OUT = 20


@app.command("import")
def import_(
    files: list[str] = Argument(
        ...,
        help="ACPC logs, PHH files or hand texts of poker sites, plain, .xz or .gz; or folders of them.",
        metavar="FILE",
    ),
    store: str = Option(..., help="Folder of the store; made if it is not there."),
    game: LogGameOption = None,
    jobs: JobsOption = 1,
    backend: BackendOption = "local",
    json: JsonOption = False,
) -> None:
    """Put the hands of files into a store of Parquet files (tables hands, players, actions).

    Each file is in the store whole or not at all; importing it again changes nothing, and an import that was stopped or
    killed resumes. With --jobs several files are imported at a time. Every hand is replayed and its payoffs are
    recomputed first: lines that cannot be read or do not reconcile are left out and listed with the reason in a rejects
    file, whose name is printed. Exit code 0, 2 when a file could not be imported at all, 130 when stopped.

    JSON keys: hands, actions, rejected, seconds, complete, files (list of file, status: imported, unchanged, stopped,
    skipped or failed, source, hands, actions, rejected, mismatches, unproven, again, seconds, resumed, game, why,
    rejects, error, notes).

    Examples:

      dupai history import logs/*.log.xz --store hands --jobs 0

      dupai history import match.phhs --store hands --json
    """
    from dupai.history import import_files, source_files

    start = time.perf_counter()
    with progress("importing") as bar:
        reports = import_files(
            source_files(files), store, named_game(game), progress=bar, backend=backend, jobs=resolve_jobs(jobs)
        )
        stopped = bar.cancelled
    seconds = time.perf_counter() - start
    complete = not stopped and all(r.status != "stopped" for r in reports)
    imported = [r for r in reports if r.status == "imported"]
    hands = sum(r.hands for r in imported)
    if json:
        actions, rejected = sum(r.actions for r in imported), sum(r.rejected for r in imported)
        counts = {"hands": hands, "actions": actions, "rejected": rejected, "seconds": seconds}
        print_json(counts | {"complete": complete, "files": reports})
    else:
        for report in reports:
            _print_import(report)
        if len(reports) != 1:
            rate = f", {hands / seconds:,.0f} hands/s" if hands else ""
            say(f"total: {hands:,} hands imported, {duration(seconds)}{rate}")
        if not complete:
            say("stopped early: the same command resumes")
    leave(complete=complete, ok=all(r.status != "failed" for r in reports))


def _print_import(report: ImportReport) -> None:
    if report.status == "failed":
        say(f"failed: {report.file}: {report.error}")
        return
    if report.status == "skipped":
        say(f"skipped: {report.file}: {', '.join(report.notes)}")
        return
    if report.status == "unchanged":
        say(f"{report.file}: in the store already (source {report.source}, {report.hands:,} hands)")
        return
    parts = [f"source {report.source}", f"{report.hands:,} hands", f"{report.actions:,} actions"]
    parts += [f"{report.again:,} were there already"] if report.again else []
    parts += [f"{report.rejected:,} rejected"]
    parts += [f"{report.unproven:,} unproven"] if report.unproven else []
    parts += [f"{report.resumed} parts were done before"] if report.resumed else []
    say(f"{report.file}: {report.status}: {', '.join(parts)}, {_took(report, not report.resumed)}")
    if report.rejects:
        say(f"{report.file}: the rejected lines are listed in {report.rejects}")
    for note in report.notes:
        say(f"{report.file}: note: {note}")


def _took(report: ImportReport | VerifyReport, timed: bool = True) -> str:
    """How long a file took, how fast that was if it was ``timed`` from its start, and its game."""
    rate = f", {report.hands / report.seconds:,.0f} hands/s" if timed and report.hands and report.seconds > 0 else ""
    game = f" [{report.game}; {report.why}]" if report.game else ""
    return f"{duration(report.seconds)}{rate}{game}"


@app.command()
def show(
    store: str = Argument(..., help="Folder of a store (see 'dupai history import')."),
    player: str | None = Option(None, *PLAYER, help="Only hands of this player."),
    where: str = Option(
        "",
        help="A condition in SQL over the columns of the table hands and, with --player, the player's own: "
        "position, seat, stack, hole, shown, folded, all_in, payoff, payoff_bb, ...",
    ),
    hand: int | None = Option(None, help="Print this hand (its id) street by street."),
    limit: int = Option(30, min=1, help="Hands listed at most."),
    json: JsonOption = False,
) -> None:
    """List the hands of a store, or print one as a person reads it.

    Without --player and --where the sources of the store come first. Hole cards are shown where the source knows them;
    a printed hand says who showed what.

    JSON keys: sources (list), matching, hands (list of hand_id, source, hand, section, players, blinds, board, pot,
    winners, position, hole, result_bb); with --hand the record itself.

    Examples:

      dupai history show hands --player DeepStack --where "payoff_bb < -50"

      dupai history show hands --hand 1000000042
    """
    from dupai.history import Store, find_hands, list_hands

    hands = Store(store)
    if hand is not None:
        if player is not None or where:
            raise ConfigError("--hand prints one hand: --player and --where go with the list", key="hand")
        [record] = hands.records([hand])
        answer(json, record, lambda: print_hand(console(), record))
        return
    ids, total = find_hands(hands, player=player, where=where, limit=limit)
    lines = list_hands(hands, ids, player)
    if json:
        print_json({"sources": hands.sources(), "matching": total, "hands": lines})
        return
    if player is None and not where:
        _print_sources(hands)
    _print_hands(lines, player)
    if total > len(lines):
        say(f"{len(lines)} of {total:,} hands (--limit shows more)")
    else:
        say(f"{total:,} {'hand' if total == 1 else 'hands'}")


def _print_sources(store: Store) -> None:
    for source in store.sources():
        rejected = f", {source.rejected:,} rejected" if source.rejected else ""
        say(f"source {source.number}: {source.file}: {source.hands:,} hands{rejected} [{source.game}]")
    for name in store.unfinished():
        say(f"unfinished import {name}: import the file again to go on")


def _print_hands(lines: list[HandLine], player: str | None) -> None:

    if not lines:
        return
    own = player is not None
    cards, result = (["cards"], [">bb"]) if own else ([], [])
    # At 80 columns there is no room for a column that says nothing.
    sections = ["section"] if any(line.section for line in lines) else []
    view = table(">id", *sections, ">players", "blinds", *cards, "board", ">pot", *result, "winners")
    for line in lines:
        row = [str(line.hand_id), *([line.section] if sections else []), str(line.players), line.blinds]
        row += [_spaced(line.hole or "????")] if own else []
        row += [_spaced(line.board), f"{line.pot:,}"]
        row += [f"{line.result_bb:+,.2f}"] if own else []
        view.add_row(*row, ", ".join(f"{name} +{amount:,.6g}" for name, amount in line.winners))
    for column in view.columns:
        column.no_wrap = column.header in ("id", "cards", "board")  # an id is copied, for --hand
    console().print(view)


def _spaced(cards: str) -> str:
    return " ".join(cards[k : k + 2] for k in range(0, len(cards), 2))


@app.command()
def convert(
    source: str = Argument(
        ...,
        help="An ACPC log, a PHH or Open Hand History file, a poker site's text (plain, .xz, .gz), or a store.",
        metavar="IN",
    ),
    target: str = Argument(
        ...,
        help="New file: .log (ACPC), .phhs or .phh, .ohh (Open Hand History), .txt (text of PokerStars), .csv (a row "
        "for each decision); .xz or .gz at its end compress.",
        metavar="OUT",
    ),
    game: LogGameOption = None,
    hero: str | None = Option(None, "--hero", help="The player whose hands they are: others' cards only where shown."),
    force: bool = Option(False, "--force", help="Replace OUT if it is there."),
    json: JsonOption = False,
) -> None:
    """Convert hands to another format (for trackers: text of PokerStars), and list what the target could not hold.

    Every written hand is read back and compared (CSV cannot be). Exit code 0 when every hand is in OUT, 2 when some had
    to be left out (they are listed; OUT holds the others), 130 when stopped (OUT is not written).

    JSON keys: source, target, hands, missing, left_out (list of line, reason), lost (list of what, hands), notes,
    complete.

    Examples:

      dupai history convert match.log match.phhs

      dupai history convert hands.phhs.xz hands.log

      dupai history convert match.log match.txt --hero dupai
    """
    from dupai.history import convert_file

    with progress("converting") as bar:
        report = convert_file(source, target, named_game(game), force=force, hero=hero, progress=bar)
    if json:
        print_json(report)
    elif not report.complete:
        say("stopped: nothing was written")
    else:
        for line, reason in report.left_out[:_SHOWN_LEFT_OUT]:
            say(f"left out: {source}:{line}: {reason}")
        if report.missing > _SHOWN_LEFT_OUT:
            say(f"left out: {report.missing - min(_SHOWN_LEFT_OUT, len(report.left_out)):,} more (--json lists them)")
        for lost, count in report.lost:
            say(f"lost: {lost}: in {count:,} hands")
        for note in report.notes:
            say(f"note: {note}")
        say(f"{target}: {report.hands:,} hands written, {report.missing:,} left out")
    leave(complete=report.complete, ok=not report.missing)


app.command()(_history_stats.stats)
app.command()(_history_stats.leaks)

#: What is verified.
_READ = "ACPC logs, PHH or Open Hand History files or texts of poker sites (plain, .xz or .gz), or folders of them"
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

    from dupai.history import source_files, verify_files

    spec = named_game(game)
    files = source_files(files)
    for file in files:
        if not os.path.isfile(file):
            store = os.path.isdir(file)  # other folders are their files by now
            what = "is a store, whose hands were checked when they were imported" if store else "is not a file"
            raise FileError(f"{file!r} {what}: expected {_READ}", path=file)
    with progress("verifying") as bar:
        reports = verify_files(files, spec, progress=bar)
        stopped = bar.cancelled
    total = {key: sum(getattr(r, key) for r in reports) for key in _TOTALS.split()}
    complete = not stopped and all(r.complete for r in reports)
    if json:
        print_json({**total, "complete": complete, "files": [_verified(r) for r in reports]})
    else:
        _print_verified(reports)
        if len(reports) != 1:
            counts = ", ".join(f"{total[key]:,} {key}" for key in _TOTALS.split()[:3])
            say(f"total: {counts}, {duration(total['seconds'])}")
        if not complete:
            say("stopped early: the lines above say what was done")
    leave(complete=complete, ok=not (total["mismatches"] or total["rejected"]))


#: Counts of a report that are added up.
_TOTALS = "hands mismatches rejected unproven seconds"


def _verified(report: VerifyReport) -> dict[str, object]:
    return {
        **fields(report, f"file {_TOTALS} game why complete"),
        "notes": list(report.notes),
        "problems": [fields(problem, "line kind message") for problem in report.problems],
    }


def _print_verified(reports: list[VerifyReport]) -> None:
    for report in reports:
        if report.notes and not report.game:
            say(f"skipped: {report.file}: {', '.join(report.notes)}")  # it has no hands
            continue
        for problem in report.problems[:_SHOWN]:
            say(f"{problem.kind}: {problem}")
        more = report.mismatches + report.rejected - min(len(report.problems), _SHOWN)
        if more > 0:
            say(f"{report.file}: {more:,} more problems (--json lists them)")
        unproven = f"{report.unproven:,} unproven, " if report.unproven else ""
        say(
            f"{report.file}: {report.hands:,} hands, {report.mismatches:,} mismatches, {report.rejected:,} rejected, "
            f"{unproven}{_took(report)}"
        )
        for note in report.notes:
            say(f"{report.file}: note: {note}")
