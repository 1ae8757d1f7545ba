"""Who plays in a play-out: a population, with what was counted of a group or learned of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dupai.base.arrays import F64
from dupai.cards import CLASSES
from dupai.playouts._counted import PersonaHabits
from dupai.playouts._kernels.situations import SITUATIONS, SIZE_SITUATIONS
from dupai.playouts._layout import Ways
from dupai.reading import populations
from dupai.reading.features import ACTION_CLASSES
from dupai.reading.model import DECISION_KINDS, HABIT_STAGES, preflop_traits
from dupai.rules import MAX_PLAYERS

_SIZES = ACTION_CLASSES - 3


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """How a position acts in a play-out.

    Attributes:
        population: name of the population whose networks it acts by.
        counted: what was counted of a group, as a persona has it.
        habits: ``float64[12, 7, 9]``: what was learned of a person (:meth:`dupai.reading.model.Habits.shifts`).
        small: act by a small network that imitates the population's, where all at the table do (no-limit; faster).
    """

    population: str
    counted: PersonaHabits | None = None
    habits: F64 | None = None
    small: bool = False


def ways_of(players: Sequence[Player]) -> Ways:
    """The players by position, as kernels take them.

    Raises:
        ConfigError: there is no such population.
    """
    counted = [player.counted or PersonaHabits() for player in players]
    most = max((len(size) for one in counted for row in one.sizes for size in row), default=1)
    ways = Ways(
        np.zeros(MAX_PLAYERS, np.int64),
        np.zeros((MAX_PLAYERS, SITUATIONS, ACTION_CLASSES)),
        np.zeros((MAX_PLAYERS, SIZE_SITUATIONS, _SIZES, max(most, 1))),
        np.zeros((MAX_PLAYERS, SIZE_SITUATIONS, _SIZES), np.int64),
        np.zeros((MAX_PLAYERS, 2 * DECISION_KINDS, HABIT_STAGES[0].features, ACTION_CLASSES)),
        np.zeros(MAX_PLAYERS, np.bool_),
        np.zeros((CLASSES, HABIT_STAGES[0].features)),
    )
    ways.preflop[:] = preflop_traits().values
    for p, (player, habits) in enumerate(zip(players, counted, strict=True)):
        ways.group[p] = populations.number(player.population)
        if habits.shifts:
            ways.shift[p] = habits.shifts
        for k, row in enumerate(habits.sizes):
            for c, sizes in enumerate(row):
                ways.sizes[p, k, c, : len(sizes)] = sizes
                ways.many[p, k, c] = len(sizes)
        if player.habits is not None:
            ways.adds[p], ways.personal[p] = player.habits, True
    return ways
