"""The boards below a decision: every next card, or a sample of them that treats equivalent suits alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base.arrays import F64, I64, U8
from dupai.cards import CARDS, COMBO_CARDS
from dupai.cards.kernels import CARD_PERMUTED

#: All renamings of suits, the one that changes nothing included; all cards in order of rank.
_RENAMED: list[list[int]] = CARD_PERMUTED.tolist()
_BY_RANK = sorted(range(CARDS), key=lambda card: (card % 13, card))


class Boards(NamedTuple):
    """Boards by number, the present one first, those of a street together.

    Attributes:
        cards: ``uint8[boards, 5]``, of each the first ``street + 2`` count.
        street: ``int64[boards]``: 1 flop, 2 turn, 3 river.
        kids: ``int64[boards, 2]``: numbers of the boards with one more card: first, one after the last.
        weight: ``float64[boards]``: how many cards the last one stands for (1 for the present board).
    """

    cards: U8
    street: I64
    kids: I64
    weight: F64

    def board(self, b: int) -> tuple[int, ...]:
        """The cards of one board."""
        return tuple(self.cards[b, : self.street[b] + 2].tolist())

    def distinct(self) -> tuple[I64, I64]:
        """``int64[sets]``: the first board of every set of cards; ``int64[boards]``: the number of each board's set. A
        turn and a river make the same board in either order."""
        counts = np.arange(5) < self.street[:, None] + 2
        sets = np.where(counts, np.uint64(1) << self.cards.astype(np.uint64), np.uint64(0)).sum(axis=1)
        _, first, number = np.unique(sets, return_index=True, return_inverse=True)
        # In the order of the boards: the present one keeps number 0.
        order = np.argsort(first)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return first[order].astype(np.int64), place[number]

    def last(self) -> I64:
        """``int64[boards]``: the last card of each."""
        return self.cards[np.arange(len(self.cards)), self.street + 1].astype(np.int64)

    def left(self, hands: I64) -> F64:
        """``float64[boards that others follow, m]``: how many cards may follow, given both hands (1 if none may).

        A board's card comes with its ``weight`` out of so many. The chances of the boards that follow add up to 1 for
        every hand, so that sampling favours none.
        """
        above = np.repeat(np.arange(len(self.kids)), self.kids[:, 1] - self.kids[:, 0])
        follow = np.zeros((int((self.kids[:, 1] > 0).sum()), CARDS))
        follow[above, self.last()[1:]] = self.weight[1:]
        left: F64 = follow.sum(axis=1, keepdims=True) - follow[:, COMBO_CARDS[hands]].sum(axis=2)
        left[left == 0] = 1.0
        return left


def free_of(hands: I64) -> F64:
    """``float64[52, m]``: 1, or 0 if the hand holds the card."""
    free = np.ones((CARDS, len(hands)))
    free[COMBO_CARDS[hands].T, np.arange(len(hands))] = 0.0
    return free


def next_cards(known: tuple[tuple[int, ...], ...], count: int, offset: int = 0) -> list[tuple[int, int]]:
    """Cards that may come next, each with the number of cards that it stands for.

    Cards that a renaming of suits maps to each other are the same card, if it leaves every set of ``known`` unchanged
    (hole cards, flop, turn). If there are more than ``count`` of them, a systematic sample in order of rank is taken,
    starting after ``offset`` steps; each stands for its neighbours as well.

    Args:
        known: sets of dealt cards whose identity matters.
        count: the most cards; 0: all.
    """
    same = [p for p in _RENAMED if all({p[c] for c in group} == set(group) for group in known)]
    return _following({c for group in known for c in group}, same, count, offset)


def _following(dealt: set[int], same: list[list[int]], count: int, offset: int) -> list[tuple[int, int]]:
    """:func:`next_cards`, the renamings that leave all known cards as they are given."""
    if len(same) == 1:
        cards = [(card, 1) for card in _BY_RANK if card not in dealt]
    else:
        size: dict[int, int] = {}
        for card in range(CARDS):
            if card not in dealt:
                least = min(p[card] for p in same)
                size[least] = size.get(least, 0) + 1
        cards = sorted(size.items(), key=lambda item: (item[0] % 13, item[0]))
    if not count or len(cards) <= count:
        return cards
    # Systematic sampling by weight: equally many cards lie between one that is taken and the next.
    steps = np.cumsum([n for _, n in cards])
    total = int(steps[-1])
    at = (np.arange(count) + (0.5 + 0.38196601125 * offset) % 1.0) * total / count
    taken, times = np.unique(np.searchsorted(steps, at, side="right"), return_counts=True)
    return [(cards[i][0], int(t)) for i, t in zip(taken.tolist(), times.tolist(), strict=True)]


def boards_below(hole: tuple[int, ...], board: tuple[int, ...], counts: tuple[int, ...]) -> Boards:
    """All boards from the present one to the river.

    Args:
        counts: the most cards for each street still to come (0: all).
    """
    # Renamings that leave every set of dealt cards unchanged, by board: those of the board before it that also keep
    # its last card.
    keep = [p for p in _RENAMED if {p[c] for c in hole} == set(hole) and {p[c] for c in board[:3]} == set(board[:3])]
    same = [[p for p in keep if all(p[c] == c for c in board[3:])]]
    levels = [np.array([(*board, 0, 0)[:5]], np.uint8)]
    weights, kids = [np.ones(1)], []
    done = 0
    for known in range(len(board), 5):
        level = levels[-1]
        count = counts[known - len(board)] if known - len(board) < len(counts) else 0
        follow = [_following({*hole, *row[:known]}, same[i], count, done + i) for i, row in enumerate(level.tolist())]
        done += len(level)
        sizes = np.array([len(cards) for cards in follow])
        ends = done + np.cumsum(sizes)
        kids.append(np.stack([ends - sizes, ends], axis=1))
        flat = np.array([pair for cards in follow for pair in cards])
        levels.append(np.repeat(level, sizes, axis=0))
        levels[-1][:, known] = flat[:, 0]
        weights.append(flat[:, 1].astype(np.float64))
        if known < 4:
            same = [
                ways if len(ways) == 1 else [p for p in ways if p[card] == card]
                for ways, cards in zip(same, follow, strict=True)
                for card, _ in cards
            ]
    kids.append(np.zeros((len(levels[-1]), 2), np.int64))
    street = np.repeat(np.arange(len(levels)), [len(level) for level in levels]) + len(board) - 2
    return Boards(np.concatenate(levels), street, np.concatenate(kids), np.concatenate(weights))
