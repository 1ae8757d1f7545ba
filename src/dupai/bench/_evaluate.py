"""``dupai bench evaluate``: seven-card hands, against eval7 called one by one (it has no batch call)."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

from dupai.base.arrays import I64, U64
from dupai.bench._row import Goal, Measurement, Row, eval7_round, measured, per_second
from dupai.cards import CARD_MASK, CARDS, CATEGORIES, STRENGTHS, strength, strengths
from dupai.cards.kernels import category_counts_kernel, strength_counts_kernel

#: Hands in a batch, of the row out of the processor's cache and of the one in it, and of the scalar row.
_BATCH, _STREAM, _SMALL, _SCALAR = 1 << 20, 10_000_000, 1 << 14, 20_000


def random_masks(n: int, cards: int = 7, seed: int = 0) -> U64:
    """Masks (``uint64[n]``) of uniform hands of so many different cards."""
    rng = np.random.default_rng(seed)
    deck = np.broadcast_to(np.arange(CARDS, dtype=np.uint8), (n, CARDS)).copy()
    rows = np.arange(n)
    masks = np.zeros(n, dtype=np.uint64)
    for k in range(cards):
        place = rng.integers(k, CARDS, n)
        drawn = deck[rows, place]
        deck[rows, place] = deck[:, k]
        masks |= CARD_MASK[drawn]
    return masks


def _batch(hands: int) -> Measurement:
    """``strengths`` on so many random masks, ten million in all."""
    masks, out = random_masks(hands), np.empty(hands, dtype=np.uint16)
    return per_second(lambda: strengths(masks, out), hands, repeat=max(_STREAM // hands, 1))


def _enumeration(kernel: Callable[[int, int, I64], None], bins: int) -> Measurement:
    """All seven-card hands counted by an enumerating kernel."""
    counts = np.zeros(bins, dtype=np.int64)
    return per_second(lambda: kernel(0, CARDS - 6, counts), comb(CARDS, 7))


def _scalar() -> Measurement:
    """``strength`` called one by one from Python with an ``int`` mask."""
    masks: list[int] = random_masks(_SCALAR).tolist()

    def work() -> None:
        for mask in masks:
            strength(mask)

    return per_second(work, _SCALAR)


def rows() -> list[Row]:
    """Batch, enumerations and scalar call, one thread.

    Raises:
        MissingPackage: eval7 is not installed.
    """
    peer = ("eval7, one by one", eval7_round())
    by_rank = _enumeration(strength_counts_kernel, STRENGTHS + 1)
    one_by_one = _enumeration(category_counts_kernel, len(CATEGORIES))
    figures: tuple[tuple[str, Measurement, Goal], ...] = (
        ("batch of random masks", _batch(_BATCH), {"times": 150.0}),
        ("10 million random masks, out of cache", _batch(_STREAM), {"times": 150.0}),
        ("16,384 random masks, in cache", _batch(_SMALL), {}),
        ("all hands, the last two cards by rank", by_rank, {"least": 1e9}),
        ("all hands, one by one", one_by_one, {}),
        ("one call from Python", _scalar(), {"least": 1e6}),
    )
    return [measured(name, "evaluations/s", ours, peer, **goal) for name, ours, goal in figures]
