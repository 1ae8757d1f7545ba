"""The length of a sequential test, approximately."""

from __future__ import annotations

import math


def expected_blocks(t: float, bounds: tuple[float, float], alpha: float = 0.05, beta: float = 0.05) -> float:
    """About how many blocks the test takes when the truth is ``t``.

    Wald's approximation for a random walk with drift ``(high - low) (t - middle)`` and variance ``(high - low)^2`` a
    block; :class:`Sprt` takes ``least`` blocks at least.
    """
    low, high = bounds
    down, up = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    width = high - low
    drift = width * (t - (low + high) / 2)
    if abs(drift) < 1e-12:
        return -down * up / width**2
    # Far from the bounds the test ends at one of them for certain: exponents beyond this make no difference.
    most = 600 / max(up, -down)
    h = min(max(-2 * drift / width**2, -most), most)
    reach = (1 - math.exp(h * down)) / (math.exp(h * up) - math.exp(h * down))
    return (reach * up + (1 - reach) * down) / drift
