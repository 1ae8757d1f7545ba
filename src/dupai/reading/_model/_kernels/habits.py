"""How a player's habits shift the logits of their actions, and how one decision updates the habits."""

import numpy as np

from dupai.base import kernel

#: How far a hand's logit may be from the mean over hands, for the number that makes all of them count more or less.
_FAR = 5.0


@kernel
def _adds(moves, numbers, features):
    """``float64[features, columns]``: what each trait of a hand adds to each column by a person's ``numbers``."""
    adds = np.zeros((features, moves.shape[1]))
    for m in range(moves.shape[0]):
        for f in range(features):
            for a in range(moves.shape[1]):
                adds[f, a] += numbers[m * features + f] * moves[m, a]
    return adds


@kernel
def _moved(logits, middle, values, adds, sure, at, out):
    """``out``: the logits of a kind of hand, shifted; all its columns go through at once."""
    for a in range(logits.shape[1]):
        out[a] = logits[at, a] + sure * _sure(logits, middle, at, a)
    for f in range(values.shape[1]):
        x = values[at, f]
        for a in range(logits.shape[1]):
            out[a] += x * adds[f, a]


@kernel
def _sure(logits, middle, at, column):
    return min(max(logits[at, column] - middle[column], -_FAR), _FAR)


@kernel
def habits_kernel(logits, middle, values, moves, numbers, out):
    """Logits as a person shifts them.

    Args:
        logits: ``float32[kinds of hands, columns]``: anybody's.
        middle: ``float64[columns]``: their mean over hands.
        values: ``float64[kinds, features]``: what a shift may depend on.
        moves: ``float64[m, columns]``: which columns (1) each of ``m`` shifts moves.
        numbers: ``float64[m * features + 1]``: the numbers of the person, by shift and feature; last how much more
            every hand's distance from the mean counts.
        out: ``float32[kinds, columns]``.
    """
    adds = _adds(moves, numbers, values.shape[1])
    row = np.empty(logits.shape[1])
    for i in range(logits.shape[0]):
        _moved(logits, middle, values, adds, numbers[-1], i, row)
        for a in range(logits.shape[1]):
            out[i, a] = row[a]


@kernel
def lesson_kernel(logits, legal, middle, values, moves, numbers, column, before, after, gradient, information):
    """What a decision says of a person's ``numbers`` (arguments as :func:`habits_kernel`).

    Args:
        legal: ``bool[columns]``.
        column: the action taken.
        before: ``float64[kinds]``: the hands possible before the action, sums to 1. A known hand: that hand alone.
        after: ``float64[kinds]``: the hands possible given everything known, sums to 1.
        gradient: ``float64[numbers]``: gains the gradient of the log-likelihood, averaged over ``after``.
        information: ``float64[numbers, numbers]``: gains Fisher's information, over ``before`` and what might have
            been chosen.

    Returns:
        The likelihood of the choice over ``before``.
    """
    columns, features, kinds_of_move = logits.shape[1], values.shape[1], moves.shape[0]
    size = numbers.size
    chance = np.empty(columns)
    move = np.empty(kinds_of_move)
    total = np.zeros(columns)
    pull = np.zeros((columns, size))
    adds = _adds(moves, numbers, features)
    for i in range(logits.shape[0]):
        if before[i] == 0 and after[i] == 0:
            continue
        _moved(logits, middle, values, adds, numbers[-1], i, chance)
        top = -np.inf
        for a in range(columns):
            if not legal[a]:
                chance[a] = -np.inf
            top = max(top, chance[a])
        mass = 0.0
        for a in range(columns):
            chance[a] = np.exp(chance[a] - top)
            mass += chance[a]
        sure = 0.0
        move[:] = 0
        for a in range(columns):
            chance[a] /= mass
            sure += chance[a] * _sure(logits, middle, i, a)
            for m in range(kinds_of_move):
                move[m] += chance[a] * moves[m, a]
        for a in range(columns):
            if not legal[a]:
                continue
            share = before[i] * chance[a]
            total[a] += share
            for m in range(kinds_of_move):
                off = share * (moves[m, a] - move[m])
                for f in range(features):
                    pull[a, m * features + f] += off * values[i, f]
            pull[a, size - 1] += share * (_sure(logits, middle, i, a) - sure)
        for m in range(kinds_of_move):
            off = after[i] * (moves[m, column] - move[m])
            for f in range(features):
                gradient[m * features + f] += off * values[i, f]
        gradient[size - 1] += after[i] * (_sure(logits, middle, i, column) - sure)
    for a in range(columns):
        if total[a] > 0:
            for j in range(size):
                for k in range(size):
                    information[j, k] += pull[a, j] * pull[a, k] / total[a]
    return total[column]
