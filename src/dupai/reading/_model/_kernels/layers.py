"""What a layer does to each unit by itself, in one pass over the hands."""

import numpy as np

from dupai.base import kernel


@kernel
def shifted_kernel(hands, gain, shift, out):
    """``out = max(hands * gain + shift, 0)`` (``float32[n, width]``, gain and shift by unit)."""
    zero = np.float32(0)
    for i in range(hands.shape[0]):
        for j in range(hands.shape[1]):
            out[i, j] = max(hands[i, j] * gain[j] + shift[j], zero)


@kernel
def above_kernel(units, bias):
    """``units = max(units + bias, 0)`` in place (``float32[n, width]``, bias by unit)."""
    zero = np.float32(0)
    for i in range(units.shape[0]):
        for j in range(units.shape[1]):
            units[i, j] = max(units[i, j] + bias[j], zero)


@kernel
def scaled_kernel(hands, by, of):
    """``hands = max(hands * gain + shift, 0)`` in place (``float32[n, width]``); gain and shift of hand ``i`` are the
    first columns of row ``of[i]`` of ``by``."""
    zero = np.float32(0)
    width = hands.shape[1]
    for i in range(hands.shape[0]):
        row = by[of[i]]
        for j in range(width):
            hands[i, j] = max(hands[i, j] * row[j] + row[width + j], zero)


@kernel
def summed_kernel(units, by, of, first, cut):
    """``units += by`` in place (``float32[n, width]``): to row ``i`` row ``of[i]`` of ``by`` from column ``first`` on;
    with ``cut`` nothing stays below 0."""
    low = np.float32(0.0 if cut else -np.inf)
    for i in range(units.shape[0]):
        row = by[of[i]]
        for j in range(units.shape[1]):
            units[i, j] = max(units[i, j] + row[first + j], low)
