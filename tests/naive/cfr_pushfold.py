"""Push or fold by walking through every pair (or triple) of classes, in plain Python."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np


def naive_exploit(
    pairs: np.ndarray, win: np.ndarray, tie: np.ndarray, stack: float, ante: float, push: Sequence[float],
    call: Sequence[float],
) -> tuple[float, float]:  # fmt: skip
    """Value for the small blind and exploitability (mean over seats of what a best response gains), big blinds."""
    total = float(pairs.sum())
    steal, fold = min(stack, 1 + ante), -min(stack, 0.5 + ante)
    value = best_small = best_big = 0.0
    n = len(push)
    showdown = [[(2 * win[a, b] + tie[a, b] - 1) * stack for b in range(n)] for a in range(n)]
    for a in range(n):
        mass = float(pairs[a].sum())
        jam = sum(pairs[a, b] * (call[b] * showdown[a][b] + (1 - call[b]) * steal) for b in range(n))
        value += push[a] * jam + (1 - push[a]) * fold * mass
        best_small += max(jam, fold * mass)
    for b in range(n):
        # What the small blind wins against this hand of the big blind, called and not.
        called = sum(pairs[a, b] * push[a] * showdown[a][b] for a in range(n))
        gone = sum(pairs[a, b] * push[a] * steal for a in range(n))
        best_big += min(called, gone) + sum(pairs[a, b] * (1 - push[a]) * fold for a in range(n))
    return value / total, (best_small - best_big) / total / 2


def naive_icm(stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Every order in which players can finish, with its chance; stacks all above 0."""
    found = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for i in order:
            chance *= stacks[i] / left if left > 0 else 1.0
            left -= stacks[i]
        for place, i in enumerate(order):
            if place < len(payouts):
                found[i] += chance * payouts[place]
    return found
