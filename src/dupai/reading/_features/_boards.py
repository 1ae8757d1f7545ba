"""The columns of flops and turns in memory: flops from the file that ships, turns as they are needed."""

from __future__ import annotations

import contextlib
import zlib
from functools import cache
from pathlib import Path

import numpy as np

from dupai.base import FileError, cache_root
from dupai.base.arrays import F64, U8, U16, U32
from dupai.base.files import map_file, open_whole, write_whole
from dupai.cards import COMBOS, board_classes
from dupai.equity import load_win_rate_table, win_rates
from dupai.equity.tables import build_index, unpacked_flops
from dupai.reading._features._columns import FEATURE_VERSION
from dupai.reading._features._kernels.boards import (
    COLUMNS,
    BoardTable,
)

#: Columns 1 to 4 of all flops, for each hand up to renaming of suits: made by ``python tools/flop_features.py``.
FLOP_FILE = Path(__file__).parents[1] / "flops.npz"
#: Columns that the file holds: the first is in the win-rate table.
FILE_COLUMNS = 4


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


@cache
def board_table() -> BoardTable:
    """The table of the process. Boards are filled in as they are needed (all of them: 209 MB); turns stay in a file of
    the cache folder for the next process."""
    flops, turns = len(board_classes(3).boards), len(board_classes(4).boards)
    columns, sums = _kept_turns(turns)
    return BoardTable(
        *build_index(True), top_ranges(), _flops(), columns, np.zeros((flops + turns, 2), np.float32),
        np.zeros(flops + turns, np.bool_), sums,
    )  # fmt: skip


def _kept_turns(turns: int) -> tuple[U8, U32]:
    """The columns of turns and a sum of those of each board (0: not there yet), which tells a board that was not
    written whole; in memory alone where the file cannot be used."""
    size = turns * COMBOS * COLUMNS
    path = cache_root() / "tables" / f"turns-{FEATURE_VERSION}.bin"
    with contextlib.suppress(OSError, ValueError, FileError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.stat().st_size != size + 4 * turns:
            with open_whole(path, "wb") as file:
                file.truncate(size + 4 * turns)
        kept = map_file(path, np.uint8, "r+")
        return kept[:size].reshape(turns, COMBOS, COLUMNS), kept[size:].view(np.uint32)
    return np.zeros((turns, COMBOS, COLUMNS), np.uint8), np.zeros(turns, np.uint32)


def _flops() -> U16:
    """``flops`` of :class:`BoardTable`, all columns but the last two: from a file of the cache folder, which processes
    share and which is read ten times as fast as the one that ships."""
    path = cache_root() / "tables" / f"flops-{FEATURE_VERSION}.bin"
    with contextlib.suppress(OSError, ValueError, FileError):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            columns = _unpacked_columns()
            write_whole(path, columns.tobytes() + _checked(columns))
            # Never a second copy beside the file.
            del columns
        kept: U16 = map_file(path, np.uint16, "r+")
        if kept[-2:].tobytes() == _checked(kept[:-2]):
            return kept[:-2].reshape(-1, COMBOS, COLUMNS)
        path.unlink()
    return _unpacked_columns()


def _checked(columns: U16) -> bytes:
    # The last two are filled in by all processes as they are needed, with the same numbers.
    shipped = columns.reshape(-1, COLUMNS)[:, : FILE_COLUMNS + 1]
    return zlib.crc32(np.ascontiguousarray(shipped).data).to_bytes(4, "little")


def _unpacked_columns() -> U16:
    columns = np.zeros((len(board_classes(3).boards), COMBOS, COLUMNS), np.uint16)
    entries = load_win_rate_table(False).entries
    columns[..., 0] = entries[-len(columns) * COMBOS :].reshape(columns.shape[:2])
    with np.load(FLOP_FILE, allow_pickle=False) as file:
        for k, packed in enumerate(file["columns"], 1):
            columns[..., k] = unpacked_flops(packed).reshape(columns.shape[:2])
    return columns
