"""Suit isomorphism by trying all 24 renamings."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from math import comb

Cards = tuple[int, ...]


def board_number(cards: Iterable[int]) -> int:
    """Place of a set of cards among all sets of its size in colexicographic order."""
    return sum(comb(c, k + 1) for k, c in enumerate(sorted(cards)))


def renamed(cards: Iterable[int], suits: tuple[int, ...]) -> Cards:
    """The cards with suit ``s`` called ``suits[s]``, ascending."""
    return tuple(sorted(suits[c // 13] * 13 + c % 13 for c in cards))


def canonical(board: Iterable[int], hole: Iterable[int] = ()) -> tuple[Cards, Cards]:
    """The renaming with the least board number; among those, with the least number of the hole cards."""
    board, hole = tuple(board), tuple(hole)
    images = [(renamed(board, p), renamed(hole, p)) for p in permutations(range(4))]
    return min(images, key=lambda image: (board_number(image[0]), board_number(image[1])))
