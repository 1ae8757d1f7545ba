"""The luck of decisions in play-outs: networks of values of actions, ``baseline.npz``, made by ``python
tools/value_networks.py``, one for each street.

They see all cards, also those to come. How good they are decides how much noise goes, not what values are on average.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from dupai.base import one_blas_thread
from dupai.base.arrays import F32, F64, I64
from dupai.playouts._kernels.baseline import VALUE_SIZES, luck_kernel
from dupai.playouts._layout import Faced
from dupai.reading.features import ACTION_CLASSES

BASELINE_FILE = Path(__file__).with_name("baseline.npz")
#: Decisions that are looked at together.
_BATCH = 512


@cache
def value_networks() -> tuple[tuple[F32, ...], ...]:
    """By street: weights and biases of three layers."""
    with np.load(BASELINE_FILE, allow_pickle=False) as file:
        return tuple(tuple(file[f"{street}/{k}"] for k in range(6)) for street in range(4))


def room_for(n: int) -> Faced:
    """Working memory for so many decisions."""
    x, per_class = np.zeros((n, VALUE_SIZES[1]), np.float32), (n, ACTION_CLASSES)
    numbers = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
    return Faced(x, np.zeros(per_class), np.zeros(per_class), *numbers)


def add_luck(faced: Faced, ends: I64, luck: F64) -> None:
    """Add the luck of decisions to ``luck`` ``float64[lanes]``, in chips; ``ends``: where those of each street end."""
    begin = 0
    for street, end in enumerate(ends.tolist()):
        layers = value_networks()[street]
        for at in range(begin, end, _BATCH):
            x = faced.x[at : min(at + _BATCH, end), : VALUE_SIZES[street > 0]]
            with one_blas_thread:
                for k in (0, 2):
                    x = np.maximum(x @ layers[k] + layers[k + 1], 0)
                worth = x @ layers[4] + layers[5]
            luck_kernel(worth, faced, at, luck)
        begin = end
