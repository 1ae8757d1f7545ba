"""Slow, obvious twin of the fold agent's win rate: every deal counted."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from dupai.cards import strength


def predicted_rate(
    hole: Sequence[int], board: Sequence[int], readings: Sequence[Mapping[tuple[int, int], float]]
) -> float:
    """Share of the pot of ``hole`` against hands with the given weights, over every deal of hands and board."""
    won = total = 0.0
    for hands in itertools.product(*(reading.items() for reading in readings)):
        dealt = [c for hand, _ in hands for c in hand]
        seen = {*hole, *board, *dealt}
        if len(seen) < 2 + len(board) + len(dealt):
            continue
        weight = 1.0
        for _, w in hands:
            weight *= w
        deck = [c for c in range(52) if c not in seen]
        runouts = list(itertools.combinations(deck, 5 - len(board)))
        share = 0.0
        for rest in runouts:
            table = [*board, *rest]
            ours = strength([*hole, *table])
            theirs = [strength([*hand, *table]) for hand, _ in hands]
            if ours >= max(theirs):
                share += 1 / (1 + theirs.count(ours))
        won += weight * share / len(runouts)
        total += weight
    return won / total
