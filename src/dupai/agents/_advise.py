"""Advice from any agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dupai.agents._protocol import Advice, Advises, Agent, HasPolicy, MatchInfo
from dupai.base import Rng
from dupai.notation import Reason
from dupai.rules import View


def sit_down(agent: Agent, view: View, name: str = "agent", names: Sequence[str] = ()) -> None:
    """Start a match of the game in ``view``, so that the agent can be asked about it. ``names``: of all, by seat; else
    the agent's is ``name``, and the others are player 0 and so on."""
    own = view.seats[view.actor if view.position is None else view.position]
    # Names stand by seat, and seats of players who are not dealt in count too.
    names = tuple(names) or tuple(name if seat == own else f"player {seat}" for seat in range(max(view.seats) + 1))
    agent.start(MatchInfo(spec=view.spec, seat=own, names=names))


def advise(agent: Agent, view: View, rng: Rng, samples: int = 1000) -> Advice:
    """What ``agent`` (already started) would do in ``view``, with its reasons if it gives any.

    An agent that advises is asked. Otherwise the advice is its exact policy, if it has one, and else the frequencies of
    ``samples`` decisions.

    Raises:
        AgentError: the agent cannot decide there.
    """
    if isinstance(agent, Advises):
        return agent.advise(view, rng)
    if isinstance(agent, HasPolicy):
        return Advice.of(agent.policy(view))
    counts = Counter(agent.act(view, rng) for _ in range(samples))
    ranked = counts.most_common()
    return Advice(
        actions=tuple(action for action, _ in ranked),
        probabilities=tuple(count / samples for _, count in ranked),
        reasons=(Reason("counted", {"decisions": samples}),),
    )
