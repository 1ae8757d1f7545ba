"""The environments against the official tests of PettingZoo and Gymnasium, and against the arena."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'dupai[env]'")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'dupai[env]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from dupai.agents import BaseAgent, make_agent  # noqa: E402
from dupai.arena import play_match  # noqa: E402
from dupai.base import AgentError, ConfigError, NotationError, Rng, RulesError  # noqa: E402
from dupai.env import HoldemAEC, HoldemGym  # noqa: E402
from dupai.rules import SEAT_STREAM, Action, GameSpec, HandRecord, View  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")

SETTINGS: list[dict[str, Any]] = [
    {},
    {"players": 6, "hands": 4},
    {"game": "holdem.limit.2p", "hands": 3},
    {"game": GameSpec.no_limit(3, stack=[100, 150, 250]), "sizes": ("33%", "pot", "a")},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_pettingzoo_api(settings: dict[str, Any]) -> None:
    api_test(HoldemAEC(**settings), num_cycles=400, verbose_progress=False)


def test_pettingzoo_seeding() -> None:
    seed_test(lambda: HoldemAEC(3, hands=2), num_cycles=60)


@pytest.mark.parametrize("opponents", ["caller", ["rules", "style:LA"]], ids=str)
def test_gymnasium_api(opponents: Any) -> None:
    check_env(HoldemGym(opponents), skip_render_check=True)


def test_the_learner_wins_what_the_arena_says() -> None:
    """A rules agent in the learner's seat plays the very hands of ``play_match`` with the same seed."""
    hands = 60
    env = HoldemGym(["style:TA", "caller"], hands=hands)
    learner = make_agent("rules")
    env.reset(seed=7)
    total, over, rngs = 0.0, False, {}
    while not over:
        view = env.view
        rng = rngs.setdefault(view.hand, Rng(7, 0, view.hand, SEAT_STREAM))
        _, reward, over, _, info = env.step(learner.act(view, rng))
        total += reward
    played = play_match(["rules", "style:TA", "caller"], hands=hands, seed=7)
    assert info["hands"] == played.hands == hands
    assert total / hands == pytest.approx(played.players[0].mbb.mean)


def test_rewards_of_a_table_sum_to_zero_and_follow_the_seed() -> None:
    def episode(seed: int) -> list[float]:
        env = HoldemAEC(4, hands=5)
        env.reset(seed=seed)
        rng = np.random.default_rng(0)
        won = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            won[agent] += reward
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if terminated or truncated else rng.choice(legal))
        assert env.hands_played == 5
        return list(won.values())

    assert sum(episode(1)) == pytest.approx(0)
    assert episode(1) == episode(1) != episode(2)


