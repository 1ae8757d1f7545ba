"""The reader that knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dupai.base import ConfigError
from dupai.reading._filter import asked_positions, legal_hands
from dupai.reading._reading import Reading
from dupai.rules import HandRecord, View


class UniformReader:
    """Every hand that the seen cards leave is equally likely: the zero of the scale."""

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        return {view.seats[i]: Reading(legal_hands(view, i)) for i in asked_positions(view, seats)}

    def meet(self, names: Mapping[int, str]) -> None:
        return None

    def observe(self, record: HandRecord) -> None:
        return None

    def save(self) -> bytes:
        """Nothing: it does not learn."""
        return b""

    def load(self, data: bytes) -> None:
        if data:
            raise ConfigError(f"{len(data)} bytes are not what this reader has learned: it learns nothing")
