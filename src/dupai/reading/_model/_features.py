"""What ranges say: features of a decision that some networks take beside those of the board."""

from __future__ import annotations

import numpy as np

from dupai.base.arrays import F32
from dupai.cards import board_array
from dupai.reading._model._kernels.ranges import RANGE_PUBLIC, RANGE_STORED, range_features_kernel
from dupai.spots import DID_FOLD, Spot


def range_features(spot: Spot) -> tuple[F32, F32]:
    """What the ranges of the players say at a decision after the flop (``spot.ranges`` must be there).

    Returns:
        ``float32[1326, 3]``: win rate of each hand against the mean range of the live opponents and against that of the
        last aggressor among them, and its percentile in the player's own range; ``float32[4]``: mean and deviation of
        the first over the own range, shares of it above 0.75 and below 0.3.
    """
    if spot.ranges is None:
        raise ValueError(f"{spot!r} has no ranges")
    me = spot.position
    rows = spot.rows
    folded = set(rows["position"][:-1][rows["did"][:-1] == DID_FOLD].tolist())
    rivals = [p for p in range(len(spot.ranges)) if p != me and p not in folded]
    ranges = [np.mean(spot.ranges[rivals], axis=0)]
    if len(rivals) > 1:
        shown = (spot["aggressor"], spot["leader"])
        ranges += [spot.ranges[p] for p in shown if p in rivals][:1]
    board = board_array(spot.board)
    hands = np.zeros((1326, RANGE_STORED), np.float32)
    public = np.zeros(RANGE_PUBLIC, np.float32)
    own = np.ascontiguousarray(spot.ranges[me], np.float64)
    range_features_kernel(board, len(spot.board), own, np.ascontiguousarray(ranges, np.float64), hands, public)
    return hands, public
