"""A spot in plain words: ``6 players, blinds 50/100, stacks 10000, button, AsKd; utg raises to 300, folds to me``.

The first part, up to a semicolon, is the table: clauses between commas, in any order. Each further part is a street,
the first one before the flop: actions between commas, in turn. A later street starts with its name and cards::

    flop 2c7dTh: checks to me        turn 5s: sb bets 300, bb calls        river Ah
"""

from __future__ import annotations

import re

from dupai.base import NotationError, RulesError
from dupai.cards import cards
from dupai.rules import RAISE, Action, GameSpec, HandState, View

_STREETS = ("preflop", "flop", "turn", "river")
_WHEN = ("before the flop", "on the flop", "on the turn", "on the river")
_POSITION = r"sb|small blind|bb|big blind|utg(?:\s*\+\s*\d)?|lj|lojack|hj|hijack|co|cutoff|btn|bu|button|dealer"
_ME = r"i|me|hero"
_CARDS = r"(?:(?:10|[2-9tjqka])[cdhs][\s,]*)+"
_ACTION = re.compile(
    rf"(?:(?P<who>{_ME}|{_POSITION})\s+)?(?P<verb>folds?|checks?|calls?|bets?|raises?|shoves?|goes all.?in|all.?in)"
    rf"(?:\s+(?P<to>to\s+)?(?P<amount>\d+))?(?:\s+(?:around\s+)?to\s+(?P<until>{_ME}|{_POSITION}))?"
)
_HEADER = re.compile(rf"(?P<street>pre-?flop|flop|turn|river)\s*(?P<cards>{_CARDS})?\s*(?::|$)\s*")
_EXPECTED = "folds, checks, calls, bets 300, raises to 300 or all-in, with who does it before it or 'to me' after it"


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
    short = {
        "small blind": "sb",
        "big blind": "bb",
        "lojack": "lj",
        "hijack": "hj",
        "cutoff": "co",
        "btn": "button",
        "bu": "button",
        "dealer": "button",
    }
    name = re.sub(r"\s*\+\s*", "+", text)
    name = short.get(name, name)
    names = position_names(players)
    if name not in names:
        raise NotationError(f"{clause!r}: no {name} among {players} players: expected one of {', '.join(names)}")
    return names[name]


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
            NotationError: it says nothing that is known.
        """
        if text in ("no-limit", "limit", "pot-limit", "no limit", "pot limit"):
            self.betting = text.replace(" ", "-")
        elif text in ("heads-up", "heads up"):
            self.players = 2
        elif found := re.fullmatch(r"(\d{1,3})(?: players?|[- ](?:handed|max))", text):
            self.players = int(found[1])
            if not 2 <= self.players <= 10:
                raise NotationError(f"{text!r}: expected 2 to 10 players")
        elif found := re.fullmatch(r"blinds? (\d{1,12})\s*/\s*(\d{1,12})", text):
            self.blinds = (int(found[1]), int(found[2]))
        elif found := re.fullmatch(r"antes? (\d{1,12})", text):
            self.ante = int(found[1])
        elif found := re.fullmatch(r"stacks? (\d{1,12}(?:\s*/\s*\d{1,12})*)", text):
            self.stacks = tuple(int(x) for x in found[1].split("/"))
        elif found := re.fullmatch(
            rf"(?:(?:i am|i'm|me|hero)\s+)?(?:on |in )?(?:the )?(?P<p>{_POSITION})?\s*(?:with |holding |hole )?"
            rf"(?P<c>{_CARDS})?",
            text,
        ):
            if found["p"]:
                self.position = found["p"]
            if found["c"]:
                self.hole = cards(found["c"])
                if len(self.hole) != 2:
                    raise NotationError(f"{text!r} holds {len(self.hole)} cards: expected your two hole cards")
        else:
            raise NotationError(
                f"{text!r} is not understood: expected '6 players', 'heads-up', 'limit', 'blinds 50/100', 'ante 10', "
                "'stacks 10000', a position as 'button', or your two cards as 'AsKd'"
            )

    def state(self, text: str) -> tuple[HandState, int]:
        """The hand as it begins, and our position.

        Raises:
            NotationError: something needed was not said.
        """
        if self.hole is None:
            raise NotationError(f"{text!r} does not say your two cards, as in 'button with AsKd'")
        n = self.players or 2
        if not self.position and n > 2:
            raise NotationError(f"{text!r} does not say your position: {', '.join(position_names(n))}")
        me = _position(self.position or "button", n, text)
        stacks = self.stacks or (100 * self.blinds[1],)
        if len(stacks) not in (1, n):
            raise NotationError(f"{text!r}: {len(stacks)} stacks for {n} players: expected one for all, or sb/bb/...")
        if len(stacks) == 1:
            stacks = stacks * n
        elif n == 2:
            stacks = stacks[::-1]
        big = self.blinds[1]
        if self.betting == "limit":
            spec = GameSpec.limit(n, self.blinds, (big, big, 2 * big, 2 * big), stacks, self.ante)
        elif self.betting == "pot-limit":
            spec = GameSpec.pot_limit(n, self.blinds, stacks, self.ante)
        else:
            spec = GameSpec.no_limit(n, self.blinds, stacks, self.ante)
        return HandState(spec, [self.hole if i == me else None for i in range(n)]), me


def view_of_words(text: str) -> View:
    """The view of the player to act in a spot in plain words (see the module).

    Raises:
        NotationError: a part is not understood, quoted with what was expected; or it is not our turn at the end.
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
        raise NotationError(f"{text!r} cannot come about: {error}") from error
    if state.finished:
        raise NotationError(f"{text!r}: the hand is over, there is nothing to decide")
    if state.actor != me:
        who, you = (_name(p, state.spec.players) for p in (state.actor, me))
        raise NotationError(f"{text!r}: now {who} is to act, not you ({you}): say what they do, as 'folds to me'")
    view = state.view(me)
    if len(view.board) != (0, 3, 4, 5)[view.street]:
        wanted = ("", "flop 2c7dTh", "turn 5s", "river Ah")[view.street]
        raise NotationError(f"{text!r}: the {_STREETS[view.street]} is not said: expected a part as '{wanted}: ...'")
    return view


