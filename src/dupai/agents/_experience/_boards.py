"""The boards below a decision: every next card, or a sample of them that treats equivalent suits alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base import F64, I64
from dupai.cards import CARD_PERMUTED, CARDS, COMBO_CARDS


class Boards(NamedTuple):
    """Boards by number, the present one first, those of a street together.

    Attributes:
        cards: the cards of each.
        street: ``int64[boards]``: 1 flop, 2 turn, 3 river.
        kids: ``int64[boards, 2]``: numbers of the boards with one more card: first, one after the last.
        weight: ``float64[boards]``: how many cards the last one stands for (1 for the present board).
    """

    cards: list[tuple[int, ...]]
    street: I64
    kids: I64
    weight: F64

    def mass(self, hands: I64) -> F64:
        """``float64[boards, m]``: chance of a board's last card given its parent and both hands; 0 where the hand
        holds it. Adds up to 1 over the boards that follow each, so that sampling favours no hand."""
        holds = np.zeros((CARDS, len(hands)), np.bool_)
        holds[COMBO_CARDS[hands, 0], np.arange(len(hands))] = True
        holds[COMBO_CARDS[hands, 1], np.arange(len(hands))] = True
        mass = np.ones((len(self.cards), len(hands)))
        for first, end in self.kids:
            if end > first:
                last = np.array([self.cards[b][-1] for b in range(first, end)])
                block = self.weight[first:end, None] * ~holds[last]
                total = block.sum(axis=0)
                mass[first:end] = block / np.where(total > 0, total, 1.0)
        return mass


def next_cards(known: tuple[tuple[int, ...], ...], count: int, offset: int = 0) -> list[tuple[int, int]]:
    """Cards that may come next, each with the number of cards that it stands for.

    Cards that a renaming of suits maps to each other are the same card, if it leaves every set of ``known`` unchanged
    (hole cards, flop, turn). If there are more than ``count`` of them, a systematic sample in order of rank is taken,
    starting after ``offset`` steps; each stands for its neighbours as well.

    Args:
        known: sets of dealt cards whose identity matters.
        count: the most cards; 0: all.
    """
    dealt = {c for group in known for c in group}
    same = [p for p in CARD_PERMUTED.tolist() if all({p[c] for c in group} == set(group) for group in known)]
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
    cards = [board]
    streets = [len(board) - 2]
    kids: list[tuple[int, int]] = []
    weight = [1.0]
    done = 0
    while done < len(cards):
        here = cards[done]
        if len(here) == 5:
            kids.append((0, 0))
        else:
            later = here[len(board) :]
            count = counts[len(later)] if len(later) < len(counts) else 0
            groups = (hole, board[:3], *((c,) for c in board[3:]), *((c,) for c in later))
            first = len(cards)
            for card, n in next_cards(groups, count, done):
                cards.append((*here, card))
                streets.append(len(here) - 1)
                weight.append(float(n))
            kids.append((first, len(cards)))
        done += 1
    return Boards(cards, np.array(streets), np.array(kids), np.array(weight))
