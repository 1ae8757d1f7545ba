"""Suit-isomorphic hole cards and boards by trying all 24 renamings of the suits."""

from __future__ import annotations

from itertools import permutations

Key = tuple[tuple[int, ...], tuple[int, ...]]


def canonical_key(hole: tuple[int, ...], board: tuple[int, ...]) -> Key:
    """The same for two pairs of hole cards and (unordered) board exactly if they differ by the names of suits."""

    def renamed(cards: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(to[c // 13] * 13 + c % 13 for c in cards))

    return min((renamed(board, to), renamed(hole, to)) for to in permutations(range(4)))
