"""What a reader is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from dupai.base import ConfigError
from dupai.base.arrays import F64
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

    def meet(self, names: Mapping[int, str]) -> None:
        """Who sits where: names by seat, before the first hand or when somebody sits down."""

    def observe(self, record: HandRecord) -> None:
        """A finished hand, only what the reader's seat may know of it."""


@runtime_checkable
class ReadsApart(Protocol):
    """A reader that can leave its readings of live opponents independent of each other."""

    def read_apart(self, view: View) -> Mapping[int, Reading]:
        """Readings by seat of all opponents who have not folded, from which their hands are drawn: each respects the
        cards of folded players, not those of each other. The joint probability of their hands is the product of the
        readings where no card is held twice, else 0."""


def readings_to_draw(reader: Reader, view: View) -> Mapping[int, Reading]:
    """Readings of the live opponents whose hands are drawn from them, and drawn again where two share a card.

    :meth:`Reader.read` would count shared cards twice: once in the readings, once in the draws.
    """
    return reader.read_apart(view) if isinstance(reader, ReadsApart) else reader.read(view)


@runtime_checkable
class ClassPredictor(Protocol):
    """A reader that predicts the class of a hand first and spreads it over hands after: scored on what it predicted."""

    def class_shares(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, F64]:
        """``float64[11]`` by seat: the probability of each of :data:`HAND_CLASSES`, seats as in :meth:`Reader.read`."""


@runtime_checkable
class Saveable(Protocol):
    """A reader or agent whose state between two hands can be saved, so that a stopped match can resume."""

    def save(self) -> bytes:
        """What it has learned so far."""

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned, on an object with the same options.

        Raises:
            ConfigError: the data were not saved by such an object.
        """


@runtime_checkable
class MaySave(Protocol):
    """A reader that is :class:`Saveable` only with some options."""

    @property
    def saves(self) -> bool:
        """Whether this one is."""


def can_save(reader: object) -> bool:
    """Whether a reader or action model can be saved."""
    return isinstance(reader, Saveable) and (reader.saves if isinstance(reader, MaySave) else True)


class LearnsNothing:
    """The learning half of a reader or action model that learns nothing: saving it saves nothing."""

    def meet(self, names: Mapping[int, str]) -> None:
        """Everybody is alike."""

    def observe(self, record: HandRecord) -> None:
        """Nothing to learn."""

    def save(self) -> bytes:
        return b""

    def load(self, data: bytes) -> None:
        """Accepts what :meth:`save` returned: nothing.

        Raises:
            ConfigError: there is something to load.
        """
        if data:
            raise ConfigError(f"cannot load {len(data)} bytes: this reader learns nothing")
