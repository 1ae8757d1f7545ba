"""What a small game is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

from dupai.base import ConfigError

#: Actors that are no player: chance is to move; the game is over.
CHANCE, OVER = -1, -2

S = TypeVar("S", bound=Hashable)


class Game(Protocol[S]):
    """A finite extensive-form game with perfect recall. Pure: states are immutable, hashable values.

    A caller may keep any states it needs; there is nothing to undo. Actions, of players and of chance, are small
    integers whose meaning the game defines.
    """

    @property
    def name(self) -> str:
        """OpenSpiel's name of the game, where it has it."""

    @property
    def players(self) -> int:
        """Number of players, who are numbered from 0."""

    def root(self) -> S:
        """The state before anything has happened."""

    def actor(self, state: S) -> int:
        """The player to act, :data:`CHANCE` or :data:`OVER`."""

    def actions(self, state: S) -> Sequence[int]:
        """The actor's actions, ascending; all outcomes where chance moves, none when the game is over."""

    def chances(self, state: S) -> Sequence[float]:
        """The probability of each of :meth:`actions` where chance moves, all positive."""

    def child(self, state: S, action: int) -> S:
        """The state after one of :meth:`actions`."""

    def information(self, state: S, player: int) -> Hashable:
        """All that ``player`` knows: equal for two states exactly when the player cannot distinguish them."""

    def payoffs(self, state: S) -> tuple[float, ...]:
        """Each player's winnings at the end, in the game's own unit (for poker: antes)."""


class _Dealt(Protocol):
    @property
    def cards(self) -> tuple[int, ...]:
        """The cards dealt so far, by player."""


class DealtGame:
    """A small poker game whose deck has ``suits`` suits and one rank more than there are players, one card each.

    Raises:
        ConfigError: fewer than two players or more than ten.
    """

    #: Name in messages.
    title: str
    suits: int

    def __init__(self, players: int = 2) -> None:
        if not 2 <= players <= 10:
            raise ConfigError(f"players: {players}: {self.title} is for 2 to 10", key="players")
        self.players = players
        self.deck = range(self.suits * (players + 1))

    def left(self, dealt: tuple[int, ...]) -> tuple[int, ...]:
        """The cards that have not been dealt, ascending."""
        return tuple(c for c in self.deck if c not in dealt)

    def chances(self, state: _Dealt) -> tuple[float, ...]:
        """The probability of each card that has not been dealt."""
        left = len(self.deck) - len(state.cards)
        return (1 / left,) * left


def own_card(cards: tuple[int, ...], player: int) -> int:
    """A player's card or hand, -1 before it has been dealt."""
    return cards[player] if player < len(cards) else -1
