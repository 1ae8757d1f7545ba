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

import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.cards import CLASSES, board_classes
from dupai.equity._kernels.table import ROW, fill_kernel
from dupai.equity._table import ENTRIES, TABLE_FILE, VERSION, build_index

U16 = npt.NDArray[np.uint16]


def build_entries(n_board: int, progress: Progress | None = None, threads: int | None = None) -> tuple[U16, U16] | None:
    """Entries of all boards of 3 or 4 cards, and those of the 169 classes before the flop.

    Args:
        n_board: 3 or 4.
        progress: told of canonical boards done; when it is cancelled the answer is None.
        threads: how many to use; by default one for each core.

    Returns:
        ``uint16[ENTRIES[n_board]]`` and ``uint16[169]``: win rate (ties half) * 65,535.
    """
    watch = progress or NoProgress()
    classes = board_classes(n_board)
    rows = build_index(n_board == 4).rows.reshape(-1, ROW)[-len(classes.boards) :]
    entries = np.zeros(ENTRIES[n_board], np.uint16)
    many = len(classes.boards)
    step = 8 if n_board == 3 else 128
    parts = [(a, min(a + step, many)) for a in range(0, many, step)]
    points = np.zeros((len(parts), CLASSES))
    total = np.zeros((len(parts), CLASSES))

    def work(k: int) -> None:
        if not watch.cancelled:
            fill_kernel(classes, rows, *parts[k], entries, int(rows[0, 0]), points[k], total[k])

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for k, _ in enumerate(pool.map(work, range(len(parts)))):
            if not watch.cancelled:
                watch.report(parts[k][1], many)
    if watch.cancelled:
        return None
    rates = np.floor(points.sum(axis=0) / total.sum(axis=0) * 65535.0 + 0.5).astype(np.uint16)
    return entries, rates


def main(report: Callable[[str], None] | None = None) -> None:
    """Rewrite the file that ships."""
    built = build_entries(3)
    assert built is not None
    flop, preflop = built
    np.savez_compressed(TABLE_FILE, version=np.array(VERSION), entries=np.concatenate([preflop, flop]))
    if report is not None:
        report(f"{TABLE_FILE}: {TABLE_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(print)
