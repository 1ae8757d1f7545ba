"""What a solver is asked and told: values at a depth limit, the choice before a subgame, checks and their times."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]


class LeafValue(NamedTuple):
    """What a depth-limited solver asks of its value callback (see :class:`SpotSolver`)."""

    player: int
    #: chips that both players have paid since the start of the spot (equal)
    paid: int
    #: combos and reach of both players, in the order of ``SpotSolver.hands``
    reach: tuple[F64, F64]


#: Values for every hand of ``player``: chips won against each hand of the other *summed over the other's reach*, less
#: half of the starting pot a hand met: ``float[n]``.
LeafCallback = Callable[[LeafValue], npt.ArrayLike]


class Check(msgspec.Struct, frozen=True):
    """Exploitability after so many iterations: in chips, and seconds spent so far."""

    iterations: int
    exploitability: float
    seconds: float


class Gadget:
    """What the opponent of a re-solved subgame may choose before it begins (see :func:`dupai.cfr.resolve_subgame`)."""

    #: the player whose root reach the gadget decides
    player: int

    def reach(self) -> F64:
        """Root reach of the player's hands in this iteration."""
        raise NotImplementedError

    def update(self, values: F64, alpha: float) -> None:
        """Take in the values (in chips, by reach of the other) of the player's hands in this iteration."""
        raise NotImplementedError


def reached(done: int, share: float, target: float) -> int:
    """Iterations after which the target may be reached: exploitability falls about as the square."""
    return done + 1 if share <= target else math.ceil(done * math.sqrt(share / target))


def next_check(done: int, share: float, target: float, curve: Sequence[Check]) -> int:
    """When to look at the exploitability again: never just after the sums were reset (at powers of 4)."""
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
