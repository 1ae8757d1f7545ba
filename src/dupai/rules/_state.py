"""The faces of a hand: Line, what was dealt and done; HandRecord, a finished line; HandState, the hand in play; View,
what one player sees of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

import msgspec
import numpy as np

from dupai.base import Rng, RulesError
from dupai.base.arrays import I64
from dupai.cards import NO_CARD, card as card_number, card_text, cards, cards_text
from dupai.rules._actions import Action
from dupai.rules._kernels import (
    apply_legal_kernel,
    cards_kernel,
    copy_kernel,
    deal_legal_kernel,
    settle_kernel,
    start_legal_kernel,
    view_kernel,
)
from dupai.rules._layout import BOARD_CARDS, CALL, FOLD, MAX_PLAYERS, RAISE, STATE_DTYPE
from dupai.rules._spec import GameSpec
from dupai.rules._table import Hole, LogEntry, Table

_T = TypeVar("_T", "View", "HandState")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What was dealt and done in a hand, so far as somebody knows it; every tuple is by position except ``actions``.

    Attributes:
        spec: The game.
        hand: Number of the hand in its match or section.
        stacks: Starting stacks.
        hole: Two cards each, 255 where not known.
        board: The cards that are known, up to five, also those of later streets.
        actions: In the order played.
        seats: Fixed seat of the match; empty: the positions.
    """

    spec: GameSpec
    hand: int
    stacks: tuple[int, ...]
    hole: tuple[Hole, ...]
    board: tuple[int, ...]
    actions: tuple[Action, ...]
    seats: tuple[int, ...] = ()

    def states(self) -> Iterator[HandState]:
        """The state before each action and the one after the last, in one pass. They are one object, which is played
        on: take views or copies of what you keep.

        Raises:
            RulesError: an action is not legal where it stands, or cards are dealt twice.
        """
        state = HandState(self.spec, self.hole, self.board, self.stacks, self.seats or None, self.hand)
        yield state
        for action in self.actions:
            state.follow(action)
            yield state

    def at(self, actions: int | None = None) -> HandState:
        """The state after the first ``actions`` actions (None: all).

        Raises:
            RulesError: as :meth:`states`.
        """
        *_, state = islice(self.states(), None if actions is None else actions + 1)
        return state

    def street_ends(self) -> Iterator[tuple[int, HandState]]:
        """Each street that had actions, and the state after the last of them without the board of later streets; one
        pass and one object as in :meth:`states`.

        Raises:
            RulesError: as :meth:`states`.
        """
        street = 0
        for done, state in enumerate(msgspec.structs.replace(self, board=()).states()):
            if done and (state.street != street or done == len(self.actions)):
                state.set_board(self.board[: BOARD_CARDS[street]])
                yield street, state
            street = state.street

    def seen_by(self, position: int | None) -> Line:
        """The line with the cards that the player in ``position`` sees after its last action (None: an observer).

        Raises:
            RulesError: as :meth:`states`.
        """
        return self.at().view(position).line


class HandRecord(Line, frozen=True, kw_only=True):
    """The line of a finished hand and what came of it. Encodes to and decodes from JSON by msgspec.

    Attributes:
        spec, hand, stacks, hole, actions, seats: As :class:`Line`.
        board: Cards as far as the hand went (all five after a showdown).
        payoffs: Net results in 1/``spec.split`` chips (after rake).
        names: Players' names, empty when unknown.
        shown: Whether everybody saw a player's hole cards.
        mucked: Two cards each, 255 where there are none: hands lost without being shown that a site published after
            the hand. Nobody at the table knew them, so they are never part of ``hole``. Empty when there are none.
        hero: Position of the player who recorded the hand, None for an observer or where it is unknown.
        section: Title of the section of a log that the hand stands in.
        comment: Free text that belongs to the hand.
        rake: What the house took, in 1/``spec.split`` chips.
        about: What else the source says of the hand (site, table, date, ...): pairs of a field's name and its value as
            TOML text.
    """

    payoffs: tuple[int, ...]
    names: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    shown: tuple[bool, ...] = ()
    section: str = ""
    comment: str = ""
    rake: int = 0
    mucked: tuple[tuple[int, int], ...] = ()
    hero: int | None = None
    about: tuple[tuple[str, str], ...] = ()

    def seen_by(self, position: int | None) -> HandRecord:
        """The record as the player in ``position`` knows it (None: an observer): other players' hole cards are 255
        unless they were shown, what was published afterwards is left out, and ``hero`` is that player."""
        shown = self.shown or (False,) * len(self.hole)
        hole = tuple(two if i == position or shown[i] else (NO_CARD, NO_CARD) for i, two in enumerate(self.hole))
        return msgspec.structs.replace(self, hole=hole, mucked=(), hero=position)


