"""One hand in ACPC text: ``STATE`` lines of a log, and the betting and card fields that match states share.

Source: the ACPC dealer protocol 2.0.0 and the reference dealer's behaviour.
"""

from __future__ import annotations

import re

import msgspec

from dupai.base import NotationError, RulesError
from dupai.base.text import whole_number
from dupai.cards import NO_CARD, card, card_text, cards_text
from dupai.notation._chips import format_chips, parse_chips, quote
from dupai.rules import BOARD_CARDS, RAISE, STREETS, Action, GameSpec, HandRecord, HandState, View

_FIELDS = ("STATE", "hand", "betting", "cards", "payoffs", "names")
_SHAPE = "STATE:hand:betting:cards:payoffs:names"
_TOKEN = re.compile(r"f|c|r[0-9]*")
#: More digits than any stack has.
_DIGITS = 15
_UNKNOWN = (NO_CARD, NO_CARD)
_ACTIONS = {"f": Action.fold(), "c": Action.call()}

Hole = tuple[int, int]


def parse_betting(text: str) -> tuple[tuple[str, ...], ...]:
    """Tokens ``f``, ``c``, ``r`` or ``r300`` of each round of an ACPC betting string.

    Raises:
        NotationError: it has more than four rounds, or something that is not an action.
    """
    rounds = text.split("/")
    if len(rounds) > STREETS:
        raise NotationError(f"betting {text!r} has {len(rounds)} rounds: expected at most {STREETS}")
    parsed = []
    for part in rounds:
        tokens = tuple(_TOKEN.findall(part))
        if sum(map(len, tokens)) != len(part):
            rest = _TOKEN.sub("", part)
            raise NotationError(f"betting {text!r} has {rest[:8]!r}: expected f, c, r and a number, and /")
        if any(len(t) > _DIGITS + 1 for t in tokens):
            raise NotationError(f"betting {text!r} has a number of more than {_DIGITS} digits")
        parsed.append(tokens)
    return tuple(parsed)


def parse_cards(text: str, players: int | None, rounds: int) -> tuple[tuple[Hole, ...], tuple[int, ...]]:
    """Hole cards by position (255 where the slot is empty) and board of an ACPC card field with ``rounds`` rounds.

    Raises:
        NotationError: a card is malformed or appears twice, or there are too few or too many cards or slots.
    """
    slots, *boards = text.split("/")
    texts = slots.split("|")
    if players is not None and len(texts) != players:
        raise NotationError(f"cards {text!r} have {len(texts)} hole-card slots: expected {players}, one per position")
    seen: set[int] = set()

    def read(piece: str, count: int, place: str) -> tuple[int, ...]:
        if len(piece) != 2 * count:
            noun = "card" if count == 1 else "cards"
            raise NotationError(f"cards {text!r}: {place} is {piece!r}: expected {count} {noun}")
        numbers = []
        for k in range(0, len(piece), 2):
            c = card(piece[k : k + 2])
            if card_text(c) != piece[k : k + 2]:
                raise NotationError(f"cards {text!r}: {piece[k : k + 2]!r} is written {card_text(c)!r}")
            if c in seen:
                raise NotationError(f"cards {text!r}: card {card_text(c)} stands twice")
            seen.add(c)
            numbers.append(c)
        return tuple(numbers)

    holes = [read(piece, 2, f"the hand of position {p}") if piece else _UNKNOWN for p, piece in enumerate(texts)]
    if len(boards) != rounds - 1:
        raise NotationError(
            f"cards {text!r} have {len(boards)} board sections: expected {rounds - 1}, "
            f"as the betting has {rounds} rounds"
        )
    board: tuple[int, ...] = ()
    for k, piece in enumerate(boards):
        board += read(piece, BOARD_CARDS[k + 1] - BOARD_CARDS[k], ("the flop", "the turn", "the river")[k])
    return tuple((a, b) for a, b in holes), board


def play_betting(state: HandState, rounds: tuple[tuple[str, ...], ...], betting: str) -> tuple[str, ...]:
    """Apply the actions of an ACPC betting string. Returns the rounds of checks that some logs write after everybody is
    all-in: one ``c`` for each live player in a round, where the rules leave nothing to decide.

    Raises:
        NotationError: a round starts too early or too late, or a raise lacks its number (or has one in a limit game).
        RulesError: an action is not legal where it stands.
    """
    limit = state.spec.betting == "limit"
    number = 0
    padding: list[str] = []
    for street, tokens in enumerate(rounds):
        if state.finished and street:
            live = int(state.state["live"][0])
            if tokens not in ((), ("c",) * live) or live < 2:
                raise NotationError(
                    f"betting {betting!r} goes on with {''.join(tokens) or '/'!r} after the hand was over"
                )
            padding.append("".join(tokens))
            continue
        if street and state.street != street:
            raise NotationError(
                f"betting {betting!r}: round {street + 1} begins before round {street} is closed"
                f" (position {state.actor} is to act)"
            )
        for token in tokens:
            number += 1
            if state.finished or state.street != street:
                raise NotationError(
                    f"betting {betting!r}: action {number} ({token!r}) stands after its round is closed"
                )
            if token[0] == "r" and (len(token) == 1) != limit:
                raise NotationError(
                    f"betting {betting!r}: action {number} is {token!r}: expected "
                    + ("r without a number (a limit game)" if limit else "r and a number (the total raised to)")
                )
            try:
                state.apply(_ACTIONS.get(token) or Action(RAISE, int(token[1:] or 0)))
            except RulesError as error:
                raise RulesError(f"betting {betting!r}: action {number} by position {state.actor}: {error}") from None
    return tuple(padding)


