"""``dupai cfr``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typer import Argument, Option

from dupai.base import ConfigError, NotationError, nearest
from dupai.cli._common import console, progress
from dupai.cli._shared import STOPPED, JsonOption, answer, fields, leave, table

if TYPE_CHECKING:
    from dupai.cfr import CompiledGame, Solution
    from dupai.games import Game

#: Information sets of a player that are printed.
_ROWS = 40


def cfr(
    game: str = Argument(
        ..., help="kuhn, leduc (kuhn3 and leduc3 for three players, up to 10) or river.", metavar="GAME"
    ),
    algorithm: str = Option(
        "pdcfr+",
        "--algorithm",
        "-a",
        help="cfr, cfr+, linear, dcfr, pcfr+, pdcfr+; sampling: external, outcome, external-vr, outcome-vr.",
    ),
    iterations: int | None = Option(
        None, "--iterations", "-n", help="Stop after this many. [default: 10000; sampling: 1000000]"
    ),
    target: float = Option(0.0, "--target", "-t", help="Stop at this exploitability, in the game's own unit."),
    checks: int = Option(10, help="Points of the curve."),
    seed: int = Option(0, "--seed", "-s", help="Seed of the sampling algorithms."),
    board: str = Option("2c7dThKs3h", "--board", "-b", help="River: five cards."),
    ranges: str = Option(
        "AA,KK,AQs,65s,T9s/QQ-TT,AK,KQs,98s",
        "--ranges",
        "-r",
        help="River: both players' ranges with a / between, out of position first.",
    ),
    pot: int = Option(10, help="River: chips in the middle."),
    stack: int = Option(20, help="River: chips behind."),
    sizes: str = Option("0.5,1", help="River: bets as parts of the pot."),
    strategy: bool = Option(False, "--strategy", help="Also print the strategy."),
    json: JsonOption = False,
) -> None:
    """Solve a small game by regret minimisation and print the distance from equilibrium.

    Exploitability is the mean loss of a profile, over the seats, against an opponent who knows it, by exact best
    responses. It is in antes for Kuhn and Leduc poker and in chips on the river; mbb are thousandths of those. Ctrl-C
    stops and prints the solution so far (exit code 130).

    JSON keys: game, algorithm, seed, iterations, seconds, rate (iterations a second), information_sets, distinct_sets
    (symmetric ones once), value (by player), exploitability, mbb, curve (list of iterations, seconds, exploitability),
    complete; with --strategy also strategy (by player: list of information, actions, probabilities).

    Examples:

      dupai cfr kuhn --strategy

      dupai cfr leduc --algorithm cfr+ --iterations 20000 --target 0.0001

      dupai cfr river --board 2c7dThKs3h --ranges "AA,65s/QQ,AKo" --stack 30
    """
    from dupai.cfr import ALGORITHMS, SAMPLING, compile_game, solve_game

    if algorithm in ALGORITHMS and iterations is None:
        iterations = 1_000_000 if algorithm in SAMPLING else 10_000
    chosen = _game(game, board, ranges, pot, stack, sizes)
    with progress(f"{algorithm} on {game}") as bar:
        compiled = compile_game(chosen, progress=bar)
        solution = solve_game(
            compiled, algorithm, iterations or 0, seed=seed, target=target, checks=checks, progress=bar
        )
    answer(json, _document(compiled, solution, strategy), lambda: _print(compiled, solution, strategy))
    leave(complete=solution.complete, note=STOPPED)


def _game(name: str, board: str, ranges: str, pot: int, stack: int, sizes: str) -> Game[Any]:
    from dupai.games import Kuhn, Leduc, OneStreetHoldem

    if name == "river":
        try:
            parts = [float(s) for s in sizes.split(",") if s]
        except ValueError:
            raise NotationError(f"--sizes {sizes!r}: expected parts of the pot, as 0.5,1", text=sizes) from None
        return OneStreetHoldem(board, ranges.split("/"), pot=pot, stack=stack, sizes=parts)
    for known, make in (("kuhn", Kuhn), ("leduc", Leduc)):
        players = name.removeprefix(known)
        if name.startswith(known) and (players.isdecimal() or not players):
            return make(int(players or 2))
    hint = nearest(name, ("kuhn", "leduc", "kuhn3", "leduc3", "river"))
    raise ConfigError(f"unknown game {name!r}: {hint}", key="game", text=name)


def _strategies(compiled: CompiledGame, solution: Solution) -> list[list[tuple[Any, list[int], list[float]]]]:
    """By player: information set, actions, probabilities."""
    sets = compiled.tree.sets
    rows: list[list[tuple[Any, list[int], list[float]]]] = [[] for _ in range(compiled.players)]
    for player, key, actions in zip(sets.player.tolist(), sets.keys, sets.actions, strict=True):
        rows[player].append((key, list(actions), list(solution.policies[player].table[key])))
    return rows


def _document(compiled: CompiledGame, solution: Solution, strategy: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        **fields(solution, "game algorithm seed iterations seconds"),
        "rate": solution.iterations / solution.seconds if solution.seconds else None,
        **fields(compiled, "information_sets distinct_sets"),
        **fields(solution, "value exploitability mbb"),
        "curve": [p._asdict() for p in solution.curve],
        "complete": solution.complete,
    }
    if strategy:
        document["strategy"] = [
            [{"information": repr(k), "actions": a, "probabilities": p} for k, a, p in rows]
            for rows in _strategies(compiled, solution)
        ]
    return document


def _print(compiled: CompiledGame, solution: Solution, strategy: bool) -> None:

    out = console()
    view = table(">iterations", ">seconds", ">exploitability", ">mbb")
    for point in solution.curve:
        e = point.exploitability
        view.add_row(f"{point.iterations:,}", f"{point.seconds:.3f}", f"{e:.3e}", f"{1000 * e:,.4f}")
    out.print(view)
    values = ", ".join(f"{v:+.6f}" for v in solution.value)
    rate = f", {solution.iterations / solution.seconds:,.0f} iterations/s" if solution.seconds else ""
    out.print(
        f"{solution.game}, {solution.algorithm}: {compiled.information_sets:,} information sets "
        f"({compiled.distinct_sets:,} when symmetric ones count once){rate}; won by player: {values}",
        soft_wrap=True,
    )
    for player, rows in enumerate(_strategies(compiled, solution) if strategy else []):
        out.print(f"player {player}", style="bold")
        for key, actions, probabilities in sorted(rows, key=lambda row: repr(row[0]))[:_ROWS]:
            shown = "  ".join(f"{a}: {p:.4f}" for a, p in zip(actions, probabilities, strict=True))
            out.print(f"  {key!r:<40} {shown}", soft_wrap=True)
        if len(rows) > _ROWS:
            out.print(f"  and {len(rows) - _ROWS:,} more: see --json")
