"""``dupai bench evaluate``: seven-card hands, against eval7 called one by one (it has no batch call)."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import comb

import numpy as np
import numpy.typing as npt

from dupai.bench._row import REFERENCE_EVAL7, Row, eval7_round, interleave
from dupai.cards import (
    CARD_MASK,
    CARDS,
    CATEGORIES,
    STRENGTHS,
    category_counts_kernel,
    strength,
    strength_counts_kernel,
    strengths,
)

#: Hands in a batch, hands of the scalar row, and batches a round.
_BATCH, _SCALAR, _REPEATS = 1 << 20, 20_000, 10
_HANDS = comb(CARDS, 7)


def random_masks(n: int, cards: int = 7, seed: int = 0) -> npt.NDArray[np.uint64]:
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


def batch() -> Callable[[], float]:
    """Evaluations/s of ``strengths`` on a million random masks, one thread."""
    masks = random_masks(_BATCH)
    out = np.empty(_BATCH, dtype=np.uint16)

    def once() -> float:
        start = time.perf_counter()
        for _ in range(_REPEATS):
            strengths(masks, out)
        return _REPEATS * _BATCH / (time.perf_counter() - start)

    return once


def enumeration(kernel: Callable[[int, int, npt.NDArray[np.int64]], None], bins: int) -> Callable[[], float]:
    """Hands/s when all seven-card hands are counted by an enumerating kernel, one thread."""
    counts = np.zeros(bins, dtype=np.int64)

    def once() -> float:
        start = time.perf_counter()
        kernel(0, CARDS - 6, counts)
        return _HANDS / (time.perf_counter() - start)

    return once


def scalar() -> Callable[[], float]:
    """Evaluations/s of ``strength`` called one by one from Python with an ``int`` mask."""
    masks: list[int] = random_masks(_SCALAR).tolist()

    def once() -> float:
        start = time.perf_counter()
        for mask in masks:
            strength(mask)
        return _SCALAR / (time.perf_counter() - start)

    return once


def rows() -> list[Row]:
    """Batch, enumerations and scalar call.

    Raises:
        ConfigError: eval7 is not installed.
    """
    peer = eval7_round()
    found = []
    for name, work, ratio_goal, goal in (
        ("batch of random masks", batch(), 150.0, None),
        ("all hands, the last two cards by rank", enumeration(strength_counts_kernel, STRENGTHS + 1), None, 1e9),
        ("all hands, one by one", enumeration(category_counts_kernel, len(CATEGORIES)), None, None),
        ("one call from Python", scalar(), None, 1e6),
    ):
        ours, theirs, ratio = interleave(work, peer)
        text: str | None = None
        ok: bool | None = None
        if ratio_goal is not None:
            text, ok = f">= {ratio_goal:g} x eval7", ratio >= ratio_goal
        elif goal is not None:
            least = goal * theirs / REFERENCE_EVAL7
            text, ok = f">= {least:.3g}", ours >= least
        found.append(
            Row(
                name=name,
                value=ours,
                unit="evaluations/s",
                peer="eval7, one by one",
                peer_value=theirs,
                ratio=ratio,
                goal=text,
                ok=ok,
            )
        )
    return found
