"""``dupai bench agents``: how long a decision takes, from view to action."""

from __future__ import annotations

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.bench._row import Goal, Measurement, Row, duration, measured
from dupai.rules import Action, GameSpec, HandState, View

#: Spots measured a round.
_SPOTS = 1000
#: Agent, players at the table, and the goal in µs a decision on the reference machine.
_MEASURED: tuple[tuple[str, int, Goal], ...] = (
    ("rules", 2, {"most": 20.0}),
    ("style:paper-LA", 2, {"most": 20.0}),
    ("rules", 3, {"most": 150.0}),
    ("rules", 8, {"most": 150.0}),
    ("style:paper-LA", 8, {"most": 150.0}),
    ("rules", 10, {}),
    ("fixed", 2, {}),
    ("random", 2, {}),
)


def _views(players: int) -> list[View]:
    """Decisions of hands in which everybody calls, so that nobody has folded: equally many on each street."""
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


def _decisions(spec: str, players: int) -> Measurement:
    """Mean µs of a decision, over spots on different boards."""
    views, agent, rng = _views(players), make_agent(spec), Rng(23)

    def work() -> None:
        for view in views:
            agent.act(view, rng)

    return duration(work, units=len(views), per_second=1e6)


def rows() -> list[Row]:
    """One row for each agent and number of players: µs a decision, Python included."""
    figures = []
    for spec, players, goal in _MEASURED:
        table = "heads-up" if players == 2 else f"{players - 1} opponents"
        figures.append(measured(f"{spec}, {table}", "µs/decision", _decisions(spec, players), **goal))
    return figures
