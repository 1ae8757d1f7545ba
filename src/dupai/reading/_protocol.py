"""What a reader is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from dupai.reading._reading import Reading
from dupai.rules import HandRecord, View


@runtime_checkable
class Reader(Protocol):
    """Turns what is visible in a hand into a probability for every two cards that a player may hold.

    Any seat dealt in may be asked, folded ones too. The view is a player's (whose own cards nobody else can hold) or
    an observer's.
    """

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        """The reading of every seat asked for (default: all who have not folded, but the viewer), by seat.

        Raises:
            ConfigError: a seat was not dealt in, or is the viewer's own.
        """
        ...

    def meet(self, names: Mapping[int, str]) -> None:
        """Who sits where: names by seat, before the first hand or when somebody sits down."""
        ...

    def observe(self, record: HandRecord) -> None:
        """A finished hand, only what the reader's seat may know of it."""
        ...
