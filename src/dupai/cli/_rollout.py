"""``dupai rollout``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.cli._playing import PlayOptions, blinds_of, print_faults, with_play_options

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import RolloutResult

#: Of the situations that are printed.
_TOP, _LEAST = 20, 20


@with_play_options
def rollout(
    agent: Annotated[str, typer.Argument(help="Whose decisions are looked at, as fold.", metavar="AGENT")],
    opponents: Annotated[list[str], typer.Argument(help="1 to 9 opponents, as rules style:LA.", metavar="OPPONENT")],
    hands: Annotated[int, typer.Option("--hands", "-n", help="Most hands a match.")] = 600,
    blinds: Annotated[str, typer.Option("--blinds", help="Small and big blind.")] = "20/40",
    stack: Annotated[int, typer.Option("--stack", help="Chips at the start, and of a rebuy.")] = 2000,
    rebuys: Annotated[int, typer.Option("--rebuys", help="Rebuys each player has.")] = 1,
    reset: Annotated[bool, typer.Option("--reset", help="Stacks are reset every hand (else a tournament).")] = False,
    matches: Annotated[int, typer.Option("--matches", "-m", help="How many matches.")] = 20,
    boards: Annotated[int, typer.Option("--boards", help="Draws of the cards to come at each decision.", min=1)] = 2,
    share: Annotated[float, typer.Option("--share", help="Part of the decisions that is looked at, at random.")] = 1.0,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of cards, seats and agents.")] = 1,
    *,
    options: PlayOptions,
) -> None:
    """Where an agent gives chips away: its decisions with every other action played out.

    AGENT plays matches against the opponents. At its decisions the cards to come are drawn anew, every kind of action
    is tried on the same ones (fold, check or call, bets and raises of a quarter, half and all of the pot, all-in), and
    the same agents play the hand on. The table says, for each kind of decision and of action, how many big blinds a
    decision another action wins more than what AGENT did, and the mbb/hand of always doing so. Errors are clustered by
    match; of many comparisons some stand out by chance: try the change on another seed.

    Chips are counted as they are: who is averse to risk may be right to leave some. Agents are asked in hands that do
    not happen, and observe none of them. Ctrl-C prints the matches that are done (exit code 130); with --results the
    run can be taken up again with --resume, and 'results export' has every decision with what each action won on each
    board.

    JSON keys: config, seed, versions, hands, decisions, situations (list of street, facing, chosen, decisions, others:
    action, gain (mean, se, low, high, n; big blinds), per_hand), matches, partial, faults, reproducible.

    Examples:

      dupai rollout rules style:LA --matches 4

      dupai rollout fold rules style:TA --share 0.2 --results decisions.db
    """
    from dupai.arena import rollout_tasks, run_rollout

    tasks = rollout_tasks(
        [agent, *opponents],
        hands=hands,
        blinds=blinds_of(blinds),
        stack=stack,
        rebuys=rebuys,
        reset=reset,
        matches=matches,
        boards=boards,
        share=share,
        seed=seed,
        rules=options.rules,
    )
    with options.playing("matches") as place:
        result = run_rollout(tasks, **place)
    options.tell(result, show)


def show(out: Console, result: RolloutResult) -> None:
    """The other actions that would have won most, of those that were tried often enough."""
    from rich.table import Table

    config = result.config
    out.print(
        f"{config.labels[0]} v {', '.join(config.labels[1:])}: {result.decisions:,} decisions in "
        f"{result.hands:,} hands, {result.matches} of {config.matches} matches, seed {config.seed}",
        soft_wrap=True,
    )
    if result.partial:
        out.print(f"partial: {result.matches:,} of {config.matches:,} matches", style="yellow")
    found = [(s, other) for s in result.situations for other in s.others if other.gain.n >= _LEAST]
    # Below two standard errors a gain is not told from none.
    told = [(s, other) for s, other in found if other.gain.low is not None and other.gain.low > 0]
    if not found:
        out.print(f"no kind of decision came up {_LEAST} times: play more matches")
    elif not told:
        out.print(f"of {len(found)} other actions tried {_LEAST} times and more, none is told to win more")
    else:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for head in ("street", "facing", "it does", "better"):
            table.add_column(head, overflow="fold")
        for head in ("big blinds more", "times", "mbb/hand"):
            table.add_column(head, justify="right", no_wrap=True)
        for s, other in sorted(told, key=lambda row: -row[1].per_hand)[:_TOP]:
            row = (s.street, s.facing, s.chosen, other.action, other.gain.text(), f"{other.gain.n:,}")
            table.add_row(*row, f"{other.per_hand:,.0f}")
        out.print(table)
        rest = f"; the {_TOP} largest are shown" if len(told) > _TOP else ""
        out.print(
            f"{len(told)} of {len(found)} other actions tried {_LEAST} times and more are better by two standard errors"
            f"{rest}; small, half, pot: bets and raises by that part of the pot",
            style="dim",
            soft_wrap=True,
        )
    print_faults(out, result.faults)
