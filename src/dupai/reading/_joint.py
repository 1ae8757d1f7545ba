"""Several hidden hands at once: no two players hold the same card."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.cards import COMBO_CARDS, COMBOS
from dupai.reading._kernels import pair_mass_kernel, triple_mass_kernel

F64 = npt.NDArray[np.float64]

#: Rounds of the approximation for four players and more; the change after three is far below a reading's own error.
_ROUNDS = 4


def joint_marginals(weights: npt.ArrayLike) -> F64:
    """Marginals of independent readings under the condition that no card is held twice.

    The joint probability of hands ``h_1 .. h_n`` is proportional to the product of ``weights[i, h_i]`` where all 2n
    cards differ, else 0. Exact for up to three players. For more, each player's weights are multiplied by the chance
    that each other player (as corrected so far) holds neither card, others taken as independent: a fixed point is
    iterated.

    Args:
        weights: ``float64[n, 1326]``, each row of at least 0, not all 0.

    Returns:
        ``float64[n, 1326]``, rows sum to 1.

    Raises:
        ConfigError: a row is all 0, or the hands cannot be dealt together.
    """
    w = np.ascontiguousarray(weights, np.float64)
    if w.ndim != 2 or w.shape[1] != COMBOS:
        raise ConfigError(f"joint readings: expected weights of shape [n, {COMBOS}], got {list(w.shape)}")
    total = w.sum(axis=1, keepdims=True)
    if not (np.isfinite(total).all() and (total > 0).all() and w.min(initial=0.0) >= 0):
        raise ConfigError("joint readings: every player needs weights of at least 0, not all 0")
    w = np.asarray(w / total)
    n = len(w)
    if n == 1:
        return np.asarray(w)
    out = np.empty_like(w)
    if n == 2:
        pair_mass_kernel(w[1], COMBO_CARDS, out[0])
        pair_mass_kernel(w[0], COMBO_CARDS, out[1])
        return _normalised(w * out)
    if n == 3:
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            triple_mass_kernel(w[j], w[k], COMBO_CARDS, w[i], out[i])
        return _normalised(w * out)
    p: F64 = w
    for _ in range(_ROUNDS):
        free = np.empty_like(w)
        for i in range(n):
            pair_mass_kernel(p[i], COMBO_CARDS, free[i])
        product = np.prod(free, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            others = np.where(free > 0, product / free, 0.0)
        p = _normalised(w * others)
    return p


def _normalised(w: F64) -> F64:
    total = w.sum(axis=1, keepdims=True)
    if not (total > 0).all():
        raise ConfigError("joint readings: these hands cannot be held together, every combination shares a card")
    return np.asarray(w / total)
