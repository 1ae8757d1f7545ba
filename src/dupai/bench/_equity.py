"""``dupai bench equity``: exact counts, Monte Carlo beside eval7's, every hand in one sweep, reads of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dupai.base import Rng
from dupai.bench._kernels import read_one_by_one_kernel
from dupai.bench._row import Measurement, Row, duration, measured, peer_package, per_second
from dupai.cards import cards
from dupai.equity import (
    build_win_rates,
    equity,
    load_win_rate_table,
    matchup_kernel,
    multiway_win_rate_kernel,
    river_hand_kernel,
    sweep_kernel,
    win_rate_batch_kernel,
)

#: Trials in one Monte Carlo measurement; reads of the table in one measurement.
_TRIALS, _READS = 1_000_000, 200_000
_RANGE = "QQ+, AK"
_THREE = ("22+, A2s+, K9s+, ATo+", "0.5:22+, A2s+, 0.3:K9s+, QTs+, AJo+", "QQ+, AK, 0.25:KQs")


def _matchup() -> Measurement:
    """µs of one exact count of a hand against a hand before the flop, without the table."""
    a0, a1, b0, b1 = cards("AcAdKhKs")
    return duration(lambda: matchup_kernel(a0, a1, b0, b1, np.uint64(0)), 100, per_second=1e6)


def _exact(hands: tuple[str, ...], board: str, repeat: int) -> Measurement:
    """µs of one exact :func:`dupai.equity.equity` call from Python, reading the notation included."""
    return duration(lambda: equity(hands, board, method="exact"), repeat, per_second=1e6)


def _trials(hands: tuple[str, ...]) -> Measurement:
    """Monte Carlo trials/s of :func:`dupai.equity.equity`, everything included."""
    rng = Rng(1)
    return per_second(lambda: equity(hands, method="monte-carlo", samples=_TRIALS, rng=rng), _TRIALS)


def _eval7_trials(eval7: Any) -> Measurement:
    """Trials/s of eval7's Monte Carlo (C), a hand against a range: the only kind that it has."""
    hand = tuple(eval7.Card(c) for c in ("As", "Ks"))
    villain = eval7.HandRange(_RANGE)
    return per_second(lambda: eval7.py_hand_vs_range_monte_carlo(hand, villain, [], _TRIALS), _TRIALS)


def _multiway(opponents: int) -> Measurement:
    """µs of 1,000 deals against uniform opponents before the flop."""
    hole0, hole1 = cards("AsKs")
    board, rng = np.zeros(5, np.uint8), Rng(1)

    def work() -> None:
        multiway_win_rate_kernel(hole0, hole1, board, 0, opponents, 1000, rng.state)

    return duration(work, 20, per_second=1e6)


def _sweeps(n_board: int, boards: int, unit: float) -> Measurement:
    """Time for every hand against random weights of every hand, on random boards."""
    rng = np.random.default_rng(n_board)
    drawn = [rng.permutation(52)[:5].astype(np.uint8) for _ in range(boards)]
    weights = rng.random(1326)
    out = [np.empty(1326) for _ in range(3)]

    def work() -> None:
        for board in drawn:
            sweep_kernel(board, n_board, weights, *out)

    return duration(work, units=boards, per_second=unit)


def _one_hand() -> Measurement:
    """µs for the win rate of one hand on a river, by the kernel called from Python."""
    rng = np.random.default_rng(1)
    drawn = [rng.permutation(52)[:7].astype(np.uint8) for _ in range(2000)]
    hands = [(int(d[5]), int(d[6]), d[:5].copy()) for d in drawn]

    def work() -> None:
        for a, b, board in hands:
            river_hand_kernel(a, b, board)

    return duration(work, units=len(hands), per_second=1e6)


