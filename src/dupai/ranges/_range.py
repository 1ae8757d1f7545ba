"""The value class of ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.base.arrays import F32, F64, I16, AnyArray, Bool
from dupai.base.text import quoted
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBO_MASK, COMBOS, Hand, as_cards, combo_index, mask_of
from dupai.ranges._forms import range_weights
from dupai.ranges._picture import grid_svg, grid_text
from dupai.ranges._print import range_text


class Range:
    """A weight in [0, 1] for each of the 1326 combos; a value: immutable, comparable, hashable.

    ``Range("QQ+, AK, A5s-A2s:0.5")`` reads text in many forms (see :func:`~dupai.ranges.range_weights`);
    ``Range(weights)`` takes an array of 1326 weights by combo index, ``Range(other)`` another range; a
    :class:`~dupai.cards.Hand`, an iterable of hands and texts, and a mapping of them to weights work, too.
    ``str(r)`` is canonical text: ``Range(str(r)) == r`` exactly.

    A range is a set of hands with weights: ``hand in r``, ``for hand in r``, ``len(r)`` (combos), ``a | b`` (the larger
    weight), ``a & b`` (the smaller), ``a - b`` (without the hands of ``b``), ``a <= b`` (nowhere heavier), and
    ``r["AK"]`` (its part among these hands). Where a range is expected, everything that makes one will do.
    ``np.asarray(r)`` is its weights.

    Raises:
        NotationError: the text is not a range.
        ConfigError: the weights are not 1326 finite numbers in [0, 1].
    """

    __slots__ = ("_entries", "_text", "_weights")

    _weights: F32
    _text: str | None
    _entries: tuple[I16, F64, int] | None

    def __init__(self, spec: RangeSource = "random") -> None:
        if isinstance(spec, Range):
            weights = spec._weights
        elif isinstance(spec, str):
            weights, _ = range_weights(spec)
        elif (hands := _hands_of(spec)) is not None:
            weights = _weights_of(hands)
        else:
            try:
                array = np.asarray(spec)
            except ValueError:  # lists of different lengths
                array = np.empty(0, np.object_)
            if array.shape != (COMBOS,) or not np.issubdtype(array.dtype, np.number):
                got = f"{array.dtype}{list(array.shape)}" if array.ndim else quoted(spec)
                raise ConfigError(f"range weights: expected {COMBOS} numbers, got {got}", key="weights")
            if not ((array >= 0) & (array <= 1)).all():
                i = int(np.flatnonzero(~((array >= 0) & (array <= 1)))[0])
                raise ConfigError(
                    f"range weights: weight {array[i]} of combo {i} is not between 0 and 1", key="weights"
                )
            weights = array.astype(np.float32) + np.float32(0)  # a copy, without -0.0
        weights.flags.writeable = False
        self._weights = weights
        self._text = None
        self._entries = None

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

    @classmethod
    def read(cls, text: str) -> tuple[Range, str]:
        """The range of a text and the form in which it was written, in words: see ``dupai.ranges.range_weights``.

        Raises:
            NotationError: the text is not a range.
        """
        weights, form = range_weights(text)
        return cls(weights), form

    def to_text(self, form: str = "hands") -> str:
        """Text of the range: ``"hands"`` (as ``str``: ``QQ+, AKs:0.5``), ``"solver"`` (``AA,KK,QQ,AKs:0.5``),
        ``"gtoplus"`` (``QQ+,[50]AKs[/50]``), ``"equilab"`` (``QQ+@100,AKs@50``), ``"1326"`` (numbers from 2d2c) or
        ``"csv"``. Each of them reads back as the very same range.

        Raises:
            ConfigError: there is no such form.
        """
        return range_text(self._weights, form)

    @property
    def weights(self) -> F32:
        """``float32[1326]`` by combo index, in [0, 1], read-only."""
        return self._weights

    @property
    def entries(self) -> tuple[I16, F64, int]:
        """The combos with a weight above 0 (``int16[m]``, ascending) and their weights (``float64[m]``), read-only, and
        the mask of all cards in them."""
        if self._entries is None:
            combos = np.flatnonzero(self._weights).astype(np.int16)
            weights = self._weights[combos].astype(np.float64)
            combos.flags.writeable = weights.flags.writeable = False
            self._entries = combos, weights, int(np.bitwise_or.reduce(COMBO_MASK[combos]))
        return self._entries

    @property
    def combos(self) -> float:
        """Sum of the weights: 16.0 for ``AK``, 8.0 for ``AK:0.5``."""
        return float(self._weights.sum(dtype=np.float64))

    @property
    def class_weights(self) -> F64:
        """``float64[169]``: mean weight of each class in grid order."""
        return np.bincount(COMBO_CLASS, weights=self._weights, minlength=CLASSES) / CLASS_SIZE

    def without(self, cards_out: str | Iterable[int | str]) -> Range:
        """The range with every combo that holds one of the cards (in any form) at weight 0; may be empty.

        Raises:
            NotationError: something is not a card, or a card stands twice.
        """
        mask = np.uint64(mask_of(as_cards(cards_out)))
        if not mask:
            return self
        return Range(np.where(COMBO_MASK & mask, np.float32(0), self._weights))

    def weight(self, hand: str | int | Iterable[int | str]) -> float:
        """Weight of one hand, as text, hand or combo index: ``Range("AK:0.5").weight("AsKd") == 0.5``.

        Raises:
            NotationError: it is not a hand.
        """
        return float(self._weights[combo_index(hand)])

    def items(self) -> Iterator[tuple[Hand, float]]:
        """The hands in it with their weights, by combo index."""
        for i in np.flatnonzero(self._weights).tolist():
            yield Hand(i), float(self._weights[i])

    def to_dict(self) -> dict[str, float]:
        """The weights above 0 by hand, as ``"AsKd"``; ``Range(r.to_dict()) == r``."""
        return {str(hand): weight for hand, weight in self.items()}

    def __iter__(self) -> Iterator[Hand]:
        """The hands in it (with any weight), by combo index."""
        return (hand for hand, _ in self.items())

    def __contains__(self, hands: object) -> bool:
        """Whether a hand, or every hand of a range or of text such as ``"AK"``, is in it with any weight."""
        return bool((self._weights[_marked(hands)] > 0).all())

    def __getitem__(self, hands: Any) -> Range:
        """Its part among some hands: ``Range("QQ+,AK:0.5")["AKs"]`` is ``Range("AKs:0.5")``; may be empty."""
        return Range(np.where(_marked(hands), self._weights, np.float32(0)))

    def __or__(self, other: RangeSource) -> Range:
        """Union: the larger weight of each hand."""
        return Range(np.maximum(self._weights, Range(other)._weights))

    def __and__(self, other: RangeSource) -> Range:
        """Intersection: the smaller weight of each hand."""
        return Range(np.minimum(self._weights, Range(other)._weights))

    def __sub__(self, other: RangeSource) -> Range:
        """Without the hands of another range, whatever their weights there."""
        return Range(np.where(Range(other)._weights > 0, np.float32(0), self._weights))

    __ror__ = __or__
    __rand__ = __and__

    def __rsub__(self, other: RangeSource) -> Range:
        return Range(other) - self

    def __le__(self, other: RangeSource) -> bool:
        """Whether no hand has a larger weight than in the other range."""
        return bool((self._weights <= Range(other)._weights).all())

    def __ge__(self, other: RangeSource) -> bool:
        return Range(other) <= self

    def __lt__(self, other: RangeSource) -> bool:
        return self <= other and self != Range(other)

    def __gt__(self, other: RangeSource) -> bool:
        return Range(other) < self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        return np.array(self._weights, dtype, copy=copy)

    def grid(self, color: bool = False) -> str:
        """The 13 x 13 grid as lines for a terminal: names of full hands, percentages of partial ones.

        Suited hands stand above the diagonal, offsuit ones below. ``color`` shades the cells with ANSI codes.
        """
        return grid_text(self.class_weights, color)

    def svg(self) -> str:
        """The 13 x 13 grid as an SVG picture."""
        return grid_svg(self.class_weights)

    def to_html(self) -> str:
        """The grid as a picture, with the number of combos below."""
        return f"<div>{self.svg()}<div><small>{len(self)} combos, weight {self.combos:g}</small></div></div>"

    _repr_html_ = to_html

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


#: What makes a range: notation, a range, hands, hands or texts with weights, or 1326 weights by combo index.
RangeSource = str | Range | Hand | Iterable[Hand | str] | Mapping[Any, float] | npt.ArrayLike


def _hands_of(spec: Any) -> dict[Any, float] | None:
    """Hands and texts with their weights, None if it holds something else."""
    if isinstance(spec, Hand):
        return {spec: 1.0}
    if isinstance(spec, Mapping):
        return dict(spec)
    if isinstance(spec, np.ndarray) or not isinstance(spec, Iterable):
        return None
    hands = list(spec)
    return dict.fromkeys(hands, 1.0) if hands and all(isinstance(h, str | Hand) for h in hands) else None


def _weights_of(hands: Mapping[Any, float]) -> F32:
    weights = np.zeros(COMBOS, np.float32)
    for hand, weight in hands.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float | np.number) or not 0 <= weight <= 1:
            raise ConfigError(f"range weights: weight {quoted(weight)} of {hand} is not between 0 and 1", key="weights")
        marked = _marked(hand)
        weights[marked] = (range_weights(hand)[0][marked] if isinstance(hand, str) else np.float32(1)) * np.float32(
            weight
        )
    return weights


def _marked(hands: Any) -> Bool:
    """Which combos some hands stand for: a hand, its index or its cards, a range, or notation (whatever weights)."""
    pair = isinstance(hands, tuple | list) and len(hands) == 2 and all(isinstance(c, int) for c in hands)
    if pair or isinstance(hands, int | np.integer):
        marked = np.zeros(COMBOS, np.bool_)
        marked[combo_index(hands)] = True
        return marked
    return Range(hands).weights > 0
