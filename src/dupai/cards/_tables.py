"""The fixed orders: combos, the 169 classes, and cards as bits.

* A set of cards is a ``uint64`` *mask* of four 16-bit suit lanes: card ``c`` is bit ``(c // 13) * 16 + c % 13``.
* A *combo* (unordered hole cards) is an index 0..1325: cards ``a < b`` have index ``b * (b - 1) // 2 + a``.
* A *class* is an index 0..168, read row by row off the 13 x 13 grid with aces first: suited hands above the
  diagonal, pairs on it, offsuit hands below. Class 0 is AA, 1 is AKs, 13 is AKo.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dupai.base import NotationError
from dupai.base.arrays import U8
from dupai.cards._text import CARDS, NO_CARD, RANKS, card_text, cards

_S = TypeVar("_S", bound=np.generic)

#: The evaluator's tables, made by ``tools/evaluator_tables.py``.
TABLE_FILE = Path(__file__).with_name("evaluator.npz")
#: Number of unordered pairs of hole cards.
COMBOS = 1326
#: Number of starting-hand classes (AA, AKs, AKo, ...).
CLASSES = 169


def _frozen(a: npt.NDArray[_S]) -> npt.NDArray[_S]:
    a.flags.writeable = False
    return a


def _class_of(a: int, b: int) -> int:
    hi, lo = max(a % 13, b % 13), min(a % 13, b % 13)
    row, col = 12 - hi, 12 - lo
    return row * 13 + col if a // 13 == b // 13 or hi == lo else col * 13 + row


#: ``uint64[52]``: the bit of each card in a mask.
CARD_MASK = _frozen(np.array([1 << (c // 13 * 16 + c % 13) for c in range(CARDS)], dtype=np.uint64))
#: Mask of the whole deck.
DECK_MASK = int(np.bitwise_or.reduce(CARD_MASK))
#: ``uint8[1326, 2]``: the two cards of each combo, the smaller number first.
COMBO_CARDS = _frozen(np.array([(a, b) for b in range(CARDS) for a in range(b)], dtype=np.uint8))
#: ``uint64[1326]``: the two cards of each combo as a mask.
COMBO_MASK = _frozen(CARD_MASK[COMBO_CARDS[:, 0]] | CARD_MASK[COMBO_CARDS[:, 1]])
#: ``uint8[1326]``: the class of each combo.
COMBO_CLASS = _frozen(np.array([_class_of(int(a), int(b)) for a, b in COMBO_CARDS], dtype=np.uint8))
#: ``uint8[169]``: how many combos a class has (6 pairs, 4 suited, 12 offsuit).
CLASS_SIZE = _frozen(np.bincount(COMBO_CLASS, minlength=CLASSES).astype(np.uint8))


_PAIRS = np.full((CARDS, CARDS), -1, dtype=np.int16)
for _ends in (COMBO_CARDS, COMBO_CARDS[:, ::-1]):
    _PAIRS[_ends[:, 0], _ends[:, 1]] = np.arange(COMBOS)
#: ``int16[52, 52]``: index of the combo of two cards in either order; -1 on the diagonal.
COMBO_INDEX = _frozen(_PAIRS)

#: ``uint8[24, 4]``: the permutations of the suits in lexicographic order (the identity first); permutation ``p`` turns
#: suit ``s`` into ``SUIT_PERMUTATIONS[p, s]``.
SUIT_PERMUTATIONS = _frozen(np.array(list(permutations(range(4))), dtype=np.uint8))
_ALL = np.arange(CARDS)
#: ``uint8[24, 52]``: the image of each card under each permutation.
CARD_PERMUTED = _frozen((SUIT_PERMUTATIONS[:, _ALL // 13] * 13 + _ALL % 13).astype(np.uint8))
#: ``int16[24, 1326]``: the image of each combo under each permutation.
COMBO_PERMUTED = _frozen(COMBO_INDEX[CARD_PERMUTED[:, COMBO_CARDS[:, 0]], CARD_PERMUTED[:, COMBO_CARDS[:, 1]]])

#: Text of each class in grid order: ``"AA"``, ``"AKs"``, ..., ``"22"``.
CLASS_TEXT: tuple[str, ...] = tuple(
    RANKS[12 - row] + RANKS[12 - col] + "s"
    if col > row
    else RANKS[12 - col] + RANKS[12 - row] + ("o" if col < row else "")
    for row in range(13)
    for col in range(13)
)
_CLASS_INDEX = {t: i for i, t in enumerate(CLASS_TEXT)}


def combo(a: int | str, b: int | None = None) -> int:
    """Index of the combo of two different cards: ``combo("AsKd")`` or ``combo(51, 24)``.

    Raises:
        NotationError: the text does not hold exactly two different cards, or the numbers are no cards or equal.
    """
    if isinstance(a, str):
        hole = cards(a)
        if len(hole) != 2:
            raise NotationError(f"{a!r} holds {len(hole)} cards: expected two hole cards, as in 'AsKd'", text=a)
        a, b = hole
    if b is None or not (0 <= a < CARDS and 0 <= b < CARDS):
        raise NotationError(f"{a!r} and {b!r} are not two hole cards: expected numbers 0 to {CARDS - 1}")
    if a == b:
        raise NotationError(f"card {card_text(a)} cannot be both hole cards")
    return int(COMBO_INDEX[a, b])


def combo_text(index: int) -> str:
    """The two cards of a combo, higher rank first (then spades before clubs): ``"AsKd"``."""
    a, b = (int(c) for c in COMBO_CARDS[index])
    if (a % 13, a // 13) < (b % 13, b // 13):
        a, b = b, a
    return card_text(a) + card_text(b)


def class_index(text: str) -> int:
    """Index of a class from its text: ``class_index("AKs") == 1``.

    Raises:
        NotationError: ``text`` is not a class.
    """
    index = _CLASS_INDEX.get(text)
    if index is None:
        raise NotationError(f"{text!r} is not a starting-hand class: expected one as 'AA', 'AKs' or 'AKo'", text=text)
    return index


def class_text(index: int) -> str:
    """Text of a class: ``class_text(1) == "AKs"``."""
    return CLASS_TEXT[index]


def board_array(board: Sequence[int] | npt.NDArray[np.integer]) -> U8:
    """The open cards of a board for kernels: ``uint8[5]``, 255 where there is no card yet. Checks nothing."""
    out = np.full(5, NO_CARD, np.uint8)
    out[: len(board)] = board
    return out


def mask_of(cards: Iterable[int]) -> int:
    """Mask of a set of cards as a Python integer; unknown cards (255) are left out.

    Raises:
        NotationError: a card stands twice, or a number is no card.
    """
    mask = 0
    for c in map(int, cards):
        if c == NO_CARD:
            continue
        if not 0 <= c < CARDS:
            raise NotationError(f"{c} is not a card: expected 0 to {CARDS - 1}, or {NO_CARD} for an unknown one")
        bit = 1 << (c // 13 * 16 + c % 13)
        if mask & bit:
            raise NotationError(f"card {card_text(c)} stands twice")
        mask |= bit
    return mask


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a mask in ascending order."""
    return tuple(lane * 13 + r for lane in range(4) for r in range(13) if mask >> (lane * 16 + r) & 1)
