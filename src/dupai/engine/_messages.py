"""The messages of the engine: what a program may ask, and what it is answered."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dupai.base import NotationError
from dupai.base.text import whole_number
from dupai.cards import NO_CARD, cards, cards_text
from dupai.notation import Reason
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandRecord, HandState, Line, View

#: Version of the protocol: raised when a program that keeps to the old one would break.
ENGINE_PROTOCOL = 1

#: Chips of a stack, seats of a match and hands of a match.
_MAX_CHIPS, _MAX_SEATS, _MAX_HANDS = 10**12, 100, 2**53


def action_of(text: str) -> Action:
    """The action of a text.

    Raises:
        NotationError: it is none.
    """
    if text in ("f", "c"):
        return Action.fold() if text == "f" else Action.call()
    if text[:1] == "r" and (to := whole_number(text[1:])) is not None:
        return Action.raise_to(to)
    raise NotationError(f"action {text[:40]!r}: expected f, c or r300", text=text[:40])


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand up to a decision, as one player sees it. Lists go by position: the first after the button (heads-up: the
    big blind) comes first, the button last.

    Attributes:
        game: as :class:`~dupai.rules.GameSpec` has it.
        position: the viewer; ``hole``: their cards, as ``AsKd``.
        board: the open cards; ``actions``: all so far, each ``f``, ``c`` or ``r300``.
        stacks: at the start of the hand; left out: those of the game.
        seats: fixed seats of the match; left out: the positions.
        hand: its number in the match.
    """

    game: GameSpec
    position: int
    hole: str
    board: str = ""
    actions: tuple[str, ...] = ()
    stacks: tuple[int, ...] | None = None
    seats: tuple[int, ...] | None = None
    hand: int = 0

    @classmethod
    def of(cls, view: View) -> Hand:
        """The hand of a player's view."""
        assert view.position is not None
        line = view.line
        return cls(
            line.spec, view.position, cards_text(view.hole), cards_text(view.board),
            tuple(map(str, line.actions)), line.stacks, line.seats, line.hand,
        )  # fmt: skip

    def state(self) -> HandState:
        """The hand with the viewer's cards and the open board.

        Raises:
            NotationError, RulesError: cards or actions make no sense.
        """
        n = self.game.players
        if not 0 <= self.position < n:
            raise NotationError(f"position {self.position}: expected 0 to {n - 1}")
        for name, values, low, high in (
            ("stacks", self.stacks or (), 1, _MAX_CHIPS), ("seats", self.seats or (), 0, _MAX_SEATS - 1),
            ("hand", (self.hand,), 0, _MAX_HANDS),
        ):  # fmt: skip
            for value in values:
                if not low <= value <= high:
                    raise NotationError(f"{name}: {value}: expected {low} to {high:,}")
        hole: list[Any] = [(NO_CARD, NO_CARD)] * n
        hole[self.position] = tuple(cards(self.hole))
        state = Line(
            spec=self.game, hand=self.hand, stacks=self.game.stacks if self.stacks is None else self.stacks,
            hole=tuple(hole), board=tuple(cards(self.board)), actions=tuple(map(action_of, self.actions)),
            seats=self.seats or (),
        ).at()  # fmt: skip
        given, most = len(cards(self.board)), BOARD_CARDS[state.street]
        if given > most or (given < most and not state.finished):
            raise NotationError(f"board {self.board!r}: expected {most} cards, as many as the actions open")
        return state

    def view(self) -> View:
        """The viewer's view.

        Raises:
            NotationError, RulesError: cards or actions make no sense.
        """
        return self.state().view(self.position)


# requests -----------------------------------------------------------------------------------------------------------

_TAG: dict[str, Any] = {"tag_field": "method", "frozen": True, "forbid_unknown_fields": True, "kw_only": True}


class Hello(msgspec.Struct, tag="hello", **_TAG):
    """Who are you?"""

    id: str


class Options(msgspec.Struct, tag="options", **_TAG):
    """Set options by name; they hold for later requests."""

    id: str
    set: dict[str, Any]


class Start(msgspec.Struct, tag="start", **_TAG):
    """``play``: sit an agent down in a match. ``match`` is a name that you choose."""

    id: str
    match: str
    game: GameSpec
    seat: int
    names: tuple[str, ...]
    agent: str = "rules"
    format: Literal["reset", "tournament", "cash"] = "reset"
    hands: int | None = None
    seconds_per_action: float | None = None
    seed: int = 1
    reader: str | None = None
    records: tuple[HandRecord, ...] = ()


