"""``dupai equity`` and ``dupai range``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer import Argument, Option

from dupai.base import ConfigError, FileError
from dupai.cli._common import console, print_json, progress
from dupai.cli._shared import JsonOption, answer, fields, leave, table

if TYPE_CHECKING:
    from dupai.equity import EquityResult


def equity(
    hands: list[str] = Argument(..., help="A hand or a range for each of 2 to 10 players.", metavar="HAND"),
    board: str = Option("", "--board", "-b", help="Flop, turn or river, as 2c7dTh or 2♣7♦T♥."),
    dead: str = Option("", "--dead", "-d", help="Cards that are out of the deck."),
    exact: bool = Option(False, "--exact", help="Count every deal, however long it takes."),
    samples: int | None = Option(None, "--samples", "-n", help="Deal this many times at random instead of counting."),
    error: float | None = Option(
        None, help="Dealing at random: stop at this standard error. [default: 0.0005 without --samples]"
    ),
    seed: int = Option(0, "--seed", "-s", min=0, help="Seed of the random deals."),
    json: JsonOption = False,
) -> None:
    """The share of the pot that each hand or range wins when all cards are dealt.

    Counts exactly where that takes less than about a second; otherwise deals at random until the standard error is
    small. Ctrl-C stops and prints the estimate so far (exit code 130).

    Ranges: AsKd AK AKs AKo TT+ ATs+ JJ-66 A5s-A2s T9s-76s 15% random, separated by commas or blanks; AKs:0.5 has half
    weight; -AKs takes hands out; @FILE is the range that a file holds. Other forms: 'dupai range --help'.
    Equity = win + tie, where tie is the share won in split pots.

    JSON keys: method (exact or monte-carlo), n (deals counted or trials), board, dead, complete, players (list of hand,
    equity, win, tie, se).

    Examples:

      dupai equity AsKs "QQ+,AK" --board 2c7dTh

      dupai equity AA "KK+, AKs:0.5" random --samples 5000000 --seed 1

      dupai equity "random -AA" "22+" --dead AsAh --exact --json

      dupai equity A♠K♠ @example:button --board 2♣7♦T♥
    """
    from dupai.equity import equity as calculate

    for option, value in (("--samples", samples), ("--error", error)):
        if exact and value is not None:
            raise ConfigError(f"--exact {option}: an exact count takes no {option}: leave one of them out", key=option)
    if error is not None and not 0 < error < math.inf:
        raise ConfigError(f"--error {error:g}: expected a positive number", key="error")
    with progress("equity") as bar:
        result = calculate(
            [_range_text(hand) for hand in hands],
            board=board,
            dead=dead,
            method="exact" if exact else "auto",
            samples=samples,
            target_error=error,
            rng=seed,
            progress=bar,
        )
    answer(json, _document(result), lambda: _print(result))
    leave(complete=result.complete)


def range_(
    text: str = Argument(..., metavar="RANGE", help="The range, @FILE for a file that holds it, or - for the input."),
    to: str = Option("hands", "--to", help="Write it as hands, solver, gtoplus, equilab, 1326 or csv."),
    json: JsonOption = False,
) -> None:
    """Read a range in any form, say which form it is, show it, and write it in another one.

    Forms: lists of hands with weights as AKs:0.5, 0.5:AKs, AKs:50%, AKs@50 (all numbers after @ are percent if one is
    above 1), [50]AKs, AQs[/50] or 40%(AKs, AQs); 15% (the strongest hands by all-in equity); AxKx (suited), AxKy
    (offsuit); 169 numbers (AA, AKs, AQs, ... AKo, KK, ...); 1326 numbers (2d2c, 2h2c, 2h2d, ...); CSV with a column
    hand and a column weight or frequency; JSON with weights by hand.

    JSON keys: form, text (in the form of --to), combos (sum of the weights), weights (by hand).

    Examples:

      dupai range "2d2c: 1,AhKs: 0.5"

      dupai range "QQ+, AKs:0.5" --to gtoplus

      dupai range @example:button --to csv
    """
    import sys

    from dupai.ranges import Range

    made, form = Range.read(sys.stdin.read() if text == "-" else _file_text(text))
    written = made.to_text(to)
    if json:
        print_json({"form": form, "text": written, "combos": made.combos, "weights": made.to_dict()})
        return
    if to == "hands":
        out = console()
        out.print(f"{form}: {made.combos:g} combos, {made.combos / 13.26:.1f} % of all")
        out.print(made.grid(color=out.color_system is not None and not out.no_color), highlight=False)
    typer.echo(written, nl=not written.endswith("\n"))


def _range_text(hand: str) -> str:
    """A hand or range on one line; ``@FILE`` is the range of a file.

    Raises:
        FileError: the file cannot be read.
        NotationError: it holds no range.
    """
    if not hand.startswith("@"):
        return hand
    from dupai.ranges import Range

    made, form = Range.read(text := _file_text(hand))
    return " ".join(text.split()) if form.startswith("hands") else str(made)


def _file_text(hand: str) -> str:
    """The text itself; of ``@FILE`` the file's, without its comments."""
    if not hand.startswith("@"):
        return hand
    try:
        lines = Path(hand[1:]).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FileError(f"range file {hand[1:]!r} cannot be read: {why}", path=hand[1:]) from None
    return "\n".join(line.partition("#")[0] for line in lines)


def _rows(result: EquityResult) -> list[tuple[str, list[float]]]:
    """Hand, and equity, win, tie and standard error of each player."""
    numbers = zip(result.equity, result.win, result.tie, result.se, strict=True)
    return [(name, [float(x) for x in row]) for name, row in zip(result.players, numbers, strict=True)]


def _document(result: EquityResult) -> dict[str, Any]:
    from dupai.cards import cards_text

    keys = ("equity", "win", "tie", "se")
    return {
        **fields(result, "method n"),
        "board": cards_text(result.board),
        "dead": cards_text(result.dead),
        "complete": result.complete,
        "players": [{"hand": name} | dict(zip(keys, row, strict=True)) for name, row in _rows(result)],
    }


def _print(result: EquityResult) -> None:
    from dupai.cards import cards_text

    out = console()
    sampled = result.method != "exact" or not result.complete
    view = table(">player", "hand", ">equity %", ">win %", ">tie %", *([">± se %"] if sampled else []))
    for i, (name, row) in enumerate(_rows(result), 1):
        shown = row if sampled else row[:3]
        view.add_row(str(i), name, *("?" if math.isnan(x) else f"{100 * x:.3f}" for x in shown))
    out.print(view)
    summary = f"{result.n:,} {'deals counted' if result.method == 'exact' else 'random deals'}"
    for label, held in (("board", result.board), ("dead", result.dead)):
        if held:
            summary += f", {label} {cards_text(held)}"
    if not result.complete:
        summary += ", stopped early" + (": an estimate from a part of all deals" if result.method == "exact" else "")
    out.print(summary)