def _like(old: Table, kind: type[_T]) -> _T:
    """A view or hand with the same place in the game and an empty state, to be filled by a kernel: NumPy copies
    structured arrays field by field, which is slow."""
    new = kind.__new__(kind)
    new.spec = old.spec
    new.seats = old.seats
    new.hand = old.hand
    new.actor = old.actor
    new.street = old.street
    new._legal = old._legal
    new.derived = old.derived
    new.state = np.empty(1, STATE_DTYPE)
    return new


def _line(table: View | HandState) -> Line:
    board: list[int] = table.state["board"][0].tolist()
    while board and board[-1] == NO_CARD:
        board.pop()
    return Line(
        spec=table.spec, hand=table.hand, stacks=table.start_stacks, hole=table._holes, board=tuple(board),
        actions=tuple(action for _, _, action in table.actions), seats=table.seats,
    )  # fmt: skip


class View(Table):
    """What a player (or an observer: ``position`` None) sees of a hand. All that an agent ever gets.

    ``state`` has the dtype of the hand itself, with every unseen card 255.
    """

    __slots__ = ("actions", "position")

    #: Position of the viewer, None for an observer.
    position: int | None
    #: The story so far: (street, position, action).
    actions: tuple[LogEntry, ...]

    def __repr__(self) -> str:
        viewer = "an observer" if self.position is None else f"position {self.position} with {cards_text(self.hole)}"
        board = f", board {cards_text(self.board)}" if self.board else ""
        turn = "over" if self.finished else f"position {self.actor} to act: {self.legal}"
        return f"<View of {viewer}{board}, pot {self.pot}, {turn}>"

    @property
    def hole(self) -> Hole:
        """The viewer's own two cards ((255, 255) for an observer)."""
        return self.hole_of(self.position) if self.position is not None else (NO_CARD, NO_CARD)

    def public(self) -> View:
        """The same moment as an observer sees it: without the viewer's own cards, unless a showdown has shown them."""
        new = _like(self, View)
        view_kernel(self.state, -1, new.state)
        new.actions, new.position = self.actions, None
        return new

    def resume(self) -> HandState:
        """The hand in play from here on, with the cards that the viewer sees; nothing is replayed."""
        new = _like(self, HandState)
        copy_kernel(self.state, new.state)
        new._log, new._payoffs = list(self.actions), None
        return new

    def hole_of(self, position: int) -> Hole:
        """Hole cards of a position as the viewer sees them (255: not seen)."""
        a, b = self.state["hole"][0, position].tolist()
        return a, b

    @property
    def line(self) -> Line:
        """The line of the hand as the viewer knows it."""
        return _line(self)


_UNKNOWN = (NO_CARD, NO_CARD)
_NUMBERS = frozenset((*range(52), NO_CARD))


def _number(card: int | str) -> int:
    return card_number(card) if isinstance(card, str) else int(card)


