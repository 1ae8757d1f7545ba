"""Regret minimisation and best responses over the sequence form. ``form`` is the ``Layout`` of ``_form.py``."""

from collections import namedtuple

import numpy as np

from dupai.base import kernel

# The tables of indices are unsigned: a signed index costs a test for counting from the end.
_ONE, _TWO = np.uint64(1), np.uint64(2)


class Learned(namedtuple("Learned", "regret strategy average x g")):
    """What iterations change, ``float64`` by sequence: regrets, the current strategy, the summed weights of the
    average, the weights ``x`` of the sequences under the current strategy, and scratch memory ``g``."""


@kernel
def gradient_kernel(player, form, x, g):
    """Values ``g`` of a player's sequences from the terminals right below them, given the weights ``x`` of the others.

    Entries of sequences without such terminals stay as they are: zero them first.
    """
    blocks, rows, others, worth = form.blocks, form.rows, form.others, form.worth
    n = others.shape[0]
    for b in range(form.block_of[player], form.block_of[player + 1]):
        first, count, width, base = blocks[b, 0], blocks[b, 1], blocks[b, 2], blocks[b, 3]
        if n == 1:
            for r in range(count):
                t = base + r
                total = worth[t] * x[others[0, t]]
                for _ in range(width - _ONE):
                    t += count
                    total += worth[t] * x[others[0, t]]
                g[rows[first + r]] = total
        else:
            for r in range(count):
                total = 0.0
                t = base + r
                for _ in range(width):
                    term = worth[t]
                    for q in range(n):
                        term *= x[others[q, t]]
                    total += term
                    t += count
                g[rows[first + r]] = total


@kernel
def reach_kernel(player, form, strategy, x):
    """Weights ``x`` of a player's sequences under the probabilities ``strategy`` of its actions."""
    groups, parent = form.groups, form.parent
    x[form.sizes[player]] = 1.0
    for gr in range(form.group_of[player], form.group_of[player + 1]):
        first, n, k, base = groups[gr, 0], groups[gr, 1], groups[gr, 2], groups[gr, 3]
        for j in range(n):
            above = x[parent[first + j]]
            at = base + j
            for _ in range(k):
                x[at] = above * strategy[at]
                at += n


@kernel(inline="always")
def _discounted(total, pos, neg, plus):
    if total > 0.0:
        return total * pos
    return 0.0 if plus else total * neg


@kernel(inline="always")
def _two(at, other, v, pos, neg, plus, predictive, g, regret, strategy):
    """Regret matching where there are two actions; ``v`` is the value of the information set."""
    now0, now1 = g[at] - v, g[other] - v
    r0 = _discounted(regret[at] + now0, pos, neg, plus)
    r1 = _discounted(regret[other] + now1, pos, neg, plus)
    regret[at] = r0
    regret[other] = r1
    if predictive:
        r0 += now0
        r1 += now1
    r0, r1 = max(r0, 0.0), max(r1, 0.0)
    total = r0 + r1
    strategy[at] = r0 / total if total > 0.0 else 0.5
    strategy[other] = r1 / total if total > 0.0 else 0.5


@kernel(inline="always")
def _many(at, n, k, v, pos, neg, plus, predictive, g, regret, strategy):
    """Regret matching where there are ``k`` actions, ``n`` apart."""
    total = 0.0
    s = at
    for _ in range(k):
        now = g[s] - v
        r = _discounted(regret[s] + now, pos, neg, plus)
        regret[s] = r
        if predictive:
            r += now
        r = max(r, 0.0)
        g[s] = r
        total += r
        s += n
    s = at
    if total > 0.0:
        scale = 1.0 / total
        for _ in range(k):
            strategy[s] = g[s] * scale
            s += n
    else:
        for _ in range(k):
            strategy[s] = 1.0 / k
            s += n


@kernel
def iterate_kernel(form, plus, predictive, positive, negative, weight, learned):
    """Run ``len(weight)`` iterations, players in turn.

    Args:
        form: the ``Layout``.
        plus: negative regrets become 0.
        predictive: act as if the last regret came once more.
        positive, negative: ``float64[n]``, factors of positive and negative regrets after each iteration.
        weight: ``float64[n]``, weight of each iteration in the average.
        learned: :class:`Learned`, changed in place.
    """
    sizes, group_of, groups, parent, times = form.sizes, form.group_of, form.groups, form.parent, form.times
    regret, strategy, average, x, g = learned.regret, learned.strategy, learned.average, learned.x, learned.g
    players = len(sizes) - 1
    for t in range(len(weight)):
        pos, neg, w = positive[t], negative[t], weight[t]
        for p in range(players):
            for s in range(sizes[p], sizes[p + 1]):
                g[s] = 0.0
                average[s] += w * x[s]
            gradient_kernel(p, form, x, g)
            for gr in range(group_of[p + 1] - 1, group_of[p] - 1, -1):
                first, n, k, base = groups[gr, 0], groups[gr, 1], groups[gr, 2], groups[gr, 3]
                if k == _TWO:
                    for j in range(n):
                        at = base + j
                        v = strategy[at] * g[at] + strategy[at + n] * g[at + n]
                        g[parent[first + j]] += times[first + j] * v
                        _two(at, at + n, v, pos, neg, plus, predictive, g, regret, strategy)
                else:
                    for j in range(n):
                        at = base + j
                        v = 0.0
                        for _ in range(k):
                            v += strategy[at] * g[at]
                            at += n
                        g[parent[first + j]] += times[first + j] * v
                        _many(base + j, n, k, v, pos, neg, plus, predictive, g, regret, strategy)
            reach_kernel(p, form, strategy, x)


@kernel
def best_response_kernel(player, form, x, g, best):
    """The most that a player can win against the weights ``x`` of the others.

    ``best`` of its sequences becomes 1 for the first best action of each information set and 0 for the others. ``g``
    is scratch memory.
    """
    groups = form.groups
    start, end = form.sizes[player], form.sizes[player + 1]
    g[start:end] = 0.0
    best[start:end] = 0.0
    gradient_kernel(player, form, x, g)
    for gr in range(form.group_of[player + 1] - 1, form.group_of[player] - 1, -1):
        first, n, k, base = groups[gr, 0], groups[gr, 1], groups[gr, 2], groups[gr, 3]
        for j in range(n):
            top = base + j
            at = base + j
            for _ in range(k):
                if g[at] > g[top]:
                    top = at
                at += n
            best[top] = 1.0
            g[form.parent[first + j]] += form.times[first + j] * g[top]
    return g[start]


@kernel
def values_kernel(form, x, g, out):
    """``out`` ``float64[players]``: what each player wins under the weights ``x``. ``g`` is scratch memory."""
    for p in range(len(form.sizes) - 1):
        g[form.sizes[p] : form.sizes[p + 1]] = 0.0
        gradient_kernel(p, form, x, g)
        total = 0.0
        for s in range(form.sizes[p], form.sizes[p + 1]):
            total += form.many[s] * g[s] * x[s]
        out[p] = total


@kernel
def normalise_kernel(form, average, strategy):
    """Probabilities of actions from summed weights of sequences; uniform where those are 0."""
    groups = form.groups
    for gr in range(len(groups)):
        n, k, base = groups[gr, 1], groups[gr, 2], groups[gr, 3]
        for j in range(n):
            total = 0.0
            for a in range(k):
                total += average[base + a * n + j]
            for a in range(k):
                at = base + a * n + j
                strategy[at] = average[at] / total if total > 0.0 else 1.0 / k
