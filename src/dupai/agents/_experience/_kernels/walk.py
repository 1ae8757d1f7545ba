"""The sweep of the staged tree: all hands of the opponent pass through every node at once.

A node is a place in the betting (made once, independent of the cards); it is visited on every board that its street
may have. The walk carries a weight for every hand of the opponent: its share of the range times the probability that
this hand has acted so. Values are sums over those hands of weight times chips, so that the best of our actions is
chosen without knowing the opponent's hand.

The walk is one long function because it calls itself.
"""

import numpy as np

from dupai.base import kernel, uncounted_kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, strength_kernel

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
def _weigh(x, y, out, m):
    """``out = x * y``; its sum."""
    for i in range(m):
        out[i] = x[i] * y[i]
    return _sum(out, m)


@uncounted_kernel
def _pick(x, probs, at, place, k, out, m):
    """``out = x * probs[at + place * k]``; its sum."""
    for i in range(m):
        out[i] = x[i] * probs[at + place[i] * k]
    return _sum(out, m)


@uncounted_kernel
def walk_kernel(n, b, d, total, arrays, reach, maximise, tiny, count):
    """Value of node ``n`` on board ``b``, times the weight that reaches it.

    Args:
        d: depth: the weights are in ``reach[d]``, and ``total`` is their sum.
        arrays: what is constant below the decision, in this order.
            m: hands of the opponent; every array by hand has them in one order.
            nodes: ``int64[nodes, 4]``: kind, columns of its menu, where its probabilities begin in ``probs`` (-1:
            none), where those of our own rules begin (-1: none).
            child: ``int64[nodes, columns]``, -1 where there is none.
            pay: ``float64[nodes, 2]``: chips that are sure at a leaf, chips times ``score``.
            probs: ``float32``: row ``part[b] + place[b, i]`` of a node has a column for every action.
            place: ``int64[boards, m]``; part: ``int64[boards]``.
            own_row: ``int64[boards]``: the row of our own hand in our rules.
            score: ``float64[boards, m]``: our chance to win less that to lose against every hand.
            mass: ``float64[boards, m]``: chance of the board's last card given both hands, 0 if it is in theirs.
            kids: ``int64[boards, 2]``: first board with one more card, and one after the last.
        reach: ``float64[depths, m]``, row ``d`` filled.
        maximise: whether our later decisions are the best ones; else as our rules have them.
        tiny: smaller weights are not followed.
        count: ``int64[2]``, added to: leaves visited, hands judged there.
    """
    m, nodes, child, pay, probs, place, part, own_row, score, mass, kids = arrays
    kind = nodes[n, 0]
    if kind == FOLDED:
        count[0] += 1
        count[1] += m
        return total * pay[n, 0]
    if kind == SHOWN:
        count[0] += 1
        count[1] += m
        return total * pay[n, 0] + _dot(reach[d], score[b], m) * pay[n, 1]
    value = 0.0
    if kind == DEAL:
        for kid in range(kids[b, 0], kids[b, 1]):
            left = _weigh(reach[d], mass[kid], reach[d + 1], m)
            if left > tiny:
                value += walk_kernel(child[n, 0], kid, d + 1, left, arrays, reach, maximise, tiny, count)
        return value
    k = nodes[n, 1]
    best = -np.inf
    for a in range(k):
        if child[n, a] < 0:
            continue
        share = 1.0
        below, left = d, total
        if kind == OWN:
            if not maximise:
                share = np.float64(probs[nodes[n, 3] + own_row[b] * k + a])
                if share == 0.0:
                    continue
        else:
            below = d + 1
            at = nodes[n, 2] + part[b] * k + a
            left = _pick(reach[d], probs, at, place[b], k, reach[below], m)
            if left <= tiny:
                continue
        won = share * walk_kernel(child[n, a], b, below, left, arrays, reach, maximise, tiny, count)
        value += won
        best = max(best, won)
    if kind == OWN and maximise:
        return best
    return value


@kernel
def duels_kernel(own, hands, board, n, score):
    """Our hand against every hand, the rest of the board averaged over exactly.

    Args:
        own: our combo.
        hands: ``int64[m]``: combos that share no card with ours or the board.
        board: ``uint8[5]``, the first ``n`` (3 to 5) count.
        score: ``float64[m]``, filled: chance to win less chance to lose.

    Returns:
        how many hands were evaluated.
    """
    mask = np.uint64(0)
    for k in range(n):
        mask |= CARD_MASK[board[k]]
    mine = CARD_MASK[COMBO_CARDS[own, 0]] | CARD_MASK[COMBO_CARDS[own, 1]]
    dead = mask | mine
    m = hands.size
    two = np.empty(m, np.uint64)
    for i in range(m):
        two[i] = CARD_MASK[COMBO_CARDS[hands[i], 0]] | CARD_MASK[COMBO_CARDS[hands[i], 1]]
        score[i] = 0.0
    runouts = 1.0 if n == 5 else (44.0 if n == 4 else 990.0)
    evaluated = np.int64(0)
    # On the turn a runout has no first card (0 in the mask): one pair of loops serves both streets.
    turns = 51 if n == 3 else (1 if n == 4 else 0)
    for turn in range(turns):
        t = np.uint64(0)
        if n == 3:
            t = CARD_MASK[turn]
            if t & dead != 0:
                continue
        for river in range(turn + 1 if n == 3 else 0, 52):
            r = CARD_MASK[river]
            if r & dead != 0:
                continue
            full = mask | t | r
            ours = np.int64(strength_kernel(full | mine))
            evaluated += 1
            for i in range(m):
                if two[i] & (t | r) == 0:
                    theirs = np.int64(strength_kernel(full | two[i]))
                    evaluated += 1
                    if ours > theirs:
                        score[i] += 1.0
                    elif ours < theirs:
                        score[i] -= 1.0
    if n == 5:
        ours = np.int64(strength_kernel(dead))
        evaluated += 1
        for i in range(m):
            if two[i] & mask == 0:
                theirs = np.int64(strength_kernel(mask | two[i]))
                evaluated += 1
                score[i] = 1.0 if ours > theirs else (-1.0 if ours < theirs else 0.0)
    for i in range(m):
        score[i] /= runouts
    return evaluated
