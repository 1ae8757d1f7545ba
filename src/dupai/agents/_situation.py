"""A spot described in text, as the view of the player who has to decide."""

from __future__ import annotations

import re

from dupai.agents._words import view_of_words
from dupai.base import NotationError, RulesError, nearest
from dupai.cards import cards
from dupai.notation import parse_matchstate, read_phh_tables, state_of_phh
from dupai.rules import Action, GameSpec, HandState, View, load_game

#: Keys of the short form and what they mean.
KEYS = {
    "hole": "your two cards",
    "board": "3 to 5 open cards",
    "pot": "chips in the pot, the bet that you face included",
    "to_call": "chips that a call costs",
    "stack": "your chips behind",
    "others": "chips behind of everybody else",
    "players": "players still in, you included",
    "blinds": "small/big; left out: 50/100, or less if the pot is small",
}


def view_from_text(text: str, game: GameSpec | None = None) -> View:
    """The view of the player to act in a spot that is given as text, in one of these forms:

    * an ACPC match state, ``MATCHSTATE:1:0:cr250:|AsKd``;
    * a hand in PHH up to where a decision is due;
    * ``hole=AsKd board=2c7dTh pot=300 to_call=100 stack=2000 players=3 blinds=50/100``;
    * words: ``6 players, blinds 50/100, stacks 10000, button, AsKd; folds to me``.

    Args:
        text: the spot.
        game: the game of a match state; default: the usual ACPC game for its number of players. The other forms say
            what is played.

    Raises:
        NotationError: the text is none of these, or something in it cannot be.
        RulesError: an action in it is not legal where it stands.
    """
    said = text.strip()
    if not said:
        raise NotationError("the state is empty: expected a match state, a PHH hand, key=value words or plain words")
    if said.startswith("MATCHSTATE"):
        return _of_matchstate(said, game)
    if game is not None:
        raise NotationError("a game is given beside a state that says itself what is played")
    if re.search(r"^\s*variant\s*=", said, re.MULTILINE):
        return _of_phh(said)
    if re.match(r"\w+\s*=", said):
        return _of_keys(said)
    return view_of_words(said)


def _of_matchstate(text: str, game: GameSpec | None) -> View:
    told = parse_matchstate(text)
    if game is None:
        kind = "limit" if re.search(r"r(?!\d)", told.betting) else "nolimit"
        game = load_game(f"holdem.{kind}.{told.players}p")
    return asked(told.play(game), told.position, text)


def _of_phh(text: str) -> View:
    tables = list(read_phh_tables(text.splitlines()))
    if len(tables) != 1:
        raise NotationError(f"the PHH text holds {len(tables)} hands: expected one, up to the decision")
    table = tables[0]
    if isinstance(table, NotationError):
        raise table
    state = state_of_phh(table.fields)
    return asked(state, state.actor, "the PHH hand")


def asked(state: HandState, position: int, text: str) -> View:
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
    if 255 in view.hole:
        raise NotationError(f"{text}: the hole cards of the player to act (position {position}) are missing")
    if len(view.board) != (0, 3, 4, 5)[view.street]:
        raise NotationError(f"{text}: the board has {len(view.board)} cards on street {view.street}")
    return view


def _number(key: str, text: str, low: int) -> int:
    digits = text.replace("_", "")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12 or int(digits) < low:
        raise NotationError(f"{key}={text!r}: expected a whole number of at least {low}")
    return int(digits)


def _of_keys(text: str) -> View:
    """The short form: a spot with these figures, reached by calls, checks and at most one bet; chips that this does
    not explain lie in the pot as dead money."""
    given: dict[str, str] = {}
    for word in re.sub(r"[;,]\s", " ", re.sub(r"\s*=\s*", "=", text)).split():
        key, equals, value = word.partition("=")
        if key not in KEYS:
            raise NotationError(f"{word!r} in {text!r}: unknown key {key!r}: {nearest(key, KEYS)}")
        if not equals or not value:
            raise NotationError(f"{word!r} in {text!r}: expected {key}=value ({KEYS[key]})")
        if key in given:
            raise NotationError(f"{key!r} stands twice in {text!r}")
        given[key] = value
    if "hole" not in given:
        raise NotationError(f"{text!r} lacks hole=, your two cards, as in hole=AsKd")
    hole = cards(given["hole"])
    board = cards(given.get("board", ""))
    if len(hole) != 2:
        raise NotationError(f"hole={given['hole']!r} holds {len(hole)} cards: expected two")
    if len(board) not in (0, 3, 4, 5):
        raise NotationError(f"board={given['board']!r} holds {len(board)} cards: expected 3, 4 or 5")
    n = _number("players", given.get("players", "2"), 2)
    if n > 10:
        raise NotationError(f"players={n}: expected 2 to 10")
    small, slash, big = given.get("blinds", "50/100").partition("/")
    if not slash:
        raise NotationError(f"blinds={given['blinds']!r}: expected small/big, as in blinds=50/100")
    blinds = (_number("blinds", small, 0), _number("blinds", big, 1))
    to_call = _number("to_call", given.get("to_call", "0"), 0)
    pot = _number("pot", given["pot"], 0) if "pot" in given else None
    if "blinds" not in given:
        # Nothing was said: the largest usual blinds with which the figures can be.
        for big_blind in (100, 50, 20, 10, 4, 2):
            blinds = (big_blind // 2, big_blind)
            put = _script(n, blinds, to_call, bool(board))[2]
            if (pot is None or sum(put) <= pot) and (to_call == 0 or to_call >= big_blind or to_call == blinds[0]):
                break
    stack = _number("stack", given.get("stack", str(100 * blinds[1])), 1)
    others = _number("others", given.get("others", str(stack)), 0)
    me, script, put = _script(n, blinds, to_call, bool(board))
    least = sum(put)
    if pot is None:
        pot = least
    if pot < least:
        raise NotationError(
            f"pot={pot} is too small: with {n} players in, blinds {blinds[0]}/{blinds[1]} and {to_call} to call it "
            f"holds at least {least} (say blinds=, or fewer players)"
        )
    # Whoever put it there: the first position that is not ours posts the rest as a dead ante.
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
    return asked(state, me, text)


def _script(n: int, blinds: tuple[int, int], to_call: int, after_flop: bool) -> tuple[int, list[Action], list[int]]:
    """Our position, the actions of this street before ours, and the chips that everybody has put in by then."""
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
