"""Raise sizes by name."""

from __future__ import annotations

import math

from dupai.agents._layout import LEAST, MOST, UNIFORM
from dupai.base import ConfigError, nearest

_WORDS = {"min": LEAST, "half": 0.5, "pot": 1.0, "max": MOST, "random": UNIFORM}

#: Help of every option ``size``.
SIZE_HELP = "raise size: min, half, pot, max, random (uniform over all legal totals), or a number of pots"


def size_code(size: str | float) -> float:
    """What kernels call a raise size: ``min``, ``half``, ``pot``, ``max``, ``random``, or a number of pots (as they
    stand after a call). A size that is not legal becomes the nearest legal one.

    Raises:
        ConfigError: neither one of the words nor a number of at least 0.
    """
    if isinstance(size, str):
        word = size.strip().casefold()
        if word in _WORDS:
            return _WORDS[word]
        text = size
        try:
            size = float(word)
        except ValueError:
            raise ConfigError(f"size={text!r}: expected a number of pots, or a word: {nearest(text, _WORDS)}") from None
    if not (math.isfinite(size) and size >= 0):
        raise ConfigError(f"size={size:g}: expected a number of pots of at least 0")
    return float(size)


def size_text(size: float) -> str:
    """A size code in words."""
    words = {
        LEAST: "the smallest allowed",
        MOST: "all-in or the most allowed",
        UNIFORM: "uniform from smallest to largest",
    }
    return words.get(size) or ("the pot" if size == 1.0 else f"{size:g} of the pot")
