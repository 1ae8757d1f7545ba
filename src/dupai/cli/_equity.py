"""``dupai equity``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from dupai.equity import EquityResult


def equity(
    hands: Annotated[list[str], Argument(help="A hand or a range for each of 2 to 10 players.", metavar="HAND")],
    board: Annotated[str, Option("--board", "-b", help="Up to five cards, as 2c7dTh.")] = "",
    dead: Annotated[str, Option("--dead", "-d", help="Cards that are out of the deck.")] = "",
    exact: Annotated[bool, Option("--exact", help="Count every deal, however long it takes.")] = False,
    samples: Annotated[
        int | None, Option("--samples", "-n", help="Deal so many times at random instead of counting.")
    ] = None,
    error: Annotated[
        float | None,
        Option(help="Dealing at random: stop at this standard error. [default: 0.0005 without --samples]"),
    ] = None,
    seed: Annotated[int, Option("--seed", "-s", help="Seed of the random deals.")] = 0,
    json: Annotated[bool, Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """What share of the pot each hand or range wins when all cards are dealt out.

    Counts exactly where that takes less than about a second, else deals at random until the standard error is small.
    Ctrl-C stops and prints what there is (exit code 130).

    Ranges: AsKd AK AKs AKo TT+ ATs+ JJ-66 A5s-A2s T9s-76s random, with commas or blanks between; 0.5:AKs for half of
    the time; -AKs takes hands out. Equity = win + tie, where tie is the share won in split pots.

    JSON keys: method (exact or monte-carlo), n (deals counted or trials), board, dead, complete, players (list of hand,
    equity, win, tie, se).

    Examples:

      dupai equity AsKs "QQ+,AK" --board 2c7dTh

      dupai equity AA "KK+, 0.5:AKs" random --samples 5000000 --seed 1

      dupai equity "random -AA" "22+" --dead AsAh --exact --json
    """
    from dupai.cli._common import print_json, progress
    from dupai.equity import equity as calculate

    with progress("equity") as bar:
        result = calculate(
            hands,
            board=board,
            dead=dead,
            method="exact" if exact else "auto",
            samples=samples,
            target_error=error,
            rng=seed,
            progress=bar,
        )
    if json:
        print_json(_document(result))
    else:
        _print(result)
    if not result.complete:
        raise typer.Exit(130)


def _document(result: EquityResult) -> dict[str, Any]:
    from dupai.cards import cards_text

    def number(x: float) -> float | None:
        return None if math.isnan(x) else float(x)

    return {
        "method": result.method,
        "n": result.n,
        "board": cards_text(result.board),
        "dead": cards_text(result.dead),
        "complete": result.complete,
        "players": [
            {"hand": name, "equity": number(e), "win": number(w), "tie": number(t), "se": number(s)}
            for name, e, w, t, s in zip(result.players, result.equity, result.win, result.tie, result.se, strict=True)
        ],
    }


def _print(result: EquityResult) -> None:
    from rich.table import Table

    from dupai.cards import cards_text
    from dupai.cli._common import console

    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player", justify="right")
    table.add_column("hand", overflow="fold")
    for column in ("equity %", "win %", "tie %"):
        table.add_column(column, justify="right", no_wrap=True)
    sampled = result.method != "exact" or not result.complete
    if sampled:
        table.add_column("± %", justify="right", no_wrap=True)
    rows = zip(result.players, result.equity, result.win, result.tie, result.se, strict=True)
    for i, (name, *numbers, se) in enumerate(rows, 1):
        cells = [_percent(x) for x in (*numbers, *([se] if sampled else []))]
        table.add_row(str(i), name, *cells)
    out.print(table)
    what = f"{result.n:,} {'deals counted' if result.method == 'exact' else 'random deals'}"
    for label, held in (("board", result.board), ("dead", result.dead)):
        if held:
            what += f", {label} {cards_text(held)}"
    if not result.complete:
        what += ", stopped early" + (": an estimate from a part of all deals" if result.method == "exact" else "")
    out.print(what)


def _percent(x: float) -> str:
    return "?" if math.isnan(x) else f"{100 * x:.3f}"
