"""Agents and the match around them: clocks, interruptions, advice that knows the match, hands that do not happen."""

from __future__ import annotations

from typing import Any

import pytest

from dupai.agents import Agent, BaseAgent, MatchInfo, make_agent, spec_traits
from dupai.arena import Session, _companion, play_match
from dupai.arena._hand import Watcher
from dupai.arena._rollout import _Rollouts, rollout_tasks
from dupai.arena._tournament import play_tournament_match
from dupai.arena.live import Companion
from dupai.base import Rng
from dupai.rules import Action, GameSpec, HandState, View

TWO = GameSpec.no_limit(2, (50, 100), 10_000)


@pytest.mark.parametrize(
    ("spec", "reproducible"),
    [("mcts", True), ("mcts:ms=50", False), ("equilibrium:ms=20", False), ("dupai:ms=20", False),
     ("dupai", True), ("raiser:size=random", True),
     ('fold:reader="fold:adapt=off,theta=20"', True), ("mcts:reader=equilibrium", True)],
)  # fmt: skip
def test_a_clock_makes_an_agent_not_reproducible(spec: str, reproducible: bool) -> None:
    assert spec_traits(spec).reproducible is reproducible


def test_results_with_a_clock_say_so() -> None:
    assert not play_match(["swarm", "mcts:ms=1,simulations=2"], hands=1).reproducible


def test_the_adviser_knows_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[MatchInfo] = []

    def noted(spec: str) -> Agent:
        agent = make_agent(spec)
        start = agent.start
        monkeypatch.setattr(agent, "start", lambda match: (started.append(match), start(match))[1])
        return agent

    monkeypatch.setattr(_companion, "seated_agent", noted)
    view = HandState.deal(TWO, Rng(1)).view(1)
    match = MatchInfo(spec=TWO, seat=1, names=("Ann", "Bo"), format="tournament", hands=10, seconds_per_action=2.0)
    Companion(("Ann", "Bo"), 1, [], "rules", "uniform", match).advice(view)
    Companion(("Ann", "Bo"), 1, [], "rules", "uniform").advice(view)
    assert started[0] == match
    assert (started[1].names, started[1].seat, started[1].format) == (("Ann", "Bo"), 1, "reset")
    session = Session(["rules", "style:TA"], seed=1)
    assert (session.info(1).names, session.info(1).seat, session.info(1).format) == (session.names, 1, "cash")


class _Alternating(BaseAgent):
    """Calls, but for every third decision that it is asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: View, rng: Rng) -> Action:
        self.asked += 1
        legal = view.legal
        return Action.raise_to(legal.min_to) if self.asked % 3 == 0 and legal.can_raise else Action.call()


def test_hands_that_do_not_happen_change_no_agent() -> None:
    """Rollouts of a match leave it as it is without them."""
    agents = ["rules", _Alternating, "style:LA"]
    task = rollout_tasks(agents, matches=1, hands=12, seed=3, boards=1, share=1.0)[0]

    class Alone(Watcher):
        def __init__(self) -> None:
            self.acted: list[Action] = []

        def on_action(self, state: HandState, action: Action, fault: Any) -> None:
            self.acted.append(action)

    class Tried(_Rollouts):
        def on_action(self, state: HandState, action: Action, fault: Any) -> None:
            alone.append(action)
            super().on_action(state, action, fault)

    first, alone = Alone(), list[Action]()
    play_tournament_match(task, None, first)
    tried = Tried(task)
    play_tournament_match(task, None, tried)
    assert tried.decisions and len(alone) > 30
    assert alone == first.acted
