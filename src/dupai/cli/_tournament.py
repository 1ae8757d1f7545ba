"""``dupai tournament``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.base import NotationError
from dupai.cli._results import (
    ActionClock,
    AddressOption,
    BackendOption,
    ConfigOption,
    FaultsOption,
    MatchClock,
    ResultsOption,
    ResumeOption,
    backend_of,
    open_results,
    print_where,
    settings_of,
    table_rules,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from dupai.arena import Fault, TournamentResult


def blinds_of(text: str) -> tuple[int, int]:
    """``20/40`` as numbers.

    Raises:
        NotationError: it is something else.
    """
    small, slash, big = (t.strip() for t in text.partition("/"))
    if not slash or not (small.isascii() and small.isdigit() and big.isascii() and big.isdigit()):
        raise NotationError(f"--blinds {text!r}: expected small and big blind in chips, as 20/40")
    return int(small), int(big)


def print_faults(out: Console, faults: Sequence[Fault]) -> None:
    """Who broke the rules, a line for each of the first few."""
    for fault in faults[:5]:
        out.print(
            f"fault: {fault.agent}, match {fault.match}, hand {fault.hand}, {fault.during}: {fault.error}",
            markup=False,
            soft_wrap=True,
        )
    if len(faults) > 5:
        out.print(f"fault: {len(faults) - 5} more (--json lists them)")


def tournament(
    context: typer.Context,
    agents: Annotated[
        list[str] | None, typer.Argument(help="2 to 10 agent specs, as rules style:LA.", metavar="AGENT...")
    ] = None,
    hands: Annotated[int, typer.Option("--hands", "-n", help="Most hands a match.")] = 600,
    blinds: Annotated[str, typer.Option("--blinds", help="Small and big blind (--schedule: rising).")] = "20/40",
    stack: Annotated[int, typer.Option("--stack", help="Chips at the start, and of a rebuy.")] = 2000,
    rebuys: Annotated[int, typer.Option("--rebuys", help="Rebuys each player has.")] = 1,
    matches: Annotated[int, typer.Option("--matches", "-m", help="How many matches.")] = 100,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of cards, seats and agents.")] = 1,
    schedule: Annotated[
        str | None, typer.Option("--schedule", help="TOML file: levels of blinds and antes, payouts.")
    ] = None,
    faults: FaultsOption = "forfeit",
    seconds_per_action: ActionClock = None,
    seconds_per_match: MatchClock = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Worker processes; 0: one for each core.")] = 1,
    config: ConfigOption = None,
    backend: BackendOption = "local",
    address: AddressOption = None,
    results: ResultsOption = None,
    resume: ResumeOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """All agents at one table, no-limit, chips carried over, until one is left or the hands are played; many matches.

    Out of chips with no rebuy left is out. Ranks go by hands survived, then by chips left (stack plus unused rebuys);
    out in the same hand: more chips at its start is better, then a shared rank. Seats are drawn anew each match. Who
    is never out has survived all hands. F, the volatility of a match, is sqrt(sum (chips_k - chips_{k-1})^2).
    Same seed, same result for any --jobs. Ctrl-C prints the matches that are done (exit code 130); with --results the
    run can be taken up again with --resume.

    JSON keys: config, seed, versions, pairing, hands, partial, standings (list of agent, rank, hands, chips,
    volatility, volatility_squared: mean, se, low, high (95 %), n each; places, rebuys, faults), matches (list of match,
    hands, players, faults), faults, reproducible.

    Examples:

      dupai tournament rules rules:tight-aggressive style:LA style:TP --matches 20 --seed 1

      dupai tournament rules rules style:TA --hands 600 --blinds 20/40 --stack 2000 --rebuys 1 --jobs 2 --json
    """
    # Long by its options.
    import time

    from dupai.arena import Schedule, TournamentSettings, load_settings, run_tournament
    from dupai.cli._common import console, print_json, progress

    where = backend_of(backend, address, jobs)
    rules = table_rules(faults, seconds_per_action, seconds_per_match)
    s = settings_of(
        context,
        config,
        TournamentSettings,
        agents=tuple(agents or ()),
        hands=hands,
        blinds=blinds_of(blinds),
        stack=stack,
        rebuys=rebuys,
        matches=matches,
        seed=seed,
        faults=rules.faults,
        seconds_per_action=seconds_per_action,
        seconds_per_match=seconds_per_match,
    )
    plan = Schedule(levels=s.levels, payouts=s.payouts) if schedule is None else load_settings(schedule, Schedule)
    start = time.perf_counter()
    with open_results(results, resume) as store, progress("matches") as bar:
        result = run_tournament(
            s.agents,
            hands=s.hands,
            blinds=s.blinds,
            stack=s.stack,
            rebuys=s.rebuys,
            matches=s.matches,
            seed=s.seed,
            progress=bar,
            rules=table_rules(s.faults, s.seconds_per_action, s.seconds_per_match),
            levels=plan.levels,
            payouts=plan.payouts,
            store=store,
            backend=where,
        )
    seconds = time.perf_counter() - start
    if json:
        print_json(result)
    else:
        show(console(), result, seconds)
        print_where(console(), where)
    if result.partial:
        raise typer.Exit(130)


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th ..."""
    return f"{place}{'th' if 10 <= place % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"


def show(out: Console, result: TournamentResult, seconds: float | None = None) -> None:
    """The tables of a tournament."""
    from rich.table import Table

    config = result.config
    done = len(result.matches)
    small, big = config.blinds
    took = f" in {seconds:.1f} s" if seconds is not None else ""
    out.print(f"{done} of {config.matches} matches, {result.hands:,} hands{took}, seed {config.seed}")
    stakes = f"blinds {small}/{big}"
    if config.levels:
        last = config.levels[-1]
        stakes = f"{len(config.levels)} levels up to blinds {last.blinds[0]}/{last.blinds[1]}, ante {last.ante}"
    out.print(
        f"{config.hands} hands a match, {stakes}, stack {config.stack:,}, rebuys {config.rebuys}; {result.pairing}",
        style="dim",
        soft_wrap=True,
    )
    if result.partial:
        out.print(f"partial: {done:,} of {config.matches:,} matches; the tables hold what is done", style="yellow")
    if not done:
        return
    n = len(config.labels)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    prizes = ("prize",) if config.payouts else ()
    for head in ("mean rank", "hands survived", "chips left", "volatility F", "rebuys", *prizes):
        table.add_column(head, justify="right", no_wrap=True)
    for s in result.standings:
        prize = () if s.payout is None else (s.payout.text(),)
        cells = (s.rank.text(), s.hands.text(0), s.chips.text(0), s.volatility.text(0), f"{s.rebuys:.2f}")
        table.add_row(s.agent, *cells, *prize)
    out.print(table)
    out.print()
    places = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    places.add_column("finished, %", overflow="fold")
    for place in range(1, n + 1):
        places.add_column(ordinal(place), justify="right", no_wrap=True)
    for s in result.standings:
        places.add_row(s.agent, *(f"{100 * share:.0f}" if share else "·" for share in s.places))
    out.print(places)
    out.print("± is one standard error, by match", style="dim")
    if not result.reproducible:
        out.print("not reproducible: an agent is limited by a clock", style="yellow")
    print_faults(out, result.faults)
