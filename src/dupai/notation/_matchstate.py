"""``MATCHSTATE`` messages: what the dealer sends to one player after every action."""

from __future__ import annotations

import msgspec

from dupai.base import NotationError, whole_number
from dupai.notation._acpc import Hole, betting_text, cards_field, parse_betting, parse_cards, play_betting
from dupai.rules import Action, GameSpec, HandState, View

_SHAPE = "MATCHSTATE:position:hand:betting:cards"


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
        raise NotationError(f"{line!r} is not a match state: expected {_SHAPE}")
    _, position, hand, betting, cards = fields
    for what, value in (("position", position), ("hand", hand)):
        if whole_number(value) is None:
            raise NotationError(f"{what} {value!r} of {line!r}: expected digits")
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


def split_answer(text: str) -> tuple[str, str]:
    """A player's answer, ``state:action``, in its two parts.

    Raises:
        NotationError: there is no action.
    """
    state, _, action = text.rstrip("\r\n").rpartition(":")
    if not state.startswith("MATCHSTATE:") or not action:
        raise NotationError(f"{text.rstrip()!r} is not an answer: expected {_SHAPE}:action")
    return state, action


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
