"""The hidden Markov model by summing over every path of hidden classes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any


def filtered(start: Any, step: Any, emit: Any, symbols: Sequence[int]) -> list[float]:
    """Probability of each class on the street of the last symbol."""
    classes = range(len(start))
    total = [0.0] * len(start)
    for path in itertools.product(classes, repeat=len(symbols)):
        p = float(start[path[0]])
        for k, (c, seen) in enumerate(zip(path, symbols, strict=True)):
            if k:
                p *= step[k - 1][path[k - 1]][c]
            p *= emit[k][c][seen]
        total[path[-1]] += p
    return [x / sum(total) for x in total]