class Act(msgspec.Struct, tag="act", **_TAG):
    """``play``: what does the agent do?"""

    id: str
    match: str
    hand: Hand


class Observe(msgspec.Struct, tag="observe", **_TAG):
    """``play``: a hand is over; the record as the seat may know it."""

    id: str
    match: str
    record: HandRecord


class Stop(msgspec.Struct, tag="stop", **_TAG):
    """``play``: the match is over."""

    id: str
    match: str


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision to be judged."""

    hand: Hand
    action: str


class Analyse(msgspec.Struct, tag="analyse", **_TAG):
    """A spot: ``hand``, or ``spot`` in words. With ``match`` the reader and the agent (if no other is named, for this
    request alone) are those of a match that was started, and know its hands; else they are new. ``want``: any of
    actions, ranges, equity, mirror, and streets (the ranges at the end of each street before)."""

    id: str
    hand: Hand | None = None
    spot: str | None = None
    match: str | None = None
    agent: str | None = None
    reader: str | None = None
    want: tuple[Literal["actions", "ranges", "equity", "mirror", "streets"], ...] = ("actions", "ranges", "equity")


class Coach(msgspec.Struct, tag="coach", **_TAG):
    """What decisions of a hand gave up, one progress line for each. ``first``: the number of the first of them in its
    hand; ``hands``: of the match that the reader has seen (left out: all)."""

    id: str
    decisions: tuple[Decision, ...]
    first: int = 1
    match: str | None = None
    reader: str | None = None
    hands: int | None = None


class Check(msgspec.Struct, tag="check", **_TAG):
    """Make an agent or a reader and close it, to see whether it can be had."""

    id: str
    spec: str
    kind: Literal["agent", "reader"] = "agent"


class Cancel(msgspec.Struct, tag="cancel", **_TAG):
    """Give up a request: it is answered with an error that says so."""

    id: str
    request: str


Request = Hello | Options | Start | Act | Observe | Stop | Analyse | Coach | Check | Cancel


# answers ------------------------------------------------------------------------------------------------------------


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the engine. ``result`` and ``error`` are last for their id, ``progress`` is not."""

    id: str
    result: Any = None
    progress: Any = None
    error: str | None = None
    kind: str | None = None


class Known(msgspec.Struct, frozen=True):
    """The answer to ``check``: tables and betting of an agent, and the files and programs that the spec names."""

    players: tuple[int, int]
    bettings: tuple[str, ...]
    files: tuple[str, ...]


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to ``act``; ``text`` in words; ``notes``: why the agent fell back in this decision, if it did."""

    action: str
    text: str
    notes: tuple[Reason, ...] = ()


class ActionLine(msgspec.Struct, frozen=True):
    """An action with its probability; a raise to a uniform total has ``high``. ``ev`` is in big blinds from here on."""

    action: str
    text: str
    p: float
    high: int | None = None
    ev: float | None = None
    visits: int | None = None


class RangeLine(msgspec.Struct, frozen=True):
    """What a seat seems to hold: 1,326 probabilities in the order of combos; ``classes``: made hands by name; ``draws``
    on flop and turn: shares of :data:`dupai.reading.HAND_DRAWS`, beside the made hands;
    ``streets``: the 169 squares at the end of each street, and now; ``equity``: of the viewer against it alone."""

    seat: int
    p: tuple[float, ...]
    entropy: float
    classes: tuple[tuple[str, float], ...]
    streets: tuple[tuple[int, tuple[float, ...]], ...] = ()
    equity: float | None = None
    draws: tuple[tuple[str, float], ...] = ()


class Analysis(msgspec.Struct, frozen=True):
    """The answer to ``analyse``; ``equity``: mean and standard error against all readings together."""

    agent: str
    reader: str
    actions: tuple[ActionLine, ...] = ()
    reasons: tuple[Reason, ...] = ()
    ranges: tuple[RangeLine, ...] = ()
    equity: tuple[float, float] | None = None
    pot_odds: float | None = None
    mirror: RangeLine | None = None
    mirror_bits: float | None = None


class LessonLine(msgspec.Struct, frozen=True):
    """What a decision gave up, big blinds as (mean, standard error, deals)."""

    decision: int
    street: int
    chosen: Reason
    best: Reason
    gave_up: tuple[float, float, int]
    values: tuple[tuple[str, tuple[float, float, int]], ...]
    sure: bool
    about: Reason


class Coached(msgspec.Struct, frozen=True):
    """The answer to ``coach``."""

    lessons: tuple[LessonLine, ...]
