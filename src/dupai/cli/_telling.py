"""Cards in colour, and a hand street by street, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from dupai.cards import NO_CARD, card_text
from dupai.notation import action_words, card_words, chips_words, made_hand_words
from dupai.rules import BOARD_CARDS, STREET_PHRASES

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


def print_hand(out: Console, record: HandRecord, total: int | None = None) -> None:
    """A hand street by street: everybody's cards as far as the record knows them, the actions, showdown and result."""
    from dupai.rules import HandState

    signs = out.is_terminal
    spec = record.spec
    n = spec.players
    seats = record.seats or tuple(range(n))
    names = record.names or tuple(f"seat {s + 1}" for s in seats)
    width = max(map(len, names))

    def say(text: str, style: str = "", cards: Sequence[int] | None = None, after: str = "", dim: str = "") -> None:
        line = Text(text, style=style)
        if cards is not None:
            line.append_text(cards_shown(cards, signs=signs))
        line.append(after)
        line.append(dim, style="dim")
        out.print(line, soft_wrap=True)

    blinds = "/".join(str(b) for b in sorted(b for b in spec.blinds if b))
    of = f" of {total}" if total is not None else ""
    section = f"   {record.section}" if record.section else ""
    say(f"hand {record.hand}{of}   blinds {blinds}   {n} players{section}", "bold")
    for p in range(n):
        ante = min(spec.antes[p], record.stacks[p])
        posts = min(spec.blinds[p], record.stacks[p] - ante)
        notes = ["button"] if p == n - 1 else []
        notes += [f"ante {ante:,}"] if ante else []
        notes += [f"posts {posts:,}"] if posts else []
        notes += ["recorded this hand"] if p == record.hero else []
        seat = f"  seat {seats[p] + 1:<2} {names[p]:<{width}} {record.stacks[p]:>9,}  "
        say(seat, cards=record.hole[p], dim=f"  {', '.join(notes)}")
    state = HandState(spec, record.hole, record.board, record.stacks, seats, record.hand)
    street = -1
    returned = 0

    def head_streets() -> None:
        nonlocal street
        while street < state.street:
            street += 1
            pot = f"pot {state.pot - returned:,}"
            board = record.board[: BOARD_CARDS[street]]
            say(f"{STREET_PHRASES[street]}  ", "bold", board, dim=f"  {pot}" if street else pot)

    for action in record.actions:
        head_streets()
        say(f"  {names[state.actor]:<{width}}  {action_words(state, action)}")
        state.apply(action, free_fold=spec.min_raise == "casino")
    put = sorted(state.contributions)
    # Where all fold to the big blind without a raise, it just keeps what it posted.
    if (put[-1] > spec.big_blind or state.showdown) and (returned := put[-1] - put[-2]):
        name = names[state.contributions.index(put[-1])]
        say(f"  {name:<{width}}  takes back {returned:,}, not called")
    head_streets()
    if state.showdown:
        say("showdown", "bold")
        for p in range(n):
            if not state.folded[p]:
                made = f"  {made_hand_words(record.hole[p], record.board)}".rstrip()
                mucked = "  mucked, not shown" if record.shown and not record.shown[p] else ""
                say(f"  {names[p]:<{width}}  ", cards=record.hole[p], after=made, dim=mucked)
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
