"""What a stranger does in a no-limit game: decisions of players whose cards are known, counted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dupai.reading._bucket._groups import FACINGS, PRICED, STRENGTH_GROUPS
from dupai.spots import Spot

F64 = npt.NDArray[np.float64]

#: The shipped counts: `dupai train bucket` on the training part of the shared logs.
FILE = Path(__file__).parent / "population.npz"
#: Decisions of the mean over all buckets that are added to each.
_SMOOTH = 3.0


def is_counted(spot: Spot) -> bool:
    """Whether a decision is counted: in limit games only where a raise is allowed, as a call may stand for one where
    it is not. With sizes it is mostly an all-in that forbids it, and what is done then is what has to be known."""
    return spot["max_to"] > 0 or (spot.spec.betting != "limit" and spot["to_call"] > 0)


@cache
def population(buckets: int) -> tuple[F64, F64]:
    """What is known of strangers, for so many buckets: ``float64[4, 7, buckets, 3]``: P(fold, call, raise), and
    ``float64[4, 7, buckets]``: how often each bucket met each situation."""
    with np.load(FILE) as file:
        counts = file["counts"].astype(np.float64)
    even = np.ones((FACINGS - PRICED, 1, 3))
    even[0, :, 0] = 0.0
    mean = counts.sum(axis=2, keepdims=True) + even
    mean /= mean.sum(axis=3, keepdims=True)
    known = counts + _SMOOTH * mean
    known /= known.sum(axis=3, keepdims=True)
    of = np.minimum((np.arange(buckets) + 0.5) * STRENGTH_GROUPS / buckets, STRENGTH_GROUPS - 1).astype(np.int64)
    return known[:, :, of], counts.sum(axis=3)[:, :, of] + 1.0


def tilted(table: F64, met: F64, counts: F64, axes: tuple[int, ...], weight: float) -> F64:
    """A population's ``table`` ``[..., buckets, 3]`` moved towards one player: each action's chance is multiplied by
    how much more often than the table says he was seen to do it (over ``axes`` together, with ``weight`` decisions as
    the table says added to both). ``met``: how often the population was in each place; ``counts``: what he did."""
    said = (table * met[..., None]).sum(axis=axes, keepdims=True)
    said *= weight / said.sum(axis=-1, keepdims=True)
    did = counts.sum(axis=axes, keepdims=True)
    expected = (table * counts.sum(axis=-1, keepdims=True)).sum(axis=axes, keepdims=True)
    ratio = np.divide(did + said, expected + said, out=np.ones_like(said), where=expected + said > 0)
    moved = table * ratio
    return np.asarray(moved / moved.sum(axis=-1, keepdims=True))
