"""``dupai cfr``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from dupai.cfr import CompiledGame, Solution
    from dupai.games import Game

#: Rows of strategies that are printed.
_ROWS = 40


def cfr(
    game: Annotated[
        str, Argument(help="kuhn, leduc (kuhn3 and leduc3 for three players, up to 10) or river.", metavar="GAME")
    ],
    algorithm: Annotated[
        str,
        Option(
            "--algorithm",
            "-a",
            help="cfr, cfr+, linear, dcfr, pcfr+, pdcfr+; sampling: external, outcome, external-vr, outcome-vr.",
        ),
    ] = "pdcfr+",
    iterations: Annotated[
        int | None, Option("--iterations", "-n", help="At most so many. [default: 10000; sampling: 1000000]")
    ] = None,
    target: Annotated[
        float, Option("--target", "-t", help="Stop at this exploitability, in the game's own unit.")
    ] = 0.0,
    checks: Annotated[int, Option(help="Points of the curve.")] = 10,
    seed: Annotated[int, Option("--seed", "-s", help="Seed of the sampling algorithms.")] = 0,
    board: Annotated[str, Option("--board", "-b", help="River: five cards.")] = "2c7dThKs3h",
    ranges: Annotated[
        str, Option("--ranges", "-r", help="River: both players' ranges with a / between, out of position first.")
    ] = "AA,KK,AQs,65s,T9s/QQ-TT,AK,KQs,98s",
    pot: Annotated[int, Option(help="River: chips in the middle.")] = 10,
    stack: Annotated[int, Option(help="River: chips behind.")] = 20,
    sizes: Annotated[str, Option(help="River: bets as parts of the pot.")] = "0.5,1",
    strategy: Annotated[bool, Option("--strategy", help="Print the strategy too.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Solve a small game by regret minimisation and say how far from equilibrium the result is.

    Exploitability: what a profile loses on average, over the seats, to an opponent who knows it, found by exact best
    responses; in antes for Kuhn and Leduc poker and in chips on the river, mbb in thousandths of those. Ctrl-C stops
    and prints what there is (exit code 130).

    JSON keys: game, algorithm, seed, iterations, seconds, rate (iterations a second), information_sets, distinct_sets
    (symmetric ones once), value (by player), exploitability, mbb, curve (list of iterations, seconds, exploitability),
    complete; with --strategy also strategy (by player: list of information, actions, probabilities).

    Examples:

      dupai cfr kuhn --strategy

      dupai cfr leduc --algorithm cfr+ --iterations 20000 --target 0.0001

      dupai cfr river --board 2c7dThKs3h --ranges "AA,65s/QQ,AKo" --stack 30
    """
    from dupai.cfr import ALGORITHMS, SAMPLING, compile_game, solve_game
    from dupai.cli._common import console, print_json, progress

    if algorithm in ALGORITHMS and iterations is None:
        iterations = 1_000_000 if algorithm in SAMPLING else 10_000
    chosen = _game(game, board, ranges, pot, stack, sizes)
    with progress(f"{algorithm} on {game}") as bar:
        compiled = compile_game(chosen, progress=bar)
        found = solve_game(compiled, algorithm, iterations or 0, seed=seed, target=target, checks=checks, progress=bar)
    if json:
        print_json(_document(compiled, found, strategy))
    else:
        _print(compiled, found, strategy)
    if not found.complete:
        console(stderr=True).print("stopped early: this is what there was")
        raise typer.Exit(130)


def _game(name: str, board: str, ranges: str, pot: int, stack: int, sizes: str) -> Game[Any]:
    from dupai.base import ConfigError, nearest
    from dupai.games import Kuhn, Leduc, OneStreetHoldem

    if name == "river":
        try:
            parts = [float(s) for s in sizes.split(",") if s]
        except ValueError:
            raise ConfigError(f"--sizes {sizes!r}: expected parts of the pot, as 0.5,1") from None
        return OneStreetHoldem(board, ranges.split("/"), pot=pot, stack=stack, sizes=parts)
    for known, make in (("kuhn", Kuhn), ("leduc", Leduc)):
        players = name.removeprefix(known)
        if name.startswith(known) and (players.isdecimal() or not players):
            return make(int(players or 2))
    raise ConfigError(f"unknown game {name!r}: {nearest(name, ('kuhn', 'leduc', 'kuhn3', 'leduc3', 'river'))}")


def _rows(compiled: CompiledGame, found: Solution) -> list[list[tuple[Any, list[int], list[float]]]]:
    sets = compiled.tree.sets
    rows: list[list[tuple[Any, list[int], list[float]]]] = [[] for _ in range(compiled.players)]
    for player, key, actions in zip(sets.player.tolist(), sets.keys, sets.actions, strict=True):
        rows[player].append((key, list(actions), list(found.policies[player].table[key])))
    return rows


def _document(compiled: CompiledGame, found: Solution, strategy: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "game": found.game,
        "algorithm": found.algorithm,
        "seed": found.seed,
        "iterations": found.iterations,
        "seconds": found.seconds,
        "rate": found.iterations / found.seconds if found.seconds else None,
        "information_sets": compiled.information_sets,
        "distinct_sets": compiled.distinct_sets,
        "value": found.value,
        "exploitability": found.exploitability,
        "mbb": found.mbb,
        "curve": [p._asdict() for p in found.curve],
        "complete": found.complete,
    }
    if strategy:
        document["strategy"] = [
            [{"information": repr(k), "actions": a, "probabilities": p} for k, a, p in rows]
            for rows in _rows(compiled, found)
        ]
    return document


def _print(compiled: CompiledGame, found: Solution, strategy: bool) -> None:
    from rich.table import Table

    from dupai.cli._common import console

    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("iterations", "seconds", "exploitability", "mbb"):
        table.add_column(column, justify="right", no_wrap=True)
    for point in found.curve:
        e = point.exploitability
        table.add_row(f"{point.iterations:,}", f"{point.seconds:.3f}", f"{e:.3e}", f"{1000 * e:,.4f}")
    out.print(table)
    values = ", ".join(f"{v:+.6f}" for v in found.value)
    rate = f", {found.iterations / found.seconds:,.0f} iterations/s" if found.seconds else ""
    out.print(
        f"{found.game}, {found.algorithm}: {compiled.information_sets:,} information sets "
        f"({compiled.distinct_sets:,} when symmetric ones count once){rate}; won by player: {values}",
        soft_wrap=True,
    )
    if not strategy:
        return
    for player, rows in enumerate(_rows(compiled, found)):
        out.print(f"player {player}", style="bold")
        for key, actions, probabilities in sorted(rows, key=lambda row: repr(row[0]))[:_ROWS]:
            shown = "  ".join(f"{a}: {p:.4f}" for a, p in zip(actions, probabilities, strict=True))
            out.print(f"  {key!r:<40} {shown}", soft_wrap=True)
        if len(rows) > _ROWS:
            out.print(f"  and {len(rows) - _ROWS:,} more: see --json")
