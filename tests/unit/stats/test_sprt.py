"""The sequential test: its ratio, its errors and its length by simulation, for poker-like results too."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from dupai.base import ConfigError
from dupai.stats import Sprt, log_likelihood_ratio
from naive.stats_sprt import expected_blocks

F64 = npt.NDArray[np.float64]


def _normal(rng: np.random.Generator, shape: tuple[int, int]) -> F64:
    return rng.standard_normal(shape)


def _poker(rng: np.random.Generator, shape: tuple[int, int]) -> F64:
    """Duplicate deals as they look: half of them nothing, most of the rest a few blinds, and in one of 50 stacks of 100
    blinds change hands; excess kurtosis above 30. Scaled to mean 0, standard deviation 1."""
    u = rng.random(shape)
    small = rng.standard_exponential(shape) * 2 * rng.choice([-1.0, 1.0], shape)
    big = rng.uniform(20, 100, shape) * rng.choice([-1.0, 1.0], shape)
    x = np.where(u < 0.5, 0.0, np.where(u < 0.98, small, big))
    # Variance of the mixture: 0.48 * 2 * 4 + 0.02 * E[U^2].
    return x / math.sqrt(0.48 * 8 + 0.02 * (100**3 - 20**3) / (3 * 80))


def _skewed(rng: np.random.Generator, shape: tuple[int, int]) -> F64:
    """Small gains often, a big loss seldom (a player who steals blinds and is sometimes caught)."""
    loss = rng.random(shape) < 0.05
    x = np.where(loss, -19.0, 1.0) * rng.uniform(0.5, 1.5, shape)
    return x / math.sqrt((0.05 * 361 + 0.95) * (1 + 1 / 12))


def _run(make: object, t: float, trials: int, longest: int, seed: int, least: int = 500) -> tuple[float, float, float]:
    """Shares of "better" and "not better", and the mean length, of the test with bounds 0 and 0.1."""
    rng = np.random.default_rng(seed)
    x = make(rng, (trials, longest)) + t  # type: ignore[operator]
    n = np.arange(1, longest + 1)
    mean = x.cumsum(axis=1) / n
    var = np.maximum((x**2).cumsum(axis=1) - n * mean**2, 0) / np.maximum(n - 1, 1)
    llr = log_likelihood_ratio(n, mean, np.sqrt(var), 0.0, 0.1)
    test = Sprt((0.0, 0.1), least=least)
    llr[:, : test.least - 1] = 0.0
    up, down = llr >= test.upper, llr <= test.lower
    first_up = np.where(up.any(axis=1), up.argmax(axis=1), longest)
    first_down = np.where(down.any(axis=1), down.argmax(axis=1), longest)
    length = np.minimum(np.minimum(first_up, first_down) + 1, longest)
    return float(np.mean(first_up < first_down)), float(np.mean(first_down < first_up)), float(length.mean())


@pytest.mark.parametrize("make", [_normal, _poker, _skewed])
def test_errors_are_what_they_were_asked_to_be(make: object) -> None:
    trials, longest = 1000, 4000
    slack = 3 * math.sqrt(0.05 * 0.95 / trials)
    # Lopsided results cost something on one side (see the head of the module), and no more than this.
    asked = 0.08 if make is _skewed else 0.05
    wrong, right, _ = _run(make, 0.0, trials, longest, 1)
    assert wrong < asked + slack
    assert wrong + right > 0.995  # nearly all are decided
    right, wrong, _ = _run(make, 0.1, trials, longest, 2)
    assert wrong < 0.05 + slack
    assert wrong + right > 0.995


def test_as_long_as_wald_says_and_shorter_than_a_fixed_sample() -> None:
    for t, seed in ((0.0, 11), (0.1, 12)):
        *_, length = _run(_normal, t, 1000, 4000, seed, least=100)
        assert length == pytest.approx(expected_blocks(t, (0.0, 0.1)), rel=0.12)
        assert length < 0.6 * (2 * 1.645 / 0.1) ** 2


def test_errors_are_not_far_below_what_was_asked_for() -> None:
    # A test that never errs would be a slow one: the bounds are used up.
    wrong, _, _ = _run(_normal, 0.0, 1000, 4000, 3, least=100)
    assert wrong > 0.025


def test_longest_in_the_middle_and_still_decided() -> None:
    better, worse, length = _run(_normal, 0.05, 600, 6000, 4, least=100)
    assert 0.4 < better < 0.6
    assert better + worse > 0.99
    assert length == pytest.approx(expected_blocks(0.05, (0.0, 0.1)), rel=0.15)


def test_running_test_follows_the_vector_formula_and_keeps_its_decision() -> None:
    x = _poker(np.random.default_rng(5), (1, 3000))[0] + 0.1
    test = Sprt((0.0, 0.1))
    first = None
    for k, value in enumerate(x, 1):
        test.add(float(value))
        if k in (2, 50, 777, 3000):
            expected = log_likelihood_ratio(k, x[:k].mean(), x[:k].std(ddof=1), 0.0, 0.1)
            assert test.llr == pytest.approx(float(expected), rel=1e-9)
        if test.decision and first is None:
            first = k
            assert k >= test.least
            assert test.llr >= test.upper or test.llr <= test.lower
            taken = test.decision
    assert first is not None
    assert test.decision == taken == "better"
    state = test.state
    assert (state.n, state.decision) == (3000, "better")
    assert state.t == pytest.approx(x.mean() / x.std(ddof=1))
    assert test.estimate.se == pytest.approx(x.std(ddof=1) / math.sqrt(3000))


def test_the_ratio_is_that_of_normal_likelihoods_when_the_deviation_is_known() -> None:
    # For small t the generalised ratio is the plain one of N(t1, 1) against N(t0, 1).
    x = np.random.default_rng(8).normal(0.02, 1, 20_000)
    x = 0.02 + (x - x.mean()) / x.std()
    plain = float((((x - 0.0) ** 2 - (x - 0.03) ** 2) / 2).sum())
    assert float(log_likelihood_ratio(len(x), x.mean(), x.std(), 0.0, 0.03)) == pytest.approx(plain, abs=0.05)


def test_nothing_is_decided_without_spread_or_too_early() -> None:
    test = Sprt()
    for _ in range(600):
        assert test.add(0.0) is None
    assert test.llr == 0.0
    early = Sprt((0.0, 0.5), least=200)
    for k in range(199):
        assert early.add(1.0 + k % 2) is None
    assert early.add(1.0) == "better"
    nothing = Sprt().state
    assert (nothing.mean, nothing.sd, nothing.t) == (None, None, None)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"bounds": (0.1, 0.0)}, "bounds"),
        ({"bounds": (math.nan, 0.1)}, "bounds"),
        ({"alpha": 0.0}, "alpha"),
        ({"beta": 0.7}, "beta"),
        ({"least": 1}, "least"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Sprt(**settings)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="finite"):
        Sprt().add(math.inf)