class HandState(Table):
    """One hand of hold'em in play: a thin layer over the flat state that the kernels work on.

    Args:
        spec: The game.
        hole: Hole cards by position, each two cards, a text as ``"AsKd"``, or None where unknown (default: all).
        board: Board cards known from the start (up to five, later streets included), or a text.
        stacks: Starting stacks by position when they differ from those of ``spec``; at least one chip each.
        seats: Fixed seat by position (default: the positions).
        hand: Number of the hand in its match.

    Raises:
        RulesError: a card twice, a wrong number of cards or stacks, an empty stack.
    """

    __slots__ = ("_log", "_payoffs")

    def __init__(
        self,
        spec: GameSpec,
        hole: Sequence[Sequence[int] | str | None] | None = None,
        board: Sequence[int] | str = (),
        stacks: Sequence[int] | None = None,
        seats: Sequence[int] | None = None,
        hand: int = 0,
    ) -> None:
        self._begin(spec, stacks, seats, hand)
        if hole is not None and len(hole) != spec.players:
            raise RulesError(f"hole cards for {len(hole)} positions: expected {spec.players}")
        dealt = [_UNKNOWN if two is None else two for two in hole or ()]
        known = [c for two in (*dealt, board) for c in two if c != NO_CARD]
        fits = len(board) <= 5 and all(len(two) == 2 for two in dealt)
        if fits and len(set(known)) == len(known) and _NUMBERS.issuperset(known):
            self.state["hole"] = (*dealt, *[_UNKNOWN] * (MAX_PLAYERS - len(dealt)))
            self.state["board"] = (*board, *[NO_CARD] * (5 - len(board)))
        else:  # cards in texts, or a fault
            self.state["hole"] = NO_CARD
            self.state["board"] = NO_CARD
            for position, two in enumerate(hole or ()):
                if two is not None:
                    self.set_hole(position, two)
            self.set_board(board)
        self._update(start_legal_kernel(self.state, spec.array))

    @classmethod
    def deal(
        cls,
        spec: GameSpec,
        rng: Rng,
        *,
        stacks: Sequence[int] | None = None,
        seats: Sequence[int] | None = None,
        hand: int = 0,
    ) -> HandState:
        """A hand with cards drawn from ``rng``: hole cards by position, then the board. Other arguments as above."""
        self = cls.__new__(cls)
        self._begin(spec, stacks, seats, hand)
        if stacks is None:
            self._update(deal_legal_kernel(self.state, spec.array, rng.state))
        else:
            cards_kernel(self.state, spec.array, rng.state)
            self._update(start_legal_kernel(self.state, spec.array))
        return self

    def _begin(self, spec: GameSpec, stacks: Sequence[int] | None, seats: Sequence[int] | None, hand: int) -> None:
        n = spec.players
        self.spec = spec
        self.hand = hand
        self.state = np.zeros(1, STATE_DTYPE)
        self.seats = tuple(range(n)) if seats is None else tuple(seats)
        if len(self.seats) != n or len(set(self.seats)) != n:
            raise RulesError(f"seats {self.seats}: expected {n} different seats, one per position")
        start = spec.stacks if stacks is None else stacks
        if len(start) != n:
            raise RulesError(f"{len(start)} stacks: expected {n}, one per position")
        if min(start) < 1:
            raise RulesError(f"stacks {tuple(start)}: nobody can be dealt in without chips")
        self.state["stack"][0, :n] = start
        self.derived = {}
        self._log: list[LogEntry] = []
        self._payoffs: I64 | None = None

    def _update(self, answer: tuple[int, int, int, int, int, int]) -> None:
        if type(answer[0]) is not int:  # interpreted kernels answer in NumPy integers
            answer = (int(answer[0]), int(answer[1]), int(answer[2]), int(answer[3]), int(answer[4]), int(answer[5]))
        self.actor = answer[0]
        self.street = answer[1]
        self._legal = answer[2:]

    # cards -----------------------------------------------------------------------------------------------------------

    @property
    def hole(self) -> tuple[Hole, ...]:
        """Hole cards by position (255: not known)."""
        return self._holes

    def _known(self) -> set[int]:
        row = self.state[0]
        n = self.spec.players
        return {c for c in row["hole"][:n].ravel().tolist() + row["board"].tolist() if c != NO_CARD}

    def _checked(self, text: Sequence[int] | str, old: Sequence[int]) -> tuple[int, ...]:
        new = cards(text) if isinstance(text, str) else tuple(map(_number, text))
        out = self._known() - set(old)
        for i, c in enumerate(new):
            if c == NO_CARD:
                continue
            if not 0 <= c < 52:
                raise RulesError(f"{c} is not a card: expected 0..51, or 255 for an unknown one")
            if c in out or c in new[:i]:
                raise RulesError(f"card {card_text(c)} is dealt twice")
        return new

    def set_hole(self, position: int, hole: Sequence[int] | str) -> None:
        """Set the hole cards of a position that were unknown before.

        Raises:
            RulesError: not two cards, or one is dealt already.
        """
        row = self.state["hole"][0, position]
        new = self._checked(hole, row.tolist())
        if len(new) != 2:
            raise RulesError(f"{cards_text(new)} is {len(new)} cards: expected two hole cards")
        row[:] = new
        self._payoffs = None

    def set_board(self, board: Sequence[int] | str) -> None:
        """Set the first cards of the board (up to five, later streets included).

        Raises:
            RulesError: more than five cards, or one is dealt already.
        """
        row = self.state["board"][0]
        new = self._checked(board, row.tolist())
        if len(new) > 5:
            raise RulesError(f"{cards_text(new)} is {len(new)} cards: expected at most five on the board")
        row[:] = NO_CARD
        row[: len(new)] = new
        self._payoffs = None

    # actions ---------------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> tuple[LogEntry, ...]:
        """The story so far: (street, position, action)."""
        return tuple(self._log)

    def check(self, action: Action) -> Action:
        """The action of a player who is to act as it will be played (a limit raise gets its size).

        Raises:
            RulesError: it is not legal here; says why and what is.
        """
        kind, to = action
        fold, _, min_to, max_to = self._legal
        if self.actor >= 0:
            if kind == RAISE:
                if 0 < min_to <= to <= max_to:
                    return action
                if to == 0 and min_to and self.spec.betting == "limit":
                    return Action(RAISE, min_to)
            elif kind == CALL or (kind == FOLD and fold):
                return action
        raise RulesError(self._why_not(kind, to))

    def apply(self, action: Action) -> None:
        """Play an action of the actor.

        Raises:
            RulesError: it is not legal here; says why and what is. The hand is unchanged.
        """
        action = self.check(action)
        self._log.append((self.street, self.actor, action))
        self._update(apply_legal_kernel(self.state, self.spec.array, action[0], action[1]))

    def follow(self, action: Action) -> None:
        """Play an action that was played before, or that forfeits the hand: as :meth:`apply`, but casino rules let a
        player fold with no bet to fold to, because people do.

        Raises:
            RulesError: as :meth:`apply`.
        """
        if action[0] == FOLD and self._folds_freely:
            self._log.append((self.street, self.actor, action))
            self._update(apply_legal_kernel(self.state, self.spec.array, FOLD, 0))
        else:
            self.apply(action)

    # results and faces -----------------------------------------------------------------------------------------------

    @property
    def payoffs(self) -> I64:
        """Net result by position, ``int64[players]`` in 1/``spec.split`` chips, read-only; sums to 0.

        Raises:
            RulesError: the hand is not over, or a showdown needs cards that are not known.
        """
        if self._payoffs is None:
            if self.actor >= 0:
                raise RulesError("the hand is not over: there are no payoffs yet")
            row = self.state[0]
            if row["live"] > 1:
                missing = [
                    f"the hole cards of position {i}"
                    for i, (a, b) in enumerate(self.hole)
                    if not row["folded"][i] and NO_CARD in (a, b)
                ]
                if NO_CARD in row["board"].tolist():
                    missing.append("the whole board")
                if missing:
                    raise RulesError(f"the showdown cannot be settled without {' and '.join(missing)}")
            won = np.zeros(MAX_PLAYERS, np.int64)
            settle_kernel(self.state, self.spec.array, won)
            self._payoffs = won[: self.spec.players]
            self._payoffs.flags.writeable = False
        return self._payoffs

    @property
    def showdown(self) -> bool:
        """Whether the hand is over with at least two players who did not fold."""
        return self.actor < 0 and int(self.state["live"][0]) > 1

    def view(self, position: int | None = None) -> View:
        """What ``position`` sees (None: an observer): its own cards, the open board and, at a showdown, the hands of
        those who did not fold. A copy: later actions do not change it."""
        view = _like(self, View)
        view_kernel(self.state, -1 if position is None else position, view.state)
        view.position = position
        view.actions = tuple(self._log)
        return view

    def copy(self) -> HandState:
        """An independent copy."""
        new = _like(self, HandState)
        copy_kernel(self.state, new.state)
        new.derived = self.derived.copy()
        new._log = self._log.copy()
        new._payoffs = self._payoffs
        return new

    def redealt(self, rng: Rng) -> HandState:
        """A copy whose future board cards are drawn anew from the cards that nobody holds, folded players included."""
        new = self.copy()
        row = new.state["board"][0]
        dealt = len(self.board)
        row[dealt:] = NO_CARD
        known = new._known()
        deck = [c for c in range(52) if c not in known]
        rng.shuffle(deck)
        row[dealt:] = deck[: 5 - dealt]
        new._payoffs = None
        return new

    def record(
        self,
        names: Sequence[str] | None = None,
        *,
        payoffs: Sequence[int] | None = None,
        section: str = "",
        comment: str = "",
    ) -> HandRecord:
        """The finished hand as a record; ``payoffs`` where they are known from elsewhere (a log, a dealer).

        Raises:
            RulesError: the hand is not over, or its payoffs cannot be known.
        """
        if self.actor >= 0:
            raise RulesError("the hand is not over: it has no record yet")
        showdown = self.showdown
        won = self.payoffs.tolist() if payoffs is None else payoffs
        return HandRecord(
            spec=self.spec,
            hand=self.hand,
            stacks=self.start_stacks,
            hole=self.hole,
            board=self.board,
            actions=tuple(a for _, _, a in self._log),
            payoffs=tuple(int(x) for x in won),
            names=tuple(names) if names is not None else (),
            seats=self.seats,
            shown=tuple(showdown and not f for f in self.folded),
            section=section,
            comment=comment,
        )

    @property
    def line(self) -> Line:
        """The line of the hand so far, with all cards that are known."""
        return _line(self)

    def __repr__(self) -> str:
        if self.actor < 0:
            return f"<HandState {self.spec.players} players, over, pot {self.pot}>"
        return (
            f"<HandState {self.spec.players} players, street {self.street}, position {self.actor} to act: {self.legal}>"
        )
