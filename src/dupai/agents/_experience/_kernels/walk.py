"""The sweep of the staged tree: all hands of the opponent pass through every node at once.

A node is a place in the betting (made once, independent of the cards); it is visited on every board that its street
may have. The walk carries a weight for every hand of the opponent: its share of the range times the probability that
this hand has acted so. Values are sums over those hands of weight times chips, so that the best of our actions is
chosen without knowing the opponent's hand.

The walk is one long function because it calls itself.
"""

import numpy as np

from dupai.base import uncounted_kernel

#: Kinds of node: a fold; a showdown (on an earlier board all-in: the rest of the board is averaged over); our decision;
#: the opponent's; the next card.
FOLDED, SHOWN, OWN, THEIRS, DEAL = range(5)


# Sums of four parts each: one part would wait for every addition.


@uncounted_kernel
def _dot(x, y, m):
    a = b = c = d = 0.0
    whole = m - m % 4
    for i in range(0, whole, 4):
        a += x[i] * y[i]
        b += x[i + 1] * y[i + 1]
        c += x[i + 2] * y[i + 2]
        d += x[i + 3] * y[i + 3]
    for i in range(whole, m):
        a += x[i] * y[i]
    return (a + b) + (c + d)


@uncounted_kernel
def _sum(x, m):
    a = b = c = d = 0.0
    whole = m - m % 4
    for i in range(0, whole, 4):
        a += x[i]
        b += x[i + 1]
        c += x[i + 2]
        d += x[i + 3]
    for i in range(whole, m):
        a += x[i]
    return (a + b) + (c + d)


@uncounted_kernel
def _pick(x, probs, at, place, k, out, m):
    """``out = x * probs[at + place * k]``; its sum."""
    for i in range(m):
        out[i] = x[i] * probs[at + place[i] * k]
    return _sum(out, m)


@uncounted_kernel
def _come(x, free, weight, out, m):
    """``out``: the weights ``x`` of the hands once a card has come that stands for ``weight`` cards; their sum."""
    for i in range(m):
        out[i] = x[i] * weight * free[i]
    return _sum(out, m)


@uncounted_kernel
def _come_together(x, group, weight, out, m, k):
    """The same for ``k`` groups of hands, fewer than 64.

    Neighbours often belong to one group: they are added up in four places, so that none waits for the one before it.
    """
    for g in range(256):
        out[g] = 0.0
    whole = m - m % 4
    for i in range(0, whole, 4):
        out[group[i]] += x[i]
        out[group[i + 1] + 64] += x[i + 1]
        out[group[i + 2] + 128] += x[i + 2]
        out[group[i + 3] + 192] += x[i + 3]
    for i in range(whole, m):
        out[group[i]] += x[i]
    total = 0.0
    for g in range(k):
        out[g] = weight * ((out[g] + out[g + 64]) + (out[g + 128] + out[g + 192]))
        total += out[g]
    return total


@uncounted_kernel
def walk_kernel(n, b, d, m, total, arrays, reach, maximise, tiny, count):
    """Value of node ``n`` on board ``b``, times the weight that reaches it.

    Args:
        d: depth: the weights are in ``reach[d]``, and ``total`` is their sum.
        m: how many weights there are: one for every hand of the opponent, or on a river one for every group of hands
            that act alike and fare alike against ours.
        arrays: what is constant below the decision, in this order; every array by hand has them in one order, and what
            is the same for boards of the same cards is there once (``number[b]``).
            nodes: ``int64[nodes, 4]``: kind, columns of its menu, where its probabilities begin in ``probs`` (-1:
            none), where those of our own rules begin (-1: none).
            child: ``int64[nodes, columns]``, -1 where there is none.
            pay: ``float64[nodes, 2]``: chips that are sure at a leaf, chips times ``score``.
            probs: ``float32``: row ``part[b] + place[number[b], i]`` of a node has a column for every action.
            part: ``int64[boards]``; place: ``int64[numbers, hands]``, of hands or groups.
            own_row: ``int64[numbers]``: the row of our own hand in our rules.
            score: ``float64[numbers, hands]``: our chance to win less that to lose, of hands or groups.
            group: ``uint8[numbers, hands]``: the group of every hand, 63 if it holds a card of the board.
            groups: ``int64[numbers]``: number of groups, 0: every hand by itself.
            number: ``int64[boards]``.
            last: ``int64[boards]``: its last card; weight: ``float64[boards]``: how many cards that stands for.
            free: ``float64[52, hands]``: 1, or 0 if the hand holds the card.
            left: ``float64[boards that others follow, hands]``: how many cards may follow, given both hands.
            kids: ``int64[boards, 2]``: first board with one more card, and one after the last.
        reach: ``float64[depths, hands or at least 256]``, row ``d`` filled.
        maximise: whether our later decisions are the best ones; else as our rules have them.
        tiny: smaller weights are not followed.
        count: ``int64[2]``, added to: leaves visited, hands judged there.
    """
    nodes, child, pay, probs, part, place, own_row, score = arrays[:8]
    group, groups, number, last, weight, free, left, kids = arrays[8:]
    kind = nodes[n, 0]
    if kind == FOLDED:
        count[0] += 1
        count[1] += free.shape[1]
        return total * pay[n, 0]
    u = number[b]
    if kind == SHOWN:
        count[0] += 1
        count[1] += free.shape[1]
        return total * pay[n, 0] + _dot(reach[d], score[u], m) * pay[n, 1]
    value = 0.0
    if kind == DEAL:
        each = reach[d + 1]
        for i in range(m):
            each[i] = reach[d, i] / left[b, i]
        for kid in range(kids[b, 0], kids[b, 1]):
            into = number[kid]
            k = groups[into]
            if k > 0:
                some = _come_together(each, group[into], weight[kid], reach[d + 2], m, k)
            else:
                k = m
                some = _come(each, free[last[kid]], weight[kid], reach[d + 2], m)
            if some > tiny:
                value += walk_kernel(child[n, 0], kid, d + 2, k, some, arrays, reach, maximise, tiny, count)
        return value
    k = nodes[n, 1]
    best = -np.inf
    for a in range(k):
        if child[n, a] < 0:
            continue
        share = 1.0
        below, some = d, total
        if kind == OWN:
            if not maximise:
                share = np.float64(probs[nodes[n, 3] + own_row[u] * k + a])
                if share == 0.0:
                    continue
        else:
            below = d + 1
            at = nodes[n, 2] + part[b] * k + a
            some = _pick(reach[d], probs, at, place[u], k, reach[below], m)
            if some <= tiny:
                continue
        won = share * walk_kernel(child[n, a], b, below, m, some, arrays, reach, maximise, tiny, count)
        value += won
        best = max(best, won)
    if kind == OWN and maximise:
        return best
    return value
