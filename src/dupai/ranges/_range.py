"""The value class of ranges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import F32, F64, ConfigError
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBO_MASK, COMBOS, cards, combo, mask_of
from dupai.ranges._parse import range_weights
from dupai.ranges._picture import grid_svg, grid_text
from dupai.ranges._print import range_text


class Range:
    """A weight in [0, 1] for each of the 1326 combos; a value: immutable, comparable, hashable.

    ``Range("QQ+, AK, 0.5:A5s-A2s")`` reads notation (see :func:`~dupai.ranges.range_weights`);
    ``Range(weights)`` takes an array of 1326 weights by combo index, ``Range(other)`` another range.
    ``str(r)`` is canonical text: ``Range(str(r)) == r`` exactly.

    Raises:
        NotationError: the text is not a range.
        ConfigError: the weights are not 1326 finite numbers in [0, 1].
    """

    __slots__ = ("_text", "_weights")

    _weights: F32
    _text: str | None

    def __init__(self, spec: str | Range | npt.ArrayLike = "random") -> None:
        if isinstance(spec, Range):
            weights = spec._weights
        elif isinstance(spec, str):
            weights = range_weights(spec)
        else:
            array = np.asarray(spec)
            if array.shape != (COMBOS,) or not np.issubdtype(array.dtype, np.number):
                raise ConfigError(
                    f"range weights: expected {COMBOS} numbers, got {array.dtype}{list(array.shape)}", key="weights"
                )
            if not ((array >= 0) & (array <= 1)).all():
                i = int(np.flatnonzero(~((array >= 0) & (array <= 1)))[0])
                raise ConfigError(
                    f"range weights: weight {array[i]} of combo {i} is not between 0 and 1", key="weights"
                )
            weights = array.astype(np.float32) + np.float32(0)  # a copy, without -0.0
        weights.flags.writeable = False
        self._weights = weights
        self._text = None

    @classmethod
    def from_classes(cls, weights: npt.ArrayLike) -> Range:
        """A range from 169 weights in grid order (``dupai.cards.CLASS_TEXT``).

        Raises:
            ConfigError: not 169 finite numbers in [0, 1].
        """
        by_class = np.asarray(weights)
        if by_class.shape != (CLASSES,):
            raise ConfigError(
                f"range weights: expected {CLASSES} numbers by class, got shape {list(by_class.shape)}", key="weights"
            )
        return cls(by_class[COMBO_CLASS])

    @property
    def weights(self) -> F32:
        """``float32[1326]`` by combo index, in [0, 1], read-only."""
        return self._weights

    @property
    def combos(self) -> float:
        """Sum of the weights: 16.0 for ``AK``, 8.0 for ``0.5:AK``."""
        return float(self._weights.sum(dtype=np.float64))

    @property
    def class_weights(self) -> F64:
        """``float64[169]``: mean weight of each class in grid order."""
        return np.bincount(COMBO_CLASS, weights=self._weights, minlength=CLASSES) / CLASS_SIZE

    def without(self, cards_out: str | Iterable[int]) -> Range:
        """The range with every combo that holds one of the cards (text or card numbers) at weight 0; may be empty.

        Raises:
            NotationError: something is not a card, or a card stands twice.
        """
        mask = np.uint64(mask_of(cards(cards_out) if isinstance(cards_out, str) else cards_out))
        if not mask:
            return self
        return Range(np.where(COMBO_MASK & mask, np.float32(0), self._weights))

    def weight(self, hand: str | int) -> float:
        """Weight of one combo, by index or text: ``Range("0.5:AK").weight("AsKd") == 0.5``."""
        return float(self._weights[combo(hand) if isinstance(hand, str) else hand])

    def grid(self, color: bool = False) -> str:
        """The 13 x 13 grid as lines for a terminal: names of full hands, percentages of partial ones.

        Suited hands stand above the diagonal, offsuit ones below. ``color`` shades the cells with ANSI codes.
        """
        return grid_text(self.class_weights, color)

    def svg(self) -> str:
        """The 13 x 13 grid as an SVG picture."""
        return grid_svg(self.class_weights)

    def _repr_html_(self) -> str:
        return f"<div>{self.svg()}<div><small>{len(self)} combos, weight {self.combos:g}</small></div></div>"

    def __len__(self) -> int:
        """Number of combos with a weight above 0."""
        return int(np.count_nonzero(self._weights))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool(np.array_equal(self._weights, other._weights))

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __str__(self) -> str:
        if self._text is None:
            self._text = range_text(self._weights)
        return self._text

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Range, (np.array(self._weights),)


def parse_range(text: str) -> Range:
    """The range that a text names; the same as ``Range(text)``.

    Raises:
        NotationError: a token is not a hand, a weight is not in [0, 1], or nothing is left.
    """
    return Range(text)
