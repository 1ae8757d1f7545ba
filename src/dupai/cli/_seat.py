"""The table as somebody who sits at it sees it: stacks, bets, pot odds and the hand so far."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from dupai.cli._telling import cards_shown
from dupai.notation import action_words
from dupai.rules import STREET_PHRASES, steps_of

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.rules import Step, View


def odds_words(view: View) -> str:
    """What a call needs: ``pot odds 3.0 to 1, a call needs 25.0 %``; empty where checking is free."""
    call = view.to_call
    if not call:
        return ""
    return f"pot odds {view.winnable / call:.1f} to 1, a call needs {100 * call / (view.winnable + call):.1f} %"


def deep_words(view: View) -> str:
    """The most that can still be won or lost, in pots: ``4.2 pots behind``; empty where nobody can bet."""
    me = view.actor
    others = [
        stack + put
        for p, (stack, put, out) in enumerate(zip(view.stacks, view.contributions, view.folded, strict=True))
        if p != me and not out
    ]
    most = min(view.stacks[me], max(max(others, default=0) - view.contributions[me], 0))
    return f"{most / view.pot:.1f} pots behind" if most and view.pot else ""


def hand_so_far(steps: Sequence[Step], names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """By street, what was done: ``("flop", ["style:LA bets 300", "you call 300"])``; ``names`` by position."""
    actions = groupby((step for step in steps if step.is_action), lambda step: step.street)
    return [(STREET_PHRASES[k], [f"{names[s.position]} {action_words(s)}" for s in some]) for k, some in actions]


def last_words(view: View, steps: Sequence[Step]) -> dict[int, str]:
    """What each position did last on this street, folds of earlier streets too."""
    words = {p: "posts" for p, blind in enumerate(view.spec.blinds) if blind and view.street == 0}
    words |= {step.position: action_words(step) for step in steps if step.is_action and step.street == view.street}
    words |= {p: "folded" for p, out in enumerate(view.folded) if out and p not in words}
    return words | {p: "all-in" for p, shoved in enumerate(view.all_in) if shoved and p not in words}


def print_table(out: Console, view: View, names: Sequence[str], notes: Mapping[str, str] | None = None) -> None:
    """The whole table from the seat that ``view`` belongs to; ``notes``: on players, by name."""
    signs = out.is_terminal
    blinds = "/".join(str(b) for b in sorted(b for b in view.spec.blinds if b))
    head = Text(f"hand {view.hand}   blinds {blinds}   {STREET_PHRASES[view.street]}", style="bold")
    if view.board:
        head.append("  ")
        head.append_text(cards_shown(view.board, signs=signs))
    head.append(f"   pot {view.pot:,}")
    out.print(head, soft_wrap=True)
    steps = steps_of(view.line)
    words, width = last_words(view, steps), max(map(len, names))
    order = sorted(range(view.spec.players), key=lambda p: view.seats[p])
    for p in order:
        name = names[view.seats[p]]
        button = "●" if p == view.spec.button else " "
        bet = f"bet {view.bets[p]:,}" if view.bets[p] else ""
        line = Text(f"{'>' if p == view.actor else ' '} {button} {name:<{width}} {view.stacks[p]:>9,}  {bet:<11}")
        line.append(words.get(p, ""))
        if notes and name in notes:
            line.append(f"   ({notes[name]})", style="italic")
        line.stylize("dim" if view.folded[p] else "bold" if p == view.position else "")
        out.print(line, soft_wrap=True)
    for street, done in hand_so_far(steps, [names[seat] for seat in view.seats]):
        for row in textwrap.wrap(f"{street}: {', '.join(done)}", min(out.width, 80) - 2, subsequent_indent="  "):
            out.print(f"  {row}", style="dim", soft_wrap=True)
