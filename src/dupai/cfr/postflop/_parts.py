"""Checks of a solver's exploitability, and when they are due."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec


class Check(msgspec.Struct, frozen=True):
    """Exploitability in chips after some iterations, and the seconds spent so far."""

    iterations: int
    exploitability: float
    seconds: float


def reached(done: int, share: float, target: float) -> int:
    """Iterations after which the target may be reached: exploitability falls about with their square."""
    return done + 1 if share <= target else math.ceil(done * math.sqrt(share / target))


def last_useful(done: int, most: int) -> int:
    """The last iteration worth doing after ``done`` if ``most`` is the limit.

    The sums of the average strategy begin anew at 16, 64, 256, ... iterations, and until half as many have followed the
    new average is worse than the one before. A limit in between means the number where they would begin anew.
    """
    power = 16
    while power * 4 <= most:
        power *= 4
    return power if done <= power <= most < power * 3 // 2 else most


def next_check(done: int, share: float, target: float, curve: Sequence[Check]) -> int:
    """The iteration of the next check: never just after the sums were reset (at powers of 4)."""
    if not curve:
        return max(done + 1, 20)
    stop = min(max(done + 4, math.ceil(0.97 * reached(done, share, target))), done + max(4, done * 3 // 5))
    power = 16
    while power <= stop:
        if done < power:
            return power
        stop = max(stop, power * 5 // 4)
        power *= 4
    return stop
