"""A spot in plain words: ``6 players, blinds 50/100, stacks 10000, button, AsKd; utg raises to 300, folds to me``.

The first part, up to a semicolon, is the table: clauses between commas, in any order. Each further part is a street,
the first one before the flop: actions between commas, in turn. A later street starts with its name and cards::

    flop 2c7dTh: checks to me        turn 5s: sb bets 300, bb calls        river Ah
"""

from __future__ import annotations

import re

from dupai.base import NotationError, RulesError
from dupai.cards import cards
from dupai.rules import BOARD_CARDS, RAISE, STREET_WORDS, Action, GameSpec, HandState, View

_WHEN = ("before the flop", "on the flop", "on the turn", "on the river")
_ALIASES = {
    "small blind": "sb", "big blind": "bb", "lojack": "lj", "hijack": "hj", "cutoff": "co", "btn": "button",
    "bu": "button", "dealer": "button",
}  # fmt: skip
_POSITION = r"sb|small blind|bb|big blind|utg(?:\s*\+\s*\d)?|lj|lojack|hj|hijack|co|cutoff|btn|bu|button|dealer"
_ME = r"i|me|hero"
_CARDS = r"(?:(?:10|[2-9tjqka])[cdhs][\s,]*)+"
_ACTION = re.compile(
    rf"(?:(?P<actor>{_ME}|{_POSITION})\s+)?(?P<verb>folds?|checks?|calls?|bets?|raises?|shoves?|goes all.?in|all.?in)"
    rf"(?:\s+(?P<to>to\s+)?(?P<amount>\d+))?(?:\s+(?:around\s+)?to\s+(?P<until>{_ME}|{_POSITION}))?"
)
_HEADER = re.compile(rf"(?P<street>pre-?flop|flop|turn|river)\s*(?P<cards>{_CARDS})?\s*(?::|$)\s*")
_EXPECTED = "folds, checks, calls, bets 300, raises to 300 or all-in, with who does it before it or 'to me' after it"
_PLAYERS = re.compile(r"(\d{1,3})(?: players?|[- ](?:handed|max))")
_BLINDS = re.compile(r"blinds? (\d{1,12})\s*/\s*(\d{1,12})")
_ANTE = re.compile(r"antes? (\d{1,12})")
_STACKS = re.compile(r"stacks? (\d{1,12}(?:\s*/\s*\d{1,12})*)")
_OWN = re.compile(
    rf"(?:(?:i am|i'm|me|hero)\s+)?(?:on |in )?(?:the )?(?P<p>{_POSITION})?\s*(?:with |holding |hole )?(?P<c>{_CARDS})?"
)


def position_names(players: int) -> dict[str, int]:
    """Names of positions at a table (ACPC numbering): sb, bb, utg, utg+1, ..., lj, hj, co, button."""
    if players == 2:
        return {"sb": 1, "bb": 0, "button": 1}
    names = {"sb": 0, "bb": 1, "button": players - 1}
    for i in range(2, players):
        names[f"utg+{i - 2}" if i > 2 else "utg"] = i
    for back, name in ((2, "co"), (3, "hj"), (4, "lj")):
        if players - back >= 2:
            names[name] = players - back
    return names


def _position(text: str, players: int, clause: str) -> int:
    name = re.sub(r"\s*\+\s*", "+", text)
    name = _ALIASES.get(name, name)
    names = position_names(players)
    if name not in names:
        raise NotationError(f"{clause!r}: no {name} among {players} players: expected one of {', '.join(names)}")
    return names[name]


def _name(position: int, players: int) -> str:
    return next(name for name, p in position_names(players).items() if p == position)


class _Table:
    """What the first part says."""

    def __init__(self) -> None:
        self.players: int | None = None
        self.betting = "no-limit"
        self.blinds = (50, 100)
        self.ante = 0
        self.stacks: tuple[int, ...] | None = None
        self.position = ""
        self.hole: tuple[int, ...] | None = None

    def clause(self, text: str) -> None:
        """Read one clause.

        Raises:
            NotationError: it is not understood.
        """
        if text in ("no-limit", "limit", "pot-limit", "no limit", "pot limit"):
            self.betting = text.replace(" ", "-")
        elif text in ("heads-up", "heads up"):
            self.players = 2
        elif match := _PLAYERS.fullmatch(text):
            self.players = int(match[1])
            if not 2 <= self.players <= 10:
                raise NotationError(f"{text!r}: expected 2 to 10 players")
        elif match := _BLINDS.fullmatch(text):
            self.blinds = (int(match[1]), int(match[2]))
        elif match := _ANTE.fullmatch(text):
            self.ante = int(match[1])
        elif match := _STACKS.fullmatch(text):
            self.stacks = tuple(int(x) for x in match[1].split("/"))
        elif match := _OWN.fullmatch(text):
            self.position = match["p"] or self.position
            if match["c"]:
                self.hole = cards(match["c"])
                if len(self.hole) != 2:
                    raise NotationError(f"{text!r} holds {len(self.hole)} cards: expected your two hole cards")
        else:
            raise NotationError(
                f"{text!r} is not understood: expected '6 players', 'heads-up', 'limit', 'blinds 50/100', 'ante 10', "
                "'stacks 10000', a position as 'button', or your two cards as 'AsKd'"
            )

    def state(self, text: str) -> tuple[HandState, int]:
        """The hand at its beginning, and our position.

        Raises:
            NotationError: something needed is missing.
        """
        if self.hole is None:
            raise NotationError(f"{text!r} does not say your two cards, as in 'button with AsKd'")
        n = self.players or 2
        if not self.position and n > 2:
            raise NotationError(f"{text!r} does not say your position: {', '.join(position_names(n))}")
        me = _position(self.position or "button", n, text)
        big = self.blinds[1]
        stacks = self.stacks or (100 * big,)
        if len(stacks) not in (1, n):
            raise NotationError(f"{text!r}: {len(stacks)} stacks for {n} players: expected one for all, or sb/bb/...")
        stacks = stacks * n if len(stacks) == 1 else stacks[::-1] if n == 2 else stacks
        if self.betting == "limit":
            spec = GameSpec.limit(n, self.blinds, (big, big, 2 * big, 2 * big), stacks, self.ante)
        else:
            make = GameSpec.pot_limit if self.betting == "pot-limit" else GameSpec.no_limit
            spec = make(n, self.blinds, stacks, self.ante)
        return HandState(spec, [self.hole if i == me else None for i in range(n)]), me


