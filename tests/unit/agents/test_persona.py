"""Personas: agents that act as groups of real players do."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import HasPolicy, agent_info, make_agent
from dupai.agents.persona import Persona
from dupai.arena.match import match_config
from dupai.base import AgentError, ConfigError, NotationError, Rng
from dupai.cards import combo
from dupai.playouts import SITUATIONS, SIZE_SITUATIONS, PersonaHabits, persona_habits, situation_kernel
from dupai.reading.model import TrainedModel
from dupai.rules import Action, GameSpec, HandState
from dupai.spots import spot_rows, spots
from tools.personas import moved, ratio

NAMED = ("bovada", "pokerstars", "pros", "pluribus", "deepstack")


def _deal(players: int, hand: int, stack: int = 10_000) -> HandState:
    return HandState.deal(GameSpec.no_limit(players, (50, 100), stack), Rng(7, 0, hand, 0))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("players", [2, 6, 9])
def test_hands_are_played_to_their_end_by_the_policy(name: str, players: int) -> None:
    agent = make_agent(f"persona:{name}")
    assert isinstance(agent, HasPolicy)
    for hand in range(4):
        state = _deal(players, hand, stack=10_000 if hand else 700)
        rng = Rng(7, 0, hand, 1)
        while state.actor >= 0:
            view = state.view(state.actor)
            policy = agent.policy(view).checked()
            for action, p in policy.points:
                assert p > 0
                state.check(action)
            action = agent.act(view, rng)
            assert policy.probability(action) > 0
            state.apply(action)
        assert sum(state.payoffs) == 0


def test_one_hand_of_the_model_is_the_row_of_all() -> None:
    model = TrainedModel(population="six-max", adapt=False)
    state = _deal(3, 5)
    for action in (Action.raise_to(300), Action.call(), Action.call(), Action.call(), Action.raise_to(700)):
        state.apply(action)
        spot = spots(state.view(state.actor))[-1]
        hand = combo(*state.hole[state.actor])
        assert model.probs_of(spot, hand, "six-max") == pytest.approx(model.probs(spot)[hand], abs=1e-5)


def test_hands_matter() -> None:
    spec = GameSpec.no_limit(6, (50, 100), 10_000)
    for name, hole, kind in (("pros", "7h2c", "fold"), ("bovada", "AsAh", "raising"), ("pluribus", "7h2c", "fold")):
        state = HandState(spec, [None, None, hole, None, None, None])
        assert getattr(make_agent(f"persona:{name}").policy(state.view(2)), kind) > 0.9  # type: ignore[attr-defined]


def test_corrections_shift_frequencies_and_name_sizes() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 10_000), ["KsQs", "8h7h"])
    agent = Persona("pros")
    never = tuple((0.0, 0.0, *(-50.0,) * 7) for _ in range(SITUATIONS))
    agent.habits = {"pros heads-up": PersonaHabits(shifts=never)}
    assert agent.policy(state.view(1)).raising < 1e-6
    only = tuple((-50.0, -50.0, -50.0, -50.0, -50.0, 0.0, -50.0, -50.0, -50.0) for _ in range(SITUATIONS))
    sizes = (((), (), (), (1.0, 1.1), (), ()),) * SIZE_SITUATIONS
    agent.habits = {"pros heads-up": PersonaHabits(shifts=only, sizes=sizes)}
    # The pot is 200 after the call: raises by 200 and 220.
    assert dict(agent.policy(state.view(1)).points) == {
        Action.raise_to(300): pytest.approx(0.5),
        Action.raise_to(320): pytest.approx(0.5),
    }


def test_shipped_corrections_have_their_shape() -> None:
    habits = persona_habits()
    assert set(habits) == {"bovada", "pokerstars", "pros", "pros heads-up", "pluribus", "deepstack"}
    for one in habits.values():
        assert np.shape(one.shifts) == (SITUATIONS, 9)
        assert np.isfinite(one.shifts).all()
        assert len(one.sizes) == SIZE_SITUATIONS
        assert all(list(some) == sorted(some) for place in one.sizes for some in place)
        assert one.hands > 1000


def test_situations_are_told_apart() -> None:
    state = _deal(3, 2)
    for action in (
        *(Action.raise_to(300), Action.call(), Action.fold()),
        *(Action.call(), Action.raise_to(600), Action.call()),
        *(Action.call(), Action.call()),
    ):
        state.apply(action)
    rows = spot_rows(state)
    seen = [situation_kernel(rows, i) for i in range(len(rows))]
    # Before the flop: unopened on the button, then facing a raise in both blinds; flop, turn, river.
    assert seen[:3] == [3, 8 + 4, 8 + 5]
    assert seen[3:] == [17 + 2, 17 + 0, 17 + 3, 27 + 2, 27 + 0, 37 + 2]
    assert max(seen) < SITUATIONS


def test_a_round_of_fitting_moves_towards_the_group() -> None:
    real, mine = np.zeros((2, SITUATIONS, 9), np.int64)
    real[0, :2], mine[0, :2] = (800, 200), (500, 500)
    shifts = moved(np.zeros((SITUATIONS, 9)), real, mine)
    assert shifts[0, 0] - shifts[0, 1] == pytest.approx(np.log(4), abs=0.15)
    assert not shifts[5].any()


def test_ratio_counts_blocks() -> None:
    value, error, n = ratio(np.array([5.0, 5.0, 5.0]), np.array([10.0, 10.0, 10.0]))
    assert (value, error, n) == (0.5, 0.0, 30)
    assert ratio(np.array([2.0, 8.0]), np.array([10.0, 10.0]))[1] == pytest.approx(0.3)


def test_refusals() -> None:
    with pytest.raises(ConfigError, match="name='pro'"):
        make_agent("persona:pro")
    with pytest.raises(ConfigError, match="does not play limit"):
        match_config(["persona:pros", "rules"], game="holdem.limit.2p")
    with pytest.raises(NotationError, match="unknown agent"):
        make_agent("personas")
    with pytest.raises(AgentError, match="hole cards"):
        make_agent("persona:pros").act(_deal(2, 1).view(None), Rng(1))
    assert agent_info("persona").stateless
