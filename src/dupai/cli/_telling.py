"""Hands told to people: cards, actions in words, a hand street by street."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.rules import Action, HandRecord, HandState

STREETS = ("before the flop", "flop", "turn", "river")
_SUIT_STYLE = {"c": "green", "d": "blue", "h": "red", "s": "bold"}
_SUIT_SIGN = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def told_cards(cards: Sequence[int], *, signs: bool) -> Text:
    """Cards with spaces between; ``signs``: coloured suit signs (for terminals), else ``As``."""
    from dupai.cards import NO_CARD, card_text

    text = Text()
    for k, c in enumerate(cards):
        if k:
            text.append(" ")
        if c == NO_CARD:
            text.append("··" if signs else "??", style="dim")
            continue
        word = card_text(c)
        if signs:
            text.append(word[0] + _SUIT_SIGN[word[1]], style=_SUIT_STYLE[word[1]])
        else:
            text.append(word)
    return text


def action_words(state: HandState, action: Action) -> str:
    """What the actor of ``state`` is about to do. Raises are told as people say them: to a total *in this street*."""
    from dupai.rules import FOLD, RAISE

    p = state.actor
    stack = state.stacks[p]
    if action.kind == FOLD:
        return "folds"
    if action.kind == RAISE:
        bets = state.bets
        size = action.to - state.contributions[p] + bets[p]
        verb = "raises to" if max(bets) else "bets"
        all_in = ", all-in" if action.to - state.contributions[p] == stack else ""
        return f"{verb} {size:,}{all_in}"
    if state.to_call == 0:
        return "checks"
    return f"calls {state.to_call:,}" + (", all-in" if state.to_call == stack else "")


def best_hand(hole: Sequence[int], board: Sequence[int]) -> str:
    """What two cards and five on the board make, in words; "" where not all of them are known."""
    from dupai.cards import NO_CARD, describe

    return "" if NO_CARD in hole or len(board) < 5 or NO_CARD in board else describe((*hole, *board))


def result_words(record: HandRecord) -> list[tuple[int, str]]:
    """Position and words for everybody who won chips, most first."""
    spec = record.spec
    state = record.replay()
    showdown = state.showdown
    won = []
    for p, payoff in enumerate(record.payoffs):
        if payoff <= 0:
            continue
        words = f"wins {chips(payoff, spec.split)}"
        if showdown and not state.folded[p] and (best := best_hand(record.hole[p], record.board)):
            # Without the kickers: "two pair, aces and fours".
            words += f" with {', '.join(best.split(', ')[:2])}"
        won.append((payoff, p, words))
    return [(p, words) for _, p, words in sorted(won, key=lambda w: -w[0])]


def chips(units: int, split: int = 1) -> str:
    """An amount in 1/``split`` chips."""
    return f"{units // split:,}" if units % split == 0 else f"{units / split:,.2f}"


def tell_hand(out: Console, record: HandRecord, total: int | None = None) -> None:
    """A hand street by street: what everybody held as far as the record knows it, who showed it, who paid whom."""
    from dupai.cards import NO_CARD
    from dupai.rules import HandState

    signs = out.is_terminal
    spec = record.spec
    n = spec.players
    seats = record.seats or tuple(range(n))
    names = record.names or tuple(f"seat {s + 1}" for s in seats)
    width = max(map(len, names))
    blinds = "/".join(str(b) for b in sorted(b for b in spec.blinds if b))
    of = f" of {total}" if total is not None else ""
    under = f"   {record.section}" if record.section else ""
    out.print(
        f"hand {record.hand}{of}   blinds {blinds}   {n} players{under}", style="bold", markup=False, soft_wrap=True
    )
    for p in range(n):
        ante = min(spec.antes[p], record.stacks[p])
        posts = min(spec.blinds[p], record.stacks[p] - ante)
        notes = ["button"] if p == n - 1 else []
        notes += [f"ante {ante:,}"] if ante else []
        notes += [f"posts {posts:,}"] if posts else []
        notes += ["recorded this hand"] if p == record.hero else []
        line = Text(f"  seat {seats[p] + 1:<2} {names[p]:<{width}} {record.stacks[p]:>9,}  ")
        line.append_text(told_cards(record.hole[p], signs=signs))
        line.append(f"  {', '.join(notes)}", style="dim")
        out.print(line, soft_wrap=True)
    state = HandState(spec, record.hole, record.board, record.stacks, seats, record.hand)
    street = -1
    free_fold = spec.min_raise == "casino"
    back = 0

    def heading(now: int) -> None:
        from dupai.rules import BOARD_CARDS

        line = Text(f"{STREETS[now]}  ", style="bold")
        line.append_text(told_cards(record.board[: BOARD_CARDS[now]], signs=signs))
        pot = state.pot - back
        line.append(f"  pot {pot:,}" if now else f"pot {pot:,}", style="dim")
        out.print(line)

    for action in record.actions:
        while street < state.street:
            street += 1
            heading(street)
        out.print(f"  {names[state.actor]:<{width}}  {action_words(state, action)}", markup=False, soft_wrap=True)
        state.apply(action, free_fold=free_fold)
    put = sorted(state.contributions)
    # Without a raise the big blind just keeps what it posted.
    if put[-1] > spec.big_blind and (back := put[-1] - put[-2]):
        name = names[state.contributions.index(put[-1])]
        out.print(f"  {name:<{width}}  takes back {back:,}, not called", markup=False, soft_wrap=True)
    while street < state.street:
        street += 1
        heading(street)
    if state.showdown:
        out.print("showdown", style="bold")
        for p in range(n):
            if not state.folded[p]:
                line = Text(f"  {names[p]:<{width}}  ")
                line.append_text(told_cards(record.hole[p], signs=signs))
                line.append(f"  {best_hand(record.hole[p], record.board)}".rstrip())
                if record.shown and not record.shown[p]:
                    line.append("  mucked, not shown", style="dim")
                out.print(line, soft_wrap=True)
    out.print("result", style="bold")
    for p, payoff in enumerate(record.payoffs):
        if payoff:
            after = record.stacks[p] * spec.split + payoff
            sign = "+" if payoff > 0 else "-"
            change = sign + chips(abs(payoff), spec.split)
            out.print(f"  {names[p]:<{width}}  {change:>9}   has {chips(after, spec.split)}", markup=False)
    if record.rake:
        out.print(f"  {'rake':<{width}}  {chips(record.rake, spec.split):>9}", markup=False, style="dim")
    for p, two in enumerate(record.mucked):
        if NO_CARD not in two and set(two) != set(record.hole[p]):
            line = Text(f"  published after the hand: {names[p]} had ", style="dim")
            line.append_text(told_cards(two, signs=signs))
            out.print(line, soft_wrap=True)
