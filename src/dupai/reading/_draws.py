"""Draws of every hand on a board, as the reader's own features count them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from dupai.base.arrays import I64, Bool
from dupai.cards import COMBO_CARDS, as_cards
from dupai.reading._reading import HAND_CLASSES, Reading, hand_classes

#: Names in order; a hand may have a flush draw beside one of the others. *Open-ended*: two ranks or more complete a
#: straight, so double gutshots count.
HAND_DRAWS = ("flush draw", "open-ended", "gutshot")
_STRAIGHT, _FLUSH = HAND_CLASSES.index("straight"), HAND_CLASSES.index("flush")
_CARDS = COMBO_CARDS.astype(np.int64)


def hand_draws(board: str | Iterable[int | str]) -> Bool:
    """``bool[3, 1326]``: which hands have each of :data:`HAND_DRAWS` on a board of 0, 3, 4 or 5 cards.

    A draw needs a hole card and improves the hand: none before the flop or on the river, no straight draw where a
    straight or better is made, no flush draw where a flush or better is made. A card that gives the board alone a
    straight completes none.

    Raises:
        NotationError: another number of cards.
    """
    return _draws(tuple(as_cards(board, "board"))).copy()


def hand_shares(
    reading: Reading, board: str | Iterable[int | str]
) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """The probabilities above 0 of made hands (:data:`HAND_CLASSES`), the likeliest first, and of draws in the order of
    :data:`HAND_DRAWS`; no draw before the flop or on the river.

    Raises:
        NotationError: another number of cards than 0, 3, 4 or 5.
    """
    made = sorted(zip(HAND_CLASSES, reading.class_shares(board).tolist(), strict=True), key=lambda one: -one[1])
    drawn = zip(HAND_DRAWS, (hand_draws(board) @ reading.p).tolist(), strict=True)
    return [one for one in made if one[1] > 0], [one for one in drawn if one[1] > 0]


@lru_cache(maxsize=64)
def _draws(board: tuple[int, ...]) -> Bool:
    made = hand_classes(board)
    draws = np.zeros((len(HAND_DRAWS), len(made)), np.bool_)
    if len(board) not in (3, 4):
        return draws
    suits = np.bincount([card // 13 for card in board], minlength=4)
    held = _CARDS // 13
    same = held[:, 0] == held[:, 1]
    draws[0] = np.where(same, suits[held[:, 0]] == 2, (suits[held] == 3).any(axis=1)) & (made < _FLUSH)
    ranks = np.int64(sum({1 << card % 13 for card in board}))
    both = ranks | (1 << _CARDS % 13)[:, 0] | (1 << _CARDS % 13)[:, 1]
    outs = np.zeros(len(made), np.int64)
    for rank in range(13):
        more = np.int64(1) << rank
        outs += (both & more == 0) & _straight(both | more) & ~_straight(ranks | more)
    open_to = made < _STRAIGHT
    draws[1], draws[2] = (outs >= 2) & open_to, (outs == 1) & open_to
    return draws & (made >= 0)


def _straight(ranks: I64 | np.int64) -> Bool:
    """Whether 13 bits of ranks hold five in a row (the ace below the deuce too)."""
    m = (ranks << 1) | (ranks >> 12 & 1)
    return np.asarray((m & m >> 1 & m >> 2 & m >> 3 & m >> 4) != 0)
