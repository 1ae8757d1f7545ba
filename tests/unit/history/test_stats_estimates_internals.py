"""Estimates drawn towards the population: the distributions, the priors, the shipped file, the table in the docs."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dupai.base import FileError
from dupai.history._tracker._facts import SIZE_CLASSES, SIZE_GROUPS
from dupai.history._tracker._population import ALL_POSITIONS as ALL, FILE, TABLE_SIZES as SIZES, size_class
from dupai.history._tracker._shrink import (
    STRANGE_SHARE,
    BetaPrior,
    NormalPrior,
    RatePart,
    beta_cdf,
    mixed_quantile,
    odds,
    shrink_mean,
    shrink_rate,
    shrink_result,
    size_estimate,
    strange_weight,
)
from dupai.history._tracker._stats import COLUMNS
from dupai.history.stats import DEFINITIONS, PlayerStats, StatsTable, batches, load_population, population
from dupai.spots import POSITION_CLASSES
from dupai.training._population import LEFT_OUT, fit_beta, fit_population
from support.shared_data import shared_data

ROOT = Path(__file__).parents[3]


def beta_quantile(a: float, b: float, p: float) -> float:
    return mixed_quantile([RatePart(1.0, a / (a + b), a + b)], p)


# the beta distribution --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [1, 2, 7, 40])
@pytest.mark.parametrize("b", [1, 3, 25])
def test_the_beta_distribution_is_a_sum_of_binomial_terms(a: int, b: int) -> None:
    # P(Beta(a, b) <= x) = P(at least a successes in a + b - 1 trials of probability x), exactly.
    n = a + b - 1
    for x in (Fraction(1, 50), Fraction(1, 3), Fraction(1, 2), Fraction(19, 20)):
        exact = sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))
        assert beta_cdf(a, b, float(x)) == pytest.approx(float(exact), rel=1e-11, abs=1e-14)


def test_quantiles_turn_the_distribution_round() -> None:
    for a, b in ((0.3, 4.0), (1.0, 1.0), (2.5, 80.0), (900.0, 0.7), (5000.0, 9000.0), (1e6, 3e6), (0.01, 30.0)):
        for p in (0.025, 0.5, 0.975):
            x = beta_quantile(a, b, p)
            assert 0 <= x <= 1
            assert beta_cdf(a, b, x - 1e-9) <= p <= beta_cdf(a, b, x + 1e-9), (a, b, p)
    assert beta_quantile(1, 1, 0.25) == pytest.approx(0.25)
    assert beta_quantile(3, 1, 0.5) == pytest.approx(0.5 ** (1 / 3))
    rng = np.random.default_rng(4)
    for _ in range(200):
        weight, *means = rng.uniform(0.001, 0.999, 3).tolist()
        worths = (10 ** rng.uniform(-0.3, 4, 2)).tolist()
        parts = [RatePart(w, m, k) for w, m, k in zip((weight, 1 - weight), means, worths, strict=True)]
        for p in (0.025, 0.975):
            below, above = (sum(q.weight * q.cdf(mixed_quantile(parts, p) + d) for q in parts) for d in (-1e-9, 1e-9))
            assert below <= p + 1e-9 and above >= p - 1e-9, (parts, p)


# shrinking ----------------------------------------------------------------------------------------------------------


def test_a_rate_moves_from_the_population_to_the_player() -> None:
    prior = BetaPrior(0.25, 20.0)
    nothing = shrink_rate(prior, 0, 0)
    assert nothing[0] == pytest.approx(0.25)
    assert nothing[1:] == pytest.approx((beta_quantile(5, 15, 0.025), beta_quantile(5, 15, 0.975)))
    some = shrink_rate(prior, 6, 20)
    strange = strange_weight((0.25, 0.75), 20.0, (6, 14))
    assert 0 < strange < 0.3
    assert some[0] == pytest.approx((1 - strange) * (5 + 6) / 40 + strange * (0.5 + 6) / 21)
    many = shrink_rate(prior, 60_000, 100_000)
    assert many[0] == pytest.approx(0.6, abs=1e-3)
    assert nothing[2] - nothing[1] > some[2] - some[1] > many[2] - many[1] > 0
    assert many[1] < 0.6 < many[2]
    assert odds(0.75) == 3.0


@pytest.mark.parametrize(("seen", "n", "truth"), [(33, 105, 0.276), (0, 60, 0.0), (60, 60, 1.0), (52, 200, 0.25)])
def test_rates_of_a_player_unlike_all_others_are_believed(seen: int, n: int, truth: float) -> None:
    # What was printed of the program rules, whose 3-bet is 27.6 %, at tables of six: 13.5 to 23.8 %.
    prior = BetaPrior(0.061, 112.0)
    mean, low, high = shrink_rate(prior, seen, n)
    assert low - 1e-4 <= truth <= high + 1e-4 and low - 1e-3 < seen / n < high + 1e-3
    assert abs(mean - seen / n) < 0.03
    # What chance explains is drawn in as before.
    assert shrink_rate(prior, 9, 105)[0] == pytest.approx((0.061 * 112 + 9) / 217, abs=0.005)


def test_intervals_of_rates_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    prior = BetaPrior(0.3, 12.0)
    inside = 0
    for _ in range(2_000):
        rate = rng.beta(0.5, 0.5) if rng.random() < STRANGE_SHARE else rng.beta(0.3 * 12, 0.7 * 12)
        n = int(rng.integers(1, 60))
        _, low, high = shrink_rate(prior, int(rng.binomial(n, rate)), n)
        inside += low <= rate <= high
    assert abs(inside / 2_000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2_000)


def test_intervals_of_means_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(6)
    prior = NormalPrior(-0.02, 0.5, 4.0)
    inside = 0
    for _ in range(2_000):
        true = rng.normal(-0.02, 0.5)
        x = rng.normal(true, 4.0, int(rng.integers(0, 200)))
        mean, low, high = shrink_mean(prior, len(x), float(x.sum()), float((x**2).sum()))
        assert low < mean < high
        inside += low <= true <= high
    assert abs(inside / 2_000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2_000)
    assert shrink_mean(prior, 0, 0.0, 0.0)[0] == pytest.approx(-0.02)


def test_heads_up_intervals_hold_where_rates_change_with_the_opponent() -> None:
    """Against one opponent a rate wanders around the player's own: the same mean, a wider interval."""
    rng = np.random.default_rng(5)
    prior, inside, plain = BetaPrior(0.4, 15.0, heads_up=1.0), 0, 0
    for _ in range(1_000):
        rate = rng.beta(0.4 * 15, 0.6 * 15)
        here = rng.beta(rate * 29, (1 - rate) * 29)
        n = int(rng.integers(20, 400))
        hits = int(rng.binomial(n, here))
        mean, low, high = shrink_rate(prior, hits, n)
        narrow = shrink_rate(BetaPrior(0.4, 15.0), hits, n)
        assert mean == pytest.approx(narrow[0]) and low < narrow[1] and high > narrow[2]
        inside += low <= rate <= high
        plain += narrow[1] <= rate <= narrow[2]
    assert 0.91 < inside / 1_000 < 0.97 and plain / 1_000 < 0.75
    # Over many opponents it is known all the same.
    _, low, high = shrink_rate(prior, 400_000, 1_000_000)
    assert high - low < 0.03
    assert PlayerStats("new").estimate("vpip").low == pytest.approx(
        shrink_rate(population().rate("vpip", [(6, 1.0)], None), 0, 0)[1]
    )