def view_of_words(text: str) -> View:
    """The view of the player to act in a spot in plain words (see the module).

    Raises:
        NotationError: a part is not understood (quoted, with what was expected), or it is not our turn at the end.
    """
    table = _Table()
    first, *streets = [part.strip() for part in text.casefold().split(";")]
    for clause in re.split(r"\s*,\s*", first):
        if clause:
            table.clause(re.sub(r"\s+", " ", clause))
    try:
        state, me = table.state(text)
        for part in streets:
            if part:
                _street(state, me, part)
    except RulesError as error:
        raise NotationError(f"{text!r} cannot come about: {error}", text=text) from error
    if state.finished:
        raise NotationError(f"{text!r}: the hand is over, there is nothing to decide", text=text)
    if state.actor != me:
        actor, you = (_name(p, state.spec.players) for p in (state.actor, me))
        raise NotationError(f"{text!r}: now {actor} is to act, not you ({you}): say what they do, as 'folds to me'")
    view = state.view(me)
    if len(view.board) != BOARD_CARDS[view.street]:
        part = ("", "flop 2c7dTh", "turn 5s", "river Ah")[view.street]
        raise NotationError(f"{text!r}: the {STREET_WORDS[view.street]} is missing: expected a part as '{part}: ...'")
    return view


def _street(state: HandState, me: int, part: str) -> None:
    actions = part
    if header := _HEADER.match(part):
        name = header["street"].replace("-", "")
        street = STREET_WORDS.index(name)
        if state.finished or state.street != street:
            now = "over" if state.finished else _WHEN[state.street]
            raise NotationError(f"{part!r}: by then the hand is {now}, not {_WHEN[street]}")
        new = cards(header["cards"] or "")
        if len(new) != (0, 3, 1, 1)[street]:
            raise NotationError(f"{part!r}: {len(new)} cards: expected {(0, 3, 1, 1)[street]} on the {name}")
        if new:
            state.set_board((*state.board, *new))
        actions = part[header.end() :]
    for clause in re.split(r"\s*,\s*|\s+and\s+|\s+then\s+", actions):
        if clause:
            _act(state, me, clause)


def _act(state: HandState, me: int, clause: str) -> None:
    match = _ACTION.fullmatch(clause)
    if match is None:
        raise NotationError(f"{clause!r} is not an action: expected {_EXPECTED}")
    if state.finished:
        raise NotationError(f"{clause!r}: the hand is over by then")
    players = state.spec.players

    def place(text: str) -> int:
        return me if re.fullmatch(_ME, text) else _position(text, players, clause)

    if match["actor"] and place(match["actor"]) != state.actor:
        raise NotationError(f"{clause!r}: {_name(state.actor, players)} is to act, not {match['actor']}")
    verb, amount = match["verb"], match["amount"]
    sized = verb.startswith(("bet", "raise"))
    if (sized and state.spec.betting != "limit" and not amount) or (amount and not sized):
        raise NotationError(f"{clause!r} is not an action: expected {_EXPECTED}")
    action = _action(state, verb, int(amount or 0), clause)
    if match["until"] is None:
        state.apply(action)
        return
    if action.kind == RAISE:
        raise NotationError(f"{clause!r}: only folds, checks and calls go round to somebody")
    until = place(match["until"])
    street = state.street
    while state.actor != until:
        state.apply(action)
        if state.finished or state.street != street:
            raise NotationError(f"{clause!r}: the street is over before it comes to {match['until']}")


def _action(state: HandState, verb: str, amount: int, clause: str) -> Action:
    if verb.startswith("fold"):
        return Action.fold()
    if verb.startswith("check") and state.to_call:
        raise NotationError(f"{clause!r}: {state.to_call} is to be called there, checking is not possible")
    if verb.startswith(("check", "call")):
        return Action.call()
    if verb.startswith(("bet", "raise")):
        p = state.actor
        return Action.raise_to(state.contributions[p] - state.bets[p] + amount if amount else 0)
    most = state.legal.max_to
    return Action.raise_to(most) if most else Action.call()
