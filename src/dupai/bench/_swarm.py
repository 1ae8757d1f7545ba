"""``dupai bench swarm``: hands a second of the fast lane, and of the agent loop that plays the same hands.

By the processor's clock: one core, and other work on the machine does not count.
"""

from __future__ import annotations

import time

from dupai.arena.match import MatchConfig, SeatingTask, match_config, play_seating
from dupai.bench._row import Measurement, Row, measured, per_second
from dupai.experiments import FastLane

#: Hands of a measurement of the fast lane and of the agent loop.
_HANDS, _SLOW_HANDS = 40_000, 2_000
#: Goal, hands/s on one core, on any machine.
_GOAL = 100_000.0
_PAIRS = (
    ("swarm:pso", "style:paper-LA"),
    ("swarm:br", "style:paper-TA"),
    ("swarm:quick", "style:paper-TA"),
    ("risk", "style:paper-TA"),
    ("rules", "style:paper-TA"),
)


def _fast(player: str, opponent: str) -> Measurement:
    lane = FastLane(player, opponent, seed=1)
    lane.play(1000)
    return per_second(lambda: lane.play(_HANDS), _HANDS, time.process_time)


def _slow(player: str, opponent: str) -> Measurement:
    def work() -> None:
        entrants, config = match_config([player, opponent], hands=_SLOW_HANDS, seed=1)
        assert isinstance(config, MatchConfig)
        play_seating(SeatingTask(tuple(entrants), config))

    return per_second(work, _SLOW_HANDS, time.process_time)


def rows() -> list[Row]:
    """One row for each pair in the fast lane, beside the agent loop (the peer): the same hands, one core."""
    figures = []
    for pair in _PAIRS:
        loop = ("agent loop", _slow(*pair))
        figures.append(measured(" v ".join(pair), "hands/s", _fast(*pair), loop, least=_GOAL, scaled=False))
    return figures
