"""Who acts, what is legal, and how a street ends: one case a rule, worked out by hand."""

import pytest

from dupai.base import RulesError
from dupai.rules import Action, GameSpec, HandState, load_game
from naive.rules_play import action, play

UNEVEN = {"casino": GameSpec.no_limit(4, stack=20_000), "acpc": GameSpec.no_limit(4, stack=20_000, min_raise="acpc")}


def uneven(rule, *stacks):
    return HandState(UNEVEN[rule], stacks=stacks)


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_only_before_the_flop():
    s = HandState(GameSpec.no_limit(2))
    assert s.bets == (100, 50)
    assert (s.actor, s.legal) == (1, (True, 50, 200, 20_000))
    play(s, "c c /")
    assert (s.actor, s.street, s.bets, s.contributions) == (0, 1, (0, 0), (100, 100))


def test_with_three_the_button_acts_first_before_the_flop_and_last_after_it():
    s = HandState(GameSpec.no_limit(3))
    order = [s.actor]
    for word in ["c", "c", "c", "c", "c", "c"]:
        play(s, word)
        order.append(s.actor)
    assert order == [2, 0, 1, 0, 1, 2, 0]


def test_big_blind_has_an_option_and_may_raise():
    s = play(HandState(GameSpec.no_limit(3)), "c c")
    assert (s.actor, s.legal) == (1, (False, 0, 200, 20_000))
    play(s, "r300")
    assert s.actor == 2
    assert s.street == 0


def test_everybody_folds_to_a_walk():
    s = play(HandState(GameSpec.no_limit(4)), "f f f")
    assert s.finished
    assert not s.showdown
    assert s.payoffs.tolist() == [-50, 50, 0, 0]
    assert s.board == ()


def test_smallest_raise_is_the_last_full_one_and_starts_anew_on_each_street():
    s = HandState(GameSpec.no_limit(3))
    assert s.legal.min_to == 200
    play(s, "r350")  # by 250
    assert s.legal.min_to == 600
    play(s, "r900")  # by 550
    assert s.legal.min_to == 1450
    play(s, "c c /")
    assert s.legal == (False, 0, 1000, 20_000)
    play(s, "r1100")  # a bet of 200
    assert s.legal == (True, 200, 1300, 20_000)


def test_call_of_less_than_the_bet_is_all_in_and_cannot_be_a_raise():
    s = play(uneven("casino", 20_000, 20_000, 20_000, 400), "r500")
    assert s.legal == (True, 400, 0, 0)
    play(s, "c")
    assert s.all_in == (False, False, False, True)
    assert s.stacks[3] == 0


def test_casino_short_all_in_does_not_reopen_the_betting():
    s = play(uneven("casino", 20_000, 20_000, 20_000, 400), "r300 r400")
    assert s.legal == (True, 350, 600, 20_000)  # the small blind has not acted: the last full raise (200) on top of 400
    play(s, "c c")
    assert (s.actor, s.legal) == (2, (True, 100, 0, 0))
    with pytest.raises(RulesError, match="all-ins short of a full raise do not reopen the betting"):
        s.apply(Action.raise_to(1000))
    play(s, "c /")


def test_casino_full_all_in_reopens_the_betting():
    s = play(uneven("casino", 20_000, 20_000, 20_000, 500), "r300 r500 c c")
    assert (s.actor, s.legal) == (2, (True, 200, 700, 20_000))


def test_casino_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting():
    s = play(uneven("casino", 550, 20_000, 20_000, 400), "r300 r400 r550 c")
    assert (s.actor, s.legal) == (2, (True, 250, 750, 20_000))  # raised by 100 and 150, the last full raise was 200


def test_casino_short_all_in_over_a_limp_leaves_the_limper_only_a_call():
    s = play(uneven("casino", 20_000, 20_000, 20_000, 150), "c r150 f f")
    assert (s.actor, s.legal) == (2, (True, 50, 0, 0))


