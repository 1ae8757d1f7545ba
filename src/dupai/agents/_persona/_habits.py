"""What a group of players does often and how large it bets: the corrections that make a persona of an action model.

An action model says which hands do what. How often a group acts at all, and the sizes within a class of bets, come from
counting its hands: ``personas.json``, made by ``python -m dupai.bench._personas fit``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from dupai.base import I64, AnyArray
from dupai.spots import BIG_BLIND, SMALL_BLIND

PERSONA_FILE = Path(__file__).with_name("personas.json")

#: Before the flop: by position unopened (6), limped to (blinds or not: 2), by position facing a raise (6), a re-raise
#: (acted before or not: 2), more raises (1).
_PREFLOP = 17
#: After it, by street, and two or more players: nobody has bet and the player, nobody, or another one who is still to
#: act has the initiative; a bet; a raise.
_BY_STREET = 10
SITUATIONS = _PREFLOP + 3 * _BY_STREET
#: Opening raise, re-raise, bets on flop, turn and river, raises after the flop.
SIZE_SITUATIONS = 6


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


def situations_of(rows: AnyArray) -> I64:
    """``int64[n]``: the situation (0..46) of each decision of ``rows`` (``SPOT_DTYPE[n]``)."""
    raises, position = rows["raises"], rows["position_class"]
    blinds = (position == SMALL_BLIND) | (position == BIG_BLIND)
    unopened = np.where(rows["calls"] == 0, position, 6 + blinds)
    preflop = np.select(
        [raises == 0, raises == 1, raises == 2], [unopened, 8 + position, 14 + (rows["acted"] > 0)], _PREFLOP - 1
    )
    mine = rows["leader"] == rows["position"]
    nobody = np.where(mine, 0, np.where((rows["leader"] < 0) | (rows["checked"] > 0), 1, 2))
    facing = np.select([raises == 0, raises == 1], [nobody, 3], 4)
    postflop = _PREFLOP + _BY_STREET * (rows["street"] - 1) + 5 * (rows["live"] > 2) + facing
    return np.asarray(np.where(rows["street"] == 0, preflop, postflop), np.int64)


def size_situations_of(rows: AnyArray) -> I64:
    """``int64[n]``: the size situation (0..5) of a bet or raise at each decision."""
    raised = rows["raises"] > 0
    street = rows["street"]
    return np.asarray(np.where(street == 0, raised, np.where(raised, 5, 1 + street)), np.int64)
