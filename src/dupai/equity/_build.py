"""Builds the win-rate table: ``python -m dupai.equity._build`` rewrites ``winrates.npz``, the part that ships.

Every canonical board is swept once with all hands against all hands (:mod:`dupai.equity._kernels.sweep`), which gives
the exact win rate of every hand against one uniform hand; an entry is that number times 65,535, rounded. The rates of
the 169 classes before the flop are sums of the same sweeps. The turn's entries (28 MB) are built by the same code into
the cache folder when they are first needed. The result does not depend on the machine or on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.equity._iso import COMBO_PERMUTED, SUIT_PERMUTATIONS
from dupai.equity._kernels.table import KINDS, WORDS, fill_kernel, index_kernel

U16 = npt.NDArray[np.uint16]

#: Where the pre-flop and flop entries lie in the package.
TABLE_FILE = Path(__file__).with_name("winrates.npz")
#: Number of the table's layout and contents: raised when either changes, so that built files are not mistaken.
VERSION = 1
#: Canonical boards and entries, by number of board cards.
CANONICAL_BOARDS = {3: 1_755, 4: 16_432}
ENTRIES = {3: 1_286_792, 4: 13_960_050}
_BOARDS = {3: 22_100, 4: 270_725}


class Index(NamedTuple):
    """The index of the boards of one street (see :class:`dupai.equity.WinRateTable`), with what building needs."""

    word: npt.NDArray[np.uint32]
    boards: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.uint64]
    start: npt.NDArray[np.int32]
    size: npt.NDArray[np.int16]
    representative: npt.NDArray[np.int16]


def build_index(n_board: int) -> Index:
    """Index of the boards of 3 or 4 cards; a tenth of a second for the turn."""
    many = CANONICAL_BOARDS[n_board]
    word = np.zeros(_BOARDS[n_board], np.uint32)
    boards = np.zeros((many, n_board), np.uint8)
    rows = np.zeros((many, WORDS), np.uint64)
    start = np.zeros(many, np.int32)
    size = np.zeros(many, np.int16)
    representative = np.zeros((KINDS, 1326), np.int16)
    found, kinds, entries = index_kernel(
        n_board, SUIT_PERMUTATIONS, COMBO_PERMUTED, word, boards, rows, start, size, representative
    )
    if (found, entries) != (many, ENTRIES[n_board]):
        raise AssertionError(f"{found} canonical boards and {entries} entries for {n_board} cards")
    return Index(word, boards, rows, start, size, representative[:kinds].copy())


def build_entries(
    n_board: int, index: Index, progress: Progress | None = None, threads: int | None = None
) -> tuple[U16, U16] | None:
    """Entries of all boards of 3 or 4 cards, and those of the 169 classes before the flop.

    Args:
        n_board: 3 or 4.
        index: of :func:`build_index`.
        progress: told of canonical boards done; when it is cancelled the answer is None.
        threads: how many to use; by default one for each core.

    Returns:
        ``uint16[ENTRIES[n_board]]`` and ``uint16[169]``: win rate (ties half) * 65,535.
    """
    watch = progress or NoProgress()
    many = CANONICAL_BOARDS[n_board]
    entries = np.zeros(ENTRIES[n_board], np.uint16)
    step = 8 if n_board == 3 else 128
    ranges = [(a, min(a + step, many)) for a in range(0, many, step)]
    points = np.zeros((len(ranges), 169))
    total = np.zeros((len(ranges), 169))

    def work(k: int) -> None:
        if not watch.cancelled:
            fill_kernel(
                n_board, index.boards, index.rows, index.start, *ranges[k], entries, index.size, points[k], total[k]
            )

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for k, _ in enumerate(pool.map(work, range(len(ranges)))):
            watch.report(ranges[k][1], many)
    if watch.cancelled:
        return None
    classes = np.floor(points.sum(axis=0) / total.sum(axis=0) * 65535.0 + 0.5).astype(np.uint16)
    return entries, classes


def main(report: Callable[[str], None] | None = None) -> None:
    """Rewrite the file that ships."""
    built = build_entries(3, build_index(3))
    assert built is not None
    flop, preflop = built
    np.savez_compressed(TABLE_FILE, version=np.array(VERSION), preflop=preflop, flop=flop)
    if report is not None:
        report(f"{TABLE_FILE}: {TABLE_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(print)
