"""``dupai tournament``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.cli._playing import (
    ConfigOption,
    PlayOptions,
    blinds_of,
    print_faults,
    settings_of,
    table_rules,
    with_play_options,
)

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import TournamentResult


@with_play_options
def tournament(
    context: typer.Context,
    agents: Annotated[
        list[str] | None, typer.Argument(help="2 to 10 agent specs, as rules style:LA.", metavar="AGENT")
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
    config: ConfigOption = None,
    *,
    options: PlayOptions,
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

      dupai tournament rules rules:tight style:LA style:TP --matches 20

      dupai tournament rules rules style:TA --blinds 10/20 --jobs 2 --json
    """
    # Long by its options.
    import time

    from dupai.arena import Schedule, TournamentSettings, load_settings, run_tournament

    s = settings_of(
        context,
        config,
        TournamentSettings,
        options,
        agents=tuple(agents or ()),
        hands=hands,
        blinds=blinds_of(blinds),
        stack=stack,
        rebuys=rebuys,
        matches=matches,
        seed=seed,
    )
    plan = Schedule(levels=s.levels, payouts=s.payouts) if schedule is None else load_settings(schedule, Schedule)
    start = time.perf_counter()
    with options.playing("matches") as place:
        result = run_tournament(
            s.agents,
            hands=s.hands,
            blinds=s.blinds,
            stack=s.stack,
            rebuys=s.rebuys,
            matches=s.matches,
            seed=s.seed,
            rules=table_rules(s.faults, s.seconds_per_action, s.seconds_per_match),
            levels=plan.levels,
            payouts=plan.payouts,
            **place,
        )
    seconds = time.perf_counter() - start
    options.tell(result, lambda out, result: show(out, result, seconds))


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
