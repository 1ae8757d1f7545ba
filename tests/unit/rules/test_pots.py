"""Who gets what: side pots, uncalled bets, odd chips, antes; one case a rule, worked out by hand."""

import numpy as np
import pytest

from dupai.base import Rng, RulesError
from dupai.cards import cards
from dupai.rules import FOLD, Action, GameSpec, HandState, apply_kernel, settle_kernel
from naive.rules_play import play

BOARD = "2c7d9hJsKd"
#: Best to worst on that board: three kings, aces, tens, ace high, king high.
HANDS = ["KsKh", "AsAh", "TsTh", "AdQc", "8c6c"]
#: A board that every hand plays.
ROYAL, EQUAL = "AcKcQcJcTc", ["2s3s", "4s5s", "6s7s", "8s9s"]


def settle(spec, stacks, story, hole=None, board=BOARD):
    hole = hole or HANDS[: spec.players]
    return play(HandState(spec, hole, board, stacks), story).payoffs.tolist()


def test_uncalled_bet_comes_back():
    assert settle(GameSpec.no_limit(2), (1000, 20_000), "r20000 c") == [1000, -1000]
    assert settle(GameSpec.no_limit(2), (20_000, 1000), "r1000 f") == [-100, 100]
    assert settle(GameSpec.no_limit(2), None, "c c / r5000 f") == [100, -100]


def test_three_all_ins_make_a_main_pot_and_a_side_pot():
    # the best hand is the shortest stack: 3 x 200 for it, 2 x 300 for the second, the rest comes back
    assert settle(GameSpec.no_limit(3), (200, 500, 900), "r900 c c") == [400, 100, -500]


def test_four_all_ins_make_three_pots():
    stacks = (200, 500, 900, 1500, 5000)
    # levels 200 (four players), 500 (three), 900 (two); what position 3 has above 900 comes back
    assert settle(GameSpec.no_limit(5), stacks, "r300 r1500 f c c c") == [600, 400, -100, -900, 0]


def test_folded_chips_go_to_the_pots_they_reach():
    # the small blind (150) has the best hand: 3 x 150; the bettor gets the side pot of 2 x 250 and his bet
    assert settle(GameSpec.no_limit(3), (150, 1000, 1000), "r400 c c / r500 f") == [300, 100, -400]


def test_everybody_plays_the_board():
    story = "c c c / c c c / c c c / c c c"
    assert settle(GameSpec.no_limit(3), None, story, EQUAL[:3], ROYAL) == [0, 0, 0]


def test_casino_odd_chip_goes_to_the_first_winner_clockwise_from_the_button():
    # 12 chips over two: no odd chip; 7 chips over the big blind and the button: it is the big blind's
    even, odd = GameSpec.no_limit(3, blinds=(1, 2)), GameSpec.no_limit(3, blinds=(1, 3))
    assert settle(even, None, "c c c / r5 c f / c c / c c", EQUAL[:3], ROYAL) == [1, 1, -2]
    assert settle(odd, None, "c f c / c c / c c / c c", EQUAL[:3], ROYAL) == [-1, 1, 0]
    heads_up = GameSpec.no_limit(2, blinds=(1, 2), ante=(1, 0))
    assert settle(heads_up, None, "c c / c c / c c / c c", EQUAL[:2], ROYAL) == [0, 0]


@pytest.mark.parametrize(
    ("ante", "story", "casino", "acpc"),
    [
        # 5 chips of a folded small blind and 2 x 10: 25 over two
        (0, "c f c / c c / c c / c c", [-5, 3, 2], [-5.0, 2.5, 2.5]),
        # with antes of 1: 28 over two
        (1, "c f c / c c / c c / c c", [-6, 3, 3], [-6.0, 3.0, 3.0]),
    ],
)
def test_odd_chips_and_exact_splits(ante, story, casino, acpc):
    board, hole = ROYAL, EQUAL[:3]
    spec = GameSpec.no_limit(3, blinds=(5, 10), ante=ante, stack=1000)
    assert settle(spec, None, story, hole, board) == casino
    exact = GameSpec.no_limit(3, blinds=(5, 10), ante=ante, stack=1000, odd_chips="acpc")
    assert exact.split == 2520
    assert [x / 2520 for x in settle(exact, None, story, hole, board)] == acpc


def test_three_winners_of_two_odd_chips():
    # position 2 puts in 5 and folds on the flop: 26 chips over three winners, odd chips to positions 0 and 1
    story = "r5 c c c / r7 c f c / c c c / c c c"
    spec = GameSpec.no_limit(4, blinds=(1, 2), stack=100)
    assert settle(spec, None, story, EQUAL, ROYAL) == [2, 2, -5, 1]
    exact = GameSpec.no_limit(4, blinds=(1, 2), stack=100, odd_chips="acpc")
    assert settle(exact, None, story, EQUAL, ROYAL) == [4200, 4200, -5 * 2520, 4200]


def test_odd_chips_are_dealt_pot_by_pot():
    # main pot 4 x 5 = 20 over three: 7 7 6; side pot 5 + 5 + 1 = 11 over positions 1 and 2: 6 5
    spec = GameSpec.no_limit(4, blinds=(1, 2), stack=100)
    got = settle(spec, (5, 100, 100, 100), "r6 c c c / r10 c f / c c / c c", EQUAL, ROYAL)
    assert got == [2, 3, 1, -6]