def parse_acpc_line(line: str, spec: GameSpec, *, section: str = "") -> HandRecord:
    """The hand of one ``STATE`` line of a game. Payoffs are those of the line (:func:`dupai.history.check_record`
    recomputes them); checks written after an all-in are left out (``acpc_padding`` keeps them).

    Raises:
        NotationError: the line is not well formed; quotes the text and says what was expected.
        RulesError: an action is not legal where it stands.
    """
    return parse_acpc_padded(line, spec, section=section)[0]


def parse_acpc_padded(line: str, spec: GameSpec, *, section: str = "") -> tuple[HandRecord, str]:
    """As :func:`parse_acpc_line`, and how the rounds after an all-in are written: ``""`` or for example ``"cc/cc"``."""
    text = line.rstrip("\r\n")
    fields = text.split(":", 5)
    if fields[0] != "STATE":
        raise NotationError(f"{quote(text)} is not a hand: expected {_SHAPE}")
    if len(fields) != 6:
        raise NotationError(
            f"{quote(text)} ends in its field {_FIELDS[len(fields) - 1]!r} ({len(fields)} of 6): expected {_SHAPE}"
        )
    _, number, betting, cards, results, named = fields
    hand = whole_number(number)
    if hand is None:
        raise NotationError(f"hand number {number!r} of {quote(text)}: expected digits")
    n = spec.players
    names = tuple(named.split("|"))
    if len(names) != n or not all(names):
        raise NotationError(f"names {named!r}: expected {n}, one per position")
    rounds = parse_betting(betting)
    hole, board = parse_cards(cards, n, len(rounds))
    amounts = results.split("|")
    if len(amounts) != n:
        raise NotationError(f"payoffs {results!r} are {len(amounts)}: expected {n}, one per position")
    payoffs = tuple(parse_chips(a, spec.split) for a in amounts)
    seats = tuple((position + hand) % n for position in range(n))
    state = HandState(spec, hole, board, None, seats, hand)
    padding = play_betting(state, rounds, betting)
    if not state.finished:
        raise NotationError(
            f"betting {betting!r} stops before the hand is over: position {state.actor} may {state.legal}"
        )
    need = state.street + 1
    if len(rounds) != need:
        raise NotationError(f"betting {betting!r} has {len(rounds)} rounds: expected {need}, as the hand went that far")
    record = state.record(names, payoffs=payoffs, section=section)
    return record, "/".join(padding)


def betting_text(state: HandState | View, padding: str = "") -> str:
    """The ACPC betting string of a hand so far; ``padding`` is written in the rounds after an all-in."""
    limit = state.spec.betting == "limit"
    rounds: list[list[str]] = [[] for _ in range(state.street + 1)]
    for street, _, action in state.actions:
        rounds[street].append("r" if limit and action.kind == RAISE else str(action))
    after = padding.split("/") if padding else []
    played = len(rounds) - len(after)
    return "/".join(["".join(r) for r in rounds[:played]] + after)


def cards_field(hole: tuple[Hole, ...], board: tuple[int, ...], street: int) -> str:
    """Hole cards (nothing where unknown) and the board up to a street as an ACPC card field.

    Raises:
        NotationError: only one card of a hand is known, or the board is not known so far.
    """
    slots = []
    for position, two in enumerate(hole):
        known = [c for c in two if c != NO_CARD]
        if len(known) == 1:
            raise NotationError(f"one card of position {position} is unknown: ACPC text needs both or none")
        slots.append(cards_text(known))
    if len(board) < BOARD_CARDS[street] or NO_CARD in board:
        raise NotationError(f"the board {cards_text(board)!r} is not known up to street {street}: ACPC text needs it")
    parts = [cards_text(board[BOARD_CARDS[k - 1] : BOARD_CARDS[k]]) for k in range(1, street + 1)]
    return "/".join(["|".join(slots), *parts])