def test_casino_short_bet_after_a_check_leaves_the_checker_only_a_call():
    s = play(uneven("casino", 20_000, 20_000, 20_000, 160), "f c c c / c c r160 f")
    assert (s.actor, s.legal) == (1, (True, 60, 0, 0))


def test_acpc_short_all_in_reopens_and_the_next_minimum_follows_the_reference_dealer():
    s = play(uneven("acpc", 20_000, 20_000, 20_000, 400), "r300 r400")
    assert s.legal.min_to == 500  # not 600
    play(s, "c c")
    assert (s.actor, s.legal) == (2, (True, 100, 500, 20_000))
    s = play(uneven("acpc", 20_000, 20_000, 20_000, 450), "r300 r450")
    assert s.legal.min_to == 600  # 2 * 450 - 300
    s = play(uneven("acpc", 20_000, 20_000, 20_000, 150), "c r150")
    assert s.legal.min_to == 200


def test_no_raise_when_every_opponent_is_all_in():
    s = play(uneven("casino", 300, 20_000, 20_000, 300), "f r300 c")
    assert (s.actor, s.legal) == (1, (True, 200, 0, 0))
    with pytest.raises(RulesError, match="raise to 600 refused: every opponent is all-in"):
        s.apply(Action.raise_to(600))
    play(s, "c")
    assert s.finished
    assert s.street == 3


def test_raise_beyond_what_the_only_opponent_can_call_is_allowed_while_he_can_act():
    s = play(HandState(GameSpec.no_limit(2), stacks=(300, 20_000)), "r250")
    assert s.legal == (True, 150, 300, 300)
    s = play(HandState(GameSpec.no_limit(2), stacks=(20_000, 300)), "c r2000")
    assert s.legal == (True, 200, 0, 0)


def test_all_in_below_the_smallest_raise_is_the_only_raise():
    s = play(uneven("casino", 20_000, 20_000, 20_000, 450), "r300")
    assert s.legal == (True, 300, 450, 450)


@pytest.mark.parametrize("rule", ["casino", "acpc"])
def test_short_blinds_are_all_in(rule):
    s = uneven(rule, 30, 20_000, 20_000, 20_000)
    assert s.bets == (30, 100, 0, 0)
    assert s.all_in == (True, False, False, False)
    play(s, "c c c /")
    assert s.actor == 1


def test_the_full_big_blind_must_be_called_when_it_was_posted_short():
    s = uneven("casino", 20_000, 60, 20_000, 20_000)
    assert s.bets == (50, 60, 0, 0)
    assert s.legal == (True, 100, 200, 20_000)
    play(s, "f f")
    assert s.legal == (True, 10, 0, 0)  # alone against the 60 chips, the small blind cannot lose more than those
    s = play(uneven("casino", 20_000, 40, 20_000, 20_000), "f f")
    assert s.finished, "the small blind covers 40 chips already"


def test_heads_up_against_a_short_big_blind_only_his_chips_need_to_be_called():
    s = HandState(GameSpec.no_limit(2), stacks=(70, 20_000))
    assert s.legal == (True, 20, 0, 0)
    s = HandState(GameSpec.no_limit(2), stacks=(40, 20_000))
    assert s.finished, "the small blind covers him already"


@pytest.mark.parametrize("rule", ["casino", "acpc"])
def test_everybody_all_in_by_blinds_and_antes_is_run_out(rule):
    spec = GameSpec.no_limit(2, stack=100, min_raise=rule)
    s = HandState(spec, ["AsAh", "KsKh"], "2c3c4d8d9h", stacks=(100, 50))
    assert s.finished
    assert s.street == 3
    assert s.payoffs.tolist() == [50, -50]
    s = HandState(GameSpec.no_limit(3, ante=100, stack=200, min_raise=rule), stacks=(100, 40, 7))
    assert s.finished
    assert s.antes == (100, 40, 7)
    assert s.showdown


