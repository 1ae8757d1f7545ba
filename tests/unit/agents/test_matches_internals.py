"""Agents and the match around them: clocks, interruptions, advice that knows the match, hands that do not happen."""

from __future__ import annotations

from typing import Any

import pytest

from dupai.agents import Agent, BaseAgent, MatchInfo, advise, make_agent, spec_traits
from dupai.arena import Session, _companion, play_match
from dupai.arena._hand import Watcher
from dupai.arena._rollout import _Rollouts, rollout_tasks
from dupai.arena._tournament import play_tournament_match
from dupai.arena.live import Companion
from dupai.base import DupaiError, Rng
from dupai.notation import Reason
from dupai.rules import Action, GameSpec, HandState, View

TWO = GameSpec.no_limit(2, (50, 100), 10_000)


@pytest.mark.parametrize(
    ("spec", "reproducible"),
    [("mcts", True), ("mcts:ms=50", False), ("equilibrium:ms=20", False), ("dupai:ms=20", False),
     ("dupai:table=mcts", True), ('dupai:table="mcts:ms=50"', False), ("raiser:size=random", True),
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


def test_an_agent_for_tables_is_checked_for_them() -> None:
    with pytest.raises(DupaiError, match="table='exp' does not play no-limit at tables of 3"):
        play_match(["dupai:table=exp,resolve=off", "rules", "rules"], hands=1)


def test_a_swarm_that_has_not_played_says_that_it_watches() -> None:
    agent = make_agent("swarm:quick")
    agent.start(MatchInfo(spec=TWO, seat=1, names=("Ann", "Bo"), hands=1000))
    view = HandState.deal(TWO, Rng(1)).view(1)
    reasons = advise(agent, view, Rng(1)).reasons
    agent.act(view, Rng(1))
    assert reasons == advise(agent, view, Rng(1)).reasons
    assert Reason("watching", {"hands": 200}) in reasons


def test_a_hand_that_is_taken_back_leaves_no_fault() -> None:
    class Breaks(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            raise ValueError("broken")

    class TakesBack(BaseAgent):
        def __init__(self) -> None:
            self.asked = 0

        def act(self, view: View, rng: Rng) -> Action:
            self.asked += 1
            if self.asked < 4:
                raise KeyboardInterrupt
            return Action.call()

    session = Session([Breaks, TakesBack, "rules"], reset=True, seed=3)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            session.play_hand()
    session.play_hand()
    assert session.hands == 1 and [fault.agent for fault in session.close().faults] == ["Breaks"]