def _name(position: int, players: int) -> str:
    return next(name for name, p in position_names(players).items() if p == position)


def _street(state: HandState, me: int, part: str) -> None:
    actions = part
    if header := _HEADER.match(part):
        name = header["street"].replace("-", "")
        street = _STREETS.index(name)
        if state.finished or state.street != street:
            now = "over" if state.finished else _WHEN[state.street]
            raise NotationError(f"{part!r}: the hand is {now} by what was said, not {_WHEN[street]}")
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
    found = _ACTION.fullmatch(clause)
    if found is None:
        raise NotationError(f"{clause!r} is not an action: expected {_EXPECTED}")
    if state.finished:
        raise NotationError(f"{clause!r}: the hand is over by then")
    players = state.spec.players

    def place(text: str) -> int:
        return me if re.fullmatch(_ME, text) else _position(text, players, clause)

    if found["who"] and place(found["who"]) != state.actor:
        raise NotationError(f"{clause!r}: {_name(state.actor, players)} is to act, not {found['who']}")
    verb = found["verb"]
    needs_amount = verb[:3] in ("bet", "rai") and state.spec.betting != "limit"
    if (needs_amount and not found["amount"]) or (found["amount"] and verb[:3] not in ("bet", "rai")):
        raise NotationError(f"{clause!r} is not an action: expected {_EXPECTED}")
    action = _action(state, verb, int(found["amount"] or 0), clause)
    if found["until"] is None:
        state.apply(action)
        return
    if action.kind == RAISE:
        raise NotationError(f"{clause!r}: only folds, checks and calls go round to somebody")
    until = place(found["until"])
    street = state.street
    while state.actor != until:
        state.apply(action)
        if state.finished or state.street != street:
            raise NotationError(f"{clause!r}: the street is over before it comes to {found['until']}")


def _action(state: HandState, verb: str, amount: int, clause: str) -> Action:
    row = state.state[0]
    p = state.actor
    before = int(row["total"][p] - row["bet"][p])
    if verb.startswith("fold"):
        return Action.fold()
    if verb.startswith("check"):
        if state.to_call:
            raise NotationError(f"{clause!r}: {state.to_call} is to be called there, checking is not possible")
        return Action.call()
    if verb.startswith("call"):
        return Action.call()
    if verb.startswith(("bet", "raise")):
        return Action.raise_to(before + amount if amount else 0)
    most = state.legal.max_to
    return Action.raise_to(most) if most else Action.call()
