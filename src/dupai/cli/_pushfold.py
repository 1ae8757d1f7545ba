"""``dupai pushfold``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

if TYPE_CHECKING:
    from dupai.cfr import PushFold, PushFold3


def pushfold(
    stack: Annotated[
        str,
        Option("--stack", "-s", help="Stack in big blinds before blinds and antes; three as 8,12,5: see below."),
    ] = "10",
    ante: Annotated[float, Option("--ante", "-a", help="Ante of each player, big blinds.")] = 0.0,
    players: Annotated[int, Option("--players", "-p", help="2 (exact) or 3 (approximate).")] = 2,
    payouts: Annotated[
        str | None,
        Option(help="Three-handed: prizes of a tournament as 50,30,20, counted by ICM; else chips."),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Which hands to go all-in with, and which to call an all-in with, when nothing else is played.

    Heads-up: the equilibrium over all 169 classes with exact win rates and card removal; the small blind (0.5 big
    blinds) goes all-in or folds, the big blind calls or folds. Stacks of 1 to 25 by quarters with antes of 0, 0.1,
    0.125, 0.2 and 0.25 come from a table, others are solved at once. A number in the grid is a percentage.

    Three-handed: --stack gives one stack for all or those of button, small blind and big blind. Approximate: several
    equilibria may exist, win rates of three hands are sampled, a folded hand leaves the deck only in the chances of the
    deal. What nobody can gain more than is printed with it. The first time, win rates are sampled (half a minute).

    JSON keys: stack, ante, value (small blind, big blinds), exploitability (big blinds), push, call (name of a class ->
    frequency, those above 0), push_share, call_share. Three-handed: stacks, ante, payouts, values, residual, unit,
    iterations, complete, ranges (btn, sb_call, sb, bb_both, bb_btn, bb_sb).

    Examples:

      dupai pushfold --stack 8

      dupai pushfold --stack 12.3 --ante 0.125 --json

      dupai pushfold --players 3 --stack 10,6,14 --payouts 50,30,20
    """
    from dupai.base import ConfigError

    stacks = _numbers("--stack", stack)
    if players == 2:
        if len(stacks) != 1 or payouts is not None:
            raise ConfigError("heads-up: expected one stack, the shorter one, and no prizes (see --players 3)")
        from dupai.cfr import push_fold_table

        _two(push_fold_table(stacks[0], ante), json)
    elif players == 3:
        if len(stacks) == 1:
            stacks *= 3
        _three(stacks, ante, None if payouts is None else _numbers("--payouts", payouts), json)
    else:
        raise ConfigError(f"--players {players}: expected 2 or 3")


def _numbers(option: str, text: str) -> list[float]:
    from dupai.base import ConfigError

    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = [math.nan]
    if not all(map(math.isfinite, found)):
        raise ConfigError(f"{option} {text!r}: expected numbers, as 10 or 8,12,5")
    return found


def _shares(row: Any) -> dict[str, float]:
    from dupai.cards import CLASS_TEXT

    return {CLASS_TEXT[i]: round(float(x), 6) for i, x in enumerate(row) if x > 0}


def _two(found: PushFold, json: bool) -> None:
    from dupai.cli._common import console, print_json

    if json:
        print_json(
            {
                "stack": found.stack,
                "ante": found.ante,
                "value": found.value,
                "exploitability": found.exploitability,
                "push": _shares(found.push),
                "call": _shares(found.call),
                "push_share": found.push_share,
                "call_share": found.call_share,
            }
        )
        return
    out = console()
    for title, row, share in (
        ("small blind goes all-in", found.push, found.push_share),
        ("big blind calls", found.call, found.call_share),
    ):
        _grid(f"{title}: {100 * share:.1f} % of hands", row)
    out.print(
        f"stack {found.stack:g}, ante {found.ante:g} big blinds: the small blind wins {found.value:+.4f} a hand; "
        f"exploitability {1000 * found.exploitability:.4f} mbb/hand"
    )


def _grid(title: str, row: Any) -> None:
    import sys

    from dupai.cli._common import console
    from dupai.ranges import Range

    out = console()
    out.print(title, style="bold")
    colour = out.color_system is not None
    text = Range.from_classes(row).grid(color=colour)
    if colour:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    else:
        out.print(text, soft_wrap=True)
    out.print()


def _three(stacks: list[float], ante: float, payouts: list[float] | None, json: bool) -> None:
    from dupai.cfr import solve_three_handed
    from dupai.cli._common import console, print_json, progress

    with progress("push/fold") as bar:
        found = solve_three_handed(stacks, ante, payouts, progress=bar)
    names = tuple(found.ranges)
    if json:
        print_json(
            {
                "stacks": found.stacks,
                "ante": found.ante,
                "payouts": found.payouts,
                "values": found.values,
                "residual": found.residual,
                "unit": found.unit,
                "iterations": found.iterations,
                "complete": found.complete,
                "ranges": {name: _shares(found.ranges[name]) for name in names},
            }
        )
    else:
        _show_three(found)
    if not found.complete:
        console(stderr=True).print("stopped early: this is what there was")
        raise typer.Exit(130)


def _show_three(found: PushFold3) -> None:
    from dupai.cli._common import console

    titles = {
        "btn": "button goes all-in",
        "sb_call": "small blind calls the button",
        "sb": "small blind goes all-in when the button folds",
        "bb_both": "big blind calls both",
        "bb_btn": "big blind calls the button",
        "bb_sb": "big blind calls the small blind",
    }
    for name, row in found.ranges.items():
        _grid(f"{titles[name]}: {100 * found.share(name):.1f} % of hands", row)
    stacks = ", ".join(f"{s:g}" for s in found.stacks)
    values = ", ".join(f"{v:+.4f}" for v in found.values)
    console().print(
        f"stacks {stacks}, ante {found.ante:g} big blinds; won by button, small and big blind: {values} {found.unit}\n"
        f"approximate: nobody alone gains more than {found.residual:.5f} {found.unit} a hand",
        soft_wrap=True,
    )
