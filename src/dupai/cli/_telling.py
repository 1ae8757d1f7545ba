"""Cards in colour, and a hand street by street, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text

from dupai.cards import NO_CARD, card_text
from dupai.notation import action_words, card_words, chips_words, made_hand_words
from dupai.rules import STREET_PHRASES

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.rules import HandRecord

_SUIT_STYLE = {"c": "green", "d": "blue", "h": "red", "s": "bold"}


def cards_shown(cards: Sequence[int], *, signs: bool) -> Text:
    """Cards with spaces between; ``signs``: coloured suit signs (for terminals), else ``As``."""
    text = Text()
    for k, card in enumerate(cards):
        known = card != NO_CARD
        style = "dim" if not known else _SUIT_STYLE[card_text(card)[1]] if signs else ""
        text.append(" " * (k > 0))
        text.append(card_words(card, signs=signs), style=style)
    return text


def print_line(
    out: Console, text: str, style: str = "", cards: Sequence[int] | None = None, after: str = "", dim: str = ""
) -> None:
    """A line of text, of cards, and of more text after them, ``dim`` in grey."""
    line = Text(text, style=style)
    if cards is not None:
        line.append_text(cards_shown(cards, signs=out.is_terminal))
    line.append(after)
    line.append(dim, style="dim")
    out.print(line, soft_wrap=True)


def print_hand(out: Console, record: HandRecord, total: int | None = None) -> None:
    """A hand street by street: everybody's cards as far as the record knows them, the actions, showdown and result."""
    from dupai.rules import steps_of

    spec = record.spec
    n = spec.players
    seats = record.seats or tuple(range(n))
    names = record.names or tuple(f"seat {s + 1}" for s in seats)
    width = max(map(len, names))

    say = partial(print_line, out)
    blinds = "/".join(str(b) for b in sorted(b for b in spec.blinds if b))
    of = f" of {total}" if total is not None else ""
    section = f"   {record.section}" if record.section else ""
    say(f"hand {record.hand}{of}   blinds {blinds}   {n} players{section}", "bold")
    steps = steps_of(record)
    verbs = {"ante": "ante", "post": "posts"}
    for p in range(n):
        notes = ["button"] if p == n - 1 else []
        notes += [f"{verbs[s.kind]} {s.chips:,}" for s in steps if s.position == p and s.kind in verbs]
        notes += ["recorded this hand"] if p == record.hero else []
        seat = f"  seat {seats[p] + 1:<2} {names[p]:<{width}} {record.stacks[p]:>9,}  "
        say(seat, cards=record.hole[p], dim=f"  {', '.join(notes)}")
    say(f"{STREET_PHRASES[0]}  ", "bold", (), dim=f"pot {sum(s.chips for s in steps if s.kind in verbs):,}")
    for step in steps:
        name = f"  {names[step.position]:<{width}}  "
        if step.kind == "street":
            say(f"{STREET_PHRASES[step.street]}  ", "bold", step.cards, dim=f"  pot {step.pot:,}")
        elif step.is_action:
            say(name + action_words(step))
        elif step.kind == "return":
            say(f"{name}takes back {step.chips:,}, not called")
    shows = [step for step in steps if step.kind in ("show", "muck")]
    if shows:
        say("showdown", "bold")
    for step in shows:
        made = f"  {made_hand_words(step.cards, record.board)}".rstrip()
        mucked = "  mucked, not shown" if step.kind == "muck" else ""
        say(f"  {names[step.position]:<{width}}  ", cards=step.cards, after=made, dim=mucked)
    say("result", "bold")
    for p, payoff in enumerate(record.payoffs):
        if payoff:
            stack = chips_words(record.stacks[p] * spec.split + payoff, spec.split)
            say(f"  {names[p]:<{width}}  {chips_words(payoff, spec.split, sign=True):>9}   has {stack}")
    for note in filter(None, record.comment.split("; ")):
        say("note: " + "".join(c if c.isprintable() else " " for c in note), "italic")
    if record.rake:
        say(f"  {'rake':<{width}}  {chips_words(record.rake, spec.split):>9}", "dim")
    for p, two in enumerate(record.mucked):
        if NO_CARD not in two and set(two) != set(record.hole[p]):
            say(f"  published after the hand: {names[p]} had ", "dim", two)
