"""``dupai bench equity``: exact counts, Monte Carlo beside eval7's, and the win-rate rows."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dupai.base import ConfigError, Rng
from dupai.bench._equity_winrates import rows_winrates
from dupai.bench._row import Row, interleave, machine_scale
from dupai.cards import cards
from dupai.equity import equity, matchup_kernel, multiway_win_rate_kernel

#: Trials in one measurement.
_TRIALS = 1_000_000
_RANGE = "QQ+, AK"
_THREE = ("22+, A2s+, K9s+, ATo+", "0.5:22+, A2s+, 0.3:K9s+, QTs+, AJo+", "QQ+, AK, 0.25:KQs")


def matchup_time() -> Callable[[], float]:
    """Seconds of one exact count of a hand against a hand before the flop, the table not used."""
    a0, a1, b0, b1 = cards("AcAdKhKs")
    dead = np.uint64(0)

    def once() -> float:
        start = time.perf_counter()
        for _ in range(100):
            matchup_kernel(a0, a1, b0, b1, dead)
        return (time.perf_counter() - start) / 100

    return once


def equity_time(hands: tuple[str, ...], board: str, repeat: int) -> Callable[[], float]:
    """Seconds of one exact :func:`dupai.equity.equity` call from Python, reading the notation included."""

    def once() -> float:
        start = time.perf_counter()
        for _ in range(repeat):
            equity(hands, board, method="exact")
        return (time.perf_counter() - start) / repeat

    return once


def trials(hands: tuple[str, ...]) -> Callable[[], float]:
    """Monte Carlo trials/s of :func:`dupai.equity.equity`, everything included."""
    rng = Rng(1)

    def once() -> float:
        start = time.perf_counter()
        equity(hands, method="monte-carlo", samples=_TRIALS, rng=rng)
        return _TRIALS / (time.perf_counter() - start)

    return once


def eval7_trials() -> Callable[[], float]:
    """Trials/s of eval7's Monte Carlo (C), a hand against a range: the only kind it has.

    Raises:
        ConfigError: eval7 is not installed.
    """
    try:
        import eval7
    except ImportError as error:
        raise ConfigError("bench equity compares with eval7: install it with pip install 'dupai[dev]'") from error
    hand = tuple(eval7.Card(c) for c in ("As", "Ks"))
    villain = eval7.HandRange(_RANGE)

    def once() -> float:
        start = time.perf_counter()
        eval7.py_hand_vs_range_monte_carlo(hand, villain, [], _TRIALS)
        return _TRIALS / (time.perf_counter() - start)

    return once


def multiway_time(opponents: int) -> Callable[[], float]:
    """Seconds of 1,000 deals against uniform opponents before the flop."""
    hole0, hole1 = cards("AsKs")
    board, rng = np.zeros(5, np.uint8), Rng(1)

    def once() -> float:
        start = time.perf_counter()
        for _ in range(20):
            multiway_win_rate_kernel(hole0, hole1, board, 0, opponents, 1000, rng.state)
        return (time.perf_counter() - start) / 20

    return once


def _time_row(name: str, ours: Callable[[], float], goal: float | None, scale: float) -> Row:
    value = interleave(ours, None)[0] * 1e6
    most = None if goal is None else goal / scale
    return Row(
        name=name,
        value=value,
        unit="µs",
        goal=None if most is None else f"<= {most:,.3g} µs",
        ok=None if most is None else value <= most,
    )


def _trials_row(name: str, hands: tuple[str, ...], goal: float | None, scale: float) -> Row:
    value, peer_value, ratio = interleave(trials(hands), eval7_trials())
    return Row(
        name=name,
        value=value,
        unit="trials/s",
        peer="eval7 Monte Carlo, hand v range",
        peer_value=peer_value,
        ratio=ratio,
        goal=None if goal is None else f">= {goal * scale:,.0f} trials/s",
        ok=None if goal is None else value >= goal * scale,
    )


def rows() -> list[Row]:
    """The rows of ``dupai bench equity``; goals scale with eval7's rate in this run.

    Raises:
        ConfigError: eval7 is not installed.
    """
    scale = machine_scale()
    return [
        _time_row("hand v hand exact before the flop (rank multisets)", matchup_time(), 130.0, scale),
        _time_row("AcAd v KhKs, equity() from Python (table)", equity_time(("AcAd", "KhKs"), "", 200), 130.0, scale),
        _time_row("AKs v {QQ+, AK} exact before the flop (table)", equity_time(("AKs", _RANGE), "", 20), None, scale),
        _time_row("AKs v {QQ+, AK} exact on a flop", equity_time(("AKs", _RANGE), "2c7dTh", 20), None, scale),
        *rows_winrates(),
        _trials_row("Monte Carlo, six random hands", ("random",) * 6, 15e6, scale),
        _trials_row("Monte Carlo, three weighted ranges", _THREE, 5e6, scale),
        _trials_row("Monte Carlo, hand v range", ("AsKs", _RANGE), None, scale),
        _time_row("1,000 deals against one random hand", multiway_time(1), 150.0, scale),
        _time_row("1,000 deals against nine random hands", multiway_time(9), 150.0, scale),
    ]
