"""Advice from any agent."""

from __future__ import annotations

from collections import Counter
from typing import cast

from dupai.agents._capabilities import capabilities
from dupai.agents._protocol import Advice, Advises, Agent, HasPolicy
from dupai.base import Rng
from dupai.notation import Reason
from dupai.rules import View


def advise(agent: Agent, view: View, rng: Rng, samples: int = 1000) -> Advice:
    """What ``agent`` (already started) would do in ``view``, with its reasons if it gives any.

    An agent that advises is asked. Otherwise the advice is its exact policy, if it has one, and else the frequencies of
    ``samples`` decisions.

    Raises:
        AgentError: the agent cannot decide there.
    """
    can = capabilities(agent)
    if can.advises:
        return cast(Advises, agent).advise(view, rng)
    if can.policy:
        return Advice.of(cast(HasPolicy, agent).policy(view))
    counts = Counter(agent.act(view, rng) for _ in range(samples))
    ranked = counts.most_common()
    return Advice(
        actions=tuple(action for action, _ in ranked),
        probabilities=tuple(count / samples for _, count in ranked),
        reasons=(Reason("counted", {"decisions": samples}),),
    )
