"""View: what one player sees of a hand."""

from __future__ import annotations

from typing import Any

from dupai.base import AnyArray
from dupai.cards import NO_CARD, cards_text
from dupai.rules._actions import Action, Legal
from dupai.rules._layout import BOARD_CARDS
from dupai.rules._spec import GameSpec

#: One entry of a hand's story: street, position, action.
LogEntry = tuple[int, int, Action]
Hole = tuple[int, int]


class Table:
    """What a hand and a view of it share: everything is read from the one-element array ``state``."""

    __slots__ = ("_legal", "actor", "hand", "seats", "spec", "state", "street")

    spec: GameSpec
    #: ``STATE_DTYPE[1]``, for kernels.
    state: AnyArray
    #: Fixed seat of the match by position.
    seats: tuple[int, ...]
    #: Number of the hand in its match.
    hand: int
    #: Position to act, -1 when the hand is over.
    actor: int
    #: 0 before the flop, 1 flop, 2 turn, 3 river.
    street: int
    _legal: tuple[int, int, int, int]

    def _row(self, field: str) -> list[Any]:
        return self.state[field][0, : self.spec.players].tolist()  # type: ignore[no-any-return]

    @property
    def finished(self) -> bool:
        """Whether the hand is over."""
        return self.actor < 0

    @property
    def legal(self) -> Legal:
        """What the actor may do (all 0 when the hand is over)."""
        fold, to_call, min_to, max_to = self._legal
        return Legal(fold == 1, to_call, min_to, max_to)

    @property
    def to_call(self) -> int:
        """Chips that a call costs the actor."""
        return self._legal[1]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by position (what is in the pot is not counted, also after the hand)."""
        return tuple(self._row("stack"))

    @property
    def start_stacks(self) -> tuple[int, ...]:
        """Chips at the start of the hand, by position."""
        return tuple(map(sum, zip(self._row("stack"), self._row("total"), self._row("ante"), strict=True)))

    @property
    def bets(self) -> tuple[int, ...]:
        """Live chips put in on this street, by position."""
        return tuple(self._row("bet"))

    @property
    def contributions(self) -> tuple[int, ...]:
        """Live chips put in during the hand (the totals that raises are counted in), by position; antes not."""
        return tuple(self._row("total"))

    @property
    def antes(self) -> tuple[int, ...]:
        """Dead chips posted, by position."""
        return tuple(self._row("ante"))

    @property
    def pot(self) -> int:
        """All chips put in so far, by anybody: antes, earlier streets and the bets of this one."""
        return sum(self.contributions) + sum(self.antes)

    @property
    def raise_can_be_called(self) -> bool:
        """Whether an opponent of the actor who can still act has more than the bet faced; what is raised beyond that
        would come straight back."""
        top = max(self.to_call + self.contributions[self.actor], self.spec.big_blind)
        rows = enumerate(zip(self.contributions, self.stacks, self.folded, strict=True))
        return any(p != self.actor and stack > 0 and not out and put + stack > top for p, (put, stack, out) in rows)

    @property
    def winnable(self) -> int:
        """Chips of the pot that the actor can win: all but those that others have put in beyond the actor's whole
        stack, which come back to them or go to a side pot. The whole pot when the hand is over."""
        return self.pot if self.finished else self.winnable_by(self.actor)

    def winnable_by(self, position: int) -> int:
        """Chips of the pot that a position can win, as :attr:`winnable`."""
        puts = self.contributions
        most = puts[position] + self.stacks[position]
        return sum(min(put, most) for put in puts) + sum(self.antes)

    @property
    def folded(self) -> tuple[bool, ...]:
        """Who has folded, by position."""
        return tuple(map(bool, self._row("folded")))

    @property
    def all_in(self) -> tuple[bool, ...]:
        """Who is all-in, by position."""
        return tuple(map(bool, self._row("all_in")))

    @property
    def board(self) -> tuple[int, ...]:
        """The open board cards that are known."""
        row: list[int] = self.state["board"][0, : BOARD_CARDS[self.street]].tolist()
        return tuple(c for c in row if c != NO_CARD)


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
        new = View.__new__(View)
        for field in ("spec", "seats", "hand", "actor", "street", "_legal", "actions"):
            setattr(new, field, getattr(self, field))
        new.position = None
        new.state = self.state.copy()
        p = self.position
        shown = p is not None and self.finished and not self.folded[p] and self.folded.count(False) > 1
        if p is not None and not shown:
            new.state["hole"][0, p] = NO_CARD
        return new

    def hole_of(self, position: int) -> Hole:
        """Hole cards of a position as the viewer sees them (255: not seen)."""
        a, b = self.state["hole"][0, position].tolist()
        return a, b
