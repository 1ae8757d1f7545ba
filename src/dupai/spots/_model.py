"""The one form of a model of how players act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from dupai.base.arrays import F32
from dupai.rules import HandRecord
from dupai.spots._menu import Menu
from dupai.spots._spot import Spot


@runtime_checkable
class ActionModel(Protocol):
    """The probability of every action with every hand: the one form of a default model, counted buckets, a trained
    network, an expert's rules or a solved strategy. A Bayes filter (``dupai.reading.Filter``) turns it into a reader.

    Attributes:
        needs_ranges: whether :attr:`Spot.ranges` has to be filled in.
    """

    needs_ranges: bool

    def menu(self, spot: Spot) -> Menu:
        """The actions that the model distinguishes here."""
        ...

    def probs(self, spot: Spot) -> F32:
        """``float32[1326, k]``: P(column | hole cards) at the decision, given all that was public before it.

        The ``k`` columns are those of the model's own :meth:`menu` at the spot. Rows add up to 1 over the legal columns
        (:meth:`Menu.legal`); the others are 0. Rows of hands that collide with the board may hold anything finite. For
        the columns of another menu multiply by :meth:`Menu.onto`.
        """
        ...

    def meet(self, names: Mapping[int, str]) -> None:
        """Names by seat (:attr:`Spot.seats`), before the first hand and when a player sits down."""
        ...

    def observe(self, record: HandRecord) -> None:
        """A finished hand, only what the reader's seat may know: models of persons learn here."""
        ...