def test_results_of_a_player_unlike_all_others_are_believed() -> None:
    prior = NormalPrior(0.0, 0.05, 9.0)
    # A program that loses 1 bb a hand over 10,000 hands (se 0.09): no prior of alike people holds it near 0.
    mean, low, high = shrink_result(prior, 10_000, -10_000.0, 10_000 * 82.0)
    assert low < -1.0 < high and mean == pytest.approx(-1.0, abs=0.02)
    # What chance explains is drawn in as before, and few hands are no number at all.
    mean, low, high = shrink_result(prior, 1_000, 300.0, 1_000 * 81.0)
    assert 0 < mean < 0.05 and low < 0 < high
    assert shrink_result(prior, 0, 0.0, 0.0)[0] == pytest.approx(0.0)
    rng = np.random.default_rng(6)
    inside = 0
    for _ in range(400):
        true = rng.normal(0.0, 0.05 * (20 if rng.random() < 0.05 else 1))
        x = rng.normal(true, 9.0, 2_000)
        _, low, high = shrink_result(prior, len(x), float(x.sum()), float((x**2).sum()))
        inside += low <= true <= high
    assert abs(inside / 400 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 400)


@pytest.mark.parametrize(
    ("mean", "sd"), [(-31.0, 127.0), (12.8, 108.0), (4.9, 79.0), (1.9, 33.0), (-8.0, 9.0), (0.4, 150.0)]
)
def test_results_of_programs_that_play_wildly_are_in_the_interval(mean: float, sd: float) -> None:
    # Six-handed tables with a random player: its -3,100 bb/100 were printed as -41 (-300 to 9).
    rng, prior, inside = np.random.default_rng(7), NormalPrior(0.0, 0.05, 9.2), 0
    for _ in range(200):
        x = rng.normal(mean, sd, 1_000)
        _, low, high = shrink_result(prior, len(x), float(x.sum()), float((x**2).sum()))
        inside += low <= mean <= high
    assert inside >= 180


