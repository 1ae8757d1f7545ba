"""Regret minimisation and best responses over the sequence form; arrays as in ``Layout`` of ``_form.py``."""

import numpy as np

from dupai.base import kernel

# Tables of places are unsigned: a signed index costs a test for counting from the end.
_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel
def gradient_kernel(player, block_of, blocks, rows, others, worth, x, g):
    """Values ``g`` of a player's sequences by the ends that follow directly, given the weights ``x`` of the others.

    ``g`` of other sequences of the player stays as it is: zero it first.
    """
    n = others.shape[0]
    for b in range(block_of[player], block_of[player + 1]):
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
def reach_kernel(player, sizes, group_of, groups, parent, strategy, x):
    """Weights ``x`` of a player's sequences under the probabilities ``strategy`` of its actions."""
    x[sizes[player]] = 1.0
    for gr in range(group_of[player], group_of[player + 1]):
        first, n, k, base = groups[gr, 0], groups[gr, 1], groups[gr, 2], groups[gr, 3]
        for j in range(n):
            above = x[parent[first + j]]
            at = base + j
            for _ in range(k):
                x[at] = above * strategy[at]
                at += n


@kernel(inline="always")
def _learn(total, pos, neg, plus):
    """A regret after its discount."""
    if total > 0.0:
        return total * pos
    return 0.0 if plus else total * neg


@kernel(inline="always")
def _two(at, other, v, pos, neg, plus, predictive, g, regret, strategy):
    """Regret matching where there are two actions; ``v`` is the value of the information set."""
    now0, now1 = g[at] - v, g[other] - v
    r0 = _learn(regret[at] + now0, pos, neg, plus)
    r1 = _learn(regret[other] + now1, pos, neg, plus)
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
        r = _learn(regret[s] + now, pos, neg, plus)
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
def iterate_kernel(
    sizes, group_of, groups, parent, times, block_of, blocks, rows, others, worth,
    plus, predictive, positive, negative, weight, regret, strategy, average, x, g,
):  # fmt: skip
    """Run ``len(weight)`` iterations, players in turn.

    ``positive``, ``negative``: what regrets of either sign are multiplied by after each; ``weight``: of each in the
    average; ``plus``: negative regrets become 0; ``predictive``: act as if the last regret came once more.
    ``regret``, ``strategy``, ``average``, ``x`` (weights of sequences) go on from call to call; ``g`` is scratch.
    """
    players = len(sizes) - 1
    for t in range(len(weight)):
        pos, neg, w = positive[t], negative[t], weight[t]
        for p in range(players):
            for s in range(sizes[p], sizes[p + 1]):
                g[s] = 0.0
                average[s] += w * x[s]
            gradient_kernel(p, block_of, blocks, rows, others, worth, x, g)
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
            reach_kernel(p, sizes, group_of, groups, parent, strategy, x)


@kernel
def best_response_kernel(
    player, sizes, group_of, groups, parent, times, block_of, blocks, rows, others, worth, x, g, best
):
    """What a player can win at most against the weights ``x`` of the others; ``best`` of its sequences becomes 1 for
    the first best action of each information set and 0 for the others. ``g`` is scratch."""
    for s in range(sizes[player], sizes[player + 1]):
        g[s] = 0.0
        best[s] = 0.0
    gradient_kernel(player, block_of, blocks, rows, others, worth, x, g)
    for gr in range(group_of[player + 1] - 1, group_of[player] - 1, -1):
        first, n, k, base = groups[gr, 0], groups[gr, 1], groups[gr, 2], groups[gr, 3]
        for j in range(n):
            top = base + j
            at = base + j
            for _ in range(k):
                if g[at] > g[top]:
                    top = at
                at += n
            best[top] = 1.0
            g[parent[first + j]] += times[first + j] * g[top]
    return g[sizes[player]]


@kernel
def values_kernel(sizes, block_of, blocks, rows, others, worth, many, x, g, out):
    """``out`` ``float64[players]``: what everybody wins under the weights ``x``. ``g`` is scratch."""
    for p in range(len(sizes) - 1):
        for s in range(sizes[p], sizes[p + 1]):
            g[s] = 0.0
        gradient_kernel(p, block_of, blocks, rows, others, worth, x, g)
        total = 0.0
        for s in range(sizes[p], sizes[p + 1]):
            total += many[s] * g[s] * x[s]
        out[p] = total


@kernel
def normalise_kernel(groups, average, strategy):
    """Probabilities of actions out of summed weights of sequences; even where there are none."""
    for gr in range(len(groups)):
        n, k, base = groups[gr, 1], groups[gr, 2], groups[gr, 3]
        for j in range(n):
            total = 0.0
            for a in range(k):
                total += average[base + a * n + j]
            for a in range(k):
                at = base + a * n + j
                strategy[at] = average[at] / total if total > 0.0 else 1.0 / k
