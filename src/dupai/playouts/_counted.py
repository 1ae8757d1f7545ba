"""What a group of players does often and how large it bets: the corrections that make a persona of an action model.

An action model says which hands do what. How often a group acts at all, and the sizes within a class of bets, come from
counting its hands: ``personas.json``, made by ``python tools/personas.py fit``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

PERSONA_FILE = Path(__file__).with_name("personas.json")


class PersonaHabits(msgspec.Struct, frozen=True):
    """How a group differs from its action model.

    Attributes:
        shifts: by situation, by native column: what is added to the logits of the model.
        sizes: by size situation, for each of the six native size classes: fractions of the pot (chips beyond the call
            over the pot after it), equally likely; empty: the class's own.
        hands: hands of the group that were counted.
    """

    shifts: tuple[tuple[float, ...], ...] = ()
    sizes: tuple[tuple[tuple[float, ...], ...], ...] = ()
    hands: int = 0

    def shift(self, situation: int) -> tuple[float, ...]:
        """``[9]`` for a situation."""
        return self.shifts[situation] if self.shifts else (0.0,) * 9

    def fractions(self, situation: int, column: int, usual: float) -> tuple[float, ...]:
        """Sizes of a native column 2 to 7; ``usual`` where none were counted."""
        return (self.sizes[situation][column - 2] if self.sizes else ()) or (usual,)


@cache
def persona_habits() -> dict[str, PersonaHabits]:
    """The shipped corrections by group of players, read once."""
    return msgspec.json.decode(PERSONA_FILE.read_bytes(), type=dict[str, PersonaHabits])
