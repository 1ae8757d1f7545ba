"""Rewrites ``flops.npz``, how hands stand on all flops: ``python tools/flop_features.py`` (a minute)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from dupai.base.files import open_whole
from dupai.cards import COMBOS, board_array, board_classes
from dupai.equity.tables import packed_flops
from dupai.reading._features._boards import FILE_COLUMNS, FLOP_FILE, top_ranges
from dupai.reading._features._kernels.boards import COLUMNS, columns_kernel


def main() -> None:
    """Rewrite the file that ships."""
    flops = board_classes(3).boards
    columns = np.zeros((FILE_COLUMNS, len(flops), COMBOS), np.uint16)

    def work(at: int) -> None:
        out = np.empty((COMBOS, COLUMNS))
        columns_kernel(board_array(flops[at].tolist()), 3, top_ranges(), out)
        columns[:, at] = np.rint(out[:, 1 : 1 + FILE_COLUMNS].T * 65535.0)
        # Of these no percentile is taken: in steps of a thousandth the file is a third smaller.
        columns[1:, at] = np.minimum((columns[1:, at].astype(np.int64) + 32) // 64 * 64, 65535)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(work, range(len(flops))))
    packed = np.array([packed_flops(entries.ravel()) for entries in columns])
    with open_whole(FLOP_FILE, "wb") as file:
        np.savez_compressed(file, columns=packed)
    print(f"{FLOP_FILE}: {FLOP_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
