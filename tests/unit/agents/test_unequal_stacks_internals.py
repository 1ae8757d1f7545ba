"""Decisions with unequal stacks: chips that a player cannot match are no part of what that player can win."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import MatchInfo, make_agent
from dupai.agents._experience._equilibrium import solve_decision
from dupai.agents._fold import FoldAgent
from dupai.agents._fold._policy import scene_of
from dupai.agents._kernels import winnable_kernel
from dupai.arena import run_exploit
from dupai.base import ConfigError, Rng
from dupai.cards import cards, class_index
from dupai.cfr import push_fold_table
from dupai.notation import reason_words
from dupai.playouts import Player, values as play_out
from dupai.reading.bucket import facing_of
from dupai.rules import Action, GameSpec, HandState, View, load_game
from dupai.spots import spots

C, R = Action.call, Action.raise_to
BOARD = "2c7dThKs3h"


def facing(bet: int, hole: str = "Jc9h", stack: int = 660) -> View:
    """A river with 600 chips in the pot, seen by the player with ``stack`` (20,000: the other), who faces ``bet``."""
    spec = GameSpec.no_limit(2, (50, 100), 20_000)
    state = HandState(spec, [cards(hole), (255, 255)], BOARD, stacks=(stack, 20_000))
    for action in (R(300), *[C()] * 6, R(300 + bet)):
        state.apply(action)
    assert state.actor == 0 and state.street == 3
    return state.view(0)


@pytest.mark.parametrize("hole", ["Jc9h", "9c9h", "KdQd"])
@pytest.mark.parametrize(
    "spec",
    ["rules", "fold:reader=uniform", "fold:paper,reader=uniform", "expert", "mcts:reader=uniform,simulations=300"],
)
def test_a_bet_of_more_chips_than_one_has_is_one_of_as_many(spec: str, hole: str) -> None:
    told = []
    for bet in (360, 19_700):
        view = facing(bet, hole)
        agent = make_agent(spec)
        agent.start(MatchInfo(spec=view.spec, seat=0, names=("Ann", "Bob")))
        advice = agent.advise(view, Rng(1))
        numbers = {name: value for name, value in advice.numbers.items() if name != "all_fold"}
        told.append((advice.actions, advice.probabilities, advice.values, numbers, advice.reasons))
    assert told[0] == told[1]


def test_the_price_of_a_call_is_that_of_the_chips_to_win() -> None:
    view = facing(19_700)
    assert view.pot == 600 + 19_700
    scene = scene_of(spots(view)[-1])
    assert (scene.pot, scene.to_call) == (960, 360)
    assert scene.odds == 360 / (960 + 360)
    assert make_agent("rules").advise(view, Rng(1)).numbers["pot_odds"] == scene.odds


def test_the_expert_weighs_rules_and_values_by_the_pot_to_win() -> None:
    agent = make_agent("exp:turns=1,rivers=1,last=1")
    view = facing(19_700, "9c9h")
    outcome = agent.find(view)
    assert agent.advise(view, Rng(1)).probabilities == agent.chances(outcome, 960 + 360)


def test_the_river_is_solved_with_the_chips_that_can_be_matched() -> None:
    weights = np.ones(1326)
    for hole in ("9c9h", "KdQd"):
        small, large = (solve_decision(facing(bet, hole), weights, weights) for bet in (360, 19_700))
        assert small == large


def test_the_river_of_a_limit_game_is_not_solved() -> None:
    spec = load_game("holdem.limit.2p")
    agent = make_agent("exp:solve=river")
    with pytest.raises(ConfigError, match="limit game"):
        agent.start(MatchInfo(spec=spec, seat=0, names=("Ann", "Bob")))


def test_the_class_of_what_is_faced() -> None:
    assert facing_of(spots(facing(360))[-1]) == facing_of(spots(facing(19_700))[-1]) == 6
    # With chips enough to call, all of the bet counts: more than three pots.
    assert facing_of(spots(facing(19_600, stack=20_000))[-1]) == 9


def test_the_kernel_counts_as_the_view_does() -> None:
    spec = GameSpec.no_limit(6, (50, 100), 2_000, ante=10)
    rng, fewer = Rng(3), 0
    for hand in range(300):
        state = HandState.deal(spec, rng, stacks=[120 + rng.below(4_000) for _ in range(6)], hand=hand)
        while not state.finished:
            assert int(winnable_kernel(state.state)) == state.winnable <= state.pot
            fewer += state.winnable < state.pot
            kind, legal = rng.below(4), state.legal
            if kind == 0 and legal.max_to:
                state.apply(R(legal.min_to + rng.below(legal.max_to - legal.min_to + 1)))
            else:
                state.apply(Action.fold() if kind == 1 and legal.fold else C())
    assert fewer > 50


def test_nobody_is_bluffed_who_is_all_in() -> None:
    """Three players, one of them all-in: the side pot is empty, and a bet wins nothing by folds."""
    spec = GameSpec.no_limit(3, (50, 100), 10_000)
    for stacks, folds in (((10_000, 10_000, 10_000), True), ((10_000, 10_000, 300), False)):
        state = HandState(spec, ["7c2h", (255, 255), (255, 255)], "AdKsQh9h4d", stacks=stacks)
        state.apply(R(300))
        state.apply(C())
        state.apply(C())
        state.apply(C())
        if folds:
            state.apply(C())
        view = state.view(0)
        agent = FoldAgent(reader="uniform", samples=50)
        assert (agent.advise(view, Rng(1)).numbers["all_fold"] > 0) == folds


@pytest.mark.parametrize("ante", [0, 25])
def test_push_and_fold_count_the_antes(ante: int) -> None:
    spec = GameSpec.no_limit(2, (50, 100), 800, ante=ante, odd_chips="acpc", min_raise="acpc")
    shares = push_fold_table(8, ante / 100).push
    agent = FoldAgent(reader="uniform", exploit=False)
    pushed = 0
    for name in ("72o", "83o", "94o", "T5o", "J4o", "Q3o", "Q5o", "93s", "84s", "K2o", "65s", "A2o"):
        hole = f"{name[0]}c{name[1]}{'c' if name[2] == 's' else 'h'}"
        state = HandState(spec, [cards(hole), (255, 255)][:: 1 if HandState(spec).actor == 0 else -1])
        action = agent.act(state.view(state.actor), Rng(1))
        assert (action.to == state.legal.max_to) == (shares[class_index(name)] >= 0.5), name
        pushed += action.to == state.legal.max_to
    assert 0 < pushed < 12


# other counts of chips ------------------------------------------------------------------------------------------------


def due(spec: GameSpec, stacks: tuple[int, ...], story: list[Action], hole: str, board: str = "") -> View:
    """The view of the player to act after ``story``, who holds ``hole``."""
    state = HandState(spec, None, board, stacks)
    for action in story:
        state.apply(action)
    state.set_hole(state.actor, cards(hole))
    return state.view(state.actor)


def test_blinds_that_short_stacks_post_in_part() -> None:
    spec = GameSpec.no_limit(3, (50, 100), 5_000)
    for button, blind in ((20, 40), (10, 30), (40, 30)):
        view = due(spec, (5_000, blind, button), [], "AsKd")
        winnable = sum(min(put, button) for put in view.contributions)
        assert spots(view)[-1].winnable == view.winnable == winnable
        odds = FoldAgent(reader="uniform").advise(view, Rng(1)).numbers["pot_odds"]
        assert odds == view.to_call / (winnable + view.to_call) > 0


def test_a_short_stack_prices_its_all_in_with_the_chips_of_the_caller() -> None:
    """1,000 chips at 50/100, a raise to 200: all-in it puts 900 to win the 1,100 in the pot and of the caller."""
    spec = GameSpec.no_limit(2, (50, 100), 1_000)
    agent = FoldAgent(reader="uniform", exploit=False)
    for hole, plays in (("AsKd", True), ("TcTd", True), ("2c7d", False)):
        advice = agent.advise(due(spec, (1_000, 1_000), [R(200)], hole), Rng(1))
        assert (advice.actions[0] == R(1_000)) == plays
        assert advice.reasons[-1].values["needs"] == 900 / 2_000
    # An all-in is called at the price of the call.
    called = agent.advise(due(spec, (1_000, 1_000), [R(1_000)], "2c7d"), Rng(1))
    assert called.reasons[-1].values["needs"] == 900 / 2_000


@pytest.mark.parametrize("betting", ["limit", "pot-limit"])
def test_all_in_or_fold_is_for_games_in_which_one_can_go_all_in(betting: str) -> None:
    spec = (
        GameSpec.limit(2, (50, 100), (100, 100, 200, 200))
        if betting == "limit"
        else GameSpec.pot_limit(2, (50, 100), 800)
    )
    advice = FoldAgent(reader="uniform", exploit=False).advise(due(spec, (800, 800), [], "AsKd"), Rng(1))
    assert "Short" not in reason_words(advice.reasons[-1])


def test_several_opponents_have_no_more_to_win_than_the_stack() -> None:
    values = []
    for bet in (300, 10_000):
        spec = GameSpec.no_limit(3, (50, 100), 10_100)
        state = HandState(spec, None, BOARD, (400, 10_100, 10_100))
        for action in (C(), C(), C(), *[C()] * 6):
            state.apply(action)
        # We check, the second bets and the third calls.
        state.apply(C())
        state.apply(R(100 + bet))
        state.apply(C())
        me = state.actor
        assert state.stacks[me] == 300
        state.set_hole(me, cards("AcKc"))
        view = state.view(me)
        assert view.winnable == 900
        values.append(play_out(view, {}, [Player("six-max")] * 3, [C()], deals=200).won)
    # A call of the last 300 wins these and the 900 of the others, or is lost.
    assert set(np.unique(values[1])) <= {-300.0, 150.0, 300.0, 600.0, 900.0} and values[1].max() == 900
    assert np.array_equal(values[0], values[1])


def test_a_hand_that_is_cut_off_wins_no_more_than_its_stack() -> None:
    """Three players, we have aces and 100 left, two others bet 1,000 each beside us: 500 can be won."""
    spec = GameSpec.no_limit(3, (50, 100), 5_000)
    state = HandState(spec, None, "2c7dTh", (200, 5_000, 5_000))
    for action in (C(), C(), C()):
        state.apply(action)
    state.apply(C())
    state.apply(R(1_100))
    state.apply(C())
    me = state.actor
    assert state.stacks[me] == 100
    state.set_hole(me, cards("AsAh"))
    view = state.view(me)
    for leaf in ("strength", "potential", "effective"):
        agent = make_agent(f"mcts:simulations=200,leaf={leaf},reader=uniform")
        advice = agent.advise(view, Rng(1))
        assert max(advice.values) <= view.winnable == 500


def test_more_actions_than_a_search_can_hold_are_refused() -> None:
    sizes = "/".join(f"{k / 10}" for k in range(1, 30))
    with pytest.raises(ConfigError, match="at most 16"):
        make_agent(f"mcts:actions=fold/call/{sizes}/all-in")


def test_antes_of_one_player_at_a_showdown() -> None:
    """The price of a call on the river is the same whoever has posted the antes."""
    told = []
    for antes in ((50, 50), (100, 0), (0, 100)):
        spec = GameSpec(players=2, betting="no-limit", blinds=(100, 50), stacks=(5_000, 5_000), antes=antes)
        stacks = tuple(4_000 + ante for ante in antes)
        view = due(spec, stacks, [C(), C(), *[C()] * 4, C(), R(300)], "Ac9c", BOARD)
        outcome = make_agent("exp:model=bucket,turns=1,rivers=1,last=1").find(view)
        told.append(dict(zip(outcome.actions, outcome.values, strict=True))[C()])
    assert told[0] == pytest.approx(told[1]) == pytest.approx(told[2])


def test_a_long_hand_is_searched() -> None:
    spec = GameSpec.no_limit(2, (1, 2), 4_000_000)
    story = [R(2 * k) for k in range(2, 600)]
    view = due(spec, (4_000_000, 4_000_000), [*story, C()], "AcAd", "2c7dTh")
    assert make_agent("exp:turns=1,rivers=1,last=1").advise(view, Rng(1)).actions


def test_games_in_which_nobody_can_go_all_in_are_refused() -> None:
    spec = GameSpec.pot_limit(2, (50, 100), 2_000)
    with pytest.raises(ConfigError, match="pot-limit game"):
        make_agent("exp:solve=river").start(MatchInfo(spec=spec, seat=0, names=("Ann", "Bob")))
    with pytest.raises(ConfigError, match="no-limit"):
        run_exploit("caller", method="best-response", game=spec)


def test_checking_is_free_with_equal_blinds() -> None:
    spec = GameSpec.no_limit(2, (100, 100), 1_000, odd_chips="acpc", min_raise="acpc")
    agent = make_agent("equilibrium:resolve=off")
    agent.start(MatchInfo(spec=spec, seat=0, names=("Ann", "Bob")))
    assert Action.fold() not in agent.advise(due(spec, (1_000, 1_000), [], "7c2h"), Rng(1)).actions
