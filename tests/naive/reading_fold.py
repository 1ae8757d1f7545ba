"""Equation 6 and its normalisation in plain Python, one hand and one action at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = Sequence[float]


def relative(w: float, interval: Interval, theta: float) -> float:
    """``interval``: low, high, baseline."""
    low, high, baseline = interval
    if low <= w <= high:
        return theta
    distance = abs(w - baseline)
    if distance == 0:
        return theta
    return min((baseline if w < baseline else 1 - baseline) / distance, theta)


def action_probabilities(w: float, intervals: Sequence[Interval], legal: Sequence[bool], theta: float) -> list[float]:
    """P(action | a hand of win rate ``w``) over the legal actions."""
    if math.isnan(w):
        weights = [1.0 if ok else 0.0 for ok in legal]
    else:
        weights = [relative(w, i, theta) if ok else 0.0 for i, ok in zip(intervals, legal, strict=True)]
    return [x / sum(weights) for x in weights]


def predicted(factors: Sequence[Sequence[float]], total: float | None = None) -> list[float]:
    """Equations 16 and 17: the product over the streets for every hand, divided by the sum over all hands (given, where
    the factors are only of some)."""
    weights = [math.prod(street) for street in factors]
    whole = sum(weights) if total is None else total
    return [w / whole for w in weights]


def fitted_bits(
    streets: Sequence[tuple[Sequence[int], Sequence[float]]], truth: int, hands: Sequence[float], uniform: float
) -> list[float]:
    """Bits gained on each street of one player's hand: ``streets`` holds the place of every hand's win rate (65535:
    blocked) and the chance of what was done at every place."""
    found = []
    for n in range(1, len(streets) + 1):
        weights = []
        for hand in range(len(streets[0][0])):
            weight = 1.0
            for places, chance in streets[:n]:
                weight *= 0.0 if places[hand] == 65535 else chance[places[hand]]
            weights.append(weight)
        p = (1 - uniform) * weights[truth] / sum(weights) + uniform / hands[n - 1]
        found.append(math.log2(hands[n - 1] * p))
    return found
