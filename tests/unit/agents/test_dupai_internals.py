"""The agent ``dupai``: equilibrium at risk 0, play-outs, evidence, saving."""

import time

import numpy as np
import pytest

from dupai.agents import MatchInfo, Saveable, make_agent
from dupai.base import ConfigError, Rng
from dupai.cards import COMBOS, cards
from dupai.cfr import Lock
from dupai.cfr.postflop._locks import _corners, corners
from dupai.rules import RAISE, Action, GameSpec, HandState

C, R = Action.call(), Action.raise_to
QUICK = "dupai:deals=64"


def _spec(players=2, stack=20000):
    return GameSpec.no_limit(players, (50, 100), stack, odd_chips="acpc", min_raise="acpc")


def _agent(text=QUICK, spec=None, clock=None):
    spec = spec or _spec()
    agent = make_agent(text)
    names = tuple(f"player {i}" for i in range(spec.players))
    agent.start(MatchInfo(spec=spec, seat=0, names=names, seconds_per_action=clock))
    return agent


def _state(actions=(C,) * 6, seed=3, spec=None):
    state = HandState.deal(spec or _spec(), Rng(seed))
    for action in actions:
        state.apply(action)
    return state


def test_without_risk_it_is_the_equilibrium():
    agent, other = _agent("dupai:risk=0,evidence=0"), make_agent("equilibrium")
    other.start(MatchInfo(spec=_spec(), seat=0, names=("player 0", "player 1")))
    for actions in ((), (R(250), C), (C,) * 6):
        state = _state(actions)
        view = state.view(state.actor)
        assert agent.policy(view) == other.policy(view)
        assert agent.act(view, Rng(4)) == other.act(view, Rng(4))


@pytest.mark.parametrize("text", ["dupai:evidence=0,deals=32", "dupai:risk=0,ms=1,deals=32"])
@pytest.mark.parametrize(("players", "stack"), [(2, 20000), (2, 1300), (3, 6000), (6, 10000)])
def test_every_action_is_legal(text, players, stack):
    spec = _spec(players, stack)
    agent, other = _agent(text, spec), make_agent("random")
    for hand in range(8):
        rng = Rng(5, hand)
        stacks = [int(stack * (0.3 + rng.uniform())) for _ in range(players)] if hand % 3 == 0 else None
        state = HandState.deal(spec, rng, stacks=stacks, hand=hand)
        while state.actor >= 0:
            view = state.view(state.actor)
            if state.actor == hand % players:
                policy = agent.policy(view).checked()
                assert all(action in view.legal for action, _ in policy.points)
                action = policy.sample(rng)
            else:
                action = other.act(view, rng)
            state.apply(action)
        agent.observe(state.record(names=tuple(f"player {i}" for i in range(players))).seen_by(hand % players))


def test_corners_of_lower_bounds_are_the_extreme_strategies():
    rng = np.random.default_rng(3)
    low = rng.dirichlet(np.ones(3), COMBOS).T * 0.7
    lock = Lock(path="", lower={"a": low[0], "b": low[1], "c": low[2]})
    hands = np.arange(0, COMBOS, 100, dtype=np.int16)
    found = corners(lock, (None,) * 3, {"a": 0, "b": 1, "c": 2}, hands)
    for k, hand in enumerate(hands.tolist()):
        expected = _corners(low[:, hand], np.ones(3))
        assert sorted(map(tuple, found[:, :, k].astype(float).round(5).tolist())) == [
            tuple(np.round(row, 5)) for row in expected
        ]


def _at_table(hole, actions=()):
    spec = GameSpec.no_limit(6, (50, 100), 10_000)
    holes = [(255, 255)] * 6
    state = HandState(spec, holes)
    for action in actions:
        state.apply(action)
    holes[state.actor] = tuple(cards(hole))
    state = HandState(spec, holes)
    for action in actions:
        state.apply(action)
    return state.view(state.actor)


