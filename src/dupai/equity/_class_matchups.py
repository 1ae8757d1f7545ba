"""Class against class before the flop, exactly: the table of match-ups added up."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base.arrays import F64
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS
from dupai.equity._matchups import BOARDS, load_matchups


class ClassMatchups(NamedTuple):
    """Two hands of the 169 classes (grid order), one each: ``float64[169, 169]``, read-only.

    ``pairs[c, d]``: pairs of combos that share no card (of 1326 * 1225 in all); ``win`` and ``tie``: probabilities that
    the hand of class c wins or ties when the board is dealt out, averaged over those pairs. No class is without pairs.
    """

    pairs: F64
    win: F64
    tie: F64

    @property
    def equity(self) -> F64:
        """``float64[169, 169]``: win and half of tie."""
        return self.win + self.tie / 2


@cache
def class_matchups() -> ClassMatchups:
    """All match-ups of two classes, exact."""
    table = load_matchups()
    free = table.tie >= 0

    def by_class(values: npt.NDArray[np.generic]) -> F64:
        return np.stack([np.bincount(COMBO_CLASS, row, CLASSES) for row in values.astype(np.float64)])

    met = by_class(free)
    win = by_class(np.where(free, table.win, 0)) / (met * BOARDS)
    tie = by_class(np.where(free, table.tie, 0)) / (met * BOARDS)
    matchups = ClassMatchups(met * CLASS_SIZE[:, None], win, tie)
    for values in matchups:
        values.flags.writeable = False
    return matchups
