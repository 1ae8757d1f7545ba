"""Draws of all hands on a board, against combos counted by hand and the features of the trained reader."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.base import NotationError
from dupai.cards import as_cards, board_array, combo, combo_text
from dupai.reading import HAND_DRAWS, hand_classes, hand_draws
from dupai.reading.features import HAND_SIZE, board_table, hand_features_kernel


def draws_of(hand: str, board: str) -> set[str]:
    return {HAND_DRAWS[k] for k in np.flatnonzero(hand_draws(board)[:, combo(*as_cards(hand, "hand"))])}


@pytest.mark.parametrize(
    ("hand", "board", "names"),
    [
        ("AhKh", "9h5h2c", {"flush draw"}),
        ("8h7h", "9h6h2c", {"flush draw", "open-ended"}),
        ("8s7s", "9h6h2c", {"open-ended"}),
        ("8s5s", "9h6h2c", {"gutshot"}),  # a seven
        ("Ts7s", "Jh9h5c", {"gutshot"}),  # an eight
        ("9s7s", "Jh8h5c", {"open-ended"}),  # double gutshot: a ten or a six
        ("As3s", "5h4hKc", {"gutshot"}),  # the wheel
        ("AsKs", "QhJh2c", {"gutshot"}),
        ("AhKc", "9h5h2h", {"flush draw"}),  # one card of four
        ("AhKc", "9h5h2c", set()),
        ("8s7s", "Th9h6c", set()),  # a straight already
        ("8h7h", "Th9h6c", {"flush draw"}),  # a straight that may become a flush
        ("9h9c", "9d5h5c", set()),
        ("Ah2c", "6h7s8d9c", set()),  # a ten or a five makes a straight of the board's cards
        ("8h7h", "9h6h2c3s4d", set()),
    ],
)
def test_draws_of_a_hand(hand: str, board: str, names: set[str]) -> None:
    assert draws_of(hand, board) == names


def test_combos_counted_by_hand() -> None:
    """On 9h 6h 2c: eleven hearts are left, so C(11, 2) = 55 flush draws. Straights: 87 alone is open-ended (16 combos).
    With 9 6 a gutshot is T8, T7, 85 or 75, with 6 2 it is 54, 53 or 43: seven times 16 = 112."""
    draws = hand_draws("9h6h2c")
    assert [int(row.sum()) for row in draws] == [55, 16, 112]
    for row, hands in zip(draws[1:], ("87", "T8 T7 85 75 54 53 43"), strict=True):
        texts = [combo_text(k) for k in np.flatnonzero(row)]
        assert {frozenset((t[0], t[2])) for t in texts} == set(map(frozenset, hands.split()))


def test_they_are_those_of_the_reader() -> None:
    rng = np.random.default_rng(5)
    for n in (3, 4, 3, 4):
        board = rng.permutation(52)[:n].tolist()
        rows = np.empty((1326, HAND_SIZE), np.float32)
        hand_features_kernel(board_table(), board_array(board), n, rows)
        made, draws = hand_classes(board), hand_draws(board)
        flush = (rows[:, 31] > 0) | (rows[:, 33] > 0)
        assert np.array_equal(draws[0], flush & (made >= 0) & (made < 7))
        assert np.array_equal(draws[1], (rows[:, 38] > 0) & (made >= 0) & (made < 6))
        assert np.array_equal(draws[2], (rows[:, 37] > 0) & (made >= 0) & (made < 6))


def test_before_the_flop_there_are_none_and_other_boards_are_refused() -> None:
    assert not hand_draws("").any()
    with pytest.raises(NotationError, match="2 cards"):
        hand_draws("9h6h")