def test_mean_sizes_of_programs_that_bet_any_size_are_in_the_interval() -> None:
    # A random player's raises before the flop: 14.5 pots in the mean of 631, printed as 1.94 (1.78 to 2.09).
    rng, prior, inside = np.random.default_rng(8), NormalPrior(0.78, 0.08, 0.32), 0
    for _ in range(200):
        x = rng.exponential(14.5, 100)
        _, low, high = shrink_mean(prior, len(x), float(x.sum()), float((x**2).sum()))
        inside += low <= 14.5 <= high
    assert inside >= 180


def test_means_of_usual_players_are_drawn_in_as_by_a_prior_of_people_alone() -> None:
    people = NormalPrior(0.78, 0.08, 0.32)
    for n in (10, 30, 100, 1_000):
        for z in (-1.5, 0.0, 1.5):
            own = 0.78 + z * math.hypot(0.08, 0.32 / math.sqrt(n))
            mean, low, high = shrink_mean(people, n, n * own, n * (own**2 + 0.32**2))
            share = 0.08**2 / (0.08**2 + 0.32**2 / n)
            half = 1.96 * math.sqrt(share / n) * 0.32
            assert mean == pytest.approx(0.78 + share * (own - 0.78), abs=0.003)
            assert (low, high) == pytest.approx((mean - half, mean + half), abs=0.006)
    # One stack lost in few hands is no mean.
    assert abs(shrink_result(NormalPrior(-0.07, 0.05, 9.2), 1, -110.0, 110.0**2)[0]) < 2.0
    assert shrink_mean(people, 1, 6.5, 6.5**2)[0] < 1.3


def test_nothing_seen_is_marked_and_is_the_population() -> None:
    stats = PlayerStats("new")
    for e in stats.estimates("button"):
        if e.arises:
            assert e.n == 0 and e.prior_only and e.observed is None
            assert e.low <= e.mean <= e.high or e.name.startswith("af")
            assert math.isfinite(e.mean)
    # Six-handed: nobody on the button faces a steal in his blind.
    assert not stats.estimate("fold-to-steal", "button").arises
    assert not stats.estimate("open-raise", "big blind").arises
    assert stats.estimate("fold-to-steal", "small blind").arises
    assert all(s.n == 0 and s.mean.prior_only for s in stats.sizes())


def test_classes_of_sizes_add_up() -> None:
    for size in PlayerStats("new").sizes():
        assert sum(c.mean for c in size.classes) == pytest.approx(1.0, abs=1e-3)
        assert [c.title for c in size.classes] == list(SIZE_CLASSES)
    # A program that always bets one size.
    means, strength, fraction = population().sizes(SIZE_GROUPS[1], [(6, 1.0)])
    always = size_estimate(SIZE_GROUPS[1], (means, strength, fraction), [0, 40, 0, 0, 0, 0, 20_000, 10_000_000])
    assert sum(c.mean for c in always.classes) == pytest.approx(1.0, abs=1e-3)
    assert always.classes[1].high > 0.99 and all(c.low < 1e-3 for c in always.classes if c.n and not c.successes)


# fitting ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mean", "strength"), [(0.25, 10.0), (0.6, 60.0), (0.05, 25.0)])
def test_the_prior_of_simulated_players_is_found(mean: float, strength: float) -> None:
    rng = np.random.default_rng(7)
    n = rng.integers(5, 3_000, 800)
    rate = rng.beta(mean * strength, (1 - mean) * strength, 800)
    found, worth = fit_beta(rng.binomial(n, rate), n)
    assert found == pytest.approx(mean, abs=4 * math.sqrt(mean * (1 - mean) / strength / 800))
    assert worth == pytest.approx(strength, rel=0.25)


