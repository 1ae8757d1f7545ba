"""A spot in text, as the view of the player to act.

Plain words: ``6 players, blinds 50/100, stacks 10000, button, AsKd; utg raises to 300, folds to me``.
The first part, up to a semicolon, is the table: clauses between commas, in any order. Each further part is a street,
the first one before the flop: actions between commas, in turn. A later street starts with its name and cards::

    flop 2c7dTh: checks to me        turn 5s: sb bets 300, bb calls        river Ah
"""

from __future__ import annotations

import re

from dupai.base import NotationError, RulesError
from dupai.base.text import nearest, whole_number
from dupai.cards import NO_CARD, cards, suit_letters
from dupai.notation._acpc import parse_matchstate
from dupai.notation._phh import read_phh_tables, state_of_phh
from dupai.rules import BOARD_CARDS, RAISE, STREET_WORDS, Action, GameSpec, HandState, View, load_game

#: Keys of the short form and their meaning.
_KEYS = {
    "hole": "your two cards",
    "board": "3 to 5 open cards",
    "pot": "chips in the pot, including the bet that you face",
    "to_call": "chips that a call costs",
    "stack": "your chips behind; left out: 100 big blinds",
    "others": "chips behind of everybody else",
    "players": "players still in, including you and those still to act",
    "blinds": "small/big; left out: 50/100, or those that the pot and the call allow",
}


