"""What a small game is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

#: Actors that are no player: chance is to move; the game is over.
CHANCE, OVER = -1, -2

S = TypeVar("S", bound=Hashable)


class Game(Protocol[S]):
    """A finite extensive-form game with perfect recall. Pure: states are immutable, hashable values.

    Whoever walks a game keeps states as they please; there is nothing to undo. Actions, of players and of chance, are
    small integers whose meaning the game says.
    """

    @property
    def name(self) -> str:
        """As OpenSpiel calls it, where it has the game."""
        ...

    @property
    def players(self) -> int:
        """How many play; they are numbered from 0."""
        ...

    def root(self) -> S:
        """The state before anything has happened."""
        ...

    def actor(self, state: S) -> int:
        """Whose turn it is: a player, :data:`CHANCE` or :data:`OVER`."""
        ...

    def actions(self, state: S) -> Sequence[int]:
        """What the actor can do, in ascending order; all outcomes where chance moves, nothing when it is over."""
        ...

    def chances(self, state: S) -> Sequence[float]:
        """Where chance moves: the probability of each of :meth:`actions`, all positive."""
        ...

    def child(self, state: S, action: int) -> S:
        """The state after one of :meth:`actions`."""
        ...

    def information(self, state: S, player: int) -> Hashable:
        """All that ``player`` knows: equal for two states exactly if the player cannot tell them apart."""
        ...

    def payoffs(self, state: S) -> tuple[float, ...]:
        """What every player has won when it is over, in the game's own unit (for poker: antes)."""
        ...
