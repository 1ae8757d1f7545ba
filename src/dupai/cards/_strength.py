"""The evaluator in Python."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from dupai.base import NotationError
from dupai.base.arrays import U16
from dupai.base.text import quoted
from dupai.cards._kernels.batch import strengths_kernel
from dupai.cards._kernels.evaluate import strength_kernel
from dupai.cards._tables import DECK_MASK, cards_of, mask_of
from dupai.cards._text import cards_text
from dupai.cards._values import Card, as_cards

_NOT_CARDS = ~DECK_MASK


def strength(hand: int | str | Iterable[int | str]) -> int:
    """Strength 1..7462 of the best five of 5 to 7 cards; bigger is better, equal is a tie.

    ``hand`` is a mask (an integer, see ``CARD_MASK``; the fast way), text (``"AhQd4sKh8c"``) or cards.

    Raises:
        NotationError: not five to seven different cards.
    """
    if isinstance(hand, int) and not isinstance(hand, Card):
        mask = hand
    elif isinstance(hand, np.integer):
        mask = int(hand)
    else:
        mask = mask_of(as_cards(hand, "hand"))
    if mask & _NOT_CARDS or not 4 < mask.bit_count() < 8:
        _refuse(mask)
    return int(strength_kernel(mask))


def _refuse(mask: int) -> None:
    if mask & _NOT_CARDS:
        raise NotationError(f"mask {mask:#x} has bits that are no cards: expected bits of CARD_MASK only")
    held = cards_of(mask)
    raise NotationError(f"hand {cards_text(held)!r} has {len(held)} cards: expected five to seven")


def strengths(masks: npt.ArrayLike, out: U16 | None = None) -> U16:
    """Strength of many hands at once.

    ``masks`` are ``uint64`` masks of 5 to 7 cards each (any shape); the result, ``uint16`` of the same shape, goes
    into ``out`` if that is given (contiguous).

    Raises:
        NotationError: a mask does not hold five to seven cards (the first such is quoted), or ``out`` does not fit.
    """
    try:
        array = np.ascontiguousarray(masks, dtype=np.uint64)
    except (TypeError, ValueError, OverflowError):
        raise NotationError(
            f"{quoted(masks)} is not an array of masks: expected whole numbers, bits of CARD_MASK"
        ) from None
    if out is None:
        out = np.empty(array.shape, dtype=np.uint16)
    elif out.shape != array.shape or out.dtype != np.uint16 or not out.flags.c_contiguous:
        raise NotationError(
            f"out is {out.dtype}{list(out.shape)}: expected a contiguous uint16{list(array.shape)}, as the masks are"
        )
    # A copy of what is read-only: numba would compile the kernel a second time for such an array.
    flat = (array if array.flags.writeable else array.copy()).reshape(-1)
    if not strengths_kernel(flat, out.reshape(-1)):
        unfit = (flat & np.uint64(_NOT_CARDS & 0xFFFFFFFFFFFFFFFF)).astype(bool)
        count = np.bitwise_count(flat)
        _refuse(int(flat[np.flatnonzero(unfit | (count < 5) | (count > 7))[0]]))
    return out
