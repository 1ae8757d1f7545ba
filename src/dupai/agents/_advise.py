"""Advice from any agent, and whether what an agent answers is possible in a view."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable
from typing import cast

from dupai.agents._capabilities import capabilities
from dupai.agents._protocol import Advice, Advises, Agent, HasPolicy
from dupai.base import AgentError, Rng
from dupai.base.text import quoted
from dupai.notation import Reason
from dupai.rules import RAISE, Action, View
from dupai.spots import ActionDistribution, RaiseBetween

#: How far the probabilities of an advice may be from 1 in all: they are shown with fewer digits.
_SUM_ERROR = 1e-6


def advise(agent: Agent, view: View, rng: Rng, samples: int = 1000, *, name: str = "the agent") -> Advice:
    """What ``agent`` (already started) would do in ``view``, with its reasons if it gives any.

    An agent that advises is asked. Otherwise the advice is its exact policy, if it has one, and else the frequencies of
    ``samples`` decisions.

    Args:
        name: of the agent, in errors.

    Raises:
        AgentError: the agent cannot decide there, or its answer is not possible there.
    """
    can = capabilities(agent)
    if can.advises:
        advice: object = cast(Advises, agent).advise(view, rng)
    elif can.policy:
        policy: object = cast(HasPolicy, agent).policy(view)
        advice = Advice.of(policy) if isinstance(policy, ActionDistribution) else policy
    else:
        advice = _counted(agent, view, rng, samples, name)
    if not isinstance(advice, Advice):
        raise AgentError(f"{name}: answer {quoted(advice)} is no advice")
    if (fault := _advice_fault(advice, view)) is not None:
        raise AgentError(f"{name}: {fault}")
    return advice


def _counted(agent: Agent, view: View, rng: Rng, samples: int, name: str) -> Advice:
    counts: Counter[Action] = Counter()
    for _ in range(samples):
        answer: object = agent.act(view, rng)
        if (fault := answer_fault(answer, view)) is not None:
            raise AgentError(f"{name}: {fault}")
        kind, to = cast(Action, answer)
        counts[Action(kind, to if kind == RAISE else 0)] += 1
    ranked = counts.most_common()
    return Advice(
        actions=tuple(action for action, _ in ranked),
        probabilities=tuple(count / samples for _, count in ranked),
        reasons=(Reason("counted", {"decisions": samples}),),
    )


def answer_fault(answer: object, view: View) -> str | None:
    """What is wrong with an answer in a view; None if nothing is."""
    if not isinstance(answer, Action):
        return f"answer {quoted(answer, 200)} is not an Action"
    if not _is_legal(answer, view):
        return f"{answer} where legal is {view.legal}"
    return None


def choices_fault(choices: Iterable[tuple[Action | RaiseBetween, float]], view: View) -> str | None:
    """The first choice with a probability above 0 that is not legal in a view; None if there is none."""
    legal = view.legal
    for choice, p in choices:
        if not p > 0.0:
            continue
        if isinstance(choice, RaiseBetween):
            lo, hi, _ = choice
            if not 0 < legal.min_to <= lo <= hi <= legal.max_to:
                return f"probability {p:.3g} on raises to {lo}..{hi}, legal: {legal}"
        elif not _is_legal(choice, view):
            return f"probability {p:.3g} on {choice}, legal: {legal}"
    return None


def _is_legal(action: Action, view: View) -> bool:
    try:
        operator.index(action.kind), operator.index(action.to)
    except TypeError:
        return False
    if view.spec.betting == "limit" and action == Action(RAISE, 0):
        return view.legal.can_raise
    return view.legal.__contains__(action)


def _advice_fault(advice: Advice, view: View) -> str | None:
    """What is wrong with an advice in a view; None if nothing is."""
    parts = [float(p) for p in advice.probabilities]
    if len(parts) != len(advice.actions):
        return f"{len(parts)} probabilities of {len(advice.actions)} actions"
    if not all(p >= 0.0 for p in parts):
        return f"action probabilities {parts}: expected none below 0"
    if not abs(math.fsum(parts) - 1.0) <= _SUM_ERROR:
        return f"action probabilities {parts} add up to {math.fsum(parts):.6g}: expected 1"
    return choices_fault(zip(advice.actions, parts, strict=True), view)
