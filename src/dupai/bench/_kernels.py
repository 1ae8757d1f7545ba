"""Loops that only benchmarks need."""

from dupai.base import kernel
from dupai.equity import win_rate_kernel


@kernel
def read_one_by_one_kernel(table, hole, board, n_board, out):
    """:func:`dupai.equity.win_rate_kernel` by rows of ``hole`` (``uint8[n, 2]``) and ``board`` (``uint8[n, 5]``)."""
    for i in range(out.size):
        out[i] = win_rate_kernel(table, hole[i, 0], hole[i, 1], board[i], n_board)