def test_antes_are_dead_money_and_do_not_count_in_a_bet():
    s = HandState(GameSpec.no_limit(3, ante=10))
    assert s.antes == (10, 10, 10)
    assert s.contributions == (50, 100, 0)
    assert s.pot == 180
    assert s.legal == (True, 100, 200, 19_990)
    assert play(s, "f f").payoffs.tolist() == [-60, 70, -10]


def test_player_all_in_by_part_of_an_ante_plays_for_that_part_of_each():
    spec = GameSpec.no_limit(3, ante=10)
    s = HandState(spec, HANDS[:3], BOARD, (4, 1000, 1000))
    assert s.all_in == (True, False, False)
    play(s, "c c / c c / c c / c c")
    # 3 x 4 for the best hand; 2 x 6 of antes and 2 x 100 for the second
    assert s.payoffs.tolist() == [8, 102, -110]


def test_player_all_in_by_the_whole_ante_plays_for_all_antes():
    spec = GameSpec.no_limit(3, ante=10)
    assert settle(spec, (10, 1000, 1000), "c c / c c / c c / c c") == [20, 90, -110]


def test_big_blind_ante_belongs_to_whoever_wins():
    spec = GameSpec.no_limit(3, ante=(0, 100, 0))
    s = HandState(spec, HANDS[:3], BOARD)
    assert (s.antes, s.bets) == ((0, 100, 0), (50, 100, 0))
    play(s, "c c c / c c c / c c c / c c c")
    assert s.payoffs.tolist() == [300, -200, -100]
    # a small blind all-in for less than the big blind still plays for the whole ante
    s = HandState(spec, HANDS[:3], BOARD, (30, 1000, 1000))
    play(s, "c c / c c / c c / c c")
    assert s.payoffs.tolist() == [3 * 30 + 100 - 30, -200 + 2 * 70, -100]


def test_dead_chips_above_every_live_player_are_not_lost():
    # only a free fold can leave more folded chips than any live player has in: here against a big blind of 30
    s = HandState(GameSpec.no_limit(3, min_raise="acpc"), stacks=(1000, 30, 1000))
    play(s, "f")
    won = np.zeros(10, np.int64)
    apply_kernel(s.state, s.spec.array, FOLD, 0)
    settle_kernel(s.state, s.spec.array, won)
    assert won[:3].tolist() == [-50, 50, 0]


def test_payoffs_need_an_ended_hand_and_known_cards():
    s = HandState(GameSpec.no_limit(2), ["AsAh", None], "2c3c4d")
    with pytest.raises(RulesError, match="the hand is not over"):
        _ = s.payoffs
    play(s, "r20000 c")
    with pytest.raises(RulesError, match="without the hole cards of position 1 and the whole board"):
        _ = s.payoffs
    s.set_hole(1, "KsKh")
    s.set_board("2c3c4d8h8d")
    assert s.payoffs.tolist() == [20_000, -20_000]
    # a fold needs no cards
    assert play(HandState(GameSpec.no_limit(2)), "f").payoffs.tolist() == [50, -50]


def test_payoffs_cannot_be_written_to():
    s = play(HandState(GameSpec.no_limit(2)), "f")
    with pytest.raises(ValueError, match="read-only"):
        s.payoffs[0] = 1


def test_the_pot_to_win_is_what_the_best_hand_gets():
    """Whoever calls all-in with the best hand, everybody else giving up, wins the pot to win, and the call back."""
    rng, seen = Rng(11), 0
    spec = GameSpec.no_limit(5, (50, 100), 2_000, ante=10)
    for hand in range(400):
        stacks = [150 + rng.below(3_000) for _ in range(5)]
        state = HandState.deal(spec, rng, stacks=stacks, hand=hand)
        while not state.finished:
            me, legal = state.actor, state.legal
            if legal.to_call and legal.to_call == state.stacks[me] and state.pot > state.winnable:
                break
            to = legal.min_to + rng.below(max(legal.max_to - legal.min_to + 1, 1))
            state.apply(Action.raise_to(to) if legal.max_to and rng.below(2) else Action.call())
        if state.finished:
            assert state.winnable == state.pot
            continue
        me, winnable = state.actor, state.winnable
        put = state.contributions[me] + state.antes[me]
        won = _won_with_the_nuts(state, me)
        assert won == winnable - put
        seen += 1
    assert seen > 50


def _won_with_the_nuts(state, me):
    """What ``me`` wins with a royal flush if everybody else folds, or checks where nobody is left to fold to."""
    story = [Action(*action) for _, _, action in state.actions]
    board, deck = cards("AsKsQs2c7d"), [c for c in range(52) if c not in cards("AsKsQs2c7dJsTs")]
    holes = [(deck[2 * i], deck[2 * i + 1]) for i in range(state.spec.players)]
    holes[me] = cards("JsTs")
    again = HandState(state.spec, holes, board, state.start_stacks)
    for action in story:
        again.apply(action)
    again.apply(Action.call())
    while not again.finished:
        again.apply(Action.fold() if again.legal.fold else Action.call())
    return again.payoffs[me]