def _reads(read: Callable[..., None], n_board: int) -> Measurement:
    """ns for one read of the table in a kernel, of hands and boards drawn at random (the worst case for caches)."""
    table, rng = load_win_rate_table(turn=True), np.random.default_rng(n_board)
    drawn = np.argsort(rng.random((_READS, 52)), axis=1)[:, :7].astype(np.uint8)
    hole, board = drawn[:, 5:].copy(), drawn[:, :5].copy()
    out = np.empty(_READS)
    return duration(lambda: read(table, hole, board, n_board, out), units=_READS, per_second=1e9)


def _eval7_exact(eval7: Any, count: int, unit: float) -> tuple[str, Measurement]:
    """Time that eval7 takes for ``count`` times one hand against every other on a river, exactly."""
    hand = [eval7.Card(c) for c in ("As", "Ks")]
    board = [eval7.Card(c) for c in ("2c", "7d", "Th", "5s", "5d")]
    villain = eval7.HandRange("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32+")
    once = duration(lambda: eval7.py_hand_vs_range_exact(hand, villain, board), per_second=count * unit)
    return "eval7 exact, hand by hand", once


def _win_rates(eval7: Any) -> list[Row]:
    """Sweeps beside eval7's exact equity of one hand (times hands and boards); reads of the table; building it."""
    river, flop = _eval7_exact(eval7, 1081, 1e6), _eval7_exact(eval7, 1081 * 1176, 1e3)
    figures = [
        measured("river, 1326 v 1326, every hand", "µs", _sweeps(5, 2000, 1e6), river, most=20),
        measured("flop, random v random, every hand", "ms", _sweeps(3, 20, 1e3), flop, most=18),
        measured("one hand v random, river", "µs", _one_hand(), _eval7_exact(eval7, 1, 1e6)),
        measured("turn, random v random, every hand", "ms", _sweeps(4, 200, 1e3)),
    ]
    for n_board, street in ((0, "pre-flop"), (3, "flop"), (4, "turn")):
        for read, how in ((win_rate_batch_kernel, "in a batch"), (read_one_by_one_kernel, "one by one")):
            figures.append(measured(f"win-rate table, a read {how}, {street}", "ns", _reads(read, n_board), most=60))
    build = duration(lambda: build_win_rates(4))
    return [*figures, measured("win-rate table, the turn built", "s", build, rounds=1, most=30)]


def rows() -> list[Row]:
    """The rows of ``dupai bench equity``.

    Raises:
        MissingPackage: eval7 is not installed.
    """
    eval7 = peer_package("eval7")
    # A hand and a flop leave 47 cards: 1,081 hands of the other, each with 990 boards.
    all_hands = _eval7_exact(eval7, 1081, 1e6)
    peer = ("eval7 Monte Carlo, hand v range", _eval7_trials(eval7))
    return [
        measured("hand v hand exact before the flop (rank multisets)", "µs", _matchup(), most=130.0),
        measured("AcAd v KhKs, equity() from Python (table)", "µs", _exact(("AcAd", "KhKs"), "", 200), most=40.0),
        measured("AKs v {QQ+, AK} exact before the flop (table)", "µs", _exact(("AKs", _RANGE), "", 20)),
        measured("AKs v {QQ+, AK} exact on a flop", "µs", _exact(("AKs", _RANGE), "2c7dTh", 20), most=200.0),
        measured("AsKs v random exact on a flop", "µs", _exact(("AsKs", "random"), "2c7dTh", 20), all_hands),
        *_win_rates(eval7),
        measured("Monte Carlo, six random hands", "trials/s", _trials(("random",) * 6), peer, least=15e6),
        measured("Monte Carlo, three weighted ranges", "trials/s", _trials(_THREE), peer, least=5e6),
        measured("Monte Carlo, nine weighted ranges", "trials/s", _trials(_THREE * 3), least=1e6),
        measured("Monte Carlo, hand v range", "trials/s", _trials(("AsKs", _RANGE)), peer),
        measured("1,000 deals against one random hand", "µs", _multiway(1), most=150.0),
        measured("1,000 deals against nine random hands", "µs", _multiway(9), most=150.0),
    ]
