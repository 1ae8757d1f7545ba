"""The abstraction of cards: hands that win alike are one bucket.

Before the flop the 169 classes; flop and turn by the distribution of the win rate on the river, the river by the win
rates against eight groups of opponents' hands (M. Johanson, N. Burch, R. Valenzano, M. Bowling, "Evaluating state-space
abstractions in extensive-form games", AAMAS 2013: *k*-means, earth mover's distance, OCHS). Distributions are compared
by the squared distance of their cumulative histograms, which orders one-dimensional ones much as the earth mover's
distance does and lets plain *k*-means serve. A bucket forgets those of earlier streets (imperfect recall).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.arrays import F32, F64, I64, AnyArray
from dupai.cards import CLASSES, COMBO_CARDS, COMBO_CLASS, COMBO_MASK, COMBOS, board_array, mask_of, strengths
from dupai.cfr._blueprint._kernels import Deal, cumulate_kernel, nearest_kernel
from dupai.equity import sweep_kernel

#: Bins of the histograms, and groups of opponents' hands.
BINS, GROUPS = 24, 8
#: Buckets of a street at most: the number of a bucket is an int16.
MAX_BUCKETS = 32_767
#: Boards and hands of each that the centres are found with, by street.
_SAMPLES = {1: (300, 120), 2: (900, 60), 3: (3000, 20)}
_ROUNDS = 30


class CardBuckets(NamedTuple):
    """The abstraction: ``flop, turn float32[buckets, 24]`` and ``river float32[buckets, 8]``, the centres; ``groups
    int8[169]``, the group of each class of the opponent's hands."""

    flop: F32
    turn: F32
    river: F32
    groups: AnyArray

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Buckets by street."""
        return CLASSES, len(self.flop), len(self.turn), len(self.river)

    def of(self, board: tuple[int, ...]) -> AnyArray:
        """``int16[1326]``: the bucket of each hand on a board of 0, 3, 4 or 5 cards (0 where the board blocks it)."""
        if not board:
            return COMBO_CLASS.astype(np.int16)
        features = win_rates_by_group(board, self.groups) if len(board) == 5 else histogram(board)
        centres = (self.flop, self.turn, self.river)[len(board) - 3]
        near = _nearest(features, centres).astype(np.int16)
        near[(COMBO_MASK & mask_of(board)) != 0] = 0
        return near

    def deal(self, board: tuple[int, ...], known: Sequence[AnyArray] = ()) -> tuple[Deal, I64]:
        """A full board for a pass, and ``int64[n]``, the combos of its hands, weakest first.

        Args:
            known: the buckets of its flop, and of its turn, as far as they are known.
        """
        free = np.flatnonzero((COMBO_MASK & mask_of(board)) == 0)
        made = strengths(COMBO_MASK[free] | np.uint64(mask_of(board))).astype(np.int64)
        order = np.argsort(made, kind="stable")
        hands, made = free[order], made[order]
        streets = (self.of(()), *known, *(self.of(board[:n]) for n in range(3 + len(known), 6)))
        group: I64 = np.searchsorted(made, made, side="right").astype(np.int64)
        return Deal(COMBO_CARDS[hands].astype(np.int64), group, np.array([s[hands] for s in streets], np.int16)), hands


class KnownBuckets:
    """The buckets of boards, with those last asked for remembered.

    Args:
        kept: boards that are remembered.
    """

    def __init__(self, cards: CardBuckets, kept: int) -> None:
        self._cards, self._kept = cards, kept
        self._known: OrderedDict[tuple[int, ...], AnyArray] = OrderedDict()

    def of(self, board: tuple[int, ...]) -> AnyArray:
        """As :meth:`CardBuckets.of`."""
        known = self._known.get(board)
        if known is None:
            known = self._known[board] = self._cards.of(board)
            if len(self._known) > self._kept:
                self._known.popitem(last=False)
        return known


def histogram(board: tuple[int, ...]) -> F32:
    """``float32[1326, 24]``: the cumulative distribution of each hand's win rate against a random one on the rivers
    that can come, as shares; a flop takes some 30 ms, a turn 1 ms."""
    counts = np.zeros((COMBOS, BINS + 1), np.float32)
    weights = np.ones(COMBOS)
    win, tie, total = np.zeros(COMBOS), np.zeros(COMBOS), np.zeros(COMBOS)
    left = [c for c in range(52) if c not in board]
    for i, card in enumerate(left):
        for last in left[i + 1 :] if len(board) == 3 else (None,):
            full = (*board, card) if last is None else (*board, card, last)
            sweep_kernel(np.array(full, np.uint8), 5, weights, win, tie, total)
            cumulate_kernel(win, tie, total, counts)
    shares = counts[:, :-1].cumsum(axis=1) / np.maximum(counts[:, -1:], 1)
    return shares.astype(np.float32)


def win_rates_by_group(board: tuple[int, ...], groups: AnyArray) -> F32:
    """``float32[1326, 8]``: the win rate of each hand on a river against each group of hands."""
    out = np.full((COMBOS, GROUPS), 0.5, np.float32)
    win, tie, total = np.zeros(COMBOS), np.zeros(COMBOS), np.zeros(COMBOS)
    full = board_array(board)
    for g in range(GROUPS):
        sweep_kernel(full, 5, (groups[COMBO_CLASS] == g).astype(np.float64), win, tie, total)
        met = total > 0
        out[met, g] = (win[met] + 0.5 * tie[met]) / total[met]
    return out


def learn_buckets(counts: tuple[int, int, int], seed: int = 1, progress: Progress | None = None) -> CardBuckets:
    """Find the centres of the buckets on flop, turn and river from boards drawn at random.

    Raises:
        ConfigError: fewer buckets than one, or more than have a number.
    """
    if not all(1 <= k <= MAX_BUCKETS for k in counts):
        raise ConfigError(f"buckets {counts}: expected 1 to {MAX_BUCKETS} on each street", key="buckets")
    progress = progress or NoProgress()
    draw = np.random.default_rng(seed)
    # Few buckets need few boards.
    samples = [min(_SAMPLES[street][0], 20 + 10 * k) for street, k in zip((1, 2, 3), counts, strict=True)]
    total, done = sum(samples), 0

    def boards(street: int, n: int) -> list[tuple[int, ...]]:
        return [tuple(sorted(draw.choice(52, street + 2, replace=False).tolist())) for _ in range(n)]

    # Classes of the opponent's hands: by their win rates on rivers.
    classes = np.zeros((CLASSES, BINS + 1), np.float32)
    rates = np.zeros((COMBOS, BINS + 1), np.float32)
    win, tie, met = np.zeros(COMBOS), np.zeros(COMBOS), np.zeros(COMBOS)
    for board in boards(3, 400):
        sweep_kernel(np.array(board, np.uint8), 5, np.ones(COMBOS), win, tie, met)
        cumulate_kernel(win, tie, met, rates)
    np.add.at(classes, COMBO_CLASS, rates)
    groups = _nearest(shares := _cumulative(classes), k_means(shares, GROUPS, draw)).astype(np.int8)
    centres = []
    for street, k, n in zip((1, 2, 3), counts, samples, strict=True):
        some = []
        for board in boards(street, n):
            features = histogram(board) if street < 3 else win_rates_by_group(board, groups)
            free = np.flatnonzero((COMBO_MASK & mask_of(board)) == 0)
            some.append(features[draw.choice(free, _SAMPLES[street][1], replace=False)])
            done += 1
            if done % 20 == 0:
                progress.report(done, total, "boards")
            if progress.cancelled:
                break
        centres.append(k_means(np.concatenate(some), k, draw))
    flop, turn, river = centres
    return CardBuckets(flop, turn, river, groups)


def k_means(points: F32, k: int, draw: np.random.Generator) -> F32:
    """``float32[k, d]``: centres by *k*-means from a start where far points are likelier (*k*-means++)."""
    centres = points[draw.integers(len(points), size=1)]
    apart: F64 = np.asarray(((points - centres[0]) ** 2).sum(axis=1), np.float64)
    while len(centres) < k:
        total = apart.sum()
        one = draw.choice(len(points), p=apart / total) if total > 0 else draw.integers(len(points))
        centres = np.concatenate([centres, points[one : one + 1]])
        apart = np.minimum(apart, ((points - points[one]) ** 2).sum(axis=1))
    for _ in range(_ROUNDS):
        near = _nearest(points, centres)
        sums = np.zeros_like(centres, np.float64)
        np.add.at(sums, near, points)
        counts = np.bincount(near, minlength=k)[:, None]
        moved = np.where(counts > 0, sums / np.maximum(counts, 1), centres).astype(np.float32)
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres


def _cumulative(counts: F32) -> F32:
    shares: F32 = (counts[:, :-1].cumsum(axis=1) / np.maximum(counts[:, -1:], 1)).astype(np.float32)
    return shares


def _nearest(points: F32, centres: F32) -> I64:
    out = np.empty(len(points), np.int64)
    nearest_kernel(points, np.ascontiguousarray(centres.T), np.empty(len(centres), np.float32), out)
    return out
