"""Situations and buckets of hands, and what players of the shared logs did in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from dupai.base.arrays import F64, I64
from dupai.cards import COMBO_CLASS, class_index
from dupai.equity import win_rates
from dupai.reading._bucket._kernels import facing_class_kernel
from dupai.spots import Spot

#: Classes of :func:`facing_of`; from :data:`PRICED` on those of games with bet sizes.
FACINGS = 11
PRICED = 4

#: The eight groups of D. Sklansky, M. Malmuth, "Hold'em poker for advanced players" (1999), which the paper cites for
#: its buckets, strongest first; all other hands are the ninth.
SKLANSKY_MALMUTH = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "T9s KQo 88 QTs 98s J9s AJo KTs",
    "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
)
STRENGTH_GROUPS = len(SKLANSKY_MALMUTH) + 1


@cache
def _groups() -> I64:
    group = np.zeros(169, np.int64)  # the ninth is bucket 0: buckets rise with strength
    for k, hands in enumerate(SKLANSKY_MALMUTH):
        for hand in hands.split():
            group[class_index(hand)] = STRENGTH_GROUPS - 1 - k
    by_combo = group[COMBO_CLASS]
    by_combo.flags.writeable = False
    return by_combo


def hand_buckets(board: tuple[int, ...], buckets: int) -> I64:
    """``int64[1326]``: the bucket of every hand, rising with strength.

    Before the flop the nine groups, scaled to ``buckets``. On a board of 3, 4 or 5 cards the win rate against one
    uniform hand in ``buckets`` classes of equal width (hands that hold a board card get 0).
    """
    if not board:
        return _groups() if buckets == STRENGTH_GROUPS else _groups() * buckets // STRENGTH_GROUPS
    rates = np.nan_to_num(win_rates(board))
    return np.minimum((rates * buckets).astype(np.int64), buckets - 1)


def facing_of(spot: Spot) -> int:
    """What a decision faces, one of :data:`FACINGS` classes (see :func:`facing_class_kernel`)."""
    limit = spot.spec.betting == "limit"
    return int(facing_class_kernel(limit, spot.street, spot["raises"], spot["to_call"], spot.winnable))


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
    """A population's ``table`` ``[..., buckets, 3]`` moved towards one player.

    Each action's probability is multiplied by the ratio of observed to expected actions, both summed over ``axes``.
    ``weight`` decisions at the table's own frequencies are added to both counts.

    Args:
        met: how often the population was in each place.
        counts: the player's actions.
    """
    pseudo = (table * met[..., None]).sum(axis=axes, keepdims=True)
    pseudo *= weight / pseudo.sum(axis=-1, keepdims=True)
    observed = counts.sum(axis=axes, keepdims=True)
    expected = (table * counts.sum(axis=-1, keepdims=True)).sum(axis=axes, keepdims=True)
    ratio = np.divide(observed + pseudo, expected + pseudo, out=np.ones_like(pseudo), where=expected + pseudo > 0)
    moved = table * ratio
    return np.asarray(moved / moved.sum(axis=-1, keepdims=True))
