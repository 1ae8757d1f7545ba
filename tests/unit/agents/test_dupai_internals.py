"""The agent ``dupai``: equilibrium at risk 0, responses beside a naive twin, play-outs at tables, evidence, saving."""

import time

import numpy as np
import pytest

from dupai.agents import HasHandPolicy, MatchInfo, Saveable, make_agent
from dupai.agents._dupai._respond import Responder
from dupai.agents._dupai._trust import Trust
from dupai.base import AgentError, ConfigError, Rng
from dupai.cards import COMBO_INDEX, COMBOS, cards
from dupai.cfr import Lock
from dupai.cfr.postflop._locks import _corners, corners
from dupai.equity import win_rates
from dupai.notation import Reason, reason_words
from dupai.reading import possible_hands
from dupai.rules import RAISE, Action, GameSpec, HandState
from dupai.spots import Menu
from naive.agents_dupai import naive_value

C, R = Action.call(), Action.raise_to
QUICK = "dupai:resolve=off"


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


class Stub:
    """A model by hand: calls a bet with win rates from ``calls`` on, bets the pot from ``bets`` on."""

    needs_ranges = False

    def __init__(self, calls, bets=2.0):
        self.calls, self.bets = calls, bets

    def menu(self, spot):
        return Menu(sizes=(1.0,), all_in=True)

    def probs(self, spot):
        rate = np.nan_to_num(win_rates(spot.board or None), nan=0.0)
        facing = spot["to_call"] > 0
        out = np.zeros((COMBOS, 4), np.float32)
        out[:, 0] = facing & (rate < self.calls)
        out[:, 2] = (rate >= self.bets) & (not facing)
        out[:, 1] = 1 - out[:, 0] - out[:, 2]
        return out


