"""Intervals, duplicate design, paired differences, hands wanted: by hand, and by how often intervals hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupai.base import ConfigError, Estimate
from dupai.rules import GameSpec
from dupai.stats import bootstrap_interval, by_deal, estimate, hands_wanted, mbb_per_hand, paired


def test_units() -> None:
    spec = GameSpec.no_limit(2, odd_chips="acpc")
    assert spec.split == 2520
    # 150 chips are one and a half blinds of 100.
    assert mbb_per_hand([150 * 2520, -2520], spec).tolist() == [1500.0, -10.0]


def test_estimate_is_that_of_base() -> None:
    xs = np.random.default_rng(1).normal(3, 2, 500)
    ours, theirs = estimate(xs), Estimate.of(xs.tolist())
    assert ours == pytest.approx(theirs, rel=1e-12)
    assert estimate([2.0]).mean == 2.0
    assert math.isnan(estimate([2.0]).se)
    assert estimate([]).n == 0


def test_deals_are_means_over_seatings_and_cut_to_what_all_have_played() -> None:
    one, two = [[4, -4], [1, -1], [7, -7]], [[-2, 2], [1, -1]]
    assert by_deal([one, two]).tolist() == [[1.0, -1.0], [1.0, -1.0]]
    with pytest.raises(ConfigError, match="at least one"):
        by_deal([])
    with pytest.raises(ConfigError, match="equal players"):
        by_deal([[[1, -1]], [[1, 0, -1]]])


def test_pairing_takes_out_what_deals_share() -> None:
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 50, 4000)
    a, b = luck + rng.normal(1, 1, 4000), luck + rng.normal(0, 1, 4000)
    diff = paired(a, b)
    assert diff.se == pytest.approx(math.sqrt(2 / 4000), rel=0.05)
    assert abs(diff.mean - 1) < 4 * diff.se
    assert estimate(a).se > 20 * diff.se
    with pytest.raises(ConfigError, match="shapes"):
        paired([1.0], [1.0, 2.0])


def test_bootstrap_agrees_with_the_normal_interval_where_it_should_and_is_seeded() -> None:
    xs = np.random.default_rng(3).normal(10, 100, 2000)
    low, high = estimate(xs).interval()
    got = bootstrap_interval(xs, seed=4)
    assert got == bootstrap_interval(xs, seed=4)
    assert got != bootstrap_interval(xs, seed=5)
    assert got == pytest.approx((low, high), abs=0.06 * (high - low))
    wide = bootstrap_interval(xs, level=0.99)
    assert wide[0] < got[0] < got[1] < wide[1]


def test_bootstrap_of_a_few_skewed_values_is_not_symmetric() -> None:
    # Nineteen small losses and one big pot: the normal interval does not know which side is uncertain.
    xs = [-1.0] * 19 + [100.0]
    mean = sum(xs) / 20
    low, high = bootstrap_interval(xs)
    assert high - mean > 1.5 * (mean - low)
    assert low == pytest.approx(-1.0)


def test_95_percent_intervals_hold_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(6)
    trials, n = 400, 300
    held = np.zeros(2)
    for k in range(trials):
        xs = rng.standard_t(5, n)
        for j, (low, high) in enumerate((estimate(xs).interval(), bootstrap_interval(xs, resamples=200, seed=k))):
            held[j] += low <= 0 <= high
    # Four standard errors of a share of 0.95 in 400 trials.
    assert np.all(np.abs(held / trials - 0.95) < 4 * math.sqrt(0.95 * 0.05 / trials))


def test_hands_wanted() -> None:
    # A standard deviation of 500 mbb by deal, two hands each: (1.96 * 500 / 10)^2 deals.
    assert hands_wanted(Estimate(0.0, 5.0, 10_000), 10, 2) == 2 * math.ceil((1.959963984540054 * 500 / 10) ** 2)
    assert hands_wanted(Estimate(0.0, math.nan, 1)) is None
    assert hands_wanted(Estimate(1.0, 0.0, 50)) is None
    with pytest.raises(ConfigError, match="half_width"):
        hands_wanted(Estimate(0.0, 1.0, 5), 0)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="level"):
        bootstrap_interval([1.0, 2.0], level=95)
    with pytest.raises(ConfigError, match="resamples"):
        bootstrap_interval([1.0, 2.0], resamples=1)
    assert all(math.isnan(x) for x in bootstrap_interval([]))
