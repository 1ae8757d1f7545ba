"""Rewrites ``winrates.npz``, the part of the win-rate table that ships: ``python tools/win_rates.py``."""

from __future__ import annotations

import numpy as np

from dupai.base.files import open_whole
from dupai.equity._build import SHIPPED_VERSION, TABLE_FILE, build_entries
from dupai.equity.tables import packed_flops


def main() -> None:
    """Rewrite the file that ships."""
    built = build_entries(3)
    assert built is not None
    flop, preflop = built
    packed = packed_flops(flop)
    with open_whole(TABLE_FILE, "wb") as file:
        np.savez_compressed(file, version=np.array(SHIPPED_VERSION), entries=np.concatenate([preflop, packed]))
    print(f"{TABLE_FILE}: {TABLE_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
