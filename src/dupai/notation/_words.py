"""Cards, actions, results and legal choices in words, and a typed answer as an action: for people at a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dupai.base import NotationError
from dupai.cards import NO_CARD, card_text, describe
from dupai.notation._reasons import Reason, load_catalogue, reason_words
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


def step_reason(step: Step, made: Reason | None = None, split: int = 1) -> Reason:
    """What a player did, as data; bets and raises with their total on this street.

    Args:
        step: any but a street or what follows from others (``muck``, ``lose``).
        made: what the hand that is shown or wins has made.
        split: of the game, for the chips of a win.
    """
    values: dict[str, Any] = {}
    if step.kind in ("bet", "raise"):
        values["to"] = step.bet
    elif step.kind == "win":
        values["chips"] = step.chips // split if step.chips % split == 0 else step.chips / split
    elif step.chips:
        values["chips"] = step.chips
    if made is not None:
        values["hand"] = (made,)
    done = Reason("done.win_with" if made is not None and step.kind == "win" else f"done.{step.kind}", values)
    return Reason("with_all_in", {"action": (done,)}) if step.all_in and step.is_action else done


def action_words(step: Step) -> str:
    """An action of a player: ``raises to 300, all-in``. Raises name the total *on this street*."""
    return reason_words(step_reason(step))


def choice_words(view: View, action: Action | RaiseBetween) -> str:
    """A choice of the player to act: ``raise to 900 (300 on this street)``, ``call 100``; bets and raises name the
    total of the hand. ``--json`` has these words."""
    return reason_words(choice_reason(view, action, of_hand=True))


def advice_words(view: View, action: Action | RaiseBetween) -> str:
    """A choice as advice names it: ``bet 550`` on this street, ``raise to 900 (300 on this street)``, ``call 100``."""
    return choice_words(view, action) if max(view.bets) else street_choice_words(view, action)


def choice_reason(view: View, action: Action | RaiseBetween, *, of_hand: bool = False) -> Reason:
    """An action of the player to act as data, raises with their total on this street, or ``of_hand`` with both."""
    me = view.actor
    before = view.contributions[me] - view.bets[me]
    raises = bool(max(view.bets))
    if not isinstance(action, Action):
        values = {"to": action.lo - before, "high": action.hi - before}
        if of_hand and before:
            return Reason("choice.raise_any_of_hand", values | {"hand": action.lo, "hand_high": action.hi})
        return Reason("choice.raise_any" if raises else "choice.bet_any", values)
    if action.kind == FOLD:
        return Reason("choice.fold")
    if action.kind != RAISE:
        return Reason("choice.call", {"chips": view.to_call}) if view.to_call else Reason("choice.check")
    to = action.to or view.legal.min_to
    choice = Reason("choice.raise" if raises else "choice.bet", {"to": to - before})
    if of_hand and before:
        choice = Reason("choice.raise_of_hand", {"hand": to, "to": to - before})
    all_in = to == view.contributions[me] + view.stacks[me]
    return Reason("with_all_in", {"action": (choice,)}) if all_in else choice


def street_choice_words(view: View, action: Action | RaiseBetween) -> str:
    """An action of the player to act as they would type it, totals on this street: ``raise to 1,099``, ``call 300``."""
    return reason_words(choice_reason(view, action))


def made_hand_words(hole: Sequence[int], board: Sequence[int]) -> str:
    """What two cards and five on the board make: ``two pair, aces and fours, king kicker``; "" while a card is not
    known."""
    return "" if NO_CARD in hole or len(board) < 5 or NO_CARD in board else describe((*hole, *board))


def made_reason(hole: Sequence[int], board: Sequence[int]) -> Reason | None:
    """What two cards and five on the board make, as data and without kickers; None while a card is not known."""
    kind, *more = made_hand_words(hole, board).split(", ")
    if not kind:
        return None
    return Reason("made", {"kind": kind, "ranks": more[0]}) if more else Reason("made_kind", {"kind": kind})


def word_of(name: str) -> str:
    """A name of the program in plain English words: a made hand, a draw, a street."""
    return load_catalogue().words.get(name, name)


def narrowed_reasons(entropy: float, legal: int, top: Sequence[str] = ()) -> list[Reason]:
    """What a reading of so much entropy (in bits) leaves open of ``legal`` possible hands, the likeliest hands, and how
    it is counted: for the small print."""
    hands = min(int(float(f"{2**entropy:.2g}")), legal)
    reasons = [Reason("narrowed", {"hands": hands, "of": legal})]
    reasons += [Reason("top_hands", {"hands": tuple(top)})] if top else []
    return [*reasons, Reason("narrowed_how", {"bits": entropy, "hands": hands})]


def likelier_reason(bits: float, hand: str = "the true hand") -> Reason:
    """A gain of bits in words: how many times as likely as before the betting a reading holds a hand."""
    times = 2.0**bits
    if 0.95 <= times < 1.05:
        return Reason("as_likely", {"hand": hand})
    if times > 1:
        return Reason("times_as_likely", {"hand": hand, "times": times})
    return Reason("share_as_likely", {"hand": hand, "share": max(times, 0.001)})


def result_reasons(steps: Sequence[Step], split: int) -> list[tuple[int, Reason]]:
    """Position and result of each player who won chips in a finished hand, most first: ``wins 1,250 with two pair, aces
    and fours``; ``split`` as of the game."""
    board = next((step.cards for step in reversed(steps) if step.kind == "street"), ())
    made = {step.position: made_reason(step.cards, board) for step in steps if step.kind in ("show", "muck")}
    winners = sorted((step for step in steps if step.kind == "win"), key=lambda step: -step.chips)
    return [(step.position, step_reason(step, made.get(step.position), split)) for step in winners]


def result_words(steps: Sequence[Step], split: int) -> list[tuple[int, str]]:
    """:func:`result_reasons` in words."""
    return [(position, reason_words(reason)) for position, reason in result_reasons(steps, split)]


def legal_words(view: View, *, of_hand: bool = False) -> str:
    """What may be done, raises as totals on this street: ``fold, call 100, raise to 200..10,000``; with ``of_hand`` as
    :func:`advice_words` names them."""
    from dupai.spots import RaiseBetween

    legal = view.legal
    choices = [choice_reason(view, Action.fold())] if legal.fold else []
    all_in = legal.to_call and legal.to_call == view.stacks[view.actor]
    call = choice_reason(view, Action.call())
    choices.append(Reason("choice.call_all_in", call.values) if all_in else call)
    if legal.can_raise:
        most = legal.min_to < legal.max_to
        sizes = RaiseBetween(legal.min_to, legal.max_to, 1.0) if most else Action(RAISE)
        choices.append(choice_reason(view, sizes, of_hand=of_hand and max(view.bets) > 0))
    return ", ".join(map(reason_words, choices))


_ANSWERS = {"f": "fold", "c": "call", "k": "call", "check": "call", "p": "pot", "h": "half", "a": "all-in", "q": "quit"}
_ANSWERS |= {"x": "call", "exit": "quit", "leave": "quit", "allin": "all-in", "all in": "all-in", "half pot": "half"}
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
        if word in ("check", "k", "x") and legal.to_call:
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
