"""The reader that knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dupai.reading._filter import asked_positions, legal_hands
from dupai.reading._protocol import LearnsNothing
from dupai.reading._reading import Reading
from dupai.rules import View


class UniformReader(LearnsNothing):
    """Every hand that the seen cards leave is equally likely: the zero of the scale."""

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        return {view.seats[i]: Reading(legal_hands(view, i)) for i in asked_positions(view, seats)}
