"""The sweep of the staged tree: all hands of the opponent pass through every node at once.

A node is a place in the betting (made once, independent of the cards); it is visited on every board that its street
may have. The walk carries a weight for every hand of the opponent: its share of the range times the probability that
this hand has acted so. Values are sums over those hands of weight times chips, so that the best of our actions is
chosen without knowing the opponent's hand.

The walk is one long function because it calls itself.
"""

from collections import namedtuple

import numpy as np

from dupai.agents._experience._kernels.hands import PAIRS
from dupai.agents._experience._kernels.rank import BLOCKED
from dupai.base import kernel, uncounted_kernel

#: Kinds of node: a fold; a showdown (on an earlier board all-in: the rest of the board is averaged over); our decision;
#: the opponent's; the next card.
FOLDED, SHOWN, OWN, THEIRS, DEAL = range(5)


class Betting(namedtuple("Betting", "nodes child pay probs above ends")):
    """The nodes of the tree, which do not depend on cards.

    Attributes:
        nodes: ``int64[nodes, 4]``: kind, columns of its menu, where its probabilities begin in ``probs`` (-1: none),
            where those of our own rules begin (-1: none).
        child: ``int64[nodes, columns]``, -1 where there is none.
        pay: ``float64[nodes, 2]``: chips that are sure at a leaf, chips times ``score``.
        probs: ``float32``: row ``part[b] + place[number[b], i]`` of a node has a column for every action.
        above: ``int64[nodes]``: the node that each follows, -1: none.
        ends: ``int64[nodes]``: see :func:`ends_kernel`.
    """


class BoardTables(
    namedtuple(
        "BoardTables", "part place own_row score groups group by_pair odd pairs number last weight free left kids"
    )
):
    """The boards below the decision. Every array by hand has the hands in one order. What boards of the same cards
    share has one row for each set of cards, ``number[b]``.

    Attributes:
        part: ``int64[boards]``: first row of a board in the probabilities of a node.
        place: ``int64[numbers, hands]``: the row of each hand or group after that.
        own_row: ``int64[numbers]``: the row of our own hand in our rules.
        score: ``float64[numbers, hands]``: our chance to win less the chance to lose, by hand or group.
        groups, group, by_pair, odd: see :func:`~dupai.agents._experience._kernels.rank.rank_kernel`.
        pairs: ``int64[hands]``: the pair of ranks of each hand.
        number: ``int64[boards]``: the set of cards of each board.
        last: ``int64[boards]``: its last card.
        weight: ``float64[boards]``: how many cards its last card stands for.
        free: ``float64[52, hands]``: 1, or 0 if the hand holds the card.
        left: ``float64[boards that others follow, hands]``: how many cards may follow, given both hands.
        kids: ``int64[boards, 2]``: first board with one more card, and one after the last.
    """


class RiverWork(namedtuple("RiverWork", "weights sums source")):
    """Working space of :func:`_river`.

    Attributes:
        weights: ``float64[nodes, 64]``: the weights that reach each node.
        sums: ``float64[nodes, 3]``: their sum (0: not reached), the value, and our share of the action that leads here.
        source: ``int64[nodes]``: the node whose weights count here.
    """


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
def _by_pair(x, pairs, out, m):
    """``out``: the weights of the hands of every pair of ranks."""
    for pair in range(PAIRS):
        out[pair] = 0.0
    for i in range(m):
        out[pairs[i]] += x[i]


@uncounted_kernel
def _come_together(x, sums, pairs, by_pair, odd, group, weight, out, k):
    """The same for ``k`` groups of hands: the weights ``sums`` of each pair of ranks, then the hands that are odd."""
    for g in range(BLOCKED + 1):
        out[g] = 0.0
    if odd[0] < 0:
        for i in range(pairs.size):
            out[group[i]] += x[i]
    else:
        for pair in range(PAIRS):
            out[by_pair[pair]] += sums[pair]
        for j in range(1, odd[0] + 1):
            i = odd[j]
            out[by_pair[pairs[i]]] -= x[i]
            out[group[i]] += x[i]
    total = 0.0
    for g in range(k):
        out[g] *= weight
        total += out[g]
    return total


@kernel
def ends_kernel(above):
    """``int64[nodes]``: one after the last node of everything below each; nodes are numbered in the order of a walk
    that goes down first. ``above``: ``int64[nodes]``: the node that each follows, -1: none."""
    ends = np.arange(1, above.size + 1)
    for n in range(above.size - 1, 0, -1):
        ends[above[n]] = max(ends[above[n]], ends[n])
    return ends


