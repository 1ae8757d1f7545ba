"""``dupai bench tournament``: whole matches, agents and worker processes included."""

from __future__ import annotations

import time

from dupai.arena import play_match, run_tournament
from dupai.bench._row import Row, machine_scale

_EIGHT = (
    "rules",
    "rules:tight-aggressive",
    "rules:loose-aggressive",
    "rules:tight-passive",
    "style:LA",
    "style:LP",
    "style:TA",
    "style:TP",
)
#: Matches measured, and the seconds that they may take with two workers on the reference machine.
_MATCHES = 100
_SECONDS = 120.0
#: Deals of the heads-up matches.
_DEALS = 3000


def rows() -> list[Row]:
    """Eight-seat matches (600 hands at most) with two workers and in this process, heads-up hands too.

    Starting the workers counts. How long a match takes depends on how soon its players are out; hands/s does not.
    """
    scale = machine_scale()
    # Compiles what has to be, here and (through the cache) for the workers.
    run_tournament(_EIGHT, matches=1, hands=20, seed=1)
    found = []
    for jobs in (2, 1):
        start = time.perf_counter()
        result = run_tournament(_EIGHT, matches=_MATCHES, seed=1, jobs=jobs)
        seconds = time.perf_counter() - start
        rate = _MATCHES / seconds
        goal = scale * _MATCHES / _SECONDS
        found.append(
            Row(
                name=f"eight seats, {jobs} jobs",
                value=rate,
                unit="matches/s",
                goal=f">= {goal:.2f} (100 in {_SECONDS / scale:.0f} s)" if jobs == 2 else None,
                ok=rate >= goal if jobs == 2 else None,
            )
        )
        found.append(Row(name=f"eight seats, {jobs} jobs: hands", value=result.hands / seconds, unit="hands/s"))
    for first, second in (("rules", "style:TA"), ("caller", "random")):
        play_match([first, second], hands=10, seed=1)
        for jobs in (1, 2):
            start = time.perf_counter()
            match = play_match([first, second], hands=_DEALS, duplicate=True, seed=1, jobs=jobs)
            rate = match.hands / (time.perf_counter() - start)
            name = f"{first} v {second}" + (f", {jobs} jobs" if jobs > 1 else "")
            found.append(Row(name=name, value=rate, unit="hands/s"))
    return found
