"""Regret matching for sixteen hands, and nodes whose strategy keeps within bounds.

At a bounded node regrets are over the corners, the extreme strategies that the bounds allow. Such a node has a
*record*, ``int64[3]``: the number of corners, the address of ``float32[corners, actions, hands]`` and that of the
regrets, ``float32[corners, hands]``.
"""

import numpy as np

from dupai.base import kernel
from dupai.cfr.postflop._kernels import simd


@kernel
def load_number(base, i, half):
    """Sixteen numbers of the storage from the i-th on: float32, or float16."""
    return simd.load_half(base + 2 * i) if half else simd.load(base + 4 * i)


@kernel
def matching(total, even):
    """Regret matching from the sum ``total`` of positive regrets: (factor, rest), so that an action has the share
    regret * factor + rest: in proportion to positive regrets, or ``even`` if there are none."""
    zero = simd.splat(np.float32(0.0))
    some = total - simd.splat(np.float32(1e-30))
    factor = simd.pick(some, simd.splat(np.float32(1.0)) / total, zero)
    return factor, simd.pick(some, zero, even)


@kernel
def _positive(regret):
    return simd.maximum(simd.load(regret), simd.splat(np.float32(0.0)))


@kernel
def _bounded(record, row, h):
    """Regret matching over the corners of a bounded node, for sixteen hands."""
    corners = simd.load64(record)
    regret = simd.load64(record + 16)
    total = simd.splat(np.float32(0.0))
    for v in range(corners):
        total = total + _positive(regret + 4 * (v * row + h))
    return matching(total, simd.splat(np.float32(1.0) / np.float32(corners)))


@kernel
def _bounded_share(record, row, h, k, a, factor, rest):
    """How often sixteen hands take action ``a`` at a bounded node: a mixture of its corners."""
    matrix = simd.load64(record + 8)
    regret = simd.load64(record + 16)
    out = simd.splat(np.float32(0.0))
    for v in range(simd.load64(record)):
        share = simd.fma(_positive(regret + 4 * (v * row + h)), factor, rest)
        out = simd.fma(share, simd.load(matrix + 4 * ((v * k + a) * row + h)), out)
    return out


@kernel
def bounded_down(record, row, k, source, out, step):
    """Reach below a bounded node of the opponent."""
    for h in range(0, row, 16):
        factor, rest = _bounded(record, row, h)
        w = simd.load(source + 4 * h)
        for a in range(k):
            simd.store(out + step * a + 4 * h, w * _bounded_share(record, row, h, k, a, factor, rest))


@kernel
def _corner_value(record, row, h, k, v, children, step):
    """Values of sixteen hands at a bounded node by its corner ``v``."""
    matrix = simd.load64(record + 8)
    value = simd.splat(np.float32(0.0))
    for a in range(k):
        share = simd.load(matrix + 4 * ((v * k + a) * row + h))
        value = simd.fma(simd.load(children + step * a + 4 * h), share, value)
    return value


@kernel
def bounded_up(record, row, k, base, children, out, step, sums, half, mode, discount):
    """Value of a bounded node of the traverser: its corners are mixed (mode 0, with updates) or the best one is
    taken. ``discount``: factors of positive regrets, negative regrets and sums."""
    corners = simd.load64(record)
    regret = simd.load64(record + 16)
    positive, negative = simd.splat(np.float32(discount[0])), simd.splat(np.float32(discount[1]))
    fade = simd.splat(np.float32(discount[2]))
    for h in range(0, row, 16):
        factor, rest = _bounded(record, row, h)
        value = simd.splat(np.float32(0.0))
        for v in range(corners):
            worth = _corner_value(record, row, h, k, v, children, step)
            if mode == 1:
                value = worth if v == 0 else simd.maximum(value, worth)
            else:
                value = simd.fma(simd.fma(_positive(regret + 4 * (v * row + h)), factor, rest), worth, value)
        simd.store(out + 4 * h, value)
        if mode == 0:
            for a in range(k):
                i = base + a * row + h
                s = simd.fma(load_number(sums, i, half), fade, _bounded_share(record, row, h, k, a, factor, rest))
                if half:
                    simd.store_half(sums + 2 * i, s)
                else:
                    simd.store(sums + 4 * i, s)
            for v in range(corners):
                i = regret + 4 * (v * row + h)
                r = simd.load(i)
                gain = _corner_value(record, row, h, k, v, children, step) - value
                simd.store(i, simd.fma(r, simd.pick(r, positive, negative), gain))
