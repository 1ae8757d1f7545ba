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
