"""The evaluator, slow and obvious: look at every five of the cards, write down what the rules say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

Value = tuple[int, ...]


def five_card_value(cards: Iterable[int]) -> Value:
    """(hand type, ranks in order of significance) of exactly five cards."""
    five = list(cards)
    ranks = sorted((c % 13 for c in five), reverse=True)
    flush = len({c // 13 for c in five}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        straight = 3
    elif len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4:
        straight = ranks[0]
    else:
        straight = -1
    groups = sorted(((n, r) for r, n in Counter(ranks).items()), reverse=True)
    shape = [n for n, _ in groups]
    by_group = tuple(r for _, r in groups)
    if flush and straight >= 0:
        return 8, straight
    if shape == [4, 1]:
        return 7, *by_group
    if shape == [3, 2]:
        return 6, *by_group
    if flush:
        return 5, *ranks
    if straight >= 0:
        return 4, straight
    kind = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[tuple(shape)]
    return kind, *by_group


def best_value(cards: Iterable[int]) -> Value:
    """The best five of five to seven cards (21 subsets of seven)."""
    return max(five_card_value(five) for five in combinations(cards, 5))


def nibbles(value: Value) -> int:
    """The hand value of *Programming Poker AI*: type and up to five ranks, a nibble each."""
    padded = (*value, 0, 0, 0, 0, 0)[:6]
    return sum(part << 4 * (5 - place) for place, part in enumerate(padded))
