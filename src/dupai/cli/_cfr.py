"""``dupai cfr`` and ``dupai pushfold``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typer import Argument, Option

from dupai.base import ConfigError, NotationError
from dupai.base.text import nearest, quoted, real_number, whole_number
from dupai.cli._common import console, print_json, progress, say, unguarded
from dupai.cli._shared import STOPPED, JsonOption, answer, fields, leave, table

if TYPE_CHECKING:
    from dupai.cfr import CompiledGame, PushFold, PushFold3, Solution
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
    seed: int = Option(0, "--seed", "-s", min=0, help="Seed of the sampling algorithms."),
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
        players = whole_number(name.removeprefix(known) or "2")
        if name.startswith(known) and players is not None:
            return make(players)
    hint = nearest(name, ("kuhn", "leduc", "kuhn3", "leduc3", "river"))
    raise ConfigError(f"unknown game {quoted(name)}: {hint}", key="game", text=name)


def _strategies(compiled: CompiledGame, solution: Solution) -> list[list[tuple[Any, list[int], list[float]]]]:
    """The strategy of each player: information set, actions, probabilities."""
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


def pushfold(
    stack: str = Option(
        "10",
        "--stack",
        "-s",
        help="Stack in big blinds before blinds and antes; three (button, small blind, big blind) as 8,12,5.",
    ),
    ante: float = Option(0.0, "--ante", "-a", help="Ante of each player, big blinds."),
    players: int = Option(2, "--players", "-p", help="2 (exact) or 3 (approximate)."),
    payouts: str | None = Option(
        None, help="Three-handed: prizes of a tournament as 50,30,20, valued by ICM; otherwise chips."
    ),
    json: JsonOption = False,
) -> None:
    """Which hands to go all-in with, and which to call an all-in with, when nothing else is played.

    Heads-up: the equilibrium over all 169 classes with exact win rates and card removal; the small blind (0.5 big
    blinds) goes all-in or folds, the big blind calls or folds. Stacks of 1 to 25 by quarters with antes of 0, 0.1,
    0.125, 0.2 and 0.25 come from a table, others are solved at once. A number in the grid is a percentage.

    Three-handed: --stack gives one stack for all or those of button, small blind and big blind. Approximate: several
    equilibria may exist, win rates of three hands are sampled, a folded hand leaves the deck only in the chances of the
    deal. The output states the most that a player could gain. The first run samples win rates (half a minute).

    JSON keys: stack, ante, value (small blind, big blinds), exploitability (big blinds), push, call (name of a class ->
    frequency, those above 0), push_share, call_share. Three-handed: stacks, ante, payouts, values, residual, unit
    ("big blinds", or "of the prizes": shares of their sum), iterations, complete, ranges (btn, sb_call, sb, bb_both,
    bb_btn, bb_sb).

    Examples:

      dupai pushfold --stack 8

      dupai pushfold --stack 12.3 --ante 0.125 --json

      dupai pushfold --players 3 --stack 10,6,14 --payouts 50,30,20
    """
    stacks = _numbers("--stack", stack)
    if players == 2:
        if len(stacks) != 1 or payouts is not None:
            raise ConfigError(
                "heads-up: expected one stack, the shorter one, and no prizes (see --players 3)", key="stack"
            )
        from dupai.cfr import push_fold_table

        _two(push_fold_table(stacks[0], ante), json)
    elif players == 3:
        prizes = None if payouts is None else _numbers("--payouts", payouts)
        _three(stacks * 3 if len(stacks) == 1 else stacks, ante, prizes, json)
    else:
        raise ConfigError(f"--players {players}: expected 2 or 3", key="players")


def _numbers(option: str, text: str) -> list[float]:
    numbers = list(map(real_number, text.split(",")))
    if not all(map(math.isfinite, numbers)):
        raise NotationError(f"{option} {text!r}: expected numbers, as 10 or 8,12,5", text=text)
    return numbers


def _frequencies(row: Any) -> dict[str, float]:
    from dupai.cards import CLASS_TEXT

    return {CLASS_TEXT[i]: round(float(x), 6) for i, x in enumerate(row) if x > 0}


def _two(solution: PushFold, json: bool) -> None:

    push, call = solution.push, solution.call
    if json:
        print_json(
            fields(solution, "stack ante value exploitability")
            | {"push": _frequencies(push), "call": _frequencies(call)}
            | fields(solution, "push_share call_share")
        )
        return
    _grid("small blind goes all-in", push, solution.push_share)
    _grid("big blind calls", call, solution.call_share)
    console().print(
        f"stack {solution.stack:g}, ante {solution.ante:g} big blinds: the small blind wins {solution.value:+.4f} a "
        f"hand; exploitability {1000 * solution.exploitability:.4f} mbb/hand"
    )


def _grid(title: str, row: Any, share: float) -> None:
    import sys

    from dupai.ranges import Range

    out = console()
    out.print(f"{title}: {100 * share:.1f} % of hands", style="bold")
    colour = out.color_system is not None
    text = Range.from_classes(row).grid(color=colour)
    if colour:
        colours = unguarded(sys.stdout)
        colours.write(text + "\n")
        colours.flush()
    else:
        out.print(text, soft_wrap=True)
    out.print()


_TITLES = {
    "btn": "button goes all-in",
    "sb_call": "small blind calls the button",
    "sb": "small blind goes all-in when the button folds",
    "bb_both": "big blind calls both",
    "bb_btn": "big blind calls the button",
    "bb_sb": "big blind calls the small blind",
}


def _three(stacks: list[float], ante: float, payouts: list[float] | None, json: bool) -> None:
    from dupai.cfr import solve_three_handed

    with progress("push/fold") as bar:
        solution = solve_three_handed(stacks, ante, payouts, progress=bar)
    ranges = {name: _frequencies(row) for name, row in solution.ranges.items()}
    document = fields(solution, "stacks ante payouts values residual unit iterations complete") | {"ranges": ranges}
    answer(json, document, lambda: _show_three(solution))
    leave(complete=solution.complete, note=STOPPED)


def _show_three(solution: PushFold3) -> None:

    for name, row in solution.ranges.items():
        _grid(_TITLES[name], row, solution.share(name))
    stacks = ", ".join(f"{s:g}" for s in solution.stacks)
    # Shares of the prizes are small: percent here, as shares in JSON.
    scale, unit = (1.0, solution.unit) if solution.payouts is None else (100.0, f"% {solution.unit}")
    values = ", ".join(f"{scale * v:+.4f}" for v in solution.values)
    say(
        f"stacks {stacks}, ante {solution.ante:g} big blinds; won by button, small and big blind: {values} {unit}\n"
        f"approximate: nobody alone gains more than {scale * solution.residual:.5f} {unit} a hand"
    )
