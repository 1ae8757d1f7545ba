"""What a group of players does often and how large it bets: the corrections that make a persona of an action model.

An action model says which hands do what. How often a group acts at all, and the sizes within a class of bets, come from
counting its hands: ``personas.json``, made by ``python tools/personas.py fit``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from dupai.base.arrays import AnyArray
from dupai.spots import BIG_BLIND, SMALL_BLIND

PERSONA_FILE = Path(__file__).with_name("personas.json")

#: Before the flop: by position unopened (6), limped to (blinds or not: 2), by position facing a raise (6), a re-raise
#: (acted before or not: 2), more raises (1).
_PREFLOP = 17
#: After it, by street, and two or more players: nobody has bet and the player, nobody, or another one who is still to
#: act has the initiative; a bet; a raise.
_BY_STREET = 10
PERSONA_SITUATIONS = _PREFLOP + 3 * _BY_STREET
#: Opening raise, re-raise, bets on flop, turn and river, raises after the flop.
PERSONA_SIZE_SITUATIONS = 6


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


def persona_situation(row: AnyArray) -> int:
    """The situation (0..46) of a decision, ``row`` of ``SPOT_DTYPE``."""
    raises, position = int(row["raises"]), int(row["position_class"])
    if row["street"] == 0:
        if raises == 0:
            return position if row["calls"] == 0 else 6 + (position in (SMALL_BLIND, BIG_BLIND))
        if raises == 1:
            return 8 + position
        return 14 + int(row["acted"] > 0) if raises == 2 else _PREFLOP - 1
    if raises:
        facing = 3 + (raises > 1)
    elif row["leader"] == row["position"]:
        facing = 0
    else:
        facing = 1 if row["leader"] < 0 or row["checked"] else 2
    return _PREFLOP + _BY_STREET * (int(row["street"]) - 1) + 5 * int(row["live"] > 2) + facing


def persona_size_situation(row: AnyArray) -> int:
    """The size situation (0..5) of a bet or raise at a decision, ``row`` of ``SPOT_DTYPE``."""
    raised, street = int(row["raises"] > 0), int(row["street"])
    return raised if street == 0 else 5 if raised else 1 + street
