"""Bet sizes: the one vocabulary of their text, and the one way from a size to chips.

A new bet size is added here and nowhere else: its text in :meth:`BetSize.parse` and ``str``, its chips in
:meth:`BetSize.bet` (and in :class:`SizeTable`, where expert rules use it). :func:`raise_to` has a twin for kernels,
``raise_to_kernel``; the way back, from chips to a class of sizes, is :meth:`Menu.column_of_raise` with the twin
``size_class_kernel``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64, AnyArray
from dupai.base.text import nearest

#: Sizes in words, as shares of the pot after a call.
POT_WORDS = {"third": 1 / 3, "half": 0.5, "two-thirds": 2 / 3, "pot": 1.0, "double": 2.0}
#: Size codes of kernels: a share of the pot (0 or more), or one of these.
MIN_RAISE, MAX_RAISE, UNIFORM = -1.0, -2.0, -3.0
#: Help of every option ``size``.
SIZE_HELP = "raise size: min, half, pot, max, random (uniform over all legal totals), or a number of pots"

_CODES = {"min": MIN_RAISE, "half": 0.5, "pot": 1.0, "max": MAX_RAISE, "random": UNIFORM}
_KINDS = {"a": "allin", "allin": "allin", "all-in": "allin", "max": "allin", "min": "min"}
#: Kind of a size by its suffix, and by what its number is divided.
_SUFFIXES = {"%": ("pot", 100), "p": ("pot", 1), "x": ("times", 1), "c": ("chips", 1), "bb": ("blinds", 1)}
#: Suffixes whose numbers are divided by nothing.
_EXACT = {"pot": "p", "times": "x", "blinds": "bb"}
_NUMBER = r"\d+(?:\.\d*)?|\.\d+"
_SUFFIXED = re.compile(rf"({_NUMBER})({'|'.join(_SUFFIXES)})")
_GEOMETRIC = re.compile(rf"(\d?)e(?:({_NUMBER})%)?")


class BetSize(NamedTuple):
    """One bet size. ``kind`` says what ``x`` counts:

    * ``pot``: x of the pot (of a raise: as the pot stands after calling);
    * ``times``: x times the bet faced;
    * ``chips``: x chips (of a raise: beyond the bet faced);
    * ``blinds``: a total of x big blinds;
    * ``geometric``: equal shares of the pot over ``streets`` streets (0: those that are left), at most x of the pot;
    * ``min``, ``allin``: the smallest and the largest raise.
    """

    kind: str
    x: float = 0.0
    streets: int = 0

    @classmethod
    def parse(cls, text: str) -> BetSize | None:
        """A size from text, None if it is none: ``75%``, ``0.75p``, ``half``, ``2.5x``, ``120c``, ``3bb``, ``e``,
        ``2e``, ``3e150%``, ``min``, ``a``."""
        if text in _KINDS:
            return cls(_KINDS[text])
        if text in POT_WORDS:
            return cls("pot", POT_WORDS[text])
        if m := _SUFFIXED.fullmatch(text):
            kind, parts = _SUFFIXES[m[2]]
            x = float(m[1])
            # A number of hundreds of digits is no size.
            return cls(kind, x / parts) if math.isfinite(x) and (kind != "chips" or m[1].isdecimal()) else None
        if m := _GEOMETRIC.fullmatch(text):
            x = float(m[2]) / 100 if m[2] else math.inf
            return cls("geometric", x, int(m[1] or 0)) if not m[2] or math.isfinite(x) else None
        return None

    def __str__(self) -> str:
        """Text that :meth:`parse` reads as the same size."""
        if self.kind == "geometric":
            return f"{self.streets or ''}e" + (f"{100 * self.x:.12g}%" if math.isfinite(self.x) else "")
        suffix = {"pot": f"{100 * self.x:.12g}%", "times": f"{self.x:.12g}x", "chips": f"{self.x:.0f}c"}
        text = suffix.get(self.kind) or {"blinds": f"{self.x:.12g}bb", "min": "min"}.get(self.kind, "a")
        if self.kind in _EXACT and BetSize.parse(text) != self:
            # Thirds, say. (A number with an exponent is no size.)
            exact = f"{self.x!r}{_EXACT[self.kind]}"
            return exact if BetSize.parse(exact) == self else text
        return text

    def bet(self, pot: int, faced: int, behind: int, streets: int) -> int:
        """The player's bet on this street after a bet or raise of this size, in chips, before the rules limit it.

        Args:
            pot: the pot after a call.
            faced: the opponent's bet on this street.
            behind: what the player has left after a call.
            streets: streets that are left, this one included.
        """
        most = faced + behind
        if self.kind == "times":
            return math.floor(faced * self.x + 0.5)
        if self.kind == "chips":
            return faced + int(self.x)
        if self.kind == "geometric":
            share = ((2 * behind / pot + 1) ** (1 / (self.streets or streets)) - 1) / 2
            return raise_to(min(share, self.x), faced, pot, 0, most, half_up=True)
        return raise_to(self.x, faced, pot, 0, most, half_up=True) if self.kind == "pot" else most


#: Parts of a decision that a total is made of, each worth one column of :class:`SizeTable`.
_PARTS: dict[str, Callable[[AnyArray], AnyArray]] = {
    "called": lambda row: row["total"] + row["to_call"],
    "pot": lambda row: row["pot"] + row["to_call"],
    "blind": lambda row: row["big_blind"],
    "before": lambda row: row["total"] - row["bet"],
    "faced": lambda row: row["bet"] + row["to_call"],
    "least": lambda row: row["min_to"],
    "most": lambda row: row["max_to"],
}
#: Which parts a size of each kind adds up; None: as often as its ``x`` says.
_SUMS: dict[str, dict[str, float | None]] = {
    "pot": {"called": 1.0, "pot": None},
    "blinds": {"blind": None},
    "times": {"before": 1.0, "faced": None},
    "min": {"least": 1.0},
    "allin": {"most": 1.0},
}


class SizeTable:
    """Many sizes at once: their totals at many decisions by one product of matrices.

    Args:
        sizes: of a kind in :data:`SizeTable.KINDS`.
    """

    KINDS = tuple(_SUMS)

    def __init__(self, sizes: Sequence[BetSize]) -> None:
        weights = [[_SUMS[size.kind].get(part, 0.0) for part in _PARTS] for size in sizes]
        rows = [[size.x if w is None else w for w in row] for size, row in zip(sizes, weights, strict=True)]
        self._weights: F64 = np.array(rows, np.float64).reshape(len(sizes), len(_PARTS))

    def totals(self, rows: AnyArray) -> F64:
        """``float64[n, k]``: the total that each size comes to at each decision (``SPOT_DTYPE[n]``), before it is
        rounded and moved to what is legal."""
        parts = np.stack([part(rows) for part in _PARTS.values()], axis=1).astype(np.float64)
        return np.asarray(parts @ self._weights.T)


def raise_to(size: float, called: int, pot: int, low: int, high: int, *, half_up: bool = False) -> int:
    """The total that a raise of a size comes to, in chips, moved to the nearest that is legal.

    Args:
        size: a share of the pot, :data:`MIN_RAISE` or :data:`MAX_RAISE`.
        called: the player's total after a call.
        pot: the pot after a call.
        low: the smallest legal total.
        high: the largest.
        half_up: half a chip counts as one; else the total becomes even, as Python rounds.
    """
    if size == MIN_RAISE:
        return low
    more = size * pot
    if size == MAX_RAISE or not more < high:
        return high
    return max(low, min(high, called + math.floor(more + 0.5) if half_up else round(called + more)))


def size_code(size: str | float, others: Iterable[str] = ()) -> float:
    """What kernels call a raise size: ``min``, ``half``, ``pot``, ``max``, ``random``, or a number of pots (as they
    stand after a call). A size that is not legal becomes the nearest legal one. ``others``: words that the caller
    takes besides, for the message.

    Raises:
        ConfigError: neither one of the words nor a number of at least 0.
    """
    if isinstance(size, str):
        word = size.strip().casefold()
        if word in _CODES:
            return _CODES[word]
        parsed = BetSize.parse(word)
        try:
            size = parsed.x if parsed is not None and parsed.kind == "pot" else float(word)
        except ValueError:
            words = [*_CODES, *others]
            hint = nearest(word, words, f"expected a number of pots, or one of {', '.join(words)}")
            raise ConfigError(f"size={size!r}: {hint}", key="size", text=word) from None
    if not (math.isfinite(size) and size >= 0):
        raise ConfigError(f"size={size:g}: expected a number of pots of at least 0", key="size")
    return float(size)
