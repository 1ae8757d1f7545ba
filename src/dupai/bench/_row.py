"""The one contract for measured figures: rows, and how ours and a peer are timed side by side."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

import msgspec

from dupai.base import ConfigError

#: eval7 evaluations/s, called one by one, of the machine that the goals are stated for.
REFERENCE_EVAL7 = 2.6e6


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One measured figure.

    ``ratio`` is ours against the peer in the same run (above 1: ours is better), from interleaved rounds, medians.
    ``goal`` says in words what was aimed at *on this machine, in this run*; ``ok`` whether it was met (None: no goal).
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None
    goal: str | None = None
    ok: bool | None = None


def rate(work: Callable[[], int], *, seconds: float = 0.2) -> float:
    """Units per second of ``work``, which does some units and returns how many; repeated for at least ``seconds``."""
    done = 0
    start = time.perf_counter()
    while True:
        done += work()
        spent = time.perf_counter() - start
        if spent >= seconds:
            return done / spent


def interleave(
    ours: Callable[[], float], peer: Callable[[], float] | None, *, rounds: int = 5
) -> tuple[float, float, float]:
    """Measure ``ours`` and ``peer`` in turn and return the medians of ours, of the peer's and of ours / peer's.

    Both callables measure once and return a figure in the same unit. One round of each is run first and not counted.
    Without a peer the last two values are nan.
    """
    mine: list[float] = []
    theirs: list[float] = []
    for k in range(rounds + 1):
        a = ours()
        b = peer() if peer is not None else math.nan
        if k:
            mine.append(a)
            theirs.append(b)
    ratios = [a / b for a, b in zip(mine, theirs, strict=True)]
    return statistics.median(mine), statistics.median(theirs), statistics.median(ratios)


def eval7_round() -> Callable[[], float]:
    """A measurement of eval7 called one by one on random seven-card hands, in evaluations/s: the reference peer.

    Raises:
        ConfigError: eval7 is not installed.
    """
    try:
        import eval7
    except ImportError as error:
        raise ConfigError("benchmarks compare with eval7: install it with pip install 'dupai[dev]'") from error
    from dupai.base import Rng

    deck = [eval7.Card(r + s) for s in "cdhs" for r in "23456789TJQKA"]
    rng = Rng(7)
    hands = []
    for _ in range(2000):
        rng.shuffle(deck)
        hands.append(deck[:7])
    evaluate = eval7.evaluate

    def once() -> float:
        start = time.perf_counter()
        for _ in range(20):
            for hand in hands:
                evaluate(hand)
        return 40_000 / (time.perf_counter() - start)

    return once


def eval7_rate() -> float:
    """Median of five measurements of :func:`eval7_round`."""
    once = eval7_round()
    return statistics.median(once() for _ in range(5))


def machine_scale() -> float:
    """How fast this machine is in this run against the one that the goals are stated for (1.0 = as fast)."""
    return eval7_rate() / REFERENCE_EVAL7
