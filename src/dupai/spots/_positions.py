"""The six classes of position that statistics and models use."""

from __future__ import annotations

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.rules import MAX_PLAYERS

#: The classes in the order in which they act before the flop. ``late`` is the cutoff, the seat before the button.
POSITION_CLASSES = ("early", "middle", "late", "button", "small blind", "big blind")
EARLY, MIDDLE, LATE, BUTTON, SMALL_BLIND, BIG_BLIND = range(6)


def _class(players: int, position: int) -> int:
    if players == 2:
        return BUTTON if position == 1 else BIG_BLIND
    if position < 2:
        return SMALL_BLIND + position
    if position == players - 1:
        return BUTTON
    if position == players - 2:
        return LATE
    # Between the big blind and the cutoff: the first half is early, and the odd seat with it.
    return EARLY if 2 * (position - 2) < players - 4 else MIDDLE


def _table() -> AnyArray:
    table = np.full((MAX_PLAYERS + 1, MAX_PLAYERS), -1, np.int64)
    for players in range(2, MAX_PLAYERS + 1):
        table[players, :players] = [_class(players, p) for p in range(players)]
    table.flags.writeable = False
    return table


#: ``int64[11, 10]``: the class of ``[players, position]``, -1 where there is no such position. For kernels.
POSITION_CLASS = _table()


def position_class(players: int, position: int) -> str:
    """The class of a position (ACPC numbering) among ``players`` dealt in: one of :data:`POSITION_CLASSES`.

    Heads-up there are two: ``button`` (the small blind) and ``big blind``. Six-handed: small blind, big
    blind, early, middle, late, button; nine-handed three are early and two middle.

    Raises:
        ConfigError: there is no such position.
    """
    if not 2 <= players <= MAX_PLAYERS or not 0 <= position < players:
        raise ConfigError(f"position {position} of {players} players: expected 2 to {MAX_PLAYERS} players, from 0")
    return POSITION_CLASSES[int(POSITION_CLASS[players, position])]
