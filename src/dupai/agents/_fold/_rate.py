"""The win rate of the ``fold`` agent: a hand against readings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from dupai.agents._fold._kernels import predicted_rate_kernel
from dupai.base import Rng
from dupai.base.arrays import F64
from dupai.cards import CLASSES, COMBO_CLASS, COMBO_INDEX, board_array
from dupai.equity import class_matchups, equity, range_mass, win_rates
from dupai.reading import Reading

#: The stream of the deals, the same at every decision: a win rate is a function of the cards and readings.
_SEED = Rng(2017).state
#: Draws per deal after which ranges count as too narrow for redrawing clashing hands.
_TRIES = 6


@cache
def start_order() -> F64:
    """``float64[169]``: share of starting hands that are better than each class (all-in win rate against any hand)."""
    by_class = np.zeros(CLASSES)
    by_class[COMBO_CLASS] = win_rates((), None)
    size = np.bincount(COMBO_CLASS, minlength=CLASSES)
    order = np.argsort(-by_class, kind="stable")
    better = np.zeros(CLASSES)
    better[order] = np.concatenate([[0], np.cumsum(size[order])[:-1]]) / size.sum()
    better.flags.writeable = False
    return better


def sampled_rate(
    hole: Sequence[int],
    board: Sequence[int],
    readings: Sequence[Reading],
    samples: int,
    rng: Rng | None = None,
    *,
    ties: bool = True,
) -> float:
    """Share of the pot by ``samples`` deals; without ``ties`` the share of deals won alone, which is what Algorithm 1
    counts. Without ``rng`` always the same deals."""
    cumulative = np.array([r.p for r in readings])
    np.cumsum(cumulative, axis=1, out=cumulative)
    state = _SEED.copy() if rng is None else rng.state
    won, wins, made = predicted_rate_kernel(
        hole[0], hole[1], board_array(board), len(board), cumulative, samples, _TRIES * samples, state
    )
    if made == samples:
        return float((won if ties else wins) / made)
    # Narrow readings of several players that need the same cards are drawn jointly.
    weights = [(r.p / r.p.max()).astype(np.float32) for r in readings]
    result = equity([tuple(hole), *weights], list(board), method="monte-carlo", samples=samples)
    return float((result.equity if ties else result.win)[0])


def predicted_rate(
    hole: Sequence[int], board: Sequence[int], readings: Sequence[Reading], samples: int, exact: bool = True
) -> float:
    """Share of the pot against the readings: :func:`counted_rate` where there is one, else by ``samples`` deals.
    Without ``exact`` Algorithm 1's: always by deals, and ties do not count as won."""
    counted = counted_rate(hole, board, readings) if exact else None
    return sampled_rate(hole, board, readings, samples, ties=exact) if counted is None else counted


def counted_rate(hole: Sequence[int], board: Sequence[int], readings: Sequence[Reading]) -> float | None:
    """Share of the pot where one opponent makes counting cheaper than deals: before the flop by class of starting hand,
    on turn and river exactly. None elsewhere."""
    if len(readings) == 1 and len(board) != 3:
        p = readings[0].p
        if not board:
            own = int(COMBO_CLASS[COMBO_INDEX[hole[0], hole[1]]])
            return float(class_matchups().equity[own] @ np.bincount(COMBO_CLASS, p, CLASSES))
        own = int(COMBO_INDEX[hole[0], hole[1]])
        mass = range_mass(board, p)
        if mass.total[own] > 0:
            return float((mass.win[own] + mass.tie[own] / 2) / mass.total[own])
    return None
