"""Play-outs: everybody acts as the model does, cards are dealt evenly, and values are the chips won."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from dupai.agents import HasPolicy, make_agent
from dupai.base import ConfigError
from dupai.base.arrays import F64
from dupai.cards import COMBOS, cards, combo
from dupai.playouts import ActionValues, Player, persona_habits, play_hands, rank_worth, values
from dupai.reading import populations
from dupai.reading.model import load_weights
from dupai.rules import Action, GameSpec, HandState, View, load_game

SIX = GameSpec.no_limit(6, (50, 100), 10_000)
HEADS_UP = GameSpec.no_limit(2, (50, 100), 10_000)
PLURIBUS = Player("Pluribus", persona_habits()["pluribus"])


def test_hands_are_legal_and_settled_as_the_rules_say() -> None:
    ante = GameSpec.no_limit(4, (50, 100), 10_000, ante=25)
    for spec, player in ((SIX, PLURIBUS), (ante, Player("six-max")), (load_game("holdem.limit.3p"), Player("unknown"))):
        stacks = tuple(3_000 + 2_500 * p for p in range(spec.players)) if spec.betting == "no-limit" else None
        played = play_hands(spec, [player] * spec.players, 40, seed=3, stacks=stacks)
        assert len(played) == 40
        for record, payoffs in zip(played.records(), played.payoffs.tolist(), strict=True):
            # Records are replayed by the rules, which refuse what is not legal.
            assert list(record.payoffs) == payoffs
            assert sum(payoffs) == 0


def test_every_hand_may_have_stacks_of_its_own() -> None:
    stacks = np.array([[10_000, 3_000], [40, 10_000], [10_000, 30], [500, 700]] * 5)
    played = play_hands(GameSpec.no_limit(2, (50, 100), 10_000), [Player("heads-up")] * 2, 20, seed=3, stacks=stacks)
    for record, own, payoffs in zip(played.records(), stacks.tolist(), played.payoffs.tolist(), strict=True):
        assert list(record.stacks) == own
        # Some hands are over when the blinds are posted.
        assert list(record.payoffs) == payoffs
    assert (np.diff(played.first)[2::4] == 0).all()
    assert played.payoffs[2::4].any(axis=1).all()
    deep = play_hands(SIX, [PLURIBUS] * 6, 30, seed=9, stacks=np.full((30, 6), 10_000))
    assert (deep.payoffs == play_hands(SIX, [PLURIBUS] * 6, 30, seed=9).payoffs).all()
    with pytest.raises(ConfigError, match="stacks of shape"):
        play_hands(SIX, [PLURIBUS] * 6, 30, stacks=(10_000, 10_000))


def test_the_same_seed_gives_the_same_hands() -> None:
    one, more = (play_hands(SIX, [PLURIBUS] * 6, n, seed=9) for n in (30, 50))
    assert (one.payoffs == more.payoffs[:30]).all()
    other = play_hands(SIX, [PLURIBUS] * 6, 30, seed=10)
    assert (one.hole != other.hole).any()


def test_cards_are_dealt_evenly() -> None:
    played = play_hands(SIX, [PLURIBUS] * 6, 3_000, seed=4)
    dealt = np.concatenate([played.hole.reshape(3_000, 12), played.board], axis=1)
    assert all(len(set(hand)) == 17 for hand in dealt.tolist())
    counts = np.bincount(dealt.ravel(), minlength=52)
    # Standard deviation of a count: 26.
    assert abs(counts - 3_000 * 17 / 52).max() < 110


def test_everybody_acts_as_the_persona_does() -> None:
    """Every action has a chance by the persona's own policy, and on each street all happen as often as that says."""
    persona = make_agent("persona:pluribus")
    assert isinstance(persona, HasPolicy)
    surplus, variance = np.zeros((2, 4, 3))
    for record in play_hands(SIX, [PLURIBUS] * 6, 120, seed=6).records():
        for state, action in zip(record.states(), record.actions, strict=False):
            policy = persona.policy(state.view(state.actor))
            chance = np.zeros(3)
            for one, p in policy.points:
                chance[one.kind] += p
            # Turns are remembered in steps of 1/255, so that what is rare may be a little rarer.
            assert chance[action.kind] > 0
            surplus[state.street] -= chance
            surplus[state.street, action.kind] += 1
            variance[state.street] += chance * (1 - chance)
    assert (abs(surplus) <= 4 * np.sqrt(variance) + 0.5).all()


