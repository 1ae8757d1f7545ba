"""Renaming suits: the 24 permutations, and the canonical form of a board or of a board with hole cards.

Two boards that differ only by the names of their suits are the same board to a player. The *canonical* one has the
least number. A board's *number* is its place among all boards of its size in colexicographic order (biggest card
compared first). The least number is also the least mask: the suit with the largest lane becomes clubs, the next one
diamonds, and so on. With hole cards beside a board, the board decides and the hole cards break ties.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from dupai.base.arrays import U8, U16
from dupai.cards._tables import CARD_PERMUTED, mask_of
from dupai.cards._values import as_cards


class BoardClasses(NamedTuple):
    """All boards of one size up to renaming of suits; numbers as in :func:`board_number_kernel`. All read-only."""

    #: ``uint16[C(52, n)]``: class of the board with that number.
    class_of: U16
    #: ``uint8[C(52, n)]``: the permutation (row of :data:`SUIT_PERMUTATIONS`) that makes that board canonical.
    permutation: U8
    #: ``uint8[classes, n]``: the canonical boards, cards ascending, in order of their numbers.
    boards: U8
    #: ``uint8[classes]``: how many boards are in the class (1 to 24).
    size: U8


@cache
def board_classes(n: int) -> BoardClasses:
    """The 1,755 flops (``n=3``) or 16,432 turns (``n=4``, as unordered sets of cards); computed in milliseconds, once.

    Raises:
        ValueError: ``n`` is neither 3 nor 4.
    """
    from dupai.cards._kernels.suits import board_classes_kernel

    if n not in (3, 4):
        raise ValueError(f"boards of {n} cards have no table: expected 3 or 4")
    number, classes = (22_100, 1_755) if n == 3 else (270_725, 16_432)
    by_number = np.zeros(number, np.uint16), np.zeros(number, np.uint8)
    tables = BoardClasses(*by_number, np.zeros((classes, n), np.uint8), np.zeros(classes, np.uint8))
    board_classes_kernel(n, *tables)
    for table in tables:
        table.flags.writeable = False
    return tables


class Canonical(NamedTuple):
    """Result of :func:`canonical`: the renamed cards, ascending, and the permutation that led there."""

    board: tuple[int, ...]
    hole: tuple[int, ...]
    permutation: int


def canonical(board: str | Iterable[int | str], hole: str | Iterable[int | str] = ()) -> Canonical:
    """The canonical form of a board (any number of cards), with or without hole cards.

    Two pairs of board and hole cards have the same form exactly when they differ only by the names of suits. There are
    169 forms of hole cards alone (``board=()``), 1,286,792 with a flop and 13,960,050 with a turn.

    Raises:
        NotationError: a card stands twice or is unknown.
    """
    from dupai.cards._kernels.suits import canonical_kernel

    b, h = as_cards(board, "board"), as_cards(hole, "hole cards")
    mask_of((*b, *h))
    p = int(canonical_kernel(mask_of(b), mask_of(h)))
    renamed = CARD_PERMUTED[p]
    return Canonical(tuple(sorted(renamed[list(b)].tolist())), tuple(sorted(renamed[list(h)].tolist())), p)
