"""Every hand against a weighted range: against eval7 pair by pair, and what bad input is told."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from dupai.base import ConfigError, NotationError
from dupai.cards import COMBO_CARDS, cards, combo
from dupai.equity import hand_kernel, range_mass, sweep_kernel, win_rate, win_rates
from dupai.ranges import Range
from naive.equity_winrates import mass, win_rate as naive_win_rate


def random_board(rng: np.random.Generator, n: int, suited: int) -> list[int]:
    """``n`` cards of which exactly ``suited`` share the first suit and no other suit has more."""
    while True:
        board = [int(c) for c in rng.permutation(52)[:n]]
        counts = sorted(np.bincount([c // 13 for c in board], minlength=4))
        if counts[-1] == suited:
            return board


def random_weights(rng: np.random.Generator) -> np.ndarray:
    """Weights in [0, 1] of which many are 0 and many 1."""
    return np.clip(rng.random(1326) * 3 - 1, 0, 1)


@pytest.mark.parametrize("suited", [2, 2, 3, 3, 4, 4, 5, 5])
def test_river_mass_is_that_of_every_pair(suited: int) -> None:
    rng = np.random.default_rng(suited)
    for _ in range(3):
        board = random_board(rng, 5, suited)
        weights = random_weights(rng)
        for ours, theirs in zip(range_mass(board, weights), mass(board, weights), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "board",
    [
        "2c2d2h2sAs",  # quads on the board: only kickers play
        "AsKsQsJsTs",  # everybody ties
        "AcKdQhJsTc",  # a straight on the board
        "KcKdKhQsQc",  # a full house on the board
        "2c3c4c5c7d",  # one club makes a flush, one more a straight flush
        "9h9d9c2h3h",
    ],
)
def test_river_mass_on_special_boards(board: str) -> None:
    weights = random_weights(np.random.default_rng(1))
    for ours, theirs in zip(range_mass(board, weights), mass(list(cards(board)), weights), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)


@pytest.mark.parametrize("suited", [1, 2, 3, 4])
def test_turn_mass_is_the_sum_over_rivers(suited: int) -> None:
    rng = np.random.default_rng(suited)
    board = random_board(rng, 4, suited)
    weights = random_weights(rng)
    for ours, theirs in zip(range_mass(board, weights), mass(board, weights), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("suited", [1, 2, 3])
def test_flop_mass_is_the_sum_over_turns(suited: int) -> None:
    # Turns are compared with eval7 above. A runout is met once for each of its two cards as the turn.
    rng = np.random.default_rng(suited)
    board = random_board(rng, 3, suited)
    weights = rng.integers(0, 1000, 1326).astype(float)  # whole numbers: the sums are exact
    parts = [range_mass([*board, c], weights) for c in range(52) if c not in board]
    for ours, theirs in zip(range_mass(board, weights), np.sum(parts, axis=0) / 2, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_integer_weights_are_summed_exactly() -> None:
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 4, 1326).astype(float)
    board = random_board(rng, 4, 3)
    for ours, theirs in zip(range_mass(board, weights), mass(board, weights), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("n_board", [4, 5])
def test_one_hand_alone_agrees_with_eval7(n_board: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(2 if n_board == 4 else 60):
        drawn = [int(c) for c in rng.permutation(52)[: 2 + n_board]]
        board = np.array([*drawn[2:], 255][:5], np.uint8)
        assert hand_kernel(drawn[0], drawn[1], board, n_board) == naive_win_rate((drawn[0], drawn[1]), drawn[2:])


@pytest.mark.parametrize("suited", [2, 3, 4, 5])
def test_one_hand_alone_agrees_with_the_sweep(suited: int) -> None:
    rng = np.random.default_rng(suited)
    for _ in range(10):
        board = random_board(rng, 5, suited)
        rates = win_rates(board)
        for c in np.flatnonzero(~np.isnan(rates)):
            a, b = (int(x) for x in COMBO_CARDS[c])
            assert hand_kernel(a, b, np.array(board, np.uint8), 5) == rates[c]


def test_blocked_hands_are_nan_and_others_are_not() -> None:
    for board in ("", "2c7dTh", "2c7dTh5s", "2c7dTh5s5d"):
        rates = win_rates(board, "QQ+, AK")
        blocked = np.isin(COMBO_CARDS, cards(board)).any(axis=1)
        np.testing.assert_array_equal(np.isnan(rates), blocked)
        assert ((rates[~blocked] >= 0) & (rates[~blocked] <= 1)).all()


def test_a_hand_that_blocks_the_whole_range_has_no_win_rate() -> None:
    for board in (None, "2c7dTh5s5d", "2c7dTh5s"):
        rates = win_rates(board, "AsAh")
        assert np.isnan(rates[combo("AsKs")])
        assert not np.isnan(rates[combo("AdKs")])
        mass_of = range_mass(board, "AsAh")
        assert mass_of.total[combo("AsKs")] == mass_of.win[combo("AsKs")] == 0


def test_blockers_are_taken_out() -> None:
    # Six combos each; a king in hand leaves three of KK.
    met = range_mass("2c7d9h3s4d", "KK, QQ").total
    assert met[combo("AsAh")] == 12
    assert met[combo("AsKh")] == 9
    assert met[combo("KsQh")] == 6


def test_scale_of_weights_does_not_matter() -> None:
    reading = Range("TT+, AK").weights.astype(float)
    reading /= reading.sum()
    np.testing.assert_allclose(win_rates("2c7dTh", reading), win_rates("2c7dTh", "TT+, AK"), rtol=1e-12)
    np.testing.assert_allclose(win_rates("2c7dTh", reading * 1e-30), win_rates("2c7dTh", "TT+, AK"), rtol=1e-12)


def test_anchors() -> None:
    assert win_rates("2c7dTh", "QQ+, AK")[combo("AsKs")] == pytest.approx(0.304978, abs=1e-6)
    assert win_rates(None, "QQ+, AK")[combo("AsKs")] == pytest.approx(0.419040, abs=1e-6)
    assert win_rates(None, "KcKd")[combo("AcAd")] == pytest.approx(0.826366, abs=1e-6)
    assert win_rates(None, "KhKs")[combo("AcAd")] == pytest.approx(0.812555, abs=1e-6)
    assert win_rates(None, "KK")[combo("AcAd")] == pytest.approx(0.819461, abs=1e-6)
    assert win_rate("AsKs", "2c7dTh") == pytest.approx(0.539162, abs=1e-5)
    own, met = Range("AKs").weights, range_mass("2c7dTh", "QQ+, AK")
    assert own @ (met.win + met.tie / 2) / (own @ met.total) == pytest.approx(0.331061, abs=1e-6)


def test_kinds_of_input_give_the_same() -> None:
    expected = win_rates("2c7dTh", "AA")
    for board in ([0, 18, 34], (34, 0, 18), np.array([18, 0, 34], np.uint8), "Th 7d 2c"):
        np.testing.assert_allclose(win_rates(board, Range("AA")), expected, rtol=1e-12)
    assert win_rate("KsAs", "Th7d2c") == win_rate((51, 50), [0, 18, 34])


@pytest.mark.parametrize(
    ("board", "range_", "error", "says"),
    [
        ("2c2c7d", None, NotationError, "2c stands twice"),
        ("2c7x", None, NotationError, "7x"),
        ("2c7d", None, ConfigError, "2 cards: expected 0, 3, 4 or 5"),
        ("2c7dTh5s5d6c", None, ConfigError, "6 cards"),
        ([1, 1, 2], None, NotationError, "twice"),
        ([1, 2, 52], None, NotationError, "52 is not a card"),
        ("2c7dTh", "QQQ", NotationError, "QQQ"),
        ("2c7dTh", "7d2c", ConfigError, "no hand of it is left"),
        ("2c7dTh", np.zeros(1326), ConfigError, "no hand of it is left"),
        ("2c7dTh", np.ones(169), ConfigError, "1326"),
        ("2c7dTh", np.full(1326, -1.0), ConfigError, "-1.0 of combo 0"),
        ("2c7dTh", np.full(1326, np.nan), ConfigError, "combo 0"),
    ],
)
def test_bad_input_is_told(board: object, range_: object, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        win_rates(board, range_)  # type: ignore[arg-type]
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("hole", "board", "says"),
    [
        ("AsAs", None, "As stands twice"),
        ("As", None, "holds 1 cards"),
        ("AsKs", "AsTd2c", "card As is both a hole card and on the board"),
        ((51, 52), None, "52 is not a card"),
    ],
)
def test_bad_hole_cards_are_told(hole: object, board: str | None, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        win_rate(hole, board)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_interpreted_kernels_give_the_same() -> None:
    code = (
        "import numpy as np\n"
        "from dupai.equity import sweep_kernel, hand_kernel, potential_kernel\n"
        "weights = np.random.default_rng(1).random(1326)\n"
        "for board in ([0, 18, 34, 42, 16], [0, 1, 2, 30, 45], [0, 1, 2, 5, 45], [0, 1, 2, 5, 11]):\n"
        "    out = [np.empty(1326) for _ in range(3)]\n"
        "    sweep_kernel(np.array(board, np.uint8), 5, weights, *out)\n"
        "    table = np.empty((3, 3))\n"
        "    potential_kernel(51, 50, np.array(board, np.uint8), 5, weights, table)\n"
        "    rate = hand_kernel(51, 50, np.array(board, np.uint8), 5)\n"
        "    print([float(o.sum()).hex() for o in out], rate, table[0, 0])\n"
    )

    def run(**env: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env}, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    compiled, interpreted = run(), run(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert len(compiled.splitlines()) == 4
    assert interpreted == compiled


def test_sweep_leaves_weights_as_they_are() -> None:
    weights = np.random.default_rng(1).random(1326)
    before = weights.copy()
    out = [np.empty(1326) for _ in range(3)]
    sweep_kernel(np.array([0, 1, 2, 30, 255], np.uint8), 4, weights, *out)
    np.testing.assert_array_equal(weights, before)
