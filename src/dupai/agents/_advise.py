"""What any agent would do in a spot."""

from __future__ import annotations

from collections import Counter

from dupai.agents._protocol import Advice, Agent, MatchInfo
from dupai.base import Rng
from dupai.rules import View


def sit_down(agent: Agent, view: View, name: str = "agent") -> None:
    """Start a match of the game in ``view``, so that the agent can be asked about it."""
    n = view.spec.players
    position = view.actor if view.position is None else view.position
    names = tuple(name if seat == view.seats[position] else f"player {seat}" for seat in sorted(view.seats))
    agent.start(MatchInfo(spec=view.spec, seat=view.seats[position], names=names[:n]))


def advise(agent: Agent, view: View, rng: Rng, samples: int = 1000) -> Advice:
    """What ``agent`` (already started) would do in ``view``, with reasons as far as it gives any.

    The agent's own ``advise`` is asked; failing that its exact ``policy``; failing that it is made to decide
    ``samples`` times and its answers are counted.

    Raises:
        AgentError: the agent cannot decide there.
    """
    own = getattr(agent, "advise", None)
    if own is not None:
        answer: Advice = own(view, rng)
        return answer
    policy = getattr(agent, "policy", None)
    if policy is not None:
        return Advice.of(policy(view))
    counts = Counter(agent.act(view, rng) for _ in range(samples))
    ranked = counts.most_common()
    return Advice(
        actions=tuple(action for action, _ in ranked),
        probabilities=tuple(count / samples for _, count in ranked),
        reasons=(f"counted over {samples:,} decisions; this agent gives no reasons",),
    )
