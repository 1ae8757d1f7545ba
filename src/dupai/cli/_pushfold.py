"""``dupai pushfold``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typer import Option

from dupai.base import ConfigError, NotationError
from dupai.cli._common import console, print_json, progress
from dupai.cli._shared import STOPPED, JsonOption, fields, leave

if TYPE_CHECKING:
    from dupai.cfr import PushFold, PushFold3


def pushfold(
    stack: str = Option(
        "10", "--stack", "-s", help="Stack in big blinds before blinds and antes; three as 8,12,5: see below."
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
    frequency, those above 0), push_share, call_share. Three-handed: stacks, ante, payouts, values, residual, unit,
    iterations, complete, ranges (btn, sb_call, sb, bb_both, bb_btn, bb_sb).

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

    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = [math.nan]
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
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
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
    if json:
        print_json(
            fields(solution, "stacks ante payouts values residual unit iterations complete")
            | {"ranges": {name: _frequencies(row) for name, row in solution.ranges.items()}}
        )
    else:
        _show_three(solution)
    leave(complete=solution.complete, note=STOPPED)


def _show_three(solution: PushFold3) -> None:

    for name, row in solution.ranges.items():
        _grid(_TITLES[name], row, solution.share(name))
    stacks = ", ".join(f"{s:g}" for s in solution.stacks)
    values = ", ".join(f"{v:+.4f}" for v in solution.values)
    unit = solution.unit
    console().print(
        f"stacks {stacks}, ante {solution.ante:g} big blinds; won by button, small and big blind: {values} {unit}\n"
        f"approximate: nobody alone gains more than {solution.residual:.5f} {unit} a hand",
        soft_wrap=True,
    )
