"""Parts of a solver: values at a depth limit, the choice before a subgame, checks and when they are due."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec
import numpy.typing as npt

from dupai.base import F64


class LeafValue(NamedTuple):
    """The argument of a depth-limited solver's value callback (see :class:`SpotSolver`)."""

    player: int
    #: chips that both players have paid since the start of the spot (equal)
    paid: int
    #: combos and reach of both players, in the order of ``SpotSolver.hands``
    reach: tuple[F64, F64]


#: Values for every hand of ``player``, ``float[n]``: chips won less half of the starting pot against each hand of the
#: opponent, *summed over the opponent's reach*.
LeafCallback = Callable[[LeafValue], npt.ArrayLike]


class Check(msgspec.Struct, frozen=True):
    """Exploitability in chips after some iterations, and the seconds spent so far."""

    iterations: int
    exploitability: float
    seconds: float


class Gadget(Protocol):
    """The opponent's choice before a re-solved subgame (see :func:`dupai.cfr.resolve_subgame`)."""

    #: the player whose root reach the gadget decides
    player: int

    def reach(self) -> F64:
        """Root reach of the player's hands in this iteration."""

    def update(self, values: F64, alpha: float) -> None:
        """Learn from the values (chips, summed over the other's reach) of the player's hands in this iteration."""


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
