"""Reading: what somebody seems to hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NotationError
from dupai.base.arrays import F64, I8, AnyArray
from dupai.cards import (
    CLASS_TEXT,
    CLASSES,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_MASK,
    COMBOS,
    as_cards,
    cards_text,
    combo_index,
    combo_text,
    hand_value_table,
    mask_of,
    strengths,
)
from dupai.notation import Reason, narrowed_reasons
from dupai.ranges import Range

#: Names in order; before the flop only the first four occur.
HAND_CLASSES = (
    *("unpaired low", "unpaired high", "pair low", "pair high", "two pair", "trips"),
    *("straight", "flush", "full house", "quads", "straight flush"),
)
#: *High*: the pair's rank, or the higher hole card, is a ten or better (the paper does not say).
_TEN = 8
_RANKS = np.sort(COMBO_CARDS.astype(np.int64) % 13, axis=1)


@cache
def _before_flop() -> I8:
    low, high = _RANKS[:, 0], _RANKS[:, 1]
    return np.asarray(2 * (low == high) + (high >= _TEN), np.int8)


@cache
def _class_of_strength() -> I8:
    """Class by strength; unpaired hands get 0, their hole cards decide."""
    value = hand_value_table().astype(np.int64)
    kind, first = value >> 20, value >> 16 & 15
    return np.where(kind == 0, 0, np.where(kind == 1, 2 + (first >= _TEN), kind + 2)).astype(np.int8)


def hand_classes(board: str | Iterable[int | str]) -> I8:
    """``int8[1326]``: the class (index into :data:`HAND_CLASSES`) of every hand on a board of 0, 3, 4 or 5 cards; -1
    for hands that hold a board card.

    Raises:
        NotationError: another number of cards.
    """
    board = as_cards(board, "board")
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


#: Hands whose probabilities differ by less than this, relatively, count as equally probable (the metric's ties).
TIE = 1e-9


class Reading:
    """A probability for each of the 1326 combos; immutable.

    Args:
        weights: 1326 finite weights of at least 0, not all 0; they are normalised.

    Raises:
        ConfigError: they are not that.
    """

    __slots__ = ("_p",)

    def __init__(self, weights: npt.ArrayLike) -> None:
        p = np.array(weights, np.float64)
        if p.shape != (COMBOS,):
            raise ConfigError(f"a reading has {COMBOS} weights, got an array of shape {list(p.shape)}")
        total = p.sum()
        if not (np.isfinite(total) and total > 0 and p.min() >= 0):
            raise ConfigError("a reading's weights must be finite, none below 0 and not all 0")
        p /= total
        p.flags.writeable = False
        self._p = p

    @property
    def p(self) -> F64:
        """``float64[1326]`` by combo index, read-only, sums to 1."""
        return self._p

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        return np.array(self._p, dtype, copy=copy)

    def probability(self, hand: str | int | Sequence[int]) -> float:
        """Probability of one hand: text (``"AsKd"``), a :class:`~dupai.cards.Hand`, or its combo index.

        Raises:
            NotationError: it is not a hand.
        """
        return float(self._p[combo_index(hand)])

    @property
    def hands(self) -> int:
        """How many combos are possible at all."""
        return int(np.count_nonzero(self._p))

    @property
    def entropy(self) -> float:
        """In bits; log2(1326) = 10.37 when nothing is known."""
        p = self._p[self._p > 0]
        return float(-(p * np.log2(p)).sum())

    @property
    def narrowed(self) -> float:
        """How many equally likely hands would leave as much open: 2 to the power of :attr:`entropy`."""
        return float(2**self.entropy)

    @property
    def said(self) -> list[Reason]:
        """How far it is narrowed, its three likeliest starting hands, and how that is counted, as data."""
        likely = np.argsort(-self.class_p, kind="stable")[:3]
        top = [CLASS_TEXT[k] for k in likely if self.class_p[k] > 0]
        return narrowed_reasons(self.entropy, self.hands, top)

    def gain(self, hand: str | int | Sequence[int], legal: int) -> float:
        """Bits gained over knowing nothing, ``log2(legal * P(hand))``, when ``hand`` is the truth and ``legal`` hands
        were possible; minus infinity for a hand held impossible."""
        p = self.probability(hand)
        return float(np.log2(legal * p)) if p > 0 else float("-inf")

    def covered(self, hand: str | int | Sequence[int], level: float) -> float:
        """Whether the smallest set with ``level`` of the probability holds ``hand``, exactly for ties: between 0 and 1
        where the set's edge runs through hands as probable as this one."""
        p = self.probability(hand)
        above = float(self._p[self._p > p * (1 + TIE)].sum())
        equal = float(self._p[np.abs(self._p - p) <= p * TIE].sum())
        return min(max((level - above) / equal, 0.0), 1.0) if equal > 0 else 0.0

    def credible_set(self, level: float) -> npt.NDArray[np.intp]:
        """The fewest combos that hold ``level`` of the probability, most probable first."""
        order = np.argsort(-self._p, kind="stable")
        enough = int(np.searchsorted(np.cumsum(self._p[order]), level * (1 - 1e-12))) + 1
        return order[:enough]

    def top(self, n: int = 10) -> list[tuple[str, float]]:
        """The ``n`` most probable combos as text with their probabilities."""
        order = np.argsort(-self._p, kind="stable")[:n]
        return [(combo_text(int(i)), float(self._p[i])) for i in order]

    @property
    def class_p(self) -> F64:
        """``float64[169]``: probability of each starting hand in grid order."""
        return np.asarray(np.bincount(COMBO_CLASS, self._p, CLASSES), np.float64)

    @property
    def class_grid(self) -> F64:
        """``float64[169]`` in grid order: mean probability of the possible hands of each starting hand, the largest 1:
        what the 13 x 13 grid shows."""
        mean = self.class_p / np.maximum(np.bincount(COMBO_CLASS[self._p > 0], minlength=CLASSES), 1)
        return np.asarray(mean / mean.max(), np.float64)

    def class_shares(self, board: str | Iterable[int | str]) -> F64:
        """``float64[11]``: probability of each of :data:`HAND_CLASSES` on the board."""
        classes = hand_classes(board)
        possible = classes >= 0
        return np.asarray(np.bincount(classes[possible], self._p[possible], len(HAND_CLASSES)), np.float64)

    @property
    def range(self) -> Range:
        """As a range: the most probable combo has weight 1."""
        return Range((self._p / self._p.max()).astype(np.float32))

    def grid(self, color: bool = False) -> str:
        """The 13 x 13 grid of the range for a terminal: see :meth:`dupai.ranges.Range.grid`."""
        return self.range.grid(color)

    def to_dict(self) -> dict[str, float]:
        """The probabilities above 0 by hand, as ``"AsKd"``, the most probable first."""
        return dict(self.top(self.hands))

    def to_html(self) -> str:
        """The grid of the range, with how far it is narrowed and the most probable hands below."""
        return f"<div>{self.range.svg()}<div><small>{repr(self)[1:-1]}</small></div></div>"

    _repr_html_ = to_html

    def __repr__(self) -> str:
        likely = ", ".join(f"{hand} {100 * p:.2g} %" for hand, p in self.top(3))
        return f"<Reading narrowed to about {float(f'{self.narrowed:.2g}'):,.0f} of {self.hands:,} hands, {likely}>"
