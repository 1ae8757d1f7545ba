"""The shape that all measured figures share: a row, and how to time our work and a peer's side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, TypedDict, Unpack

import msgspec

from dupai.base import Rng, optional_package

#: eval7 evaluations/s, called one by one, of the machine that the goals are stated for.
REFERENCE_EVAL7 = 2.6e6

#: Measures once and returns the figure.
Measurement = Callable[[], float]
#: A clock in seconds: ``time.perf_counter``, or ``time.process_time`` where the work of other programs must not count.
Clock = Callable[[], float]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One measured figure.

    ``ratio`` compares ours with the peer in the same run (above 1: ours is better), from interleaved rounds, medians
    (``mcts`` and ``store``: one after the other).
    ``goal`` states the goal *for this machine, in this run*; ``ok`` says whether it was met (None: no goal).
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None
    goal: str | None = None
    ok: bool | None = None


class Goal(TypedDict, total=False):
    """What a figure should reach: at least, at most, or so many times the peer."""

    least: float
    most: float
    times: float


def row(
    name: str,
    value: float,
    unit: str,
    peer: str | None = None,
    peer_value: float | None = None,
    *,
    ratio: float | None = None,
    note: str = "",
    **goal: Unpack[Goal],
) -> Row:
    """A row whose goal is put into words and judged; ``note`` stands behind the goal."""
    text, ok = None, None
    if "least" in goal:
        text, ok = f">= {_number(goal['least'])}{note}", value >= goal["least"]
    elif "most" in goal:
        text, ok = f"<= {_number(goal['most'])}{note}", value <= goal["most"]
    elif "times" in goal and ratio is not None:
        text, ok = f">= {goal['times']:g} x {peer}", ratio >= goal["times"]
    return Row(
        name=name, value=value, unit=unit, peer=peer, peer_value=peer_value, ratio=ratio, goal=text, ok=ok
    )  # fmt: skip


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def measured(
    name: str,
    unit: str,
    ours: Measurement,
    peer: tuple[str, Measurement] | None = None,
    *,
    rounds: int = 5,
    clock: Clock = time.perf_counter,
    scaled: bool = True,
    **goal: Unpack[Goal],
) -> Row:
    """Measure ours, in turn with the peer's, and judge it.

    Units that end in ``/s`` are rates, anything else is a time or size, of which less is better. ``least`` and ``most``
    are stated for the reference machine; unless ``scaled`` is false they are scaled by what eval7 does here and now by
    the same ``clock``.
    """
    value, theirs, ratio = interleave(ours, peer[1] if peer else None, rounds=rounds)
    is_rate = unit.endswith("/s")
    if scaled and goal.keys() & {"least", "most"}:
        scale = machine_scale(clock)
        goal = {k: g if k == "times" else g * scale if is_rate else g / scale for k, g in goal.items()}  # type: ignore[assignment,operator]
    if peer is None:
        return row(name, value, unit, **goal)
    return row(name, value, unit, peer[0], theirs, ratio=ratio if is_rate else 1 / ratio, **goal)


def interleave(ours: Measurement, peer: Measurement | None, *, rounds: int = 5) -> tuple[float, float, float]:
    """Measure ``ours`` and ``peer`` in turn and return the medians of ours, of the peer's and of ours / peer's.

    Both measure once and return a figure in the same unit. One round of each runs first and is not counted. Without a
    peer the last two values are nan.
    """
    pairs = [(ours(), peer() if peer is not None else float("nan")) for _ in range(rounds + 1)][1:]
    mine, theirs = zip(*pairs, strict=True)
    return statistics.median(mine), statistics.median(theirs), statistics.median(a / b for a, b in pairs)


def per_second(
    work: Callable[[], object], units: float, clock: Clock = time.perf_counter, *, repeat: int = 1
) -> Measurement:
    """A measurement of ``work``, which does so many units and is repeated, in units a second."""

    def once() -> float:
        start = clock()
        for _ in range(repeat):
            work()
        return repeat * units / (clock() - start)

    return once


def duration(work: Callable[[], object], repeat: int = 1, *, units: float = 1, per_second: float = 1.0) -> Measurement:
    """A measurement of the time that one unit takes of ``work``, which does ``units`` of them and is repeated.

    ``per_second`` is the number of time units in a second: 1e6 for µs.
    """

    def once() -> float:
        start = time.perf_counter()
        for _ in range(repeat):
            work()
        return (time.perf_counter() - start) / (repeat * units) * per_second

    return once


def rate(work: Callable[[], int], *, seconds: float = 0.2, clock: Clock = time.perf_counter) -> float:
    """Units per second of ``work``, which does some units and returns how many; repeated for at least ``seconds``."""
    done = 0
    start = clock()
    while True:
        done += work()
        spent = clock() - start
        if spent >= seconds:
            return done / spent


def peer_package(name: str) -> Any:
    """A package that a benchmark compares with.

    Raises:
        MissingPackage: it is not installed.
    """
    return optional_package(name, "dev", "this benchmark")


def eval7_round(clock: Clock = time.perf_counter) -> Measurement:
    """A measurement of eval7, called one by one on random seven-card hands, in evaluations/s: the reference peer.

    Raises:
        MissingPackage: eval7 is not installed.
    """
    eval7 = peer_package("eval7")
    deck = [eval7.Card(r + s) for s in "cdhs" for r in "23456789TJQKA"]
    rng = Rng(7)
    hands = []
    for _ in range(2000):
        rng.shuffle(deck)
        hands.append(deck[:7])
    evaluate = eval7.evaluate

    def work() -> None:
        for _ in range(20):
            for hand in hands:
                evaluate(hand)

    return per_second(work, 40_000, clock)


def machine_scale(clock: Clock = time.perf_counter) -> float:
    """Speed of this machine at this moment relative to the one that the goals are stated for (1.0: equally fast)."""
    once = eval7_round(clock)
    return statistics.median(once() for _ in range(5)) / REFERENCE_EVAL7
