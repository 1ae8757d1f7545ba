"""``dupai bench swarm``: hands per second of the fast lane, and of the agent loop that plays the same hands."""

from __future__ import annotations

import statistics
import time

from dupai.agents import FastLane
from dupai.arena import MatchConfig, SeatingTask, match_config, play_seating
from dupai.bench._row import Row

#: Hands of a measurement, of one through the agent loop, and measurements of which the median counts. In CPU time:
#: one core, and what else the machine does is left out.
_HANDS, _SLOW_HANDS, _ROUNDS = 40_000, 2_000, 7
#: Goal, hands/s on one core.
_GOAL = 100_000.0
_PAIRS = (
    ("swarm:pso", "style:LA"),
    ("swarm:br", "style:TA"),
    ("swarm:quick", "style:TA"),
    ("risk", "style:TA"),
    ("rules", "style:TA"),
)


def _fast(player: str, opponent: str) -> float:
    lane = FastLane(player, opponent, seed=1)
    lane.play(1000)
    rates = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        lane.play(_HANDS)
        rates.append(_HANDS / (time.process_time() - start))
    return statistics.median(rates)


def _slow(player: str, opponent: str) -> float:
    rates = []
    for _ in range(3):
        entrants, config = match_config([player, opponent], hands=_SLOW_HANDS, seed=1)
        assert isinstance(config, MatchConfig)
        start = time.process_time()
        play_seating(SeatingTask(tuple(entrants), config))
        rates.append(_SLOW_HANDS / (time.process_time() - start))
    return statistics.median(rates)


def rows() -> list[Row]:
    """One row for each pair in the fast lane, beside the agent loop (the peer): the same hands, one core."""
    found = []
    for player, opponent in _PAIRS:
        fast, slow = _fast(player, opponent), _slow(player, opponent)
        found.append(
            Row(
                name=f"{player} v {opponent}",
                value=fast,
                unit="hands/s",
                peer="agent loop",
                peer_value=slow,
                ratio=fast / slow,
                goal=f">= {_GOAL:,.0f}",
                ok=fast >= _GOAL,
            )
        )
    return found
