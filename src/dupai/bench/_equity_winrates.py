"""Rows of ``dupai bench equity`` about win rates: every hand in one sweep, and reads of the win-rate table."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import numpy as np

from dupai.bench._kernels import read_one_by_one_kernel
from dupai.bench._row import REFERENCE_EVAL7, Row, eval7_round, interleave
from dupai.equity import (
    WinRateTable,
    build_win_rates,
    load_win_rate_table,
    river_hand_kernel,
    sweep_kernel,
    win_rate_batch_kernel,
)

_BOARDS = 20
_READS = 200_000


def sweeps(n_board: int, boards: int = _BOARDS) -> Callable[[], float]:
    """Seconds for every hand against random weights of every hand, on random boards."""
    rng = np.random.default_rng(n_board)
    drawn = [rng.permutation(52)[:5].astype(np.uint8) for _ in range(boards)]
    weights = rng.random(1326)
    out = [np.empty(1326) for _ in range(3)]

    def once() -> float:
        start = time.perf_counter()
        for board in drawn:
            sweep_kernel(board, n_board, weights, *out)
        return (time.perf_counter() - start) / boards

    return once


def one_hand() -> Callable[[], float]:
    """Seconds for the win rate of one hand on a river, by the kernel called from Python."""
    rng = np.random.default_rng(1)
    drawn = [rng.permutation(52)[:7].astype(np.uint8) for _ in range(2000)]
    hands = [(int(d[5]), int(d[6]), d[:5].copy()) for d in drawn]

    def once() -> float:
        start = time.perf_counter()
        for a, b, board in hands:
            river_hand_kernel(a, b, board)
        return (time.perf_counter() - start) / len(hands)

    return once


def reads(read: Callable[..., None], table: WinRateTable, n_board: int) -> Callable[[], float]:
    """Seconds for one read of the table in a kernel, of hands and boards drawn at random (the worst for caches)."""
    rng = np.random.default_rng(n_board)
    drawn = np.argsort(rng.random((_READS, 52)), axis=1)[:, :7].astype(np.uint8)
    hole, board = drawn[:, 5:].copy(), drawn[:, :5].copy()
    out = np.empty(_READS)

    def once() -> float:
        start = time.perf_counter()
        read(table, hole, board, n_board, out)
        return (time.perf_counter() - start) / _READS

    return once


def eval7_exact(board: str) -> Callable[[], float]:
    """Seconds that eval7 takes for one hand against every other on a board, exactly."""
    import eval7

    hand = [eval7.Card(c) for c in ("As", "Ks")]
    table = [eval7.Card(board[i : i + 2]) for i in range(0, len(board), 2)]
    villain = eval7.HandRange("22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32+")

    def once() -> float:
        start = time.perf_counter()
        eval7.py_hand_vs_range_exact(hand, villain, table)
        return time.perf_counter() - start

    return once


def _build() -> float:
    start = time.perf_counter()
    build_win_rates(4)
    return time.perf_counter() - start


def _plain_row(name: str, unit: str, per_second: float, ours: Callable[[], float]) -> Row:
    return Row(name=name, value=interleave(ours, None)[0] * per_second, unit=unit)


def _goal_row(
    name: str,
    unit: str,
    per_second: float,
    ours: Callable[[], float],
    most: float,
    reference: Callable[[], float],
    rounds: int = 5,
) -> Row:
    """A row with a goal for the reference machine, scaled by what eval7 does in the same rounds."""
    mine, theirs, _ = interleave(ours, reference, rounds=rounds)
    limit = most * REFERENCE_EVAL7 / theirs
    return Row(name=name, value=mine * per_second, unit=unit, goal=f"<= {limit:.3g}", ok=mine * per_second <= limit)


def _beside(row: Row, per_second: float, ours: Callable[[], float], peer: Callable[[], float], times: int) -> Row:
    """The row with eval7's exact equity of one hand in turn with ours, for as many hands and boards as ours does."""
    _, theirs, ratio = interleave(ours, peer)
    return msgspec.structs.replace(
        row, peer="eval7 exact, hand by hand", peer_value=theirs * times * per_second, ratio=times / ratio
    )


def rows_winrates() -> list[Row]:
    """Sweeps beside eval7's exact equity of one hand (times hands and boards), reads of the table, building the turn.

    Raises:
        ConfigError: eval7 is not installed.
    """
    eval7 = eval7_round()
    table = load_win_rate_table(turn=True)
    river, flop, hand, peer = sweeps(5, 2000), sweeps(3), one_hand(), eval7_exact("2c7dTh5s5d")
    river_row = _goal_row("river, 1326 v 1326, every hand", "µs", 1e6, river, 20, eval7)
    flop_row = _goal_row("flop, random v random, every hand", "ms", 1e3, flop, 18, eval7)
    found = [
        _beside(river_row, 1e6, river, peer, 1081),
        _beside(flop_row, 1e3, flop, peer, 1081 * 1176),
        _beside(_plain_row("one hand v random, river", "µs", 1e6, hand), 1e6, hand, peer, 1),
        _plain_row("turn, random v random, every hand", "ms", 1e3, sweeps(4, 200)),
    ]
    for n_board, street in ((0, "pre-flop"), (3, "flop"), (4, "turn")):
        for read, how in ((win_rate_batch_kernel, "in a batch"), (read_one_by_one_kernel, "one by one")):
            work = reads(read, table, n_board)
            found.append(_goal_row(f"win-rate table, a read {how}, {street}", "ns", 1e9, work, 60, eval7))
    found.append(_goal_row("win-rate table, the turn built", "s", 1.0, _build, 30, eval7, rounds=1))
    return found