def view_from_text(text: str, game: GameSpec | None = None) -> View:
    """The view of the player to act in a spot in text, which has one of these forms:

    * an ACPC match state, ``MATCHSTATE:1:0:cr250:|AsKd``;
    * a hand in PHH up to the decision;
    * ``hole=AsKd board=2c7dTh pot=400 to_call=100 stack=2000 players=3 blinds=50/100``;
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
        game = load_game(f"holdem.{kind}.{match.players}p", files=False)
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


_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)")


def _ungrouped(text: str) -> str:
    """The text without commas between groups of three digits: ``1,036`` is one number, as this program prints it."""
    return _GROUPED.sub(lambda number: number[0].replace(",", ""), text)


def _number(key: str, text: str, low: int) -> int:
    number = whole_number(_ungrouped(text).replace("_", ""), 10**12 - 1)
    if number is None or number < low:
        raise NotationError(f"{key}={text!r}: expected a whole number of at least {low}")
    return number


def _check_blinds(blinds: tuple[int, int], text: str) -> None:
    if blinds[0] > blinds[1]:
        raise NotationError(f"{text!r}: expected small blind, then big blind, as 50/100")


def _of_keys(text: str) -> View:
    """The short form: a spot with these figures, reached by calls, checks and at most one bet or raise. Before the flop
    some players may still have to act. Chips that this does not explain are dead money in the pot."""
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
    _check_blinds(blinds, f"blinds={small}/{big}")
    to_call = _number("to_call", values.get("to_call", "0"), 0)
    pot = _number("pot", values["pot"], 0) if "pot" in values else None
    if "blinds" not in values:
        blinds = _usual_blinds(n, to_call, bool(board), pot)
    if "stack" not in values and to_call > 100 * blinds[1]:
        raise NotationError(
            f"to_call={to_call} is more than the usual stack, {100 * blinds[1]} (100 big blinds): "
            "expected stack=, your chips behind"
        )
    stack = _number("stack", values.get("stack", str(100 * blinds[1])), 1)
    others = _number("others", values.get("others", str(stack)), 0)
    me, script, put = _script(n, blinds, to_call, bool(board), pot)
    least = sum(put)
    if pot is None:
        pot = least
    if pot < least:
        raise NotationError(
            f"pot={pot} is too small: with {n} players in, blinds {blinds[0]}/{blinds[1]} and {to_call} to call it "
            f"holds at least {least} (give {'smaller ' if 'blinds' in values else ''}blinds=, or fewer players)"
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


def _usual_blinds(n: int, to_call: int, after_flop: bool, pot: int | None) -> tuple[int, int]:
    """The largest usual blinds that the figures allow; those that leave no chips unexplained come first."""
    bigs = [100, 50, 20, 10, 4, 2]
    if not after_flop and n > 2 and pot is not None and to_call and 2 * pot == 3 * to_call:
        # The figures of an unopened pot at any stakes.
        bigs.insert(1, to_call)
    allowed = []
    for big in bigs:
        blinds = (big // 2, big)
        put = sum(_script(n, blinds, to_call, after_flop, pot)[2])
        if (pot is None or put <= pot) and (to_call == 0 or to_call >= big or to_call == blinds[0]):
            allowed.append((pot is not None and put < pot, blinds))
    return min(allowed, key=lambda choice: choice[0])[1] if allowed else (1, 2)


#: Our position, the actions of this street before ours, and the chips that each player has put in by then.
_Script = tuple[int, list[Action], list[int]]


def _script(n: int, blinds: tuple[int, int], to_call: int, after_flop: bool, pot: int | None) -> _Script:
    """The start of this street that explains most of ``pot``. Without a pot, or if all hold more: the one that holds
    least."""
    scripts = _scripts(n, blinds, to_call, after_flop)
    allowed = [script for script in scripts if pot is not None and sum(script[2]) <= pot]
    return max(allowed, key=lambda script: sum(script[2])) if allowed else min(scripts, key=lambda s: sum(s[2]))


def _scripts(n: int, blinds: tuple[int, int], to_call: int, after_flop: bool) -> list[_Script]:
    small, big = blinds
    call = Action.call()
    if after_flop:
        put = [big] * n
        if not to_call:
            return [(n - 1, [call] * (n - 1), put)]
        put[n - 2] += to_call
        return [(n - 1, [call] * (n - 2) + [Action.raise_to(big + to_call)], put)]
    sb, bb = (1, 0) if n == 2 else (0, 1)
    order = [*range(2, n), sb, bb]
    posted = [0] * n
    posted[sb], posted[bb] = small, big

    def script(acted: int, limpers: int, raised: int = 0) -> _Script:
        """Of the players who acted, the first call the big blind, the next raises, the others call the raise."""
        put = posted.copy()
        for i, p in enumerate(order[:acted]):
            put[p] = big if i < limpers else raised
        callers = [] if limpers == acted else [Action.raise_to(raised), *[call] * (acted - limpers - 1)]
        return order[acted], [call] * limpers + callers, put

    if not to_call:
        return [script(n - 1, n - 1)]
    scripts = [script(n - 2, n - 2)] if to_call == big - small else []
    if to_call == big:
        scripts += [script(acted, acted) for acted in range(n - 2)]
    for acted in range(1, n):
        raised = to_call + posted[order[acted]]
        if raised >= 2 * big:
            scripts += [script(acted, limpers, raised) for limpers in range(acted)]
    # No legal raise costs so much: the rules will say so.
    return scripts or [script(n - 1, n - 2, to_call + big)]


# plain words ---------------------------------------------------------------------------------------------------------

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
            _check_blinds(self.blinds, text)
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
    first, *streets = [part.strip() for part in _ungrouped(suit_letters(text.casefold())).split(";")]
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
    raiser = -1
    for clause in re.split(r"\s*,\s*|\s+and\s+|\s+then\s+", actions):
        # This program prints 'raises to 300, all-in': the second part is about the first where that took all chips.
        if not clause or (raiser >= 0 and state.stacks[raiser] == 0 and clause in ("all-in", "all in")):
            continue
        actor = state.actor
        _act(state, me, clause)
        raiser = actor if re.search(r"\d$", clause) else -1


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
    # 'calls 200' is how this program prints a call.
    costs = verb.startswith("call") and not match["to"] and not match["until"]
    if (sized and state.spec.betting != "limit" and not amount) or (amount and not sized and not costs):
        raise NotationError(f"{clause!r} is not an action: expected {_EXPECTED}")
    if amount and costs and int(amount) != state.to_call:
        raise NotationError(f"{clause!r}: a call costs {state.to_call} there")
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
