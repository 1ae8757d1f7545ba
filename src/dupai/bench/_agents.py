"""``dupai bench agents``: how long a decision takes, from view to action."""

from __future__ import annotations

import statistics
import time

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.bench._row import Row, machine_scale
from dupai.rules import Action, GameSpec, HandState, View

#: Spots measured a round, and rounds.
_SPOTS = 1000
_ROUNDS = 5
#: Agent, players at the table, and the most µs that a decision may take on the reference machine (None: no goal).
_MEASURED = (
    ("rules", 2, 20.0),
    ("style:LA", 2, 20.0),
    ("rules", 3, 150.0),
    ("rules", 8, 150.0),
    ("style:LA", 8, 150.0),
    ("rules", 10, None),
    ("fixed", 2, None),
    ("random", 2, None),
)


def _views(players: int) -> list[View]:
    """Decisions of hands in which everybody calls, so that nobody has folded: as many on each street."""
    rng = Rng(17, players)
    spec = GameSpec.no_limit(players)
    views: list[View] = []
    while len(views) < _SPOTS:
        state = HandState.deal(spec, rng)
        while not state.finished:
            first = not state.actions or state.actions[-1][0] != state.street
            if first:
                views.append(state.view(state.actor))
            state.apply(Action.call())
    return views[:_SPOTS]


def _microseconds(spec: str, views: list[View]) -> float:
    """Median over rounds of the mean time of a decision. Every spot is new to the agent."""
    agent = make_agent(spec)
    rng = Rng(23)
    agent.act(views[0], rng)
    means = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        for view in views:
            agent.act(view, rng)
        means.append((time.perf_counter() - start) / len(views) * 1e6)
    return statistics.median(means)


def rows() -> list[Row]:
    """One row for each agent and number of players: µs a decision, Python included."""
    scale = machine_scale()
    found = []
    for spec, players, most in _MEASURED:
        value = _microseconds(spec, _views(players))
        opponents = "heads-up" if players == 2 else f"{players - 1} opponents"
        goal = None if most is None else most / scale
        found.append(
            Row(
                name=f"{spec}, {opponents}",
                value=value,
                unit="µs/decision",
                goal=None if goal is None else f"<= {goal:.3g}",
                ok=None if goal is None else value <= goal,
            )
        )
    return found
