"""HandRecord: a finished hand as it is kept, sent and learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dupai.cards import NO_CARD
from dupai.rules._actions import Action
from dupai.rules._spec import GameSpec

if TYPE_CHECKING:
    from dupai.rules._state import HandState


class HandRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A finished hand; every tuple is by position except ``actions``. Encodes to and decodes from JSON by msgspec.

    Attributes:
        spec: The game.
        hand: Number of the hand in its match or section.
        stacks: Starting stacks.
        hole: Two cards each, 255 where not known.
        board: Cards as far as the hand went (all five after a showdown).
        actions: In the order played.
        payoffs: Net results in 1/``spec.split`` chips (after rake).
        names: Players' names, empty when unknown.
        seats: Fixed seat of the match.
        shown: Whose hole cards everybody saw.
        mucked: Two cards each, 255 where there are none: hands lost without being shown that a site published after
            the hand. Nobody at the table knew them; they are never part of ``hole``. Empty when there are none at all.
        hero: Position of the player who recorded the hand, None for an observer or where nobody says.
        section: Title of the section of a log that the hand stands in.
        comment: Free text that belongs to the hand.
        rake: What the house took, in 1/``spec.split`` chips.
        about: Whatever else the source says of the hand (site, table, date, ...): pairs of a field's name and its value
            as TOML text.
    """

    spec: GameSpec
    hand: int
    stacks: tuple[int, ...]
    hole: tuple[tuple[int, int], ...]
    board: tuple[int, ...]
    actions: tuple[Action, ...]
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

    def replay(self, actions: int | None = None) -> HandState:
        """Play the recorded actions (the first ``actions`` of them) under our rules. Under casino rules folding with no
        bet to fold to is let pass: people do it.

        Raises:
            RulesError: an action is not legal where it stands, or cards are dealt twice.
        """
        from dupai.rules._state import HandState

        state = HandState(self.spec, self.hole, self.board, self.stacks, self.seats or None, self.hand)
        free_fold = self.spec.min_raise == "casino"
        for action in self.actions[:actions]:
            state.apply(action, free_fold=free_fold)
        return state

    def for_seat(self, position: int | None) -> HandRecord:
        """The record as the player in ``position`` knows it (None: an observer): other players' hole cards are 255
        unless they were shown, what was published afterwards is left out, and ``hero`` is that player."""
        shown = self.shown or (False,) * len(self.hole)
        hole = tuple(two if i == position or shown[i] else (NO_CARD, NO_CARD) for i, two in enumerate(self.hole))
        return msgspec.structs.replace(self, hole=hole, mucked=(), hero=position)
