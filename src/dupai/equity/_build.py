"""Counts the entries of the win-rate table; ``tools/win_rates.py`` writes the part that ships, ``winrates.npz``.

One sweep of each canonical board with all hands against all hands (:mod:`dupai.equity._kernels.sweep`) gives the exact
win rate of every hand against one uniform hand; an entry is that number times 65,535, rounded. The rates of the 169
classes before the flop are sums of the same sweeps. The same code builds the turn's entries (44 MB) into the cache
folder when they are first needed. The result depends neither on the machine nor on the number of threads.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dupai.base import NoProgress, Progress
from dupai.base.arrays import U16, U32
from dupai.cards import CLASSES, COMBOS, board_classes
from dupai.cards.kernels import COMBO_PERMUTED
from dupai.equity._kernels.table import MAP, fill_kernel, unpack_kernel

#: Where the pre-flop and flop entries lie in the package.
TABLE_FILE = Path(__file__).with_name("winrates.npz")
#: Number of the layout and contents of the file that ships, and of the table that is built: raised when either
#: changes, so that other files are not mistaken.
SHIPPED_VERSION, VERSION = 1, 2
#: Entries by number of board cards: one for each combo on each canonical board.
ENTRIES = {0: CLASSES, 3: 1_755 * COMBOS, 4: 16_432 * COMBOS}
#: Entries of flops in the file that ships: one for each hand up to renaming of suits.
PACKED = 1_286_792


class Index(NamedTuple):
    """The index of flops, or of flops and turns: two of the arrays of :class:`dupai.equity.WinRateTable`."""

    word: U32
    maps: U16


def build_index(turn: bool) -> Index:
    """The index of all flops (``turn=False``, milliseconds) or of flops and turns (a tenth of a second)."""
    maps = np.zeros((24, MAP), np.uint16)
    maps[:, :COMBOS] = COMBO_PERMUTED
    words: list[U32] = []
    before = 0
    for n in (3, 4) if turn else (3,):
        classes = board_classes(n)
        words.append((classes.class_of.astype(np.uint32) + np.uint32(before)) << np.uint32(5) | classes.permutation)
        before += len(classes.boards)
    return Index(np.concatenate(words), maps.ravel())


def unpacked_flops(packed: U16) -> U16:
    """Numbers of all 1326 hands on all flops (``ENTRIES[3]``; 0 where a hand is blocked) from those of hands up to
    renaming of suits (``PACKED``)."""
    entries = np.zeros(ENTRIES[3], np.uint16)
    unpack_kernel(board_classes(3), packed, entries)
    return entries


def packed_flops(entries: U16) -> U16:
    """What :func:`unpacked_flops` gives ``entries`` from, as in the file that ships."""
    number = np.full(ENTRIES[3], -1, np.int64)
    unpack_kernel(board_classes(3), np.arange(PACKED), number)
    return np.asarray(entries[np.unique(number, return_index=True)[1][1:]])


def build_entries(n_board: int, progress: Progress | None = None, threads: int | None = None) -> tuple[U16, U16] | None:
    """Entries of all boards of 3 or 4 cards, and those of the 169 classes before the flop.

    Args:
        n_board: 3 or 4.
        progress: receives the number of canonical boards done; the result is None when it is cancelled.
        threads: by default one for each core.

    Returns:
        ``uint16[ENTRIES[n_board]]`` and ``uint16[169]``: win rate (ties half) * 65,535.
    """
    watch = progress or NoProgress()
    classes = board_classes(n_board)
    entries = np.zeros(ENTRIES[n_board], np.uint16)
    many = len(classes.boards)
    step = 8 if n_board == 3 else 128
    parts = [(a, min(a + step, many)) for a in range(0, many, step)]
    points = np.zeros((len(parts), CLASSES))
    total = np.zeros((len(parts), CLASSES))

    def work(k: int) -> None:
        if not watch.cancelled:
            fill_kernel(classes, *parts[k], entries, points[k], total[k])

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for k, _ in enumerate(pool.map(work, range(len(parts)))):
            if not watch.cancelled:
                watch.report(parts[k][1], many)
    if watch.cancelled:
        return None
    rates = np.floor(points.sum(axis=0) / total.sum(axis=0) * 65535.0 + 0.5).astype(np.uint16)
    return entries, rates


def build_win_rates(n_board: int, progress: Progress | None = None, threads: int | None = None) -> U16 | None:
    """Count the table's entries for all boards of 3 or 4 cards anew (seconds); arguments as :func:`build_entries`."""
    built = build_entries(n_board, progress, threads)
    return None if built is None else built[0]
