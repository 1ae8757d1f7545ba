"""The columns of flops and turns in memory: flops from the file that ships, turns as they are needed."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import numpy as np

from dupai.base.arrays import F64, U8, U16
from dupai.cards import COMBOS, board_array, board_classes
from dupai.equity import build_index, load_win_rate_table, unpacked_flops, win_rates
from dupai.reading._features._kernels.boards import (
    COLUMNS,
    BoardTable,
    canonical_kernel,
    columns_kernel,
    fill_kernel,
    flop_columns_kernel,
)

#: Columns 1 to 4 of all flops, for each hand up to renaming of suits: made by ``python tools/flop_features.py``.
FLOP_FILE = Path(__file__).parents[1] / "flops.npz"
#: Columns that the file holds: the first is in the win-rate table.
FILE_COLUMNS = 4
_lock = threading.Lock()


@cache
def top_ranges() -> F64:
    """``float64[3, 1326]``: all hands, the 40 % and the 12 % with the best win rates before the flop."""
    rates = np.round(win_rates(None), 9)  # those of a class are equal
    top = np.ones((3, COMBOS))
    for row, size in ((1, 530), (2, 159)):
        # Whole classes, so that the names of suits do not matter.
        top[row] = rates >= np.sort(rates)[-size]
    top.flags.writeable = False
    return top


class Boards:
    """The columns of boards of the process; memory is used for boards that were needed (185 MB for all)."""

    def __init__(self) -> None:
        flops, turns = len(board_classes(3).boards), len(board_classes(4).boards)
        self._packed = _flops()
        self.table = BoardTable(
            *build_index(True),
            np.zeros((flops, COMBOS, COLUMNS), np.uint16),
            np.zeros((turns, COMBOS, COLUMNS), np.uint8),
            np.zeros((flops + turns, 2), np.float32),
            np.zeros(flops + turns, np.bool_),
        )

    def filled(self, cards: tuple[int, ...]) -> BoardTable:
        """The table, with the board where it is a flop (what a model's features are computed from)."""
        if len(cards) == 3:
            self.fill(board_array(cards), 3)
        return self.table

    def fill(self, board: U8, n: int) -> None:
        """Make sure that the columns of a flop or a turn (``uint8[5]``, ``n`` cards) are there."""
        at = int(canonical_kernel(self.table, board, n))
        if self.table.filled[at]:
            return
        columns = np.empty((COMBOS, COLUMNS))
        if n == 3:
            # The canonical board, as the file has it.
            board = np.zeros(5, np.uint8)
            board[:3] = board_classes(3).boards[at]
            flop_columns_kernel(board, self._packed[at], columns)
        else:
            columns_kernel(board, n, top_ranges(), columns)
        with _lock:
            fill_kernel(self.table, board, n, columns)
            self.table.filled[at] = True


@cache
def boards() -> Boards:
    """The one of the process."""
    return Boards()


def board_table(flops: bool = False) -> BoardTable:
    """The table of the process, for kernels; with ``flops`` all flops are in it (a second, once)."""
    known = boards()
    if flops:
        for cards in board_classes(3).boards.tolist():
            known.fill(board_array(cards), 3)
    return known.table


def _flops() -> U16:
    """``uint16[1755, 1326, 5]``: what :func:`flop_columns_kernel` takes of each canonical flop."""
    columns = np.empty((len(board_classes(3).boards), COMBOS, 1 + FILE_COLUMNS), np.uint16)
    entries = load_win_rate_table(False).entries
    columns[..., 0] = entries[-columns[..., 0].size :].reshape(columns.shape[:2])
    with np.load(FLOP_FILE, allow_pickle=False) as file:
        for k, packed in enumerate(file["columns"], 1):
            columns[..., k] = unpacked_flops(packed).reshape(columns.shape[:2])
    return columns