def test_rewards_of_hands_that_are_over_before_anybody_acts() -> None:
    """The big blind and a small blind that is all-in have nothing to decide: the episode is over at once."""
    env = HoldemAEC(game=GameSpec.no_limit(2, stack=[100, 50]), hands=3)
    env.reset(seed=1)
    told = {}
    for agent in env.agent_iter():
        _, told[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    # Half a big blind is won or lost in each of the three hands.
    assert sum(told.values()) == 0 and set(map(abs, told.values())) <= {500, 1500}


def test_an_illegal_action_is_refused_or_becomes_the_nearest() -> None:
    aec = HoldemAEC(2)
    aec.reset(seed=1)
    aec.step(1)
    with pytest.raises(RulesError, match="is masked"):
        aec.step(0)
    env = HoldemGym("caller", illegal="raise")
    _, info = env.reset(seed=1)
    while info["action_mask"][0]:
        _, _, _, _, info = env.step(1)
    with pytest.raises(RulesError, match="is masked"):
        env.step(0)
    kind = HoldemGym("caller")
    _, info = kind.reset(seed=1)
    while info["action_mask"][0]:
        _, _, _, _, info = kind.step(1)
    _, _, over, _, info = kind.step(0)
    assert not over and info["illegal"] == 1


class Folder(BaseAgent):
    def act(self, view: View, rng: Rng) -> Action:
        return Action.fold() if view.legal.fold else Action.call()


class Learner(Folder):
    seen: list[int] = []  # noqa: RUF012

    def observe(self, record: HandRecord) -> None:
        assert record.hero is not None
        self.seen.append(record.hand)


class Broken(BaseAgent):
    def act(self, view: View, rng: Rng) -> Action:
        raise ValueError("no idea")


def test_chips_of_limit_games_without_stacks_are_shares_of_what_a_hand_can_cost() -> None:
    env = HoldemGym("caller", game="holdem.limit.2p")
    seen, _ = env.reset(seed=1)
    pot, to_call, low, _ = seen[env.encoder.features["pot"]] * 480
    # 10/20 chips, three raises of the blind before the flop and four bets a street later: 240 for each.
    assert (round(pot), round(to_call), round(low)) in ((15, 5, 20), (20, 0, 20))
    assert seen[env.encoder.features["players"]][0] == pytest.approx((240 - (5 if to_call else 10)) / 480)


def test_opponents_of_one_spec_have_names_of_their_own() -> None:
    assert tuple(HoldemGym(["style:LA", "style:LA"])._names) == ("learner", "style:LA#1", "style:LA#2")


def test_walks_count_and_their_blinds_are_not_lost() -> None:
    env = HoldemGym(Folder)
    total = hands = 0.0
    for k in range(10):
        _, info = env.reset(seed=5) if k == 0 else env.reset()
        over = False
        while not over:
            _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
            total += reward
        hands += info["hands"]
    # Seat 0 is in the big blind first; the other folds its button and every bet.
    assert hands == 20 and total == 10 * 500 + 10 * 1000


def test_agents_go_on_learning_until_there_is_a_seed() -> None:
    Learner.seen = []
    env = HoldemGym(Learner)
    env.reset(seed=5)
    for _ in range(3):
        while not env.step(1)[2]:
            pass
        env.reset()
    assert Learner.seen == list(range(1, len(Learner.seen) + 1))
    before = len(Learner.seen)
    env.reset(seed=5)
    assert Learner.seen[before:] == list(range(1, len(Learner.seen) - before + 1))


def test_mistakes_are_told_in_one_line() -> None:
    for arguments, error in (
        ({"opponents": "rulez"}, NotationError),
        ({"opponents": ["rules"] * 10}, ConfigError),
        ({"opponents": "rules", "game": GameSpec.no_limit(3)}, ConfigError),
        ({"opponents": "rules", "game": GameSpec.no_limit(2, stack=[100, 50])}, ConfigError),
        ({"opponents": "rules", "illegal": "ignore"}, ConfigError),
        ({"opponents": "rules", "hands": 0}, ConfigError),
        ({"opponents": "rules", "render_mode": "rgb"}, ConfigError),
    ):
        with pytest.raises(error) as raised:
            HoldemGym(**arguments)
        assert "\n" not in str(raised.value)
    env = HoldemGym([Broken, Broken])
    with pytest.raises(AgentError, match=r"Broken#\d failed in act: ValueError at test_env.py:\d+: no idea"):
        env.reset(seed=1)


def test_render() -> None:
    env = HoldemGym("caller", render_mode="ansi")
    env.reset(seed=2)
    text = env.render()
    assert text is not None and "pre-flop, pot 200" in text and "????" in text and text.count("seat") == 2
    aec = HoldemAEC(2, render_mode="ansi")
    aec.reset(seed=2)
    assert "????" not in aec.render()


class Diary(BaseAgent):
    """Calls, and writes down where hands begin and end."""

    told: list[tuple[str, int]] = []  # noqa: RUF012

    def begin(self, hand: View) -> None:
        self.told.append(("begin", hand.hand))

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()

    def end(self, record: HandRecord) -> None:
        self.told.append(("end", record.hand))


def test_opponents_are_told_where_hands_begin_and_end() -> None:
    Diary.told.clear()
    env = HoldemGym([Diary], hands=3)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(1)
    words = [word for word, _ in Diary.told]
    assert words == ["begin", "end"] * 3
    assert len({hand for _, hand in Diary.told}) == 3


def test_gymnasium_makes_it_by_name() -> None:
    from gymnasium.envs import registration

    from dupai.env import HoldemGym, register_gym

    registration.registry.pop("dupai/Holdem-v0", None)
    with registration.namespace("dupai"):
        register_gym()
    env = gymnasium.make("dupai/Holdem-v0", opponents="style:LA", hands=2)
    assert isinstance(env.unwrapped, HoldemGym) and env.unwrapped.hands == 2
    env.reset(seed=1)
    registration.registry.pop("dupai/Holdem-v0")
    register_gym()
    assert "dupai/Holdem-v0" in registration.registry
    env.close()


def test_the_line_of_the_guide_works_in_a_fresh_process() -> None:
    code = """
import gymnasium
from dupai.env import register_gym
register_gym()
print(gymnasium.make("dupai/Holdem-v0", opponents="style:LA").spec.id)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "dupai/Holdem-v0\n", done.stderr
