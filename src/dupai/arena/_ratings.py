"""One number a player from who beat whom: Bradley and Terry's model, fitted by the MM algorithm.

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