def test_at_tables_it_plays_what_wins_in_play_outs_among_what_the_prior_may_do():
    view = _at_table("KhKs", (R(300),))
    agent, careful = (_agent(f"dupai:deals=600,risk={risk},evidence=0", view.spec) for risk in (1, 0))
    judged = agent.judged(view)
    policy, prior = (dict(one.policy(view).checked().points) for one in (agent, careful))
    best = max((k for k, good in enumerate(judged.trusted) if good), key=lambda k: judged.values[k].mean)
    # Without risk it is the prior.
    for k, action in enumerate(judged.actions):
        share = judged.prior[k] / judged.prior[list(judged.trusted)].sum()
        assert prior.get(action, 0.0) == pytest.approx(share if judged.trusted[k] else 0.0)
        gap = judged.difference(best, k)
        if judged.trusted[k] and k != best:
            assert policy.get(action, 0.0) == (0.0 if gap.mean > 0.8 * gap.se else pytest.approx(share))
    # Kings raise: no worse than the best by more than an error.
    gaps = [judged.difference(best, k) for k, a in enumerate(judged.actions) if a.kind == RAISE and k != best]
    assert judged.actions[best].kind == RAISE or any(gap.mean <= gap.se for gap in gaps)
    assert agent.act(view, Rng(1)) in policy
    # The same again: play-outs are a function of what it sees and has learned.
    again = _agent("dupai:deals=600,risk=1,evidence=0", view.spec)
    assert dict(again.policy(view).points) == policy
    advice = agent.advise(view, Rng(1))
    assert advice.actions[advice.probabilities.index(max(advice.probabilities))] in policy
    assert advice.values is not None


def test_against_strangers_an_action_has_to_win_by_more():
    view = _at_table("KhKs", (R(300),))
    agent = _agent("dupai:risk=0.5,evidence=20", view.spec)
    assert agent._errors(view) == pytest.approx(3.2)
    agent.seen.update({agent._name(seat): 10**6 for seat in range(6)})
    assert agent._errors(view) == pytest.approx(1.6, abs=1e-3)


def test_heads_up_more_is_tried_against_an_opponent_it_knows():
    state = _state((R(250),), seed=4)
    view = state.view(state.actor)
    agent = _agent("dupai:deals=64,evidence=20")
    stranger = agent.judged(view).actions
    agent.seen.update({agent._name(seat): 10**4 for seat in range(2)})
    agent._judged = None
    known = agent.judged(view)
    assert set(stranger) < set(known.actions)
    assert min(known.prior) < 0.03 <= min(agent.judged(view).prior[[a in stranger for a in known.actions]])


def test_short_stacks_heads_up_push_or_fold():
    spec = _spec(2, 800)
    agent = _agent("dupai:deals=64", spec)
    state = _state((), spec=spec)
    view = state.view(state.actor)
    assert agent.judged(view).played is None
    assert all(a.kind == 0 or a.to == 800 for a, _ in agent.policy(view).points)


def test_it_goes_on_from_what_it_has_saved():
    agent = _agent()
    assert isinstance(agent, Saveable)
    villain = make_agent("style:LP")
    for hand in range(6):
        state = HandState.deal(_spec(), Rng(6, hand), hand=hand)
        while state.actor >= 0:
            view = state.view(state.actor)
            state.apply((agent if state.actor == 0 else villain).act(view, Rng(7, hand, len(state.actions))))
        agent.observe(state.record(names=("player 0", "player 1")).seen_by(0))
    again = _agent()
    state = HandState.deal(_spec(), Rng(6, 99), seats=[1, 0])
    for action in (R(250), C, C):
        state.apply(action)
    view = state.view(state.actor)
    assert view.seats[view.actor] == 0
    assert again.unknown(view) == 1
    again.load(agent.save())
    assert again.unknown(view) == agent.unknown(view) == pytest.approx(20 / 26)
    assert again.policy(view) == agent.policy(view)
    with pytest.raises(ConfigError, match="not a saved dupai agent"):
        again.load(b"nothing")


def test_advice_says_what_is_read():
    agent = _agent()
    state = _state((R(250), C))
    view = state.view(state.actor)
    advice = agent.advise(view, Rng(1))
    assert sum(advice.probabilities) == pytest.approx(1)
    assert [reason.code for reason in advice.reasons][:2] == ["played_out", "prior_plays"]
    assert list(advice.readings) == [1 - state.actor]
    assert advice.values is not None


def test_it_keeps_its_clock_at_tables():
    view = _at_table("AsKs", (R(300),))
    agent = _agent("dupai:ms=100", view.spec)
    agent.act(view, Rng(1))
    begun = time.monotonic()
    agent._judged = None
    agent.act(view, Rng(1))
    assert time.monotonic() - begun < 1.0