@uncounted_kernel
def _river(first, m, part, row, place, score, betting, work, maximise, tiny, hands, count):
    """Value of the betting of a river, from node ``first`` on, which the weights ``work.weights[0]`` reach.

    The same as :func:`walk_kernel` without calling itself: down through the nodes, which follow each other, then up.

    Args:
        m: how many weights there are. part, row, place, score: of the board.
        betting: :class:`Betting`. work: :class:`RiverWork`; the sum of the first node is filled.
    """
    nodes, child, pay, probs = betting.nodes, betting.child, betting.pay, betting.probs
    weights, sums, source = work.weights, work.sums, work.source
    size = betting.ends[first] - first
    source[0] = 0
    sums[0, 1] = 0.0
    for j in range(1, size):
        sums[j, 0] = 0.0
    for j in range(size):
        total = sums[j, 0]
        n = first + j
        if total == 0.0:
            continue
        kind = nodes[n, 0]
        if kind in (FOLDED, SHOWN):
            count[0] += 1
            count[1] += hands
            sums[j, 1] = total * pay[n, 0]
            if kind == SHOWN:
                sums[j, 1] += _dot(weights[source[j]], score, m) * pay[n, 1]
            continue
        sums[j, 1] = -np.inf if kind == OWN and maximise else 0.0
        k = nodes[n, 1]
        for a in range(k):
            i = child[n, a] - first
            if child[n, a] < 0:
                continue
            if kind == OWN:
                share = 1.0 if maximise else np.float64(probs[nodes[n, 3] + row * k + a])
                if share == 0.0:
                    continue
                sums[i, 0], sums[i, 2], source[i] = total, share, source[j]
            else:
                some = _pick(weights[source[j]], probs, nodes[n, 2] + part * k + a, place, k, weights[i], m)
                if some <= tiny:
                    continue
                sums[i, 0], sums[i, 2], source[i] = some, 1.0, i
    for j in range(size - 1, 0, -1):
        if sums[j, 0] == 0.0:
            continue
        up = betting.above[first + j]
        won = sums[j, 2] * sums[j, 1]
        if nodes[up, 0] == OWN and maximise:
            sums[up - first, 1] = max(sums[up - first, 1], won)
        else:
            sums[up - first, 1] += won
    return sums[0, 1]


@uncounted_kernel
def walk_kernel(node, board, depth, size, total, betting, boards, work, reach, maximise, tiny, count):
    """Value of a node on a board, times the weight that reaches it.

    Args:
        depth: the weights are in ``reach[depth]``, and ``total`` is their sum.
        size: how many weights: one for every hand of the opponent, or on a river one for every group of hands
            that act alike and fare alike against ours.
        betting, boards: :class:`Betting` and :class:`BoardTables`, constant below the decision.
        work: :class:`RiverWork`.
        reach: ``float64[depths, hands or at least 91]``, row ``depth`` filled.
        maximise: whether our later decisions are the best ones; else as our rules have them.
        tiny: smaller weights are not followed.
        count: ``int64[2]``, added to: leaves visited, hands judged there.
    """
    # Read once: a field of a named tuple that is read in a loop costs a reference count each time.
    nodes, child, pay, probs = betting.nodes, betting.child, betting.pay, betting.probs
    part, place, own_row, score, number = boards.part, boards.place, boards.own_row, boards.score, boards.number
    kind = nodes[node, 0]
    if kind == FOLDED:
        count[0] += 1
        count[1] += boards.free.shape[1]
        return total * pay[node, 0]
    cards = number[board]
    if kind == SHOWN:
        count[0] += 1
        count[1] += boards.free.shape[1]
        return total * pay[node, 0] + _dot(reach[depth], score[cards], size) * pay[node, 1]
    value = 0.0
    if kind == DEAL:
        each, sums, out = reach[depth + 1], reach[depth + 2], reach[depth + 3]
        below = child[node, 0]
        left, groups, pairs, weights = boards.left, boards.groups, boards.pairs, boards.weight
        for i in range(size):
            each[i] = reach[depth, i] / left[board, i]
        if groups[number[boards.kids[board, 0]]] > 0:
            _by_pair(each, pairs, sums, size)
        for kid in range(boards.kids[board, 0], boards.kids[board, 1]):
            cards = number[kid]
            weight = weights[kid]
            columns = groups[cards]
            if columns > 0:
                grouped = (boards.by_pair[cards], boards.odd[cards], boards.group[cards])
                some = _come_together(each, sums, pairs, *grouped, weight, work.weights[0], columns)
                if some > tiny:
                    work.sums[0, 0] = some
                    there = (part[kid], own_row[cards], place[cards], score[cards])
                    value += _river(below, columns, *there, betting, work, maximise, tiny, size, count)
                continue
            some = _come(each, boards.free[boards.last[kid]], weight, out, size)
            if some > tiny:
                value += walk_kernel(
                    below, kid, depth + 3, size, some, betting, boards, work, reach, maximise, tiny, count
                )
        return value
    columns = nodes[node, 1]
    best = -np.inf
    for column in range(columns):
        if child[node, column] < 0:
            continue
        share = 1.0
        below, some = depth, total
        if kind == OWN:
            if not maximise:
                share = np.float64(probs[nodes[node, 3] + own_row[cards] * columns + column])
                if share == 0.0:
                    continue
        else:
            below = depth + 1
            at = nodes[node, 2] + part[board] * columns + column
            some = _pick(reach[depth], probs, at, place[cards], columns, reach[below], size)
            if some <= tiny:
                continue
        won = share * walk_kernel(
            child[node, column], board, below, size, some, betting, boards, work, reach, maximise, tiny, count
        )
        value += won
        best = max(best, won)
    if kind == OWN and maximise:
        return best
    return value