def test_last_player_able_to_act_is_asked_by_the_acpc_dealer_only():
    story = "c"  # the small blind calls all-in for 70
    acpc = play(HandState(GameSpec.no_limit(2, min_raise="acpc"), stacks=(20_000, 70)), story)
    assert (acpc.actor, acpc.legal) == (0, (False, 0, 0, 0))
    play(acpc, "c")
    assert acpc.finished
    casino = play(HandState(GameSpec.no_limit(2), stacks=(20_000, 70)), story)
    assert casino.finished
    assert casino.contributions == acpc.contributions == (100, 70)


def test_limit_sizes_by_street_and_caps():
    s = HandState(load_game("holdem.limit.2p"), stacks=(1000, 1000))
    assert s.legal == (True, 5, 20, 20)
    play(s, "r20 r30 r40")
    assert s.legal == (True, 10, 0, 0)
    with pytest.raises(RulesError, match="the cap of 3 raises on this street is reached"):
        s.apply(Action.raise_to(50))
    play(s, "c / r50 r60 r70 r80")
    assert s.legal == (True, 10, 0, 0)
    play(s, "c / c r100 c / r120 r140 r160 r180")
    assert s.legal == (True, 20, 0, 0)
    play(s, "c")
    assert s.finished


def test_limit_raise_needs_no_size():
    s = play(HandState(GameSpec.limit(3)), "r")
    assert s.actions == ((0, 2, Action(2, 20)),)
    with pytest.raises(RulesError, match="raise to 25 refused: the smallest raise is to 30"):
        s.apply(Action.raise_to(25))


def test_limit_all_in_of_half_a_bet_reopens_less_does_not():
    for stack, reopened in ((26, (True, 6, 36, 36)), (25, (True, 5, 35, 35)), (24, (True, 4, 0, 0))):
        s = play(HandState(GameSpec.limit(3), stacks=(stack, 500, 500)), f"r20 r{stack} c")
        assert (s.actor, s.legal) == (2, reopened)


def test_limit_all_in_of_less_than_half_a_bet_is_completed_not_raised():
    # Robert's Rules: on a round of 10, all-in for 4 over 20 is completed to 30; for 5 it is a full bet, raised to 35
    for stack, to in ((24, 30), (25, 35)):
        assert play(HandState(GameSpec.limit(4), stacks=(500, 500, 500, stack)), f"r20 r{stack}").legal.min_to == to
    # 3 and 3 more are 6 in all: a full bet
    s = play(HandState(GameSpec.limit(5), stacks=(26, 500, 500, 500, 23)), "r20 f r23 r26")
    assert s.legal.min_to == 36
    # a bet of 4 after the flop is completed to a full bet, and who called the 4 may raise then
    s = play(HandState(GameSpec.limit(3), stacks=(14, 500, 500)), "c c c / r14 c r20")
    assert (s.actor, s.legal) == (1, (True, 6, 30, 30))


def test_limit_all_in_of_less_than_half_a_bet_is_no_raise_of_the_cap():
    caps = GameSpec.limit(4, max_raises=(2, 4, 4, 4))
    s = play(HandState(caps, stacks=(24, 500, 500, 500)), "r20 f r24")
    assert s.legal == (True, 14, 30, 30)
    s = play(HandState(caps, stacks=(25, 500, 500, 500)), "r20 f r25")
    assert s.legal == (True, 15, 0, 0)


def test_acpc_limit_raises_add_a_bet_to_whatever_is_faced():
    spec = GameSpec.limit(4, min_raise="acpc")
    assert play(HandState(spec, stacks=(500, 500, 500, 24)), "r20 r24").legal.min_to == 34


def test_pot_limit():
    s = HandState(GameSpec.pot_limit(3))
    assert s.legal == (True, 100, 200, 350)  # call 100, then the pot of 250 on top
    play(s, "r350 c")
    assert s.legal == (True, 250, 600, 350 + 350 + 350 + 100 + 250)
    with pytest.raises(RulesError, match="raise to 5000 refused: the largest raise is to 1400"):
        s.apply(Action.raise_to(5000))
    assert HandState(GameSpec.pot_limit(3, ante=10)).legal.max_to == 380