def test_small_networks_play_like_those_that_they_imitate() -> None:
    """Most hands of the same cards and dice are the same to the end, and people win the same on average."""
    for spec, player, same in ((SIX, PLURIBUS, 0.8), (HEADS_UP, Player("heads-up"), 0.6), (SIX, Player("online"), 0.7)):
        both = (replace(player, small=small) for small in (True, False))
        small, exact = (play_hands(spec, [one] * spec.players, 2_000, seed=8) for one in both)
        alike = (small.payoffs == exact.payoffs).all(axis=1)
        assert same < alike.mean() < 1, player
        gap = (small.payoffs - exact.payoffs) / spec.split
        assert (abs(gap.mean(axis=0)) <= 4 * gap.std(axis=0) / len(gap) ** 0.5).all()


def test_networks_that_were_trained_anew_play_themselves() -> None:
    """Small networks stand for those that they were made from alone."""
    weights = load_weights()
    swapped = msgspec.structs.replace(weights, preflop=weights.preflop | {populations.SIX_MAX: weights.preflop[-1]})
    players = [Player("six-max", small=True)] * 6
    other, small = (play_hands(SIX, players, 200, seed=8, weights=w) for w in (swapped, weights))
    exact = play_hands(SIX, [Player("six-max")] * 6, 200, seed=8, weights=swapped)
    before = [played.rows[played.rows["street"] == 0] for played in (other, exact, small)]
    assert before[0].tobytes() == before[1].tobytes()
    assert before[0].tobytes() != before[2].tobytes()


def _river(hole: str, board: str) -> tuple[View, dict[int, F64]]:
    spec = GameSpec.no_limit(2, (50, 100), 10_000)
    state = HandState(spec, [(255, 255), tuple(cards(hole))], cards(board))
    for action in (Action.raise_to(300), *[Action.call()] * 6):
        state.apply(action)
    ranges = np.zeros(COMBOS)
    ranges[[combo("QhQd"), combo("7c6c")]] = 1.0, 3.0
    return state.view(1), {0: ranges}


def test_values_are_the_chips_won_from_there_on() -> None:
    """On the river against hands that the position knows: checking wins the pot against one of four."""
    view, ranges = _river("AcKc", "As9h5d3c2s")
    won = values(view, ranges, [Player("heads-up")] * 2, [Action.call()], deals=400, seed=2)
    assert isinstance(won, ActionValues)
    assert won.won[:, 0] == pytest.approx(600)
    view, ranges = _river("JcTc", "As9h5d3c2s")
    won = values(view, ranges, [Player("heads-up")] * 2, [Action.call()], deals=2_000, seed=2)
    share = won.value(0)
    assert abs(share.mean - 0.75 * 600) < 4 * share.se
    assert set(won.won[:, 0].tolist()) == {0.0, 600.0}


def test_a_fold_wins_nothing_and_values_are_reproducible() -> None:
    state = HandState(SIX, [(255, 255)] * 2 + [tuple(cards("7s2h"))] + [(255, 255)] * 3)
    view = state.view(2)
    tried = [Action.fold(), Action.raise_to(250)]
    one = values(view, {}, [PLURIBUS] * 6, tried, deals=300, seed=3)
    two = values(view, {}, [PLURIBUS] * 6, tried, deals=300, seed=3)
    assert (one.won == two.won).all()
    assert (one.won[:, 0] == 0).all()
    assert one.means[1] < 0
    dropped = values(view, {}, [PLURIBUS] * 6, [*tried, Action.raise_to(10_000)], deals=1_200, seed=3, drop=True)
    assert np.isnan(dropped.won[-1, 2])
    # The networks round by how many decisions they look at together.
    assert dropped.won[:300, 1] == pytest.approx(one.won[:, 1], abs=0.01)


def test_luck_of_decisions_is_noise_that_is_taken_out() -> None:
    """On average it is nothing; what is left of the difference between two actions varies much less."""
    before = HandState(SIX, [(255, 255)] * 2 + [tuple(cards("AsQd"))] + [(255, 255)] * 3)
    flop = HandState(SIX, [(255, 255), tuple(cards("QhJh"))] + [(255, 255)] * 4, cards("Jc8d4s"))
    call, fold = Action.call(), Action.fold()
    for action in (fold, fold, Action.raise_to(250), call, fold, call):
        flop.apply(action)
    for view, big, most in ((before.view(2), 250, 0.8), (flop.view(1), 700, 0.6)):
        tried = [Action.call(), Action.raise_to(big)]
        played = values(view, {}, [PLURIBUS] * 6, tried, deals=2_048, seed=5)
        assert played.luck is not None
        mean, error = played.luck.mean(axis=0), played.luck.std(axis=0) / 2_048**0.5
        assert (error > 0).all()
        assert (abs(mean) < 4 * error).all()
        # Without it, chips as the rules pay them: of pots of three the parts are sixths at the finest.
        chips = (played.won + played.luck) * SIX.split
        assert chips == pytest.approx(np.round(chips), abs=1e-3)
        assert (played.won + played.luck).min() >= -10_000
        gap, luck = (part[:, 1] - part[:, 0] for part in (played.won, played.luck))
        assert gap.var() < most * (gap + luck).var()


