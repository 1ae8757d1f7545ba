"""The eleven classes of a current best hand that the FOLD paper predicts (its figure 7)."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from dupai.base import NotationError
from dupai.cards import COMBO_CARDS, COMBO_MASK, cards_text, hand_value_table, mask_of, strengths

#: Names in order; before the flop only the first four occur.
HAND_CLASSES = (
    "unpaired low",
    "unpaired high",
    "pair low",
    "pair high",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
#: *High*: the pair's rank, or the higher hole card, is a ten or better (the paper does not say).
_TEN = 8
_RANKS = np.sort(COMBO_CARDS.astype(np.int64) % 13, axis=1)


@cache
def _before_flop() -> npt.NDArray[np.int8]:
    low, high = _RANKS[:, 0], _RANKS[:, 1]
    return np.asarray(2 * (low == high) + (high >= _TEN), np.int8)


@cache
def _class_of_strength() -> npt.NDArray[np.int8]:
    """Class by strength; unpaired hands get 0, their hole cards decide."""
    value = hand_value_table().astype(np.int64)
    kind, first = value >> 20, value >> 16 & 15
    return np.where(kind == 0, 0, np.where(kind == 1, 2 + (first >= _TEN), kind + 2)).astype(np.int8)


def hand_classes(board: tuple[int, ...]) -> npt.NDArray[np.int8]:
    """``int8[1326]``: the class (index into :data:`HAND_CLASSES`) of every hand on a board of 0, 3, 4 or 5 cards; -1
    for hands that hold a board card.

    Raises:
        NotationError: another number of cards.
    """
    if len(board) not in (0, 3, 4, 5):
        raise NotationError(f"board {cards_text(board)!r} has {len(board)} cards: expected 0, 3, 4 or 5")
    if not board:
        return _before_flop().copy()
    mask = np.uint64(mask_of(board))
    free = (COMBO_MASK & mask) == 0
    classes = np.full(len(COMBO_MASK), -1, np.int8)
    made = _class_of_strength()[strengths(COMBO_MASK[free] | mask)]
    classes[free] = np.where(made == 0, _RANKS[free, 1] >= _TEN, made)
    return classes