def test_straddle_is_a_blind_and_the_next_position_begins():
    s = HandState(GameSpec.no_limit(5, blinds=(50, 100, 200)))
    assert (s.actor, s.legal) == (3, (True, 200, 400, 20_000))
    play(s, "c c c c")
    assert (s.actor, s.legal) == (2, (False, 0, 400, 20_000))


def test_dead_small_blind_moves_the_first_action():
    spec = GameSpec(players=4, betting="no-limit", blinds=(100, 0, 0, 0), stacks=(1000,) * 4)
    assert HandState(spec).actor == 1


def test_game_without_blinds():
    spec = GameSpec(players=3, betting="no-limit", blinds=(0, 0, 0), stacks=(10,) * 3, antes=(1, 1, 1))
    s = HandState(spec)
    assert (s.actor, s.legal) == (0, (False, 0, 1, 9))
    play(s, "c c c / c c c / c c c / c c c")
    assert s.finished
    free = GameSpec(players=2, betting="no-limit", blinds=(0, 0), stacks=(10, 10), min_raise="acpc", odd_chips="acpc")
    s = play(HandState(free, ["AsAh", "KsKh"], "2c3c4d8d9h"), "c c / c c / c c / c c")
    assert s.payoffs.tolist() == [0, 0]
    pot = GameSpec(players=2, betting="pot-limit", blinds=(0, 0), stacks=(10, 10))
    assert HandState(pot).legal == (False, 0, 1, 1)  # an empty pot still allows the smallest bet


def test_the_reference_dealer_takes_at_most_64_actions_a_round():
    s = HandState(GameSpec.no_limit(2, stack=10**6, min_raise="acpc"))
    raises = 0
    while s.legal.can_raise:
        s.apply(Action.raise_to(s.legal.min_to))
        raises += 1
    assert raises == 63
    with pytest.raises(RulesError, match="as many actions as the ACPC dealer allows"):
        s.apply(Action.raise_to(10**6))
    casino = HandState(GameSpec.no_limit(2, stack=10**6))
    for _ in range(100):
        casino.apply(Action.raise_to(casino.legal.min_to))


REFUSALS = [
    ("r150", "", "raise to 150 refused: the smallest raise is to 200 (legal: fold, call 100, raise to 200..20000)"),
    (
        "r20001",
        "",
        "raise to 20001 refused: the stack allows at most 20000 (legal: fold, call 100, raise to 200..20000)",
    ),
    ("f", "c c c", "fold refused: there is no bet to fold to (legal: check, raise to 200..20000)"),
    ("r0", "", "raise to 0 refused: the smallest raise is to 200 (legal: fold, call 100, raise to 200..20000)"),
    ("c", "f f f", "action refused: the hand is over"),
]


@pytest.mark.parametrize(("word", "before", "message"), REFUSALS)
def test_refusals_say_why_and_what_is_legal(word, before, message):
    s = play(HandState(GameSpec.no_limit(4)), before)
    old = s.state.copy()
    with pytest.raises(RulesError) as e:
        s.apply(action(word))
    assert str(e.value) == message
    assert (s.state == old).all()
    with pytest.raises(RulesError, match="kind"):
        HandState(GameSpec.no_limit(4)).apply(Action(7))


def test_folding_for_free_passes_only_on_request():
    s = play(HandState(GameSpec.no_limit(3)), "c c")
    s.follow(Action.fold())
    assert s.folded == (False, True, False)
    assert (s.street, s.actor) == (1, 0)


def test_legal_answers_membership_and_finds_the_closest_raise():
    legal = HandState(GameSpec.no_limit(2)).legal
    assert Action.raise_to(200) in legal
    assert Action.raise_to(199) not in legal
    assert Action.fold() in legal
    assert legal.closest_raise(1) == Action.raise_to(200)
    assert legal.closest_raise(10**9) == Action.raise_to(20_000)
    assert legal.closest_raise(333.4) == Action.raise_to(333)
    none = legal._replace(min_to=0, max_to=0)
    assert none.closest_raise(500) == Action.call()
    assert Action.raise_to(0) not in none
    assert [str(a) for a in (Action.fold(), Action.call(), Action.raise_to(300))] == ["f", "c", "r300"]
