"""Intervals, duplicate design, paired differences, hands wanted: by hand, and by how often intervals hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupai.base import ConfigError, Estimate, t95
from dupai.rules import GameSpec
from dupai.stats import (
    LONG,
    MIN_DEALS,
    MIN_LONG,
    by_deal,
    estimate,
    hands_wanted,
    mbb_per_hand,
    mean_intervals,
    paired,
)


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


def test_95_percent_intervals_hold_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(6)
    trials, n = 400, 300
    held = 0
    for _ in range(trials):
        low, high = estimate(rng.standard_t(5, n)).interval()
        held += low <= 0 <= high
    # Four standard errors of a share of 0.95 in 400 trials.
    assert abs(held / trials - 0.95) < 4 * math.sqrt(0.95 * 0.05 / trials)


def test_hands_wanted() -> None:
    # A standard deviation of 500 mbb by deal, two hands each: (1.96 * 500 / 10)^2 deals.
    assert hands_wanted(Estimate(0.0, 5.0, 10_000), 10, 2) == 2 * math.ceil((1.959963984540054 * 500 / 10) ** 2)
    assert hands_wanted(Estimate(0.0, math.nan, 1)) is None
    assert hands_wanted(Estimate(1.0, 0.0, 50)) is None
    with pytest.raises(ConfigError, match="half_width"):
        hands_wanted(Estimate(0.0, 1.0, 5), 0)


def test_points_of_t_are_those_of_tables() -> None:
    # E. S. Pearson, H. O. Hartley, Biometrika Tables for Statisticians, table 12.
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 10: 2.228, 29: 2.045, 60: 2.000, 120: 1.980}
    for freedom, point in table.items():
        assert t95(freedom) == pytest.approx(point, abs=5.1e-4)
    assert t95(1e9) == pytest.approx(1.959964, abs=1e-6)
    scipy = pytest.importorskip("scipy.stats")
    for freedom in (2, 2.1, 2.5, 3.3, 4.9, 7, 12.5, 99, 5000):
        assert t95(freedom) == pytest.approx(scipy.t.ppf(0.975, freedom), rel=3e-4)
    # Below two degrees of freedom it is never too small.
    for freedom in (1.01, 1.2, 1.5, 1.9):
        assert 1 <= t95(freedom) / scipy.t.ppf(0.975, freedom) < 1.03


def test_few_values_of_single_deals_have_no_interval() -> None:
    xs = np.random.default_rng(1).normal(2, 1, (MIN_DEALS, 2))
    for n in (1, 2, 5, MIN_DEALS - 1):
        for found in mean_intervals([xs[:n]]):
            assert (found.low, found.high, found.n, found.needed) == (None, None, n, MIN_DEALS)
    found = mean_intervals([xs])[0]
    wanted = estimate(xs[:, 0])
    assert (found.low, found.high) == pytest.approx(wanted.interval())
    assert (found.mean, found.se, found.n, found.needed) == pytest.approx((wanted.mean, wanted.se, 100, None))
    assert mean_intervals([]) == mean_intervals([xs[:0]]) == []


def test_few_values_that_are_means_of_many_hands_have_one() -> None:
    xs = np.random.default_rng(2).normal(2, 1, (MIN_LONG, 1))
    found = mean_intervals([xs], LONG)[0]
    half = t95(MIN_LONG - 1) * xs.std(ddof=1) / math.sqrt(MIN_LONG)
    assert (found.low, found.high) == pytest.approx((xs.mean() - half, xs.mean() + half))
    assert mean_intervals([xs], LONG - 1)[0].needed == MIN_DEALS
    assert mean_intervals([xs[1:]], LONG)[0].needed == MIN_LONG


def test_a_rare_large_result_has_to_be_seen_often_enough() -> None:
    # One win of 400 in a hundred losses: the sample's mean says nothing of how rare it is.
    rare = np.full((400, 2), -1.0)
    rare[0] = 100.0, 0.0
    one = mean_intervals([rare])[0]
    assert one.low is None
    assert one.needed is not None
    assert one.needed > 2000
    # At a fortieth, 25 times the squared skewness is 25 * 37 = 950 and more.
    seen = mean_intervals([np.tile(rare[:40], (10, 1))])[0]
    assert seen.needed == pytest.approx(1200, rel=0.3)
    assert mean_intervals([np.tile(rare[:40], (40, 1))])[0].low is not None


def test_a_result_that_others_had_may_be_missing() -> None:
    # The second player never won; the first did. Alone it would look sure.
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.choice([-1.0, 9.0], 200, p=[0.9, 0.1]), -1 + rng.normal(0, 0.01, 200)])
    assert mean_intervals([values[:, 1:]])[0].low is not None
    alone = mean_intervals([values])[1]
    assert alone.low is None
    assert alone.needed is not None
    # No spread, no interval, and no number that would help.
    constant = mean_intervals([np.full((150, 1), 3.0)])[0]
    assert (constant.mean, constant.se, constant.low, constant.needed) == (3.0, 0.0, None, None)


def test_means_of_several_samples_are_added_with_the_freedom_of_all() -> None:
    rng = np.random.default_rng(4)
    one, two = rng.normal(1, 1, (80, 1)), rng.normal(2, 5, (40, 1))
    found = mean_intervals([one, two])[0]
    v, w = one.var(ddof=1) / 80, two.var(ddof=1) / 40
    half = t95((v + w) ** 2 / (v**2 / 79 + w**2 / 39)) * math.sqrt(v + w)
    assert (found.n, found.mean) == (120, pytest.approx(one.mean() + two.mean()))
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half))
    # A sample of one value has no error, and neither has the sum.
    assert mean_intervals([one, two[:1]])[0].se is None


def test_tables_of_two_matches_have_no_interval_together() -> None:
    rng = np.random.default_rng(6)
    found = mean_intervals([rng.normal(0, 1, (2, 1)) for _ in range(4)], LONG)[0]
    assert (found.n, found.low, found.needed) == (8, None, 16)
    assert found.se is not None
    assert mean_intervals([rng.normal(0, 1, (4, 1)) for _ in range(2)], LONG)[0].low is not None


def test_a_table_of_few_equal_results_is_not_known_exactly() -> None:
    many = np.random.default_rng(7).normal(0, 1, (1000, 1))
    found = mean_intervals([many, np.zeros((3, 1))])[0]
    assert (found.n, found.low, found.needed) == (1003, None, 1003 + MIN_DEALS - 3)
    assert mean_intervals([many, np.zeros((MIN_LONG - 1, 1))], LONG)[0].needed == 1000 + MIN_LONG
    equal = mean_intervals([np.zeros((1000, 1)), np.zeros((3, 1))])[0]
    assert (equal.se, equal.n, equal.needed) == (0.0, 1003, 1003 + MIN_DEALS - 3)
    # Where nothing can move, as between players who always fold, enough values show it.
    found = mean_intervals([many, np.zeros((MIN_DEALS, 1))])[0]
    assert (found.low, found.high) == pytest.approx(estimate(many).interval())


def test_intervals_of_few_blocks_hold_the_truth() -> None:
    # Means of eight matches: 1.96 standard errors hold it 91 times in 100.
    rng = np.random.default_rng(5)
    found = [mean_intervals([rng.normal(0, 1, (8, 1))], LONG)[0] for _ in range(1000)]
    held = np.mean([m.low <= 0 <= m.high for m in found if m.low is not None and m.high is not None])
    assert held == pytest.approx(0.95, abs=0.02)
