"""The shipped win rates built again; all 47,008 match-ups counted again, and a sample of them dealt out in full."""

import numpy as np
import pytest

from dupai.cards import COMBO_CARDS, mask_of
from dupai.equity import load_win_rate_table
from dupai.equity._build import build_entries
from dupai.equity._kernels.exact import deal_kernel
from dupai.equity._matchups import MATCHUP_FILE, MATCHUPS, matchup_index
from tools.matchups import count_matchups

pytestmark = pytest.mark.slow


def test_what_ships_is_what_is_counted() -> None:
    win, tie = count_matchups()
    with np.load(MATCHUP_FILE, allow_pickle=False) as file:
        np.testing.assert_array_equal(file["win"], win)
        np.testing.assert_array_equal(file["tie"], tie)


def test_the_two_ways_to_count_agree_on_every_tenth() -> None:
    """The second kernel runs through boards with a flush instead of taking them from polynomials."""
    win, tie = count_matchups(step=10)
    for k, hands in enumerate(matchup_index().hands[::10]):
        holes = COMBO_CARDS[hands].astype(np.int64)
        hist = np.zeros(4, np.int64)
        deal_kernel(holes, 2, np.uint64(0), hist)
        assert (hist[1], hist[3]) == (win[k], tie[k]), mask_of(holes.ravel().tolist())
    assert k == (MATCHUPS - 1) // 10


@pytest.mark.slow
def test_shipped_entries_are_built_again_bit_for_bit() -> None:
    built = build_entries(3)
    assert built is not None
    np.testing.assert_array_equal(np.concatenate([built[1], built[0]]), load_win_rate_table().entries)