def format_acpc(record: HandRecord, *, padding: str = "") -> str:
    """One ``STATE`` line (without a line end) of a finished hand; ``parse_acpc_line`` reads it back.

    ``padding`` is written in the rounds after an all-in (the dealer writes nothing).

    Raises:
        NotationError: the record holds something that such a line cannot: antes, stacks other than those of the game,
            rake, half-known hole cards, names with ``|`` or line ends.
    """
    spec = record.spec
    if any(spec.antes):
        raise NotationError("ACPC logs have no antes: write this hand as PHH")
    if record.stacks != spec.stacks:
        raise NotationError(
            f"ACPC logs do not state stacks, and those of this hand ({', '.join(map(str, record.stacks))}) are not "
            f"those of the game ({', '.join(map(str, spec.stacks))}): write it as PHH"
        )
    if record.rake:
        raise NotationError("ACPC logs have no rake: write this hand as PHH")
    names = record.names or tuple(f"p{i + 1}" for i in range(spec.players))
    for name in names:
        if not name or set(name) & set("|\r\n"):
            raise NotationError(f"the name {name!r} cannot stand in an ACPC log: expected text without | and line ends")
    state = record.at()
    if not state.finished:
        raise NotationError(f"hand {record.hand} is not over: an ACPC log holds finished hands only")
    betting, cards = betting_text(state, padding), cards_field(record.hole, record.board, state.street)
    payoffs = "|".join(format_chips(p, spec.split) for p in record.payoffs)
    return f"STATE:{record.hand}:{betting}:{cards}:{payoffs}:{'|'.join(names)}"


# match states: what the dealer sends to one player after every action -----------------------------------------------

_MATCH_SHAPE = "MATCHSTATE:position:hand:betting:cards"


class MatchState(msgspec.Struct, frozen=True):
    """A match state as text says it: whose it is, hand number, betting string, hole cards (255 unseen), open board."""

    position: int
    hand: int
    betting: str
    hole: tuple[Hole, ...]
    board: tuple[int, ...]

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.hole)

    def play(self, spec: GameSpec) -> HandState:
        """The hand in play, replayed under ``spec`` (cards that were not seen are 255).

        Raises:
            NotationError: another number of players, or betting that does not fit the rounds of the game.
            RulesError: an action is not legal where it stands.
        """
        n = self.players
        if n != spec.players:
            raise NotationError(f"the match state has {n} hole-card slots: the game has {spec.players} players")
        seats = tuple((p + self.hand) % n for p in range(n))
        state = HandState(spec, self.hole, self.board, None, seats, self.hand)
        play_betting(state, parse_betting(self.betting), self.betting)
        rounds = self.betting.count("/") + 1
        if rounds != state.street + 1:
            raise NotationError(
                f"betting {self.betting!r} has {rounds} rounds: expected {state.street + 1}, as the last one is closed"
            )
        return state


def parse_matchstate(text: str) -> MatchState:
    """Read ``MATCHSTATE:position:hand:betting:cards``.

    Raises:
        NotationError: it is not one; quotes the text and says what was expected.
    """
    line = text.rstrip("\r\n")
    fields = line.split(":")
    if len(fields) != 5 or fields[0] != "MATCHSTATE":
        raise NotationError(f"{line!r} is not a match state: expected {_MATCH_SHAPE}")
    _, position, hand, betting, cards = fields
    for field, value in (("position", position), ("hand", hand)):
        if whole_number(value) is None:
            raise NotationError(f"{field} {value!r} of {line!r}: expected digits")
    rounds = parse_betting(betting)
    hole, board = parse_cards(cards, None, len(rounds))
    if not 2 <= len(hole) <= 10:
        raise NotationError(f"{line!r} has {len(hole)} hole-card slots: expected 2 to 10, one per player")
    if int(position) >= len(hole):
        raise NotationError(f"position {position} of {line!r}: expected 0 to {len(hole) - 1}")
    return MatchState(int(position), int(hand), betting, hole, board)


def format_matchstate(view: View | HandState, position: int | None = None) -> str:
    """The match state that ``position`` (default: the viewer's) is told; of a view only what it sees is written.

    Raises:
        NotationError: no position is known (an observer's view), or the open board is not.
    """
    if isinstance(view, HandState):
        if position is None:
            raise NotationError("a match state is one player's: say which position")
        view = view.view(position)
    elif position is None:
        position = view.position
    if position is None:
        raise NotationError("a match state is one player's: an observer's view has none")
    hole = tuple(view.hole_of(i) for i in range(view.spec.players))
    return f"MATCHSTATE:{position}:{view.hand}:{betting_text(view)}:{cards_field(hole, view.board, view.street)}"


def parse_action(text: str, *, limit: bool = False) -> Action:
    """``f``, ``c`` or ``r300`` (limit: ``r``).

    Raises:
        NotationError: it is none of them.
    """
    if text == "f":
        return Action.fold()
    if text == "c":
        return Action.call()
    size = 0 if limit and text == "r" else whole_number(text[1:]) if text[:1] == "r" else None
    if size is not None:
        return Action.raise_to(size)
    raise NotationError(f"{text!r} is not an action: expected f, c or {'r' if limit else 'r and the total raised to'}")
