"""Stacks, rebuys, the button and ranks, without cards."""

from __future__ import annotations

import itertools

import pytest

from dupai.arena.tournament import ChipTable, place_shares, shared_ranks
from dupai.base import Rng
from dupai.base.text import labels_of


def _out(table: ChipTable, chair: int, winner: int) -> None:
    """Play a hand in which ``chair`` loses all it has to ``winner``."""
    chairs = table.next_hand()
    lost = table.stacks[chair]
    table.settle(chairs, [lost if c == winner else -lost if c == chair else 0 for c in chairs])


def test_the_button_moves_over_all_chairs_and_comes_last_in_position() -> None:
    table = ChipTable(4, 1000)
    orders = [table.next_hand() for _ in range(5)]
    assert orders == [(1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (0, 1, 2, 3), (1, 2, 3, 0)]


def test_the_button_passes_over_who_is_out_and_nobody_skips_the_blinds() -> None:
    table = ChipTable(4, 1000)
    _out(table, chair=1, winner=3)  # button 0
    assert table.next_hand() == (3, 0, 2)  # 1 would have had the button: the next live chair has it
    assert table.button == 2
    assert table.next_hand() == (0, 2, 3)
    assert table.next_hand() == (2, 3, 0)


def test_with_two_left_the_button_posts_the_small_blind() -> None:
    table = ChipTable(3, 1000)
    _out(table, chair=0, winner=2)
    # Heads-up position 0 is the big blind and position 1, the button, the small blind.
    assert [table.next_hand() for _ in range(3)] == [(2, 1), (1, 2), (2, 1)]


def test_a_rebuy_comes_before_the_next_deal_and_is_no_jump_in_chips_left() -> None:
    table = ChipTable(2, 2000, rebuys=1)
    assert [table.chips_left(c) for c in (0, 1)] == [4000, 4000]
    bought, out = table.settle(table.next_hand(), [2000, -2000])
    assert (bought, out) == ([0], [])
    assert table.stacks == [2000, 4000]
    assert table.rebuys_left == [0, 1]
    assert [table.chips_left(c) for c in (0, 1)] == [2000, 6000]
    bought, out = table.settle(table.next_hand(), [-2000, 2000])
    assert (bought, out) == ([], [0])
    assert table.live() == [1]
    assert [table.chips_left(c) for c in (0, 1)] == [0, 8000]
    assert table.hands_survived(600) == [2, 600]
    assert table.ranks(600) == [2.0, 1.0]


def test_rank_goes_by_hands_survived_then_by_chips_left() -> None:
    table = ChipTable(4, 1000, rebuys=1)
    _out(table, 0, 1)
    _out(table, 0, 1)  # 0 is out in hand 2
    chairs = table.next_hand()
    table.settle(chairs, [{1: -500, 2: 500, 3: 0}[c] for c in chairs])
    # 1: 2500 + 1000, 2: 1500 + 1000, 3: 1000 + 1000
    assert table.ranks(600) == [4.0, 1.0, 2.0, 3.0]


def test_an_unused_rebuy_counts_against_a_bigger_stack() -> None:
    table = ChipTable(3, 1000, rebuys=1)
    _out(table, 0, 1)  # 0 has bought in again
    chairs = table.next_hand()
    table.settle(chairs, [{0: 900, 1: -400, 2: -500}[c] for c in chairs])
    assert table.stacks == [1900, 1600, 500]
    # 0 has 1900 and no rebuy, 1 has 2600, 2 has 1500: the stacks alone would rank 0 first.
    assert table.ranks(600) == [2.0, 1.0, 3.0]


def test_out_in_the_same_hand_more_chips_at_its_start_are_better() -> None:
    table = ChipTable(3, 1000)
    chairs = table.next_hand()
    table.settle(chairs, [{0: 300, 1: -300, 2: 0}[c] for c in chairs])
    chairs = table.next_hand()
    _, out = table.settle(chairs, [{0: -1300, 1: -700, 2: 2000}[c] for c in chairs])
    assert sorted(out) == [0, 1]
    assert table.ranks(600) == [2.0, 3.0, 1.0]


def test_out_in_the_same_hand_with_equal_chips_share_the_mean_rank() -> None:
    table = ChipTable(4, 1000)
    chairs = table.next_hand()
    table.settle(chairs, [{0: 2000, 1: -1000, 2: 0, 3: -1000}[c] for c in chairs])
    assert table.ranks(600) == [1.0, 3.5, 2.0, 3.5]


def test_equal_chips_at_the_end_share_the_mean_rank() -> None:
    table = ChipTable(4, 1000, rebuys=1)
    table.next_hand()
    assert table.ranks(600) == [2.5] * 4


def test_out_in_the_last_hand_ranks_behind_who_is_in() -> None:
    table = ChipTable(3, 1000)
    _out(table, 0, 1)
    # With one hand to play everybody has survived it, but chair 0 has been put out.
    assert table.hands_survived(1) == [1, 1, 1]
    assert table.ranks(1) == [3.0, 1.0, 2.0]


def test_unlimited_rebuys_never_put_anybody_out() -> None:
    table = ChipTable(2, 100, None)
    for _ in range(5):
        _out(table, 0, 1)
    assert table.live() == [0, 1]
    assert table.bought == [5, 0]


@pytest.mark.parametrize("keys", list(itertools.product([(0, 0, 0), (0, 0, 1), (1, 0, 0)], repeat=3)))
def test_shared_ranks_and_places_add_up(keys: tuple[tuple[int, int, int], ...]) -> None:
    ranks = shared_ranks(keys)
    assert sum(ranks) == 6.0
    for a, b in itertools.permutations(range(3), 2):
        assert (ranks[a] < ranks[b]) == (keys[a] > keys[b])
    shares = [place_shares(ranks, k) for k in range(3)]
    assert all(sum(s) == pytest.approx(1.0) for s in shares)
    assert all(sum(s[place] for s in shares) == pytest.approx(1.0) for place in range(3))


def test_chips_left_are_conserved_over_random_hands() -> None:
    rng = Rng(8)
    for _ in range(200):
        n = 2 + rng.below(7)
        table = ChipTable(n, 500, rebuys=rng.below(3))
        total = sum(table.chips_left(c) for c in range(n))
        while len(table.live()) > 1 and table.hand < 60:
            chairs = table.next_hand()
            winner = rng.below(len(chairs))
            paid = [0 if p == winner else -min(table.stacks[c], 100 * rng.below(6)) for p, c in enumerate(chairs)]
            paid[winner] = -sum(paid)
            table.settle(chairs, paid)
            assert sum(table.chips_left(c) for c in range(n)) == total
            assert all(table.stacks[c] > 0 for c in table.live())


def test_labels_tell_namesakes_apart() -> None:
    assert labels_of(["rules", "style:LA", "rules"]) == ("rules#1", "style:LA", "rules#2")
    assert labels_of(["a", "b"]) == ("a", "b")
