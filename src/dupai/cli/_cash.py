"""``dupai cash``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.base import ConfigError
from dupai.cli._playing import PlayOptions, blinds_of, print_faults, with_play_options

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import CashResult


@with_play_options
def cash(
    agents: Annotated[list[str], typer.Argument(help="2 to 10 agent specs, as rules style:LA.", metavar="AGENT")],
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands of a session.")] = 500,
    sessions: Annotated[int, typer.Option("--sessions", "-m", help="How many sessions: what intervals count.")] = 20,
    blinds: Annotated[str, typer.Option("--blinds", help="Small and big blind.")] = "50/100",
    stack: Annotated[int, typer.Option("--stack", help="Buy-in, in chips.")] = 10_000,
    top_up: Annotated[
        str,
        typer.Option(
            "--top-up",
            help="Before a deal: broke (only who has nothing buys in), full (everybody below the buy-in fills up), "
            "or chips (who has fewer fills up).",
        ),
    ] = "broke",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of cards and agents.")] = 1,
    *,
    options: PlayOptions,
) -> None:
    """Cash sessions, no-limit: chips carry over from hand to hand, who is broke buys in again, others may top up.

    Every session has fresh agents, full stacks and other cards, and everybody sits a chair further. Stacks make the
    hands of a session depend on each other, so intervals count sessions. Ctrl-C prints what is played (exit code 130);
    with --results it can be taken up again with --resume, in the middle of a session, too.

    JSON keys: config, seed, versions, pairing, unit, hands, players (list of agent, chips, mbb: mean, se, low, high
    (95 %), n; bought (per session), faults), sessions (list of session, hands, won, bought, stacks, fault_counts,
    faults, complete), partial, faults, reproducible.

    Examples:

      dupai cash rules style:LA style:TP --sessions 20 --hands 500

      dupai cash rules style:TA --top-up full --blinds 1/2 --stack 200 --jobs 2

      dupai cash rules style:LA --top-up 4000 --results cash.db --resume --json
    """
    from dupai.arena import run_cash

    with options.playing("hands") as place:
        result = run_cash(
            agents,
            hands=hands,
            sessions=sessions,
            blinds=blinds_of(blinds),
            stack=stack,
            top_up=_top_up(top_up, stack),
            seed=seed,
            rules=options.rules,
            **place,
        )
    options.tell(result, show)


def _top_up(text: str, stack: int) -> int:
    word = text.strip()
    if word in ("broke", "full"):
        return 0 if word == "broke" else stack
    if not (word.isascii() and word.isdigit()):
        raise ConfigError(f"--top-up {text!r}: expected broke, full, or a number of chips")
    return int(word)


def show(out: Console, result: CashResult) -> None:
    """The table of a series of sessions."""
    from rich.table import Table

    config = result.config
    small, big = config.blinds
    rule = {0: "only who is broke buys in again", config.stack: "everybody fills up to the buy-in"}
    said = rule.get(config.top_up, f"who has fewer than {config.top_up:,} fills up to the buy-in")
    done = sum(s.complete for s in result.sessions)
    out.print(
        f"{result.hands:,} hands, {done} of {config.sessions} sessions; blinds {small}/{big}, buy-in {config.stack:,}, "
        f"{said}; seed {config.seed}",
        soft_wrap=True,
    )
    out.print(result.pairing, style="dim", soft_wrap=True)
    if result.partial:
        out.print(f"partial: {done} of {config.sessions} sessions; what follows is what was played", style="yellow")
    if not result.hands:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    for head in ("mbb/hand ± se", "95 % interval", "chips", "bought, a session"):
        table.add_column(head, justify="right", no_wrap=True)
    for p in result.players:
        interval = "" if p.mbb.low is None else f"{p.mbb.low:+,.0f} .. {p.mbb.high:+,.0f}"
        table.add_row(p.agent, p.mbb.text(0), interval, f"{p.chips:+,}", f"{p.bought:.1f}")
    out.print(table)
    n = result.players[0].mbb.n
    note = f"the interval counts sessions ({n})" + ("" if n > 1 else ": one gives none")
    out.print(note, style="dim", soft_wrap=True)
    if not result.reproducible:
        out.print("not reproducible: a clock or an agent limited by one", style="yellow")
    print_faults(out, result.faults)