def test_players_without_names_tell_the_mean_only() -> None:
    rng = np.random.default_rng(8)
    n = np.full(60, 100)
    s = rng.binomial(n, rng.beta(5, 15, 60))
    alone, many = fit_beta(s, n), fit_beta(s, n, (60_000, 100_000))
    assert alone[0] == pytest.approx(0.25, abs=0.05)
    assert many[0] == pytest.approx(0.6, abs=0.01)


def test_a_population_from_few_hands_leans_on_the_rest() -> None:
    table = StatsTable()
    for batch in batches(ROOT / "tests" / "golden" / "six.log"):
        table.add(batch)
    found = fit_population(table, {})
    rates = found.rates["6"][ALL]
    assert 0 < rates["vpip"].mean < 1
    # No hand was heads-up: those priors are those of all sizes together.
    assert found.rates["2"][ALL]["vpip"].n == 0
    assert found.rates["2"][ALL]["vpip"].mean == pytest.approx(rates["vpip"].mean, abs=0.01)
    assert "button" not in found.rates["2"]


# the shipped file ---------------------------------------------------------------------------------------------------


def test_the_shipped_population_is_whole() -> None:
    found = population()
    assert set(found.rates) == set(found.results) == set(found.bets) == {str(s) for s in SIZES}
    names = {d.name for d in DEFINITIONS}
    for size in map(str, SIZES):
        assert set(found.rates[size]) <= {ALL, *POSITION_CLASSES}
        never = {"squeeze"} if size == "2" else set()
        assert set(found.rates[size][ALL]) == names - never
        assert set(found.bets[size]) == set(SIZE_GROUPS)
        for place in found.rates[size].values():
            for prior in place.values():
                assert 0 < prior.mean < 1 and 2 <= prior.strength <= 200.01
        for prior in found.results[size].values():
            assert prior.spread > 0 and prior.sd > 0
    # What everybody knows: heads-up more hands are played; position and blinds matter.
    vpip = {size: found.rates[size][ALL]["vpip"].mean for size in ("2", "6", "9")}
    assert vpip["2"] > max(vpip["6"], vpip["9"])
    nine = found.rates["9"]
    assert nine["early"]["open-raise"].mean < nine["late"]["open-raise"].mean < nine["button"]["open-raise"].mean
    assert found.results["6"]["big blind"].mean < found.results["6"]["button"].mean
    assert sum(found.about["files"].values()) > 70_000


def test_the_shipped_population_holds_no_names() -> None:
    text = FILE.read_text(encoding="utf-8")
    table = StatsTable()
    for name in ("pluribus-6max-2019", "deepstack-vs-pros-2016"):
        for batch in batches(shared_data(name) / f"{name}.log.xz"):
            table.add(batch)
    people = [name for name, _ in table.players()]
    assert len(people) > 20
    assert not [name for name in people if f'"{name}"' in text]
    assert not [name for name in LEFT_OUT if f'"{name}"' in text]
    # Strings are keys that we know, words of `about`, and file names: nothing else.
    known = {d.name for d in DEFINITIONS} | set(SIZE_GROUPS) | set(POSITION_CLASSES) | {ALL} | {str(s) for s in SIZES}
    known |= {"about", "version", "files", "players", "rates", "results", "bets"}

    def words(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                yield from words(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from words(inner)
        elif isinstance(value, str):
            yield value

    strange = {w for w in words(msgspec.json.decode(text)) if w not in known}
    assert all(w.endswith((".log.xz", ".phhs.xz")) for w in strange), strange


def test_table_sizes_go_to_the_nearest() -> None:
    assert [size_class(n) for n in range(2, 11)] == [2, 3, 3, 6, 6, 6, 9, 9, 9]


def test_a_damaged_population_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        load_population(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(FileError, match=r"population .*bad.json.: object missing required field"):
        load_population(tmp_path / "bad.json")


# the documents ------------------------------------------------------------------------------------------------------


def test_every_definition_is_told_apart_by_its_masks() -> None:
    masks = {(d.need, d.any, d.avoid, d.success_any, d.unit) for d in DEFINITIONS}
    assert len(masks) == len(DEFINITIONS)
    assert 2 * len(DEFINITIONS) + 8 * len(SIZE_GROUPS) + 4 == COLUMNS
