"""The table of all distinct match-ups of two hands before the flop.

Up to renaming of suits and up to who is named first there are 47,008. ``tools/matchups.py`` counts them all in
three seconds and writes ``matchups.npz``, which ships; a test recounts a sample.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base.arrays import F64, I16, I32, U8
from dupai.cards import CLASSES, COMBO_CLASS, COMBO_MASK, COMBOS
from dupai.cards.kernels import COMBO_PERMUTED
from dupai.equity._kernels.pairs import preflop_mass_kernel

#: The file of the counts in the package.
MATCHUP_FILE = Path(__file__).with_name("matchups.npz")
#: Boards of five beside four known cards.
BOARDS = 1_712_304
#: Distinct match-ups.
MATCHUPS = 47_008


class MatchupIndex(NamedTuple):
    """Which match-up a pair of hands is.

    ``first`` ``int16[169]``: the first combo of each class; ``to_class`` ``uint8[1326]``: the suit permutation that
    leads from a combo to the first of its class. ``number`` ``int32[169, 1326]``: the match-up of a class's first combo
    and every combo, -1 where they share a card; ``turned`` ``bool[169, 1326]``: whether that match-up is counted from
    the other side. ``hands`` ``int16[47008, 2]``: the two combos of each match-up.
    """

    first: I16
    to_class: U8
    number: I32
    turned: npt.NDArray[np.bool_]
    hands: I16


class Matchups(NamedTuple):
    """Counts of every match-up, laid out for look-ups: boards won and tied (``int32[169, 1326]``, of 1,712,304).

    ``win[c, j]``: the first combo of class c against combo j; 0 and -1 where they share a card. For another combo i
    of the class look up ``j' = COMBO_PERMUTED[to_class[i], j]``.
    """

    to_class: U8
    win: I32
    tie: I32


@cache
def matchup_index() -> MatchupIndex:
    """Number all match-ups: the least (class, combo) of the pair and of the pair turned round, in ascending order."""
    first = np.array([int(np.argmax(c == COMBO_CLASS)) for c in range(CLASSES)], dtype=np.int16)
    leads = first[COMBO_CLASS] == COMBO_PERMUTED
    to_class = leads.argmax(axis=0).astype(np.uint8)
    number = np.full((CLASSES, COMBOS), -1, dtype=np.int32)
    turned = np.zeros((CLASSES, COMBOS), dtype=np.bool_)
    for c in range(CLASSES):
        # suit permutations that leave the first combo as it is: the other hand may be renamed by them
        same = np.flatnonzero(COMBO_PERMUTED[:, first[c]] == first[c])
        number[c] = COMBO_PERMUTED[same].min(axis=0).astype(np.int32) + c * COMBOS
        number[c, (COMBO_MASK & COMBO_MASK[first[c]]) != 0] = -1
    ordered = number.copy()
    for c in range(CLASSES):
        back = ordered[COMBO_CLASS, COMBO_PERMUTED[to_class, first[c]]]
        free = ordered[c] >= 0
        turned[c] = free & (back < ordered[c])
        number[c] = np.where(turned[c], back, ordered[c])
    pairs, number_of = np.unique(number[number >= 0], return_inverse=True)
    number[number >= 0] = number_of
    hands = np.stack([first[pairs // COMBOS], pairs % COMBOS], axis=1).astype(np.int16)
    return MatchupIndex(first, to_class, number, turned, hands)


@cache
def load_matchups() -> Matchups:
    """The table, read from the package (a few milliseconds)."""
    with np.load(MATCHUP_FILE, allow_pickle=False) as file:
        win, tie = file["win"], file["tie"]
    index = matchup_index()
    wins = np.where(index.turned, BOARDS - (win + tie)[index.number], win[index.number]).astype(np.int32)
    ties = tie[index.number]
    wins[index.number < 0] = 0
    ties[index.number < 0] = -1
    wins.flags.writeable = ties.flags.writeable = False
    return Matchups(index.to_class, wins, ties)


def preflop_mass(weights: F64) -> tuple[F64, F64, F64]:
    """All hands against a weighted range before the flop: weight times boards won, tied and met (``float64[1326]``).

    Args:
        weights: ``float64[1326]``, any non-negative weights.
    """
    table = load_matchups()
    win, tie, total = np.zeros(COMBOS), np.zeros(COMBOS), np.zeros(COMBOS)
    preflop_mass_kernel(weights, COMBO_CLASS, table.to_class, COMBO_PERMUTED, table.win, table.tie, win, tie, total)
    return win, tie, total
