"""``dupai bench analyse``: analyses that ``dupai engine`` answers, several in flight."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from dupai.bench._row import Measurement, Row, measured
from dupai.cards import cards_text
from dupai.engine import EnginePool
from dupai.rules import GameSpec

#: Processes, requests in flight, analyses timed in a round, analyses before the clock starts.
_JOBS, _IN_FLIGHT, _TIMED, _WARM = 2, 4, 200, 16
#: Six-handed: a raise, two calls, and a bet on the turn, until the river is bet into.
_ACTIONS = ("f", "f", "f", "r300", "f", "c", "c", "r700", "c", "c", "c", "r1200")


def _rivers(seed: int) -> Iterator[dict[str, Any]]:
    """Decisions on the river, each with a hand and a board of its own."""
    rng, game = np.random.default_rng(seed), GameSpec.no_limit(6)
    while True:
        cards = rng.permutation(52)[:7].tolist()
        yield {
            "game": game, "position": 5, "hole": cards_text(cards[:2]), "board": cards_text(cards[2:]),
            "actions": _ACTIONS,
        }  # fmt: skip


def _analyses(want: tuple[str, ...]) -> Measurement:
    """River analyses a second."""
    seeds = itertools.count(1)

    async def work() -> float:
        rivers = _rivers(next(seeds))

        async def client(pool: EnginePool, count: int) -> None:
            for _ in range(count):
                await pool.least_busy().ask("analyse", hand=next(rivers), want=want)

        async with EnginePool(_JOBS).running() as pool:
            await asyncio.gather(*(client(pool, _WARM // _IN_FLIGHT) for _ in range(_IN_FLIGHT)))
            start = time.perf_counter()
            await asyncio.gather(*(client(pool, _TIMED // _IN_FLIGHT) for _ in range(_IN_FLIGHT)))
            return _TIMED / (time.perf_counter() - start)

    return lambda: asyncio.run(work())


def rows() -> list[Row]:
    """River analyses a second with four in flight; the goal is 2,000 a minute on two cores."""
    name = f"river analyses, {_JOBS} processes, {_IN_FLIGHT} in flight"
    return [
        measured(name, "analyses/s", _analyses(("actions", "ranges", "equity")), rounds=3, least=2000 / 60),
        measured(f"{name}, ranges alone", "analyses/s", _analyses(("ranges",)), rounds=3),
    ]
