"""Table: what a hand in play and a view of it share."""

from __future__ import annotations

from typing import Any

from dupai.base.arrays import AnyArray
from dupai.cards import NO_CARD
from dupai.rules._actions import Action, Legal
from dupai.rules._layout import BOARD_CARDS, FOLD, RAISE
from dupai.rules._spec import GameSpec

#: One entry of a hand's story: street, position, action.
LogEntry = tuple[int, int, Action]
Hole = tuple[int, int]


class Table:
    """What a hand and a view of it share: everything is read from the one-element array ``state``."""

    __slots__ = ("_legal", "actor", "derived", "hand", "seats", "spec", "state", "street")

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
    #: What higher floors have worked out from the betting of this hand, by their names. All views of the hand share it,
    #: so it holds nothing that only one player knows, and its values are replaced, never changed.
    derived: dict[str, Any]
    _legal: tuple[int, int, int, int]

    def _row(self, field: str) -> list[Any]:
        return self.state[field][0, : self.spec.players].tolist()  # type: ignore[no-any-return]

    @property
    def _holes(self) -> tuple[Hole, ...]:
        return tuple((a, b) for a, b in self._row("hole"))

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
    def uncalled(self) -> tuple[int, int]:
        """The position with the largest bet of the hand, and the chips of it that nobody has called."""
        puts = self.contributions
        most, second = sorted(puts, reverse=True)[:2]
        return puts.index(most), most - second

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

    @property
    def forfeit(self) -> Action:
        """What a player does who loses the hand by a fault: folds, or checks where the rules know no fold without a
        bet."""
        return Action.fold() if self._legal[0] or self._folds_freely else Action.call()

    @property
    def _folds_freely(self) -> bool:
        """Whether folding is possible with no bet to fold to: people do it, the ACPC dealer refuses it."""
        return self.actor >= 0 and self.spec.min_raise == "casino"

    def _why_not(self, kind: int, to: int) -> str:
        if self.actor < 0:
            return "action refused: the hand is over"
        legal = self.legal
        end = f" (legal: {legal})"
        if kind == FOLD:
            return f"fold refused: there is no bet to fold to{end}"
        if kind != RAISE:
            return f"action refused: its kind is {kind!r}, expected FOLD, CALL or RAISE{end}"
        refused = f"raise to {to} refused: "
        if legal.max_to == 0:
            return refused + self._why_no_raise() + end
        if to < legal.min_to:
            return f"{refused}the smallest raise is to {legal.min_to}{end}"
        row = self.state[0]
        if to > row["total"][self.actor] + row["stack"][self.actor]:
            return f"{refused}the stack allows at most {legal.max_to}{end}"
        return f"{refused}the largest raise is to {legal.max_to}{end}"

    def _why_no_raise(self) -> str:
        row = self.state[0]
        most, top = row["total"][self.actor] + row["stack"][self.actor], row["top"]
        if row["able"] < 2:
            return "every opponent is all-in"
        if most <= top:
            return f"the stack reaches {most} at most, not above the bet of {top}"
        cap = self.spec.max_raises[self.street]
        if row["raises"] >= cap:
            return f"the cap of {cap} raises on this street is reached"
        if self.spec.min_raise == "acpc":
            return "this round has had as many actions as the ACPC dealer allows"
        return "you have acted, and all-ins short of a full raise do not reopen the betting"