def test_a_hand_ends_for_who_folds() -> None:
    """A raiser who folds later has lost the raise, whatever the others still do; limit games know no value networks."""
    view = HandState(SIX, [(255, 255)] * 2 + [tuple(cards("7s6s"))] + [(255, 255)] * 3).view(2)
    played = values(view, {}, [PLURIBUS] * 6, [Action.raise_to(250)], deals=512, seed=5)
    assert played.luck is not None
    lost = abs(played.won + played.luck + 250) < 1e-3
    assert 0.1 < lost.mean() < 0.9
    limit = load_game("holdem.limit.3p")
    state = HandState(limit, [tuple(cards("7s2h")), (255, 255), (255, 255)])
    while state.actor != 0:
        state.apply(Action.call())
    won = values(state.view(0), {}, [Player("unknown")] * 3, [Action.call()], deals=256, seed=4)
    assert won.luck is not None
    assert not won.luck.any()
    # The small bet's half is in already; the rest is lost by who folds on the flop.
    assert (won.won == -limit.blinds[1] + limit.blinds[0]).any()


def test_it_keeps_its_time() -> None:
    view = HandState(SIX, [(255, 255)] * 2 + [tuple(cards("AsAh"))] + [(255, 255)] * 3).view(2)
    won = values(view, {}, [PLURIBUS] * 6, [Action.call()], deals=10**7, seconds=0.2)
    assert 64 <= len(won.won) < 10**6


def test_habits_change_what_is_done() -> None:
    habits = np.zeros((12, 7, 9))
    habits[:, 0, 0] = 30.0
    folds = Player("six-max", habits=habits)
    played = play_hands(SIX, [folds] * 6, 20, seed=1)
    assert (played.payoffs[:, 1] == 50 * SIX.split).all()


def test_what_it_does_not_know_is_refused() -> None:
    view = HandState(SIX, [(255, 255)] * 2 + [tuple(cards("AsAh"))] + [(255, 255)] * 3).view(2)
    with pytest.raises(ConfigError, match="expected 6"):
        values(view, {}, [PLURIBUS] * 2, [Action.call()])
    with pytest.raises(ConfigError, match="hole cards"):
        values(view.public(), {}, [PLURIBUS] * 6, [Action.call()])
    with pytest.raises(ConfigError, match="population"):
        values(view, {}, [Player("martians")] * 6, [Action.call()])


def test_the_worth_of_a_stack_for_the_rank_is_the_number_of_players_outlived() -> None:
    even = rank_worth(np.array([[1000.0] * 4]), 2)
    assert even == pytest.approx(1.5 * 4 * 1000 / 3)
    # One chip more is worth about one chip; the last chips are worth more than those beyond, and nothing is nothing.
    more, less = (rank_worth(np.array([[1000.0 - d / 3] * 2 + [1000.0 + d, 1000.0 - d / 3]]), 2) for d in (300, -300))
    assert even - less > more - even > 0
    assert rank_worth(np.array([[1000.0, 0.0, 0.0, 3000.0]]), 1) == pytest.approx(0.5 * 4 * 1000 / 3)


def test_for_the_rank_a_coin_flip_for_all_chips_is_worth_less_than_in_chips() -> None:
    spec = GameSpec.no_limit(4, (50, 100), 1_000)
    state = HandState(spec, [(255, 255)] * 3 + [tuple(cards("QsQh"))])
    who = [Player("Pluribus")] * 4
    while state.actor != 3:
        state.apply(Action.fold())
    view = state.view(3)
    shove = [Action.fold(), Action.raise_to(1_000)]
    chips, rank = (values(view, {}, who, shove, deals=1_000, seed=4, rank=rank) for rank in (False, True))
    assert (rank.won[:, 0] == 0).all()
    assert rank.means[1] < chips.means[1]
