"""Cards, actions, results and legal choices in words, and a typed answer as an action: for people at a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dupai.base import NotationError
from dupai.cards import NO_CARD, card_text, describe
from dupai.rules import FOLD, RAISE, Action

if TYPE_CHECKING:
    # Cards in words load no compiled code.
    from dupai.rules import Step, View
    from dupai.spots import RaiseBetween

_SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def card_words(card: int, *, signs: bool = False) -> str:
    """A card as ``As``, or with ``signs`` as ``A♠``; one that is not known as ``??`` or ``··``."""
    if card == NO_CARD:
        return "··" if signs else "??"
    text = card_text(card)
    return text[0] + _SUIT_SIGNS[text[1]] if signs else text


def chips_words(units: int, split: int = 1, *, sign: bool = False) -> str:
    """An amount in 1/``split`` chips, with a sign if wanted: ``1,250``, ``+33.33``."""
    amount = abs(units) if sign else units
    prefix = "" if not sign or not units else "+" if units > 0 else "-"
    return prefix + (f"{amount // split:,}" if amount % split == 0 else f"{amount / split:,.2f}")


def action_words(step: Step) -> str:
    """An action of a player: ``raises to 300, all-in``. Raises name the total *on this street*."""
    words = {"fold": "folds", "check": "checks", "call": f"calls {step.chips:,}", "bet": f"bets {step.bet:,}"}
    return words.get(step.kind, f"raises to {step.bet:,}") + (", all-in" if step.all_in else "")


def choice_words(view: View, action: Action | RaiseBetween) -> str:
    """A choice of the player to act: ``raise to 900 (300 on this street)``, ``call 100``; raises name the total of the
    hand."""
    if not isinstance(action, Action):
        return f"raise to {action.lo}..{action.hi}, uniform"
    legal = view.legal
    if action.kind == FOLD:
        return "fold"
    if action.kind == RAISE:
        to = action.to or legal.min_to
        mine, bet = view.contributions[view.actor], view.bets[view.actor]
        notes = [f"{to - mine + bet} on this street"] if mine > bet else []
        notes += ["all-in"] if to == mine + view.stacks[view.actor] else []
        return f"raise to {to}" + (f" ({', '.join(notes)})" if notes else "")
    return f"call {legal.to_call}" if legal.to_call else "check"


def street_choice_words(view: View, action: Action | RaiseBetween) -> str:
    """An action of the player to act as they would type it, totals on this street: ``raise to 1,099``, ``call 300``."""
    me = view.actor
    before = view.contributions[me] - view.bets[me]
    verb = "raise to" if max(view.bets) else "bet"
    if not isinstance(action, Action):
        return f"{verb} {action.lo - before:,}..{action.hi - before:,}"
    if action.kind == FOLD:
        return "fold"
    if action.kind != RAISE:
        return f"call {view.to_call:,}" if view.to_call else "check"
    to = action.to or view.legal.min_to
    return f"{verb} {to - before:,}" + (", all-in" if to == view.contributions[me] + view.stacks[me] else "")


def made_hand_words(hole: Sequence[int], board: Sequence[int]) -> str:
    """What two cards and five on the board make: ``two pair, aces and fours, king kicker``; "" while a card is not
    known."""
    return "" if NO_CARD in hole or len(board) < 5 or NO_CARD in board else describe((*hole, *board))


def result_words(steps: Sequence[Step], split: int) -> list[tuple[int, str]]:
    """Position and words for each player who won chips in a finished hand, most first: ``wins 1,250 with two pair, aces
    and fours``; ``split`` as of the game."""
    board = next((step.cards for step in reversed(steps) if step.kind == "street"), ())
    made = {step.position: made_hand_words(step.cards, board) for step in steps if step.kind in ("show", "muck")}
    winners = sorted((step for step in steps if step.kind == "win"), key=lambda step: -step.chips)
    words = []
    for step in winners:
        # Without the kickers.
        kind = ", ".join(made.get(step.position, "").split(", ")[:2])
        words.append((step.position, f"wins {chips_words(step.chips, split)}" + (f" with {kind}" if kind else "")))
    return words


def legal_words(view: View) -> str:
    """What may be done, raises as totals on this street: ``fold, call 100, raise to 200..10,000``."""
    legal = view.legal
    words = ["fold"] if legal.fold else []
    words.append(f"call {legal.to_call:,}" if legal.to_call else "check")
    if legal.to_call and legal.to_call == view.stacks[view.actor]:
        words[-1] += " (all-in)"
    if legal.can_raise:
        before = view.contributions[view.actor] - view.bets[view.actor]
        low, high = legal.min_to - before, legal.max_to - before
        verb = "raise to" if max(view.bets) else "bet"
        words.append(f"{verb} {low:,}" + (f"..{high:,}" if high > low else ""))
    return ", ".join(words)


_ANSWERS = {"f": "fold", "c": "call", "k": "call", "check": "call", "p": "pot", "h": "half", "a": "all-in", "q": "quit"}
_ANSWERS |= {"x": "quit", "exit": "quit", "leave": "quit", "allin": "all-in", "all in": "all-in", "half pot": "half"}
_ANSWERS |= {w: w for w in ("fold", "call", "pot", "half", "all-in", "quit")} | {"?": "help", "help": "help"}
_RAISE = re.compile(r"(?:r|raise|b|bet)?\s*(?:to\s*)?(\d[\d,_]{0,30})")


def read_answer(text: str, view: View) -> Action | str:
    """What the player to act typed: an action that is legal in ``view``, or ``"quit"`` or ``"help"``.

    Raises:
        NotationError: it is neither; one line that says what is legal.
    """
    word = " ".join(text.lower().split())
    legal = view.legal
    answer = _ANSWERS.get(word)
    if answer in ("quit", "help"):
        return answer
    if answer == "call":
        if word in ("check", "k") and legal.to_call:
            raise NotationError(f"there is a bet to call, checking is not possible: {legal_words(view)}", text=text)
        return Action.call()
    if answer == "fold":
        if not legal.fold:
            raise NotationError(f"there is no bet to fold to: {legal_words(view)}", text=text)
        return Action.fold()
    me = view.actor
    mine, stack = view.contributions[me], view.stacks[me]
    if answer == "all-in":
        if stack <= legal.to_call:
            return Action.call()
        to = mine + stack
    elif answer in ("pot", "half"):
        if not legal.can_raise:
            raise NotationError(f"no raise is possible: {legal_words(view)}", text=text)
        pot = view.pot + legal.to_call
        return legal.closest_raise(mine + legal.to_call + (pot if answer == "pot" else pot // 2))
    elif (match := _RAISE.fullmatch(word)) is not None:
        to = int(match[1].replace(",", "").replace("_", "")) + mine - view.bets[me]
    else:
        raise NotationError(f"{text.strip()!r} is not understood: {legal_words(view)}, or ? for help", text=text)
    if not 0 < legal.min_to <= to <= legal.max_to:
        raise NotationError(f"{text.strip()!r} is not possible: {legal_words(view)}", text=text)
    return Action(RAISE, to)
