"""One number a player: from how much everybody wins (least squares), or from who beat whom (Bradley and Terry).

Least squares (``mbb_ratings``): ratings whose differences are as near as can be to what each pair won from each other.
Poker is not transitive, so pairs stray from these differences by more than their errors; how far is estimated by the
moment estimator of R. DerSimonian and N. Laird, "Meta-analysis in clinical trials", Controlled Clinical Trials 7
(1986), in its form for a regression. A pair's weight is 1 / (its squared error + the squared straying): where errors
are large the precise pairs count more, where they are small every pair counts as much, so that careful players' small
pots do not outweigh all others.

Bradley and Terry, by the MM algorithm (``bradley_terry``):
D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), section 2. A player
of strength w_i beats one of w_j with probability w_i / (w_i + w_j); ratings are 400 log10 w (Elo's scale), mean 1500.
Poker is not transitive: such a number sums results up, it does not say who beats whom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

#: Points of Elo's scale for a factor e in strength.
ELO = 400 / math.log(10)

F64 = npt.NDArray[np.float64]


def bradley_terry(
    players: int, tables: Sequence[tuple[Sequence[int], F64]], prior: float = 1.0, rounds: int = 10_000
) -> tuple[F64, F64]:
    """Ratings ``float64[players]`` and their covariance ``float64[players, players]``, in points.

    Args:
        tables: who sat at each (numbers of players) and what they won there, ``float64[units, seats]``; in each unit
            everybody beat all who won less (equal: half). Units are independent; the comparisons within one are not,
            which the covariance takes into account (sandwich estimator by unit).
        prior: drawn games that every pair which met is given beforehand, so that who never lost has a rating, too.
    """
    won = np.zeros((players, players))
    met = np.zeros((players, players), np.bool_)
    scores = []
    for seats, values in tables:
        index = np.asarray(seats)
        score = (values[:, :, None] > values[:, None, :]) + 0.5 * (values[:, :, None] == values[:, None, :])
        score[:, np.arange(len(index)), np.arange(len(index))] = 0
        scores.append((index, score))
        won[np.ix_(index, index)] += score.sum(axis=0)
        met[np.ix_(index, index)] = True
    np.fill_diagonal(met, False)
    won = won + 0.5 * prior * met
    games = won + won.T
    strength = np.ones(players)
    for _ in range(rounds):
        before = strength
        strength = won.sum(axis=1) / (games / (strength[:, None] + strength[None, :])).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
        if np.abs(np.log(strength / before)).max() < 1e-10:
            break
    p = strength[:, None] / (strength[:, None] + strength[None, :])
    bend = games * p * (1 - p)
    information = np.diag(bend.sum(axis=1)) - bend
    spread = np.zeros((players, players))
    for index, score in scores:
        expected = p[np.ix_(index, index)] * (1 - np.eye(len(index)))
        gradient = (score - expected).sum(axis=2)
        spread[np.ix_(index, index)] += gradient.T @ gradient
    inverse = np.linalg.pinv(information, hermitian=True)
    return 1500 + ELO * np.log(strength), ELO**2 * inverse @ spread @ inverse


def mbb_ratings(
    players: int, pairs: Sequence[tuple[int, int]], means: F64, errors: F64 | None
) -> tuple[F64, F64, float | None]:
    """Ratings from what pairs won from each other; see the head of this module.

    Args:
        pairs: numbers of two players, each pair once.
        means: ``float64[pairs]``, what the first won from the second.
        errors: ``float64[pairs]``, standard errors; None: not known, all pairs count as much.

    Returns:
        Ratings ``float64[players]`` (of the unit of ``means``, mean 0 among those who met), the matrix
        ``float64[players, pairs]`` that makes them from ``means``, and by how much pairs stray (a standard deviation;
        None where errors are not known or there are no more pairs than it takes).
    """
    design = np.zeros((len(pairs), players))
    for row, (a, b) in enumerate(pairs):
        design[row, a], design[row, b] = 1.0, -1.0
    straying: float | None = None
    weights = np.ones(len(pairs))
    if errors is not None and len(pairs) and errors.any():
        # A pair without any spread would count for ever.
        squares = np.maximum(errors**2, 1e-4 * float(np.mean(errors**2)))
        weights = 1 / squares
        free = len(pairs) - int(np.linalg.matrix_rank(design))
        if free > 0:
            solved = _solved(design, weights)
            excess = float(weights @ (means - design @ (solved @ means)) ** 2) - free
            inverse = np.linalg.pinv(design.T * weights @ design, hermitian=True)
            scale = float(weights.sum() - np.trace(inverse @ (design.T * weights**2 @ design)))
            straying = math.sqrt(max(excess / scale, 0.0)) if scale > 0 else 0.0
            weights = 1 / (squares + straying**2)
    solved = _solved(design, weights)
    return np.asarray(solved @ means), solved, straying


def _solved(design: F64, weights: F64) -> F64:
    """The matrix of weighted least squares."""
    return np.asarray(np.linalg.pinv(design.T * weights @ design, hermitian=True) @ (design.T * weights))
