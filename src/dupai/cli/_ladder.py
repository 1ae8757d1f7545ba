"""``dupai ladder``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.cli._results import (
    ActionClock,
    AddressOption,
    BackendOption,
    FaultsOption,
    MatchClock,
    ResultsOption,
    ResumeOption,
    backend_of,
    open_results,
    table_rules,
)

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import LadderResult


def ladder(
    agents: Annotated[list[str], typer.Argument(help="Two or more agent specs.", metavar="AGENT...")],
    hands: Annotated[int, typer.Option("--hands", "-n", help="Deals of a match, each in all rotations.")] = 1000,
    seats: Annotated[int, typer.Option("--seats", help="Players at a table: 2 plays all pairs.")] = 2,
    matches: Annotated[int, typer.Option("--matches", "-m", help="Matches at each table (agents that learn).")] = 1,
    game: Annotated[str | None, typer.Option("--game", help="ACPC game by name or file; else no-limit.")] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of cards, tables and agents.")] = 1,
    faults: FaultsOption = "forfeit",
    seconds_per_action: ActionClock = None,
    seconds_per_match: MatchClock = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Worker processes; 0: one for each core.")] = 1,
    backend: BackendOption = "local",
    address: AddressOption = None,
    results: ResultsOption = None,
    resume: ResumeOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Everyone against everyone, duplicate, stacks reset: ratings, a cross table, and what is not separated yet.

    Ratings are Bradley and Terry's on Elo's scale (who won more of a deal beat the others; mean 1500), with standard
    errors. Poker is not transitive: A may beat B, B beat C, and C beat A; look at the cross table before believing an
    order. A rating counts how often a player wins, not how much.

    JSON keys: config, seed, versions, pairing, unit, hands, rows (list of agent, rating, rating_se, low, high, mbb,
    faults), cells (list of first, second, mbb, rating_z), not_separated, met, partial, faults, reproducible.

    Examples:

      dupai ladder rules style:TA style:LP caller --hands 500 --jobs 2

      dupai ladder rules rules:tight-aggressive style:LA style:LP style:TA style:TP caller --seats 6 --hands 200
    """
    from dupai.arena import run_ladder
    from dupai.cli._common import console, print_json, progress, resolve_jobs

    rules = table_rules(faults, seconds_per_action, seconds_per_match)
    with open_results(results, resume) as store, progress("hands") as bar:
        result = run_ladder(
            agents,
            hands=hands,
            seats=seats,
            matches=matches,
            seed=seed,
            game=game,
            rules=rules,
            jobs=resolve_jobs(jobs),
            progress=bar,
            store=store,
            backend=backend_of(backend, address, resolve_jobs(jobs)),
        )
    if json:
        print_json(result)
    else:
        show(console(), result)
    if result.partial:
        raise typer.Exit(130)


def show(out: Console, result: LadderResult) -> None:
    """The tables of a ladder."""
    from rich.table import Table

    from dupai.cli._tournament import print_faults

    out.print(f"{result.hands:,} hands, seed {result.seed}; {result.pairing}", soft_wrap=True)
    if result.partial:
        out.print("stopped early: what follows is what was played", style="yellow")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    for head in ("rating", "± 95 %", "mbb/hand", "95 % interval"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in result.rows:
        interval = "" if row.mbb.low is None else f"{row.mbb.low:+,.0f} .. {row.mbb.high:+,.0f}"
        table.add_row(
            row.agent, f"{row.rating:,.0f}", f"{row.high - row.rating:,.0f}", f"{row.mbb.mean:+,.0f}", interval
        )
    out.print(table)
    two = len(result.config.tables[0]) == 2
    out.print(
        "\nrow against column, mbb/hand ± 95 %"
        + ("" if two else " (what the row won more than the column at the tables they shared)")
    )
    names = [row.agent for row in result.rows]
    cells = {(c.first, c.second): c.mbb for c in result.cells}
    cross = Table(box=None, pad_edge=False, header_style="bold")
    cross.add_column("", overflow="fold")
    for k in range(len(names)):
        cross.add_column(str(k + 1), justify="right", no_wrap=True)
    for k, a in enumerate(names):
        line = []
        for b in names:
            m = cells.get((a, b)) or cells.get((b, a))
            if a == b or m is None or not m.n:
                line.append("·")
                continue
            half = "" if m.se is None or m.high is None else f" ±{m.high - m.mean:,.0f}"
            line.append(f"{m.mean if (a, b) in cells else -m.mean:+,.0f}{half}")
        cross.add_row(f"{k + 1} {a}", *line)
    out.print(cross)
    close = ", ".join(f"{a} - {b}" for a, b in result.not_separated)
    out.print(f"\nnot separated yet (95 %, each pair by itself): {close or 'none'}", soft_wrap=True)
    note = f"intervals count {result.unit}s"
    if result.unit == "match" and result.config.matches == 1:
        note += ": one match a table gives none, --matches M plays more"
    out.print(f"{note}; poker is not transitive: a rating sums up, the cross table says who beats whom", soft_wrap=True)
    out.print("a rating counts how often deals are won, mbb/hand how much: they may well disagree", soft_wrap=True)
    if not result.reproducible:
        out.print("not reproducible: a clock or an agent limited by one", style="yellow")
    print_faults(out, result.faults)
