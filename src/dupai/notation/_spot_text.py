"""A spot in text, as the view of the player to act."""

from __future__ import annotations

import re

from dupai.base import NotationError, RulesError, nearest, whole_number
from dupai.cards import NO_CARD, cards
from dupai.notation._acpc import parse_matchstate
from dupai.notation._phh import read_phh_tables, state_of_phh
from dupai.notation._spot_words import view_of_words
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandState, View, load_game

#: Keys of the short form and their meaning.
_KEYS = {
    "hole": "your two cards",
    "board": "3 to 5 open cards",
    "pot": "chips in the pot, including the bet that you face",
    "to_call": "chips that a call costs",
    "stack": "your chips behind",
    "others": "chips behind of everybody else",
    "players": "players still in, including you",
    "blinds": "small/big; left out: 50/100, or less if the pot is small",
}


def view_from_text(text: str, game: GameSpec | None = None) -> View:
    """The view of the player to act in a spot in text, which has one of these forms:

    * an ACPC match state, ``MATCHSTATE:1:0:cr250:|AsKd``;
    * a hand in PHH up to the decision;
    * ``hole=AsKd board=2c7dTh pot=300 to_call=100 stack=2000 players=3 blinds=50/100``;
    * words: ``6 players, blinds 50/100, stacks 10000, button, AsKd; folds to me``.

    Args:
        text: the spot.
        game: the game of a match state; default: the usual ACPC game for its number of players. The other forms name
            their game.

    Raises:
        NotationError: the text has none of these forms, or something in it is impossible.
        RulesError: an action in it is not legal where it stands.
    """
    spot = text.strip()
    if not spot:
        raise NotationError("the state is empty: expected a match state, a PHH hand, key=value words or plain words")
    if spot.startswith("MATCHSTATE"):
        return _of_matchstate(spot, game)
    if game is not None:
        raise NotationError("a game is given for a state that names its game itself")
    if re.search(r"^\s*variant\s*=", spot, re.MULTILINE):
        return _of_phh(spot)
    if re.match(r"\w+\s*=", spot):
        return _of_keys(spot)
    return view_of_words(spot)


def _of_matchstate(text: str, game: GameSpec | None) -> View:
    match = parse_matchstate(text)
    if game is None:
        kind = "limit" if re.search(r"r(?!\d)", match.betting) else "nolimit"
        game = load_game(f"holdem.{kind}.{match.players}p")
    return _view(match.play(game), match.position, text)


def _of_phh(text: str) -> View:
    tables = list(read_phh_tables(text.splitlines()))
    if len(tables) != 1:
        raise NotationError(f"the PHH text holds {len(tables)} hands: expected one, up to the decision")
    table = tables[0]
    if isinstance(table, NotationError):
        raise table
    state = state_of_phh(table.fields)
    return _view(state, state.actor, "the PHH hand")


def _view(state: HandState, position: int, text: str) -> View:
    """The view of ``position``, which must be to act and know its cards.

    Raises:
        NotationError: the hand is over, somebody else is to act, or the cards are missing.
    """
    text = text if text.startswith("the ") else repr(text)
    if state.finished:
        raise NotationError(f"{text}: the hand is over, there is nothing to decide")
    if state.actor != position:
        raise NotationError(f"{text}: position {state.actor} is to act, not the viewer's position {position}")
    view = state.view(position)
    if NO_CARD in view.hole:
        raise NotationError(f"{text}: the hole cards of the player to act (position {position}) are missing")
    if len(view.board) != BOARD_CARDS[view.street]:
        raise NotationError(f"{text}: the board has {len(view.board)} cards on street {view.street}")
    return view


def _number(key: str, text: str, low: int) -> int:
    number = whole_number(text.replace("_", ""), 10**12 - 1)
    if number is None or number < low:
        raise NotationError(f"{key}={text!r}: expected a whole number of at least {low}")
    return number


