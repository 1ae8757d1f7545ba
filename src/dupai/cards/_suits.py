"""Renaming suits: the 24 permutations, and the canonical form of a board or of a board with hole cards.

Two boards that differ only by the names of their suits are the same board to a player. The *canonical* one of them is
the one with the least number, a board's *number* being its place among all boards of its size in colexicographic
order (biggest card compared first). Numerically that is the least mask, hence: the suit with the largest lane becomes
clubs, the next one diamonds, and so on. With hole cards beside a board, the board decides and the hole cards break
its ties.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import NotationError
from dupai.cards._tables import COMBO_CARDS, COMBO_INDEX, mask_of
from dupai.cards._text import CARDS, cards

_ALL = np.arange(CARDS)

#: ``uint8[24, 4]``: the permutations of the suits in lexicographic order (the identity first); permutation ``p`` turns
#: suit ``s`` into ``SUIT_PERMUTATIONS[p, s]``.
SUIT_PERMUTATIONS: npt.NDArray[np.uint8] = np.array(list(permutations(range(4))), dtype=np.uint8)
#: ``uint8[24, 52]``: what each card becomes under each permutation.
CARD_PERMUTED: npt.NDArray[np.uint8] = (SUIT_PERMUTATIONS[:, _ALL // 13] * 13 + _ALL % 13).astype(np.uint8)
#: ``int16[24, 1326]``: what each combo becomes under each permutation.
COMBO_PERMUTED: npt.NDArray[np.int16] = COMBO_INDEX[
    CARD_PERMUTED[:, COMBO_CARDS[:, 0]], CARD_PERMUTED[:, COMBO_CARDS[:, 1]]
]
for _table in (SUIT_PERMUTATIONS, CARD_PERMUTED, COMBO_PERMUTED):
    _table.flags.writeable = False


class BoardClasses(NamedTuple):
    """All boards of one size up to renaming of suits; numbers as in :func:`board_number_kernel`. All read-only."""

    #: ``uint16[C(52, n)]``: class of the board with that number.
    class_of: npt.NDArray[np.uint16]
    #: ``uint8[C(52, n)]``: the permutation (row of :data:`SUIT_PERMUTATIONS`) that makes that board canonical.
    permutation: npt.NDArray[np.uint8]
    #: ``uint8[classes, n]``: the canonical boards, cards ascending, in order of their numbers.
    boards: npt.NDArray[np.uint8]
    #: ``uint8[classes]``: how many boards are in the class (1 to 24).
    size: npt.NDArray[np.uint8]


@cache
def board_classes(n: int) -> BoardClasses:
    """The 1,755 flops (``n=3``) or 16,432 turns (``n=4``, as unordered sets of cards); made in milliseconds, kept.

    Raises:
        ValueError: ``n`` is neither 3 nor 4.
    """
    from dupai.cards._kernels.suits import board_classes_kernel

    if n not in (3, 4):
        raise ValueError(f"boards of {n} cards have no table: expected 3 or 4")
    number, classes = (22_100, 1_755) if n == 3 else (270_725, 16_432)
    made = BoardClasses(
        np.zeros(number, np.uint16),
        np.zeros(number, np.uint8),
        np.zeros((classes, n), np.uint8),
        np.zeros(classes, np.uint8),
    )
    board_classes_kernel(n, *made)
    for table in made:
        table.flags.writeable = False
    return made


class Canonical(NamedTuple):
    """Result of :func:`canonical`: the renamed cards, ascending, and the permutation that led there."""

    board: tuple[int, ...]
    hole: tuple[int, ...]
    permutation: int


def canonical(board: str | Iterable[int], hole: str | Iterable[int] = ()) -> Canonical:
    """The canonical form of a board (any number of cards), with hole cards or without.

    Two pairs of board and hole cards have the same form exactly if they differ by the names of suits only. There are
    169 forms of hole cards alone (``board=()``), 1,286,792 with a flop and 13,960,050 with a turn.

    Raises:
        NotationError: a card stands twice or is unknown.
    """
    from dupai.cards._kernels.suits import canonical_kernel

    b, h = (cards(g) if isinstance(g, str) else tuple(int(c) for c in g) for g in (board, hole))
    if any(not 0 <= c < CARDS for c in (*b, *h)):
        raise NotationError(f"cards {[*b, *h]} cannot be renamed: expected known ones, 0 to 51")
    mask_of((*b, *h))
    p = int(canonical_kernel(mask_of(b), mask_of(h)))
    renamed = CARD_PERMUTED[p]
    return Canonical(tuple(sorted(renamed[list(b)].tolist())), tuple(sorted(renamed[list(h)].tolist())), p)
