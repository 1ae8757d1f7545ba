"""Hand potential against Billings's printed figures and the plain twin; outs by eq. 29."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.base import ConfigError, NotationError
from dupai.cards import cards, cards_text, combo
from dupai.equity import load_win_rate_table, outs, outs_kernel, potential, win_rate, win_rates
from naive.equity_winrates import potential as naive_potential, win_rate as naive_win_rate


def test_potential_of_the_paper() -> None:
    # Billings et al. 2002, table of AdQc on 3h4cJh: 1081 hands, 990 runouts each; PPot 0.208, NPot 0.274, HS 0.585.
    found = potential("AdQc", "3h4cJh")
    counts = [[449005, 3211, 169504], [0, 8370, 540], [91981, 1036, 346543]]
    np.testing.assert_array_equal(np.round(found.table * 1081 * 990, 6), counts)
    assert found.positive == pytest.approx(0.208, abs=5e-4)
    assert found.negative == pytest.approx(0.274, abs=5e-4)
    assert found.strength == pytest.approx(0.585, abs=5e-4)
    assert found.win_rate == pytest.approx(win_rate("AdQc", "3h4cJh"), abs=1e-5)
    assert found.effective == pytest.approx(0.585 + 0.415 * 0.208, abs=1e-3)


@pytest.mark.parametrize("n_board", [4, 5])
def test_potential_is_that_of_the_twin(n_board: int) -> None:
    rng = np.random.default_rng(n_board)
    for _ in range(2):
        drawn = [int(c) for c in rng.permutation(52)[: 2 + n_board]]
        weights = np.clip(rng.random(1326) * 2 - 1, 0, 1)
        expected = naive_potential((drawn[0], drawn[1]), drawn[2:], weights)
        found = potential(drawn[:2], drawn[2:], weights)
        np.testing.assert_allclose(found.table, expected / expected.sum(), rtol=1e-12, atol=1e-15)


def test_potential_against_a_range_has_its_win_rate() -> None:
    found = potential("AsKs", "2c7dTh", "QQ+, AK")
    assert found.win_rate == pytest.approx(win_rates("2c7dTh", "QQ+, AK")[combo("AsKs")], rel=1e-12)
    assert found.table.sum() == pytest.approx(1)


def test_a_hand_that_cannot_lose_or_gain_has_no_potential() -> None:
    best = potential("AsKs", "QsJsTs2c")
    assert (best.strength, best.positive, best.negative) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(("hole", "board", "many"), [("9d9s", "9hKc4d2s", 15), ("6h5c", "7d8sKcAh", 8)])
def test_outs_of_the_paper(hole: str, board: str, many: int) -> None:
    assert len(outs(hole, board)) == many


@pytest.mark.parametrize("board", ["AdKd2c", "AdKd2c7h"])
def test_outs_against_nothing_are_refused(board: str) -> None:
    for ask in (outs, potential):
        with pytest.raises(ConfigError, match="no hand of it is left beside AsAh on AdKd2c"):
            ask("AsAh", board, "AsAh")


def test_outs_of_a_straight_draw_are_the_fours_and_nines() -> None:
    assert cards_text(outs("6h5c", "7d8sKcAh")) == "4c9c4d9d4h9h4s9s"


def test_outs_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(2)
    drawn = [int(c) for c in rng.permutation(52)[:6]]
    hole, board = (drawn[0], drawn[1]), drawn[2:]
    now = naive_win_rate(hole, board)
    expected = [
        c for c in range(52) if c not in drawn and naive_win_rate(hole, [*board, c]) - now >= 0.6 * (1 - now) - 1e-12
    ]
    assert list(outs(hole, board)) == expected


@pytest.mark.parametrize(("hole", "board"), [("AsKs", "2s7sTh"), ("JdTc", "9h8s2c"), ("6h5c", "7d8sKc")])
def test_outs_on_a_flop_do_not_depend_on_whether_the_turn_is_in_the_table(hole: str, board: str) -> None:
    marked = np.zeros(52, np.bool_)
    a, b = cards(hole)
    full = np.array([*cards(board), 255, 255], np.uint8)
    found = []
    for turn in (False, True):
        n = outs_kernel(load_win_rate_table(turn), a, b, full, 3, 0.6, marked)
        found.append(marked.copy())
        assert n == marked.sum()
    np.testing.assert_array_equal(*found)
    assert tuple(np.flatnonzero(found[0])) == outs(hole, board) == outs(hole, board, "random")


def test_flush_draw_has_the_nine_cards_of_the_suit() -> None:
    # Against top pair: nine spades, and no ace or king helps enough on its own.
    found = outs("AsKs", "2s7sTh3d", "TT, 77")
    assert set(cards("3s4s5s6s8s9sTsJsQs")) - set(cards("Ts3s")) <= set(found)


def test_bad_input_is_told() -> None:
    with pytest.raises(ConfigError, match="3, 4 or 5"):
        potential("AsKs", None)
    with pytest.raises(ConfigError, match="3, 4 or 5"):
        outs("AsKs", None)
    with pytest.raises(ConfigError, match="no hand of it is left"):
        potential("AsKs", "2c7dTh", "AsAh")
    with pytest.raises(NotationError, match="both a hole card and on the board"):
        outs("AsKs", "As7dTh")
    assert outs("AsKs", "2c7dTh5s5d") == ()
