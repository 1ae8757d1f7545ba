"""Buckets of a blueprint: what hands are described by, and which share a bucket."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.cards import COMBO_CLASS, COMBO_MASK, cards, combo_index, mask_of, strengths
from dupai.cfr._blueprint._cards import _nearest, histogram, k_means, win_rates_by_group
from dupai.cfr.blueprint import learn_buckets
from dupai.equity import equity


def test_histograms_are_of_win_rates() -> None:
    """Their mean is the exact equity of the hand, up to half the width of a bin."""
    board = cards("As Kd Qc 5c")
    hand = combo_index("AhAd")
    shares = np.diff(histogram(tuple(board))[hand], prepend=0)
    exact = equity(["AhAd", "random"], "AsKdQc5c").equity[0]
    assert (shares >= -1e-6).all()
    assert shares.sum() == pytest.approx(1, abs=1e-5)
    assert float(shares @ ((np.arange(24) + 0.5) / 24)) == pytest.approx(exact, abs=0.5 / 24)
    river = win_rates_by_group((*board, cards("2c")[0]), np.zeros(169, np.int8))
    exact = equity(["AhAd", "random"], "AsKdQc5c2c").equity[0]
    assert river[hand, 0] == pytest.approx(exact, abs=1e-6)


def test_histograms_of_a_turn_are_those_of_a_naive_count() -> None:
    """All 46 rivers of one hand against all 990 others of each, counted one by one."""
    board, hand = tuple(cards("As Kd Qc 5c")), combo_index("JhTh")
    used = {*board, *cards("Jh Th")}
    counts = np.zeros(24)
    for river in set(range(52)) - used:
        full = np.uint64(mask_of((*board, river)))
        mine = int(strengths(COMBO_MASK[[hand]] | full)[0])
        others = COMBO_MASK[(COMBO_MASK & (full | COMBO_MASK[hand])) == 0]
        theirs = strengths(others | full).astype(np.int64)
        rate = ((theirs < mine).sum() + (theirs == mine).sum() / 2) / len(theirs)
        counts[min(int(rate * 24), 23)] += 1
    assert counts.sum() == 46
    assert histogram(board)[hand] == pytest.approx(counts.cumsum() / 46, abs=1e-6)


def test_the_nearest_centre_is_that_of_all_distances() -> None:
    draw = np.random.default_rng(8)
    points, centres = (draw.normal(size=(n, 5)).astype(np.float32) for n in (60, 17))
    apart = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    assert (_nearest(points, centres) == apart.argmin(axis=1)).all()


def test_k_means_finds_groups_that_are_there() -> None:
    draw = np.random.default_rng(3)
    points = np.concatenate([draw.normal(c, 0.01, (50, 2)) for c in (0.0, 1.0, 5.0)]).astype(np.float32)
    centres = k_means(points, 3, draw)
    assert sorted(centres[:, 0].round(1).tolist()) == [0.0, 1.0, 5.0]


def test_buckets_order_hands_by_strength() -> None:
    buckets = learn_buckets((8, 8, 8), 2)
    board = (12, 24, 36, 3, 17)
    of = buckets.of(board)
    rates = win_rates_by_group(board, buckets.groups).mean(axis=1)
    nuts, air = combo_index("AdAh"), combo_index("2d7h")
    assert of[nuts] != of[air]
    assert rates[of == of[nuts]].mean() > rates[of == of[air]].mean()
    assert (buckets.of(()) == COMBO_CLASS).all()
