"""``dupai match``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.cli._playing import (
    ConfigOption,
    GameOption,
    PlayOptions,
    blinds_of,
    print_faults,
    settings_of,
    table_rules,
    with_play_options,
)

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import MatchResult


@with_play_options
def match(
    context: typer.Context,
    agents: Annotated[
        list[str] | None, typer.Argument(help="Two agent specs (up to ten play one table).", metavar="AGENT")
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", "-n", help="Hands from each seating. [default: 3000, or all of --deals]")
    ] = None,
    duplicate: Annotated[
        bool,
        typer.Option("--duplicate", "-d", help="Play every deal in all rotations of the seats, with fresh agents."),
    ] = False,
    permutations: Annotated[
        bool, typer.Option("--permutations", help="Duplicate in all orders of the seats (three players at most).")
    ] = False,
    matches: Annotated[
        int, typer.Option("--matches", "-m", help="So many matches with other deals: the unit for agents that learn.")
    ] = 1,
    deals: Annotated[
        str | None, typer.Option("--deals", help="File of fixed cards, a line a hand: AsKd|7h7c/2c3d4h/5s/6d.")
    ] = None,
    game: GameOption = None,
    blinds: Annotated[str | None, typer.Option("--blinds", help="Small and big blind. [default: 50/100]")] = None,
    stack: Annotated[
        int | None, typer.Option("--stack", help="Chips at the start of every hand. [default: 20000]")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of cards and agents.")] = 1,
    luck_reduced: Annotated[
        bool, typer.Option("--luck-reduced", "-l", help="Give means without the luck of the cards as well.")
    ] = False,
    curve: Annotated[
        int | None,
        typer.Option("--curve", help="Learning curve of so many blocks of hands. [default: 20 if an agent learns]"),
    ] = None,
    config: ConfigOption = None,
    *,
    options: PlayOptions,
) -> None:
    """Stacks reset every hand (ACPC style), 2 to 10 players: who wins how many mbb/hand, with its 95 % interval.

    mbb/hand: thousandths of a big blind won per hand. With --duplicate all rotations of the seats are matches of their
    own over the same cards with fresh agents: much of the luck of the cards is gone. The interval counts deals where
    all agents are stateless, else matches (--matches). The table says how many hands an interval of ±10 mbb would
    take. Ctrl-C prints what is played (exit code 130); with --results it can be taken up again with --resume.

    --luck-reduced computes what was luck in every hand (the cards of all, and the decisions of stateless agents that
    say their probabilities) and prints means with and without it side by side: the same expectation, smaller errors.
    Some 3 ms a hand heads-up, 11 ms at six seats. The learning curve gives everybody's mbb/hand by blocks of hands
    and from the first hand on.

    JSON keys: config, seed, versions, pairing, unit, hands, deals, players (list of agent, chips, mbb: mean, se, low,
    high (95 %), n; hands_for_10_mbb, faults, luck_reduced: mbb, variance_ratio, hands_for_10_mbb, decisions), partial,
    faults, stateless, reproducible, curve (list of first, last, deals, players: agent, mbb, cumulative, luck_reduced,
    cumulative_luck_reduced).

    Examples:

      dupai match rules style:TA --hands 3000 --duplicate --jobs 2

      dupai match rules style:TA --hands 1000 --duplicate --luck-reduced

      dupai match rules style:TA -d --hands 9000 --results week.db --resume

      dupai match rules raiser --game holdem.limit.2p --seed 7 --json
    """
    # Long by its options.
    import time
    from pathlib import Path

    from dupai.arena import MatchSettings, load_deals, play_match
    from dupai.base import ConfigError

    s = settings_of(
        context,
        config,
        MatchSettings,
        options,
        agents=tuple(agents or ()),
        hands=hands,
        duplicate=duplicate,
        permutations=permutations,
        matches=matches,
        seed=seed,
        game=game,
        blinds=None if blinds is None else blinds_of(blinds),
        stack=stack,
        deals=deals,
        luck_reduced=luck_reduced,
        curve=curve,
    )
    if s.game is not None and (s.blinds is not None or s.stack is not None):
        raise ConfigError("--game holds blinds and stacks: expected it without --blinds and --stack")
    cards: tuple[str, ...] = ()
    if s.deals is not None:
        cards = load_deals(s.deals if deals is not None or config is None else Path(config).parent / s.deals)
    start = time.perf_counter()
    with options.playing("hands") as place:
        result = play_match(
            s.agents,
            hands=s.hands,
            duplicate=s.duplicate,
            seed=s.seed,
            game=s.game,
            blinds=s.blinds or (50, 100),
            stack=20_000 if s.stack is None else s.stack,
            matches=s.matches,
            permutations=s.permutations,
            deals=cards,
            rules=table_rules(s.faults, s.seconds_per_action, s.seconds_per_match),
            luck_reduced=s.luck_reduced,
            curve=s.curve,
            **place,
        )
    seconds = time.perf_counter() - start
    options.tell(result, lambda out, result: show(out, result, seconds))


def show(out: Console, result: MatchResult, seconds: float | None = None) -> None:
    """The table of a match."""
    from rich.table import Table

    game = result.config.game
    blinds = "/".join(str(b) for b in sorted(b for b in game.blinds if b))
    # Games without a limit on stacks name the largest number that fits.
    stack = f", stacks {max(game.stacks):,}" if max(game.stacks) < 2**31 - 1 else ""
    took = "" if seconds is None else f" in {seconds:.1f} s"
    out.print(
        f"{result.hands:,} hands{took}; {game.betting}, blinds {blinds}{stack}, reset every hand; seed {result.seed}",
        soft_wrap=True,
    )
    out.print(f"pairing: {result.pairing}", soft_wrap=True)
    if result.partial:
        total = result.config.hands * result.config.matches
        out.print(f"partial: {result.deals:,} of {total:,} deals; what follows is what was played", style="yellow")
    if not result.hands:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    for head in ("mbb/hand", "95 % interval", "chips", "±10 mbb would take"):
        table.add_column(head, justify="right", no_wrap=True)
    for p in result.players:
        interval = "" if p.mbb.low is None else f"{p.mbb.low:+,.1f} .. {p.mbb.high:+,.1f}"
        wanted = "" if p.hands_for_10_mbb is None else f"{p.hands_for_10_mbb:,} hands"
        table.add_row(p.agent, f"{p.mbb.mean:+,.1f}", interval, f"{p.chips:+,.0f}", wanted)
    out.print(table)
    _show_luck(out, result)
    _show_curve(out, result)
    if result.stateless:
        note = f"the interval counts {result.deals:,} {result.unit}s as independent: all agents are stateless"
    else:
        n = result.players[0].mbb.n
        note = f"an agent may learn from hand to hand, so the interval counts matches ({n})"
        note += "" if n > 1 else ": one gives none, --matches M plays more"
    out.print(note, style="dim", soft_wrap=True)
    if not result.reproducible:
        out.print("not reproducible: an agent is limited by a clock", style="yellow")
    print_faults(out, result.faults)


def _show_luck(out: Console, result: MatchResult) -> None:
    """Means with and without luck, side by side."""
    from rich.table import Table

    rows = [(p, r) for p in result.players if (r := p.luck_reduced) is not None]
    if not rows:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("without luck", overflow="fold", min_width=8)
    for head in ("mbb/hand", "95 % interval", "variance", "±10 mbb would take"):
        table.add_column(head, justify="right", no_wrap=True)
    for p, r in rows:
        interval = "" if r.mbb.low is None else f"{r.mbb.low:+,.1f} .. {r.mbb.high:+,.1f}"
        ratio = "" if r.variance_ratio is None else f"x {r.variance_ratio:.2f}"
        wanted = "" if r.hands_for_10_mbb is None else f"{r.hands_for_10_mbb:,} hands"
        table.add_row(p.agent, f"{r.mbb.mean:+,.1f}", interval, ratio, wanted)
    out.print()
    out.print(table)
    known = [p.agent for p, r in rows if r.decisions]
    said = "everybody" if len(known) == len(rows) else ", ".join(known) or "nobody"
    out.print(f"taken out: the luck of the cards, and of the decisions of {said}", style="dim", soft_wrap=True)


def _show_curve(out: Console, result: MatchResult) -> None:
    """The learning curve, a line a block."""
    from rich.table import Table

    if not result.curve:
        return
    reduced = result.config.luck_reduced
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("hands", justify="right", no_wrap=True)
    # Heads-up one wins what the other loses.
    shown = range(1 if len(result.players) == 2 else len(result.players))
    for k in shown:
        table.add_column(result.players[k].agent, justify="right", no_wrap=True)
        table.add_column("so far", justify="right", no_wrap=True)
    for block in result.curve:
        cells = []
        for k in shown:
            p = block.players[k]
            here, total = (p.luck_reduced, p.cumulative_luck_reduced) if reduced else (p.mbb, p.cumulative)
            assert here is not None
            assert total is not None
            cells += [here.text(0), total.text(0)]
        table.add_row(f"{block.first:,}-{block.last:,}", *cells)
    out.print()
    out.print(table)
    without = " without luck" if reduced else ""
    out.print(f"learning curve: mbb/hand{without} ± se (by deal) in these hands, and from the first on", style="dim")
