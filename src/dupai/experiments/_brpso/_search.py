"""The best fixed policy of five numbers against an opponent, found offline: the cross-entropy method on equal deals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dupai.agents import Agent
from dupai.agents.swarm import Risk
from dupai.base import NoProgress, Progress
from dupai.base.arrays import F64
from dupai.experiments._brpso._lane import FastLane

#: Stages of a search: generations, policies a generation, hands for each (all over the same deals).
_STAGES = ((14, 60, 2_000), (8, 40, 10_000), (6, 30, 50_000))


class FixedPolicy(NamedTuple):
    """A policy, ``float64[5]``, with its chips per hand over fresh deals and their standard error."""

    x: F64
    mean: float
    se: float


def value_of(
    x: F64, opponent: Agent | str, hands: int, *, seed: int, match: int = 0, size: str = "random", **game: Any
) -> tuple[float, float]:
    """Chips per hand of a fixed policy, and the standard error; ``game`` goes to :class:`FastLane`."""
    lane = FastLane(Risk("/".join(map(repr, x.tolist())), size), opponent, seed=seed, match=match, **game)
    won = lane.play(hands) / lane.game.split
    return float(won.mean()), float(won.std(ddof=1) / np.sqrt(hands))


def policy_point(z: F64) -> F64:
    """Five numbers from coordinates in the unit cube (``float64[5]``): x2 as a share of x1, steepness from 1 to 100
    on a logarithmic scale."""
    u = np.clip(z, 0.0, 1.0)
    x1 = 0.01 + 0.98 * u[0]
    return np.array([x1, max(0.01, x1 * u[1]), 100.0 ** u[2], 0.01 + 0.98 * u[3], 100.0 ** u[4]])


def best_fixed_policy(
    opponent: Agent | str,
    seed: int,
    *,
    scale: float = 1.0,
    check_hands: int = 400_000,
    progress: Progress | None = None,
    **options: Any,
) -> FixedPolicy | None:
    """Search offline; the value is measured over deals that the search has not seen.

    Args:
        opponent: spec or agent of a style.
        seed: of the search; its deals are those of matches 1, 2, ... of this seed, the check is match 0.
        scale: share of the usual number of generations.
        check_hands: hands of the final check.
        progress: receives the generations; if it is cancelled, the result is None.
        options: ``size`` of raises, and ``blinds``, ``stack`` as for :class:`FastLane`.
    """
    watch = progress or NoProgress()
    random = np.random.default_rng(seed)
    mean, spread = np.full(5, 0.5), np.full(5, 0.5)
    stages = [(people, hands) for count, people, hands in _STAGES for _ in range(max(1, round(count * scale)))]
    for generation, (population, hands) in enumerate(stages, 1):
        z = mean + spread * random.standard_normal((population, 5))
        z[0] = mean
        if generation == 1:
            z = random.random((population, 5))
        z = np.clip(z, 0.0, 1.0)
        values = []
        for row in z:
            values.append(value_of(policy_point(row), opponent, hands, seed=seed, match=generation, **options)[0])
            if watch.cancelled:
                return None
            watch.report(generation, len(stages))
        best = z[np.argsort(values)[::-1][: population // 5]]
        mean = 0.3 * mean + 0.7 * best.mean(0) if generation > 1 else best.mean(0)
        spread = np.maximum(0.3 * spread + 0.7 * best.std(0), 0.01)
    x = policy_point(mean)
    return FixedPolicy(x, *value_of(x, opponent, check_hands, seed=seed, **options))