def _of_keys(text: str) -> View:
    """The short form: a spot with these figures, reached by calls, checks and at most one bet. Chips that this does not
    explain are dead money in the pot."""
    values: dict[str, str] = {}
    for word in re.sub(r"[;,]\s", " ", re.sub(r"\s*=\s*", "=", text)).split():
        key, equals, value = word.partition("=")
        if key not in _KEYS:
            raise NotationError(f"{word!r} in {text!r}: unknown key {key!r}: {nearest(key, _KEYS)}")
        if not equals or not value:
            raise NotationError(f"{word!r} in {text!r}: expected {key}=value ({_KEYS[key]})")
        if key in values:
            raise NotationError(f"{key!r} stands twice in {text!r}")
        values[key] = value
    if "hole" not in values:
        raise NotationError(f"{text!r} lacks hole=, your two cards, as in hole=AsKd")
    hole = cards(values["hole"])
    board = cards(values.get("board", ""))
    if len(hole) != 2:
        raise NotationError(f"hole={values['hole']!r} holds {len(hole)} cards: expected two")
    if len(board) not in (0, 3, 4, 5):
        raise NotationError(f"board={values['board']!r} holds {len(board)} cards: expected 3, 4 or 5")
    n = _number("players", values.get("players", "2"), 2)
    if n > 10:
        raise NotationError(f"players={n}: expected 2 to 10")
    small, slash, big = values.get("blinds", "50/100").partition("/")
    if not slash:
        raise NotationError(f"blinds={values['blinds']!r}: expected small/big, as in blinds=50/100")
    blinds = (_number("blinds", small, 0), _number("blinds", big, 1))
    to_call = _number("to_call", values.get("to_call", "0"), 0)
    pot = _number("pot", values["pot"], 0) if "pot" in values else None
    if "blinds" not in values:
        # The largest usual blinds that the figures allow.
        for big_blind in (100, 50, 20, 10, 4, 2):
            blinds = (big_blind // 2, big_blind)
            put = _script(n, blinds, to_call, bool(board))[2]
            if (pot is None or sum(put) <= pot) and (to_call == 0 or to_call >= big_blind or to_call == blinds[0]):
                break
    stack = _number("stack", values.get("stack", str(100 * blinds[1])), 1)
    others = _number("others", values.get("others", str(stack)), 0)
    me, script, put = _script(n, blinds, to_call, bool(board))
    least = sum(put)
    if pot is None:
        pot = least
    if pot < least:
        raise NotationError(
            f"pot={pot} is too small: with {n} players in, blinds {blinds[0]}/{blinds[1]} and {to_call} to call it "
            f"holds at least {least} (give blinds=, or fewer players)"
        )
    # The first position that is not ours posts the rest as a dead ante.
    dead = [0] * n
    dead[0 if me != 0 else 1] = pot - least
    stacks = [put[i] + dead[i] + max(stack if i == me else others, 1 if put[i] + dead[i] == 0 else 0) for i in range(n)]
    spec = GameSpec.no_limit(n, blinds, [max(s, 1) for s in stacks], dead)
    state = HandState(spec, [hole if i == me else None for i in range(n)], board)
    try:
        while state.street < max(len(board) - 2, 0):
            state.apply(Action.call())
        for action in script:
            state.apply(action)
    except RulesError as error:
        raise NotationError(f"{text!r} cannot come about: {error}") from error
    return _view(state, me, text)


def _script(n: int, blinds: tuple[int, int], to_call: int, after_flop: bool) -> tuple[int, list[Action], list[int]]:
    """Our position, the actions of this street before ours, and the chips that each player has put in by then."""
    small, big = blinds
    call = Action.call()
    if after_flop:
        put = [big] * n
        if not to_call:
            return n - 1, [call] * (n - 1), put
        put[n - 2] += to_call
        return n - 1, [call] * (n - 2) + [Action.raise_to(big + to_call)], put
    sb, bb = (1, 0) if n == 2 else (0, 1)
    put = [big] * n
    if to_call == big - small and to_call > 0:
        put[sb] = small
        return sb, [call] * (n - 2), put
    if to_call == big and n > 2:
        put[sb] = small
        put[n - 1] = 0
        return n - 1, [call] * (n - 3), put
    if not to_call:
        return bb, [call] * (n - 1), put
    put[sb] += to_call
    return bb, [call] * (n - 2) + [Action.raise_to(big + to_call)], put
