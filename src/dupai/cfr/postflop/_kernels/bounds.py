"""Nodes whose strategy keeps within bounds: regrets are over its corners, the extreme strategies that the bounds allow.

A bounded node has a *record*, ``int64[3]``: the number of corners, the address of ``float32[corners, actions, hands]``
and that of the regrets, ``float32[corners, hands]``.
"""

import numpy as np

from dupai.base import kernel
from dupai.cfr.postflop._kernels.simd import (
    load64,
    splat,
    vadd,
    vdiv,
    vfma,
    vload,
    vload_half,
    vmax,
    vmul,
    vpick,
    vstore,
    vstore_half,
    vsub,
)


@kernel
def load_number(base, i, half):
    """Sixteen numbers of the storage from the i-th on: float32, or float16."""
    return vload_half(base + 2 * i) if half else vload(base + 4 * i)


@kernel
def _bounded(record, row, h):
    """Sums of positive regrets over the corners of a bounded node, for sixteen hands."""
    zero = splat(np.float32(0.0))
    corners = load64(record)
    regret = load64(record + 16)
    total = zero
    for v in range(corners):
        total = vadd(total, vmax(vload(regret + 4 * (v * row + h)), zero))
    return total


@kernel
def _bounded_share(record, row, h, k, a, inverse, rest):
    """How often sixteen hands take action ``a`` at a bounded node: a mixture of its corners."""
    zero = splat(np.float32(0.0))
    corners = load64(record)
    matrix = load64(record + 8)
    regret = load64(record + 16)
    out = zero
    for v in range(corners):
        share = vfma(vmax(vload(regret + 4 * (v * row + h)), zero), inverse, rest)
        out = vfma(share, vload(matrix + 4 * ((v * k + a) * row + h)), out)
    return out


@kernel
def bounded_down(record, row, k, come, go, step):
    """Reach below a bounded node of the other."""
    zero = splat(np.float32(0.0))
    one = splat(np.float32(1.0))
    tiny = splat(np.float32(1e-30))
    even = splat(np.float32(1.0) / np.float32(load64(record)))
    for h in range(0, row, 16):
        total = _bounded(record, row, h)
        some = vsub(total, tiny)
        inverse = vpick(some, vdiv(one, total), zero)
        rest = vpick(some, zero, even)
        w = vload(come + 4 * h)
        for a in range(k):
            vstore(go + step * a + 4 * h, vmul(w, _bounded_share(record, row, h, k, a, inverse, rest)))


@kernel
def bounded_up(record, row, k, base, come, out, step, sums, half, mode, alpha, beta, gamma):
    """Value of a bounded node of mine: its corners are mixed (mode 0, with updates) or the best one is taken."""
    zero = splat(np.float32(0.0))
    one = splat(np.float32(1.0))
    tiny = splat(np.float32(1e-30))
    corners = load64(record)
    matrix = load64(record + 8)
    regret = load64(record + 16)
    even = splat(np.float32(1.0) / np.float32(corners))
    va = splat(np.float32(alpha))
    vb = splat(np.float32(beta))
    vg = splat(np.float32(gamma))
    for h in range(0, row, 16):
        total = _bounded(record, row, h)
        some = vsub(total, tiny)
        inverse = vpick(some, vdiv(one, total), zero)
        rest = vpick(some, zero, even)
        value = zero
        for v in range(corners):
            worth = zero
            for a in range(k):
                worth = vfma(vload(come + step * a + 4 * h), vload(matrix + 4 * ((v * k + a) * row + h)), worth)
            if mode == 1:
                value = worth if v == 0 else vmax(value, worth)
            else:
                share = vfma(vmax(vload(regret + 4 * (v * row + h)), zero), inverse, rest)
                value = vfma(share, worth, value)
        vstore(out + 4 * h, value)
        if mode == 0:
            for a in range(k):
                i = base + a * row + h
                share = _bounded_share(record, row, h, k, a, inverse, rest)
                s = vfma(load_number(sums, i, half), vg, share)
                if half:
                    vstore_half(sums + 2 * i, s)
                else:
                    vstore(sums + 4 * i, s)
            for v in range(corners):
                worth = zero
                for a in range(k):
                    worth = vfma(vload(come + step * a + 4 * h), vload(matrix + 4 * ((v * k + a) * row + h)), worth)
                i = regret + 4 * (v * row + h)
                r = vload(i)
                vstore(i, vfma(r, vpick(r, va, vb), vsub(worth, value)))