def test_a_response_is_that_of_the_naive_twin():
    held = np.random.default_rng(1).random(COMBOS)
    for actions, model in (
        ((C,) * 6, Stub(0.6, 0.8)),
        ((C,) * 7, Stub(0.4)),
        ((R(300), C, C, C, C, C, C, R(700)), Stub(0.5)),
        ((C,) * 6, Stub(0.0)),
    ):
        state = _state(actions)
        response = Responder(model, doubt=0).respond(state.view(state.actor).public(), held, 0)
        possible = np.flatnonzero(possible_hands(state.board))
        for hand in possible[:: len(possible) // 7].tolist():
            for action, values in zip(response.actions, response.values, strict=True):
                expected = naive_value(state, model, hand, action, held)
                assert values[hand] == pytest.approx(expected, abs=1e-6 * 20000), (actions, hand, action)


def test_a_bluff_that_is_answered_soundly_gains_nothing():
    state = _state()
    view = state.view(state.actor).public()
    rate = win_rates(state.board)
    worst = int(np.nanargmin(rate))
    # nothing is known: whatever the model says, bets are answered by the best hands
    response = Responder(Stub(2.0)).respond(view, np.ones(COMBOS), 0)
    raises = [i for i, action in enumerate(response.actions) if action.kind == RAISE]
    assert len(raises) == 4
    # but for the cards that it holds: none of them is missing from the hands that call
    assert (response.values[raises, worst] <= 0).all()
    assert response.values[raises, worst] == pytest.approx(0, abs=0.1 * view.pot)
    # all that is known: they fold, and every bet wins the pot
    response = Responder(Stub(2.0), doubt=0).respond(view, np.ones(COMBOS), 0)
    assert response.values[raises, worst] == pytest.approx(view.pot)
    # between: a larger bet needs more evidence
    values = Responder(Stub(2.0), doubt=2).respond(view, np.ones(COMBOS), 4).values[raises, worst]
    assert (np.diff(values) < 0).all()
    assert 0 < values[0] < view.pot


def test_what_an_all_in_before_the_flop_is_worth():
    state = _state(())
    response = Responder(Stub(0.0), doubt=0).respond(state.view(state.actor).public(), np.ones(COMBOS), 0)
    aces = int(COMBO_INDEX[12, 25])
    assert response.actions[-1] == R(20000)
    # 85.2 % against a random hand that always calls: 0.8520 * 40,000 less the 19,950 behind
    assert response.values[-1, aces] == pytest.approx(0.8520 * 40000 - 19950, abs=20)
    assert response.best().chances[-1, aces] == 1


def test_chips_that_nobody_can_match_are_no_part_of_a_raise():
    """72o gains no more by an all-in because it has more chips than anybody else."""
    won = []
    for deep in (2000, 20_000):
        spec = _spec()
        state = HandState(spec, hole=["JcJd", "7c2h"], stacks=(2000, deep))
        agent = _agent(QUICK, spec)
        for position in range(2):
            agent.seen[agent._name(position)] = 20
        found = agent.response(state.view(state.actor))
        assert found.actions[-1] == R(2000)
        won.append(found.values[-1][COMBO_INDEX[state.view(state.actor).hole]])
    assert won[0] == pytest.approx(won[1], abs=20)
    assert max(won) < 0


def test_without_risk_it_is_the_equilibrium():
    agent, other = _agent("dupai:risk=0,evidence=0"), make_agent("equilibrium")
    other.start(MatchInfo(spec=_spec(), seat=0, names=("player 0", "player 1")))
    for actions in ((), (R(250), C), (C,) * 6):
        state = _state(actions)
        view = state.view(state.actor)
        assert agent.policy(view) == other.policy(view)
        assert agent.act(view, Rng(4)) == other.act(view, Rng(4))
        assert agent.hand_policy(view).chances == pytest.approx(other.hand_policy(view).chances)


def test_its_policy_is_the_mix_and_it_plays_it():
    agent = _agent("dupai:resolve=off,risk=0.6,evidence=0,doubt=0")
    assert isinstance(agent, HasHandPolicy)
    state = _state((R(250), C))
    view = state.view(state.actor)
    policy = agent.hand_policy(view).checked()
    response, equilibrium = agent.response(view).best(), agent.equilibrium.hand_policy(view)
    for action in policy.actions:
        mixed = 0.6 * response.likelihood(action) + 0.4 * equilibrium.likelihood(action)
        assert policy.likelihood(action) == pytest.approx(mixed, abs=1e-9)
    n = 100
    played = [agent.act(view, Rng(5, k)) for k in range(n)]
    for action, p in agent.policy(view).points:
        assert played.count(action) / n == pytest.approx(p, abs=4 * (p * (1 - p) / n) ** 0.5 + 1e-9)


def test_its_own_range_is_what_it_did_with_all_hands():
    """The tracker took its decisions for the equilibrium's, though most of them were the response's."""
    agent = _agent("dupai:resolve=off,risk=0.5,evidence=0")
    state = _state((R(250), R(900), C))
    actor = state.actor
    view = state.view(actor)
    before = agent.equilibrium.tracker.state(view).ranges[actor]
    mix = agent.hand_policy(view)
    response = agent.exploit(view)
    only = [k for k, action in enumerate(response.actions) if action not in agent.equilibrium.hand_policy(view).actions]
    action = max((response.actions[k] for k in only), key=lambda a: float(mix.likelihood(a) @ before))
    state.apply(action)
    state.apply(C)
    while state.actor != actor:
        state.apply(C)
    after = agent.equilibrium.tracker.state(state.view(actor)).ranges[actor]
    expected = before * possible_hands(state.board) * (0.998 * mix.likelihood(action) + 0.002)
    assert after == pytest.approx(expected / expected.max())


def test_risk_grows_with_evidence_of_each_opponent():
    agent = _agent("dupai:resolve=off,risk=0.5,evidence=10")
    shares = []
    for hand in range(11):
        state = HandState.deal(_spec(), Rng(2, hand), seats=[1, 0], hand=hand)
        shares.append(agent.share(state.view(state.actor)))
        state.apply(Action.fold())
        agent.observe(state.record(names=("player 1", "player 0")).seen_by(1))
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[10] == pytest.approx(0.25)


def test_a_bluff_stops_against_somebody_who_calls_every_raise_of_this_size(monkeypatch):
    """A model that learns nothing expects folds; what the opponent did to re-raises is counted beside it."""
    model = Stub(0.55)
    monkeypatch.setattr(type(make_agent(QUICK)), "_model", model)
    agent = _agent("dupai:resolve=off,risk=1,evidence=0,doubt=0")
    agent._responder = Responder(model, doubt=0)
    hand = int(COMBO_INDEX[tuple(cards("7c2d"))])
    bluffs = []
    for n in range(12):
        state = HandState.deal(_spec(), Rng(n), hand=n)
        state.apply(R(650))
        action = agent.response(state.view(0)).best().of(hand).points[0][0]
        bluffs.append(action.kind == RAISE)
        state.apply(action)
        while not state.finished:
            state.apply(C)
        agent.observe(state.record(["player 0", "player 1"]).seen_by(0))
    assert all(bluffs[:6])
    assert not any(bluffs[10:])
    # raises in other situations are believed as before, and so are others
    answers = agent.answers["1:player 1"]
    opens, reraises = (answers.correction(_state(actions), 1.5) for actions in ((), (R(650),)))
    assert opens == 0 and reraises < -0.2
    agent.answers.clear()
    agent._forget()
    state = _state((R(650),))
    assert agent.response(state.view(0)).best().of(hand).points[0][0].kind == RAISE


def test_trust_goes_to_those_who_keep_their_promises():
    rng = np.random.default_rng(8)
    for gains, least, most in ((1.0, 1.0, 1.0), (0.6, 0.99, 1.0), (-1.0, 0.1, 0.3)):
        trust = Trust()
        assert trust.share == 1.0
        for _ in range(2000):
            trust.count(1.5, 1.5 * gains + 12 * rng.standard_normal())
        assert least <= trust.share <= most
        if gains <= 0.6:
            assert trust.kept == pytest.approx(gains, abs=0.45)
    # a few large pots lost prove nothing
    trust = Trust()
    for won in (-200.0, 3.0, -200.0, 5.0, 1.0):
        trust.count(8.0, won)
    assert trust.share > 0.9


def test_every_first_response_of_a_hand_is_counted():
    agent = _agent("dupai:resolve=off,risk=1,evidence=0,doubt=0")
    agent._responder = Responder(Stub(2.0), doubt=0)  # everybody folds to a bet, it is told
    agent._count_answers = lambda record: None  # and what they do does not change that
    won = promised = 0.0
    for hand in range(20):
        state = HandState.deal(_spec(), Rng(9, hand), seats=[hand % 2, 1 - hand % 2], hand=hand)
        paid = None
        while state.actor >= 0:
            view = state.view(state.actor)
            if state.seats[state.actor] == 0:
                if paid is None:
                    paid = view.contributions[state.actor]
                    promised += view.pot / 100
                state.apply(agent.act(view, Rng(9, hand, len(state.actions))))
            else:
                state.apply(Action.call())
        me = state.seats.index(0)
        record = state.record(names=tuple(f"player {seat}" for seat in state.seats)).seen_by(me)
        agent.observe(record)
        won += (record.payoffs[me] / record.spec.split + paid) / 100
    (trust,) = agent.trust.values()
    assert trust.responses == 20
    assert trust.promised == pytest.approx(promised)
    assert trust.won == pytest.approx(won)


def test_a_short_clock_leaves_the_equilibrium():
    assert _agent("dupai:evidence=0", clock=0.001).share(_state().view(0)) == 0
    assert _agent("dupai:evidence=0", clock=2.0).share(_state().view(0)) == 0.8


@pytest.mark.parametrize("text", ["dupai:resolve=off,evidence=0,deals=32", "dupai:risk=0,resolve=off,deals=32"])
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


def test_it_goes_on_from_what_it_has_saved():
    agent = _agent("dupai:resolve=off,risk=1")
    assert isinstance(agent, Saveable)
    villain = make_agent("style:LP")
    for hand in range(12):
        state = HandState.deal(_spec(), Rng(6, hand), hand=hand)
        while state.actor >= 0:
            view = state.view(state.actor)
            state.apply((agent if state.actor == 0 else villain).act(view, Rng(7, hand, len(state.actions))))
        agent.observe(state.record(names=("player 0", "player 1")).seen_by(0))
    again = _agent("dupai:resolve=off,risk=1")
    state = HandState.deal(_spec(), Rng(6, 99), seats=[1, 0])
    state.apply(R(250))
    state.apply(C)
    state.apply(C)
    view = state.view(state.actor)
    assert view.seats[view.actor] == 0
    assert again.share(view) == 0
    again.load(agent.save())
    assert again.trust == agent.trust
    assert again.trust
    assert again.share(view) == agent.share(view) == pytest.approx(12 / 32)
    assert again.response(view).values == pytest.approx(agent.response(view).values, nan_ok=True)
    with pytest.raises(ConfigError, match="not a saved dupai agent"):
        again.load(b"nothing")


def test_advice_says_what_is_read():
    agent = _agent("dupai:resolve=off,evidence=0")
    state = _state((R(250), C))
    view = state.view(state.actor)
    advice = agent.advise(view, Rng(1))
    assert sum(advice.probabilities) == pytest.approx(1)
    assert reason_words(advice.reasons[0]).startswith("It plays against what it reads 80 % of the time, after 0 hands")
    assert advice.reasons[1:3] == (Reason("else_equilibrium"), *agent.equilibrium.reasons(view))
    assert list(advice.readings) == [1 - state.actor]
    assert advice.numbers["share"] == pytest.approx(0.8)


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
    with pytest.raises(AgentError, match="one hand at a time"):
        agent.hand_policy(view)


def test_against_strangers_an_action_has_to_win_by_more():
    view = _at_table("KhKs", (R(300),))
    agent = _agent("dupai:risk=0.5,evidence=20", view.spec)
    assert agent._errors(view) == pytest.approx(3.2)
    agent.seen.update({agent._name(seat): 10**6 for seat in range(6)})
    assert agent._errors(view) == pytest.approx(1.6, abs=1e-3)


def test_it_keeps_its_clock_at_tables():
    view = _at_table("AsKs", (R(300),))
    agent = _agent("dupai:ms=100", view.spec)
    agent.act(view, Rng(1))
    begun = time.monotonic()
    agent._forget()
    agent.act(view, Rng(1))
    assert time.monotonic() - begun < 1.0


def test_a_clock_too_short_to_respond_is_noted():
    agent = _agent("dupai:evidence=0", clock=0.001)
    view = _state().view(0)
    agent.act(view, Rng(1))
    assert agent.notes.counts["clock_too_short_to_respond"] == 1
    assert agent.advise(view, Rng(1)).reasons[-1].code == "clock_too_short_to_respond"
