"""``dupai bench tournament``: whole matches, agents and worker processes included."""

from __future__ import annotations

import time

from dupai.arena import play_match, run_tournament
from dupai.bench._row import Row, machine_scale, row

_EIGHT = (
    "rules", "rules:tight-aggressive", "rules:loose-aggressive", "rules:tight-passive",
    "style:paper-LA", "style:paper-LP", "style:paper-TA", "style:paper-TP",
)  # fmt: skip
#: Matches measured, and the seconds that they may take with two workers on the reference machine.
_MATCHES, _SECONDS = 100, 120.0
#: Deals of the heads-up matches.
_DEALS = 3000


def rows() -> list[Row]:
    """Eight-seat matches (600 hands at most) with two workers and in this process, heads-up hands too.

    Starting the workers counts. The length of a match depends on how soon its players are out; hands/s does not.
    """
    scale = machine_scale()
    # Compiles what has to be, here and (through the cache) for the workers.
    run_tournament(_EIGHT, matches=1, hands=20, seed=1)
    figures = []
    for jobs in (2, 1):
        start = time.perf_counter()
        hands = run_tournament(_EIGHT, matches=_MATCHES, seed=1, jobs=jobs).hands
        seconds = time.perf_counter() - start
        name, value = f"eight seats, {jobs} jobs", _MATCHES / seconds
        if jobs == 2:
            note = f" (100 in {_SECONDS / scale:.0f} s)"
            figures.append(row(name, value, "matches/s", least=scale * _MATCHES / _SECONDS, note=note))
        else:
            figures.append(row(name, value, "matches/s"))
        figures.append(row(f"{name}: hands", hands / seconds, "hands/s"))
    for first, second in (("rules", "style:paper-TA"), ("caller", "random")):
        play_match([first, second], hands=10, seed=1)
        for jobs in (1, 2):
            start = time.perf_counter()
            match = play_match([first, second], hands=_DEALS, duplicate=True, seed=1, jobs=jobs)
            value = match.hands / (time.perf_counter() - start)
            figures.append(row(f"{first} v {second}" + (f", {jobs} jobs" if jobs > 1 else ""), value, "hands/s"))
    return figures
