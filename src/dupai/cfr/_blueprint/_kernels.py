"""Public chance sampling: one board, all hands of both players carried through the tree as vectors.

M. Johanson, N. Bard, M. Lanctot, R. Gibson, M. Bowling, "Efficient Nash equilibrium approximation through Monte Carlo
counterfactual regret minimization", AAMAS 2012. The hands that a board leaves lie in the order of their strengths, so
that a showdown is two running sums.
"""

from collections import namedtuple

import numpy as np

from dupai.base import kernel
from dupai.cfr._blueprint._tree import FOLDED, SHOWDOWN


class Deal(namedtuple("Deal", "cards group bucket")):
    """A board, by hand that it leaves, weakest first: ``cards int64[n, 2]``, its two cards;
    ``group int64[n]``, the place after the last hand of the same strength; ``bucket int16[streets, n]``."""


class Tables(namedtuple("Tables", "regrets plan fixed current")):
    """Flat tables of all decisions, ``float32[entries]``: ``regrets``; ``plan``, sums of the strategies that were
    played; ``fixed``, the sums by which players who do not learn play; ``current``, the regrets by which the others
    play: the same array as ``regrets``, or a copy that stays as it was over several boards."""


class Held(namedtuple("Held", "at reach value phase tremble")):
    """Subtrees that are gone through by themselves, and what a pass does: ``at int32[nodes]``, the number of the
    subtree that begins at a node (-1: none); ``reach``, ``value float32[subtrees, 2, n]``, what leads to it and what
    comes of it; ``phase``: :data:`WHOLE` and so on; ``tremble``: the share of decisions in which players who go by
    their regrets take any action."""


class Room(namedtuple("Room", "reach value mix mass card_sum")):
    """Space by depth: ``reach``, ``value float32[depth, 2, n]``, ``mix float32[depth, buckets * actions]``; and for a
    moment: ``mass float64[buckets]``, ``card_sum float64[cards]``."""


#: What a pass does: the whole tree; down to where the held subtrees begin, to see what reaches them; one of these, from
#: its root; back up from their values, learning.
WHOLE, DOWN, SUBTREE, UP = 0, 1, 2, 3


@kernel
def _end_of_hand(node, depth, tree, deal, room, unit):
    """What both players' hands win at the end of a hand, against the hands that the other may hold."""
    n = deal.group.size
    cards, group, card_sum = deal.cards, deal.group, room.card_sum
    for p in range(2):
        reach, value = room.reach[depth, 1 - p], room.value[depth, p]
        card_sum[:] = 0.0
        total = 0.0
        for h in range(n):
            r = reach[h]
            total += r
            card_sum[cards[h, 0]] += r
            card_sum[cards[h, 1]] += r
        if total == 0.0:
            value[:] = np.float32(0.0)
            continue
        if tree.kind[node] == FOLDED:
            won = -tree.paid[node, p] if tree.player[node] == p else tree.paid[node, 1 - p]
            won *= unit
            for h in range(n):
                value[h] = np.float32(won * (total - card_sum[cards[h, 0]] - card_sum[cards[h, 1]] + reach[h]))
            continue
        stake = min(tree.paid[node, 0], tree.paid[node, 1]) * unit
        # Against all that are met -1, and 1 for each that is weaker or equal and again for each weaker.
        for h in range(n):
            value[h] = np.float32(-(total - card_sum[cards[h, 0]] - card_sum[cards[h, 1]] + reach[h]))
        card_sum[:] = 0.0
        total = 0.0
        h = 0
        while h < n:
            end = group[h]
            for k in range(h, end):
                value[k] += np.float32(total - card_sum[cards[k, 0]] - card_sum[cards[k, 1]])
            for k in range(h, end):
                r = reach[k]
                total += r
                card_sum[cards[k, 0]] += r
                card_sum[cards[k, 1]] += r
            for k in range(h, end):
                value[k] += np.float32(total - card_sum[cards[k, 0]] - card_sum[cards[k, 1]] + reach[k])
            h = end
        for k in range(n):
            value[k] *= np.float32(stake)


@kernel
def _mixes(source, begin, buckets, actions, mix):
    """Shares of the actions in proportion to the positive part of a table's rows; even where there is none."""
    even = np.float32(1.0) / np.float32(actions)
    for b in range(buckets):
        total = np.float32(0.0)
        at = b * actions
        for a in range(actions):
            x = source[begin + at + a]
            if x > 0:
                total += x
        if total > 0:
            for a in range(actions):
                x = source[begin + at + a]
                mix[at + a] = x / total if x > 0 else np.float32(0.0)
        else:
            for a in range(actions):
                mix[at + a] = even


@kernel
def _visit(node, depth, tree, offsets, buckets, deal, tables, held, room, unit, weight, fixed):
    """The values of a node for all hands of both players into ``room.value[depth]``; regrets and sums are updated on
    the way. Long because the vectors of a node are gone through here and nowhere else."""
    if held.phase in (DOWN, UP) and held.at[node] >= 0:
        if held.phase == DOWN:
            held.reach[held.at[node]] = room.reach[depth]
        else:
            room.value[depth] = held.value[held.at[node]]
        return 0
    if tree.kind[node] == FOLDED or tree.kind[node] == SHOWDOWN:
        _end_of_hand(node, depth, tree, deal, room, unit)
        return 0
    hands = deal.group.size
    player, street, actions, begin = tree.player[node], tree.street[node], np.int64(tree.n[node]), offsets[node]
    rival = 1 - player
    k = buckets[street]
    bucket = deal.bucket[street]
    mix = room.mix[depth]
    learns = held.phase != DOWN and fixed >> player & 5 == 0
    _mixes(tables.fixed if fixed >> player & 1 else tables.current, begin, k, actions, mix)
    if held.tremble > 0 and fixed >> player & 1 == 0:
        kept, even = np.float32(1.0 - held.tremble), np.float32(held.tremble) / np.float32(actions)
        for i in range(k * actions):
            mix[i] = kept * mix[i] + even
    mine, other = room.reach[depth, player], room.reach[depth, rival]
    total = np.float32(0.0)
    for hand in range(hands):
        total += other[hand]
    rest = np.float32(0.0)
    for hand in range(hands):
        rest += mine[hand]
    value, against = room.value[depth, player], room.value[depth, rival]
    value[:] = np.float32(0.0)
    against[:] = np.float32(0.0)
    if total == 0 and rest == 0:
        return 1
    if learns and rest > 0:
        mass = room.mass
        mass[:k] = 0.0
        for hand in range(hands):
            mass[bucket[hand]] += mine[hand]
        for b in range(k):
            if mass[b] > 0:
                w = np.float32(weight * mass[b])
                for a in range(actions):
                    tables.plan[begin + b * actions + a] += w * mix[b * actions + a]
    learns = learns and total > 0
    for a in range(actions):
        child_mine, child_other = room.reach[depth + 1, player], room.reach[depth + 1, rival]
        for hand in range(hands):
            child_mine[hand] = mine[hand] * mix[bucket[hand] * actions + a]
            child_other[hand] = other[hand]
        child = np.int64(tree.first[node]) + a
        _visit(child, depth + 1, tree, offsets, buckets, deal, tables, held, room, unit, weight, fixed)
        child_value, child_against = room.value[depth + 1, player], room.value[depth + 1, rival]
        for hand in range(hands):
            against[hand] += child_against[hand]
        if learns:
            for hand in range(hands):
                v = child_value[hand]
                at = bucket[hand] * actions + a
                value[hand] += mix[at] * v
                tables.regrets[begin + at] += v
        else:
            for hand in range(hands):
                value[hand] += mix[bucket[hand] * actions + a] * child_value[hand]
    if learns:
        for hand in range(hands):
            v = value[hand]
            at = begin + bucket[hand] * actions
            for a in range(actions):
                tables.regrets[at + a] -= v
    return 1


@kernel
def pass_kernel(tree, offsets, buckets, deal, tables, held, root, room, unit, weight, fixed):
    """Carry every hand of both players through the tree once.

    Args:
        tree: :class:`~dupai.cfr._blueprint._tree.BettingTree`. offsets: ``int64[nodes]``. buckets: ``int64[streets]``.
        unit: what a chip counts. weight: of this pass in the sums of strategies.
        fixed: bits 0 and 1: the players who play by ``tables.fixed`` and learn nothing; bits 2 and 3: who play by their
            regrets and learn nothing in this pass.
        held: :class:`Held`. root: the node to begin with: that of a held subtree, or 0.

    Returns:
        What position 0 wins on average over all pairs of hands, in the unit; 0 of :data:`DOWN` and :data:`SUBTREE`.
    """
    number = held.at[root]
    if held.phase == SUBTREE:
        room.reach[0] = held.reach[number]
    else:
        room.reach[0] = np.float32(1.0)
    _visit(np.int64(root), np.int64(0), tree, offsets, buckets, deal, tables, held, room, unit, weight, fixed)
    if held.phase == SUBTREE:
        held.value[number] = room.value[0]
    if held.phase in (DOWN, SUBTREE):
        return 0.0
    n = deal.group.size
    total = 0.0
    for h in range(n):
        total += room.value[0, 0, h]
    room.card_sum[:] = 0.0
    for h in range(n):
        room.card_sum[deal.cards[h, 0]] += 1.0
        room.card_sum[deal.cards[h, 1]] += 1.0
    pairs = 0.0
    for h in range(n):
        pairs += n - room.card_sum[deal.cards[h, 0]] - room.card_sum[deal.cards[h, 1]] + 1.0
    return total / pairs


@kernel
def cumulate_kernel(win, tie, total, out):
    """Count a river's win rate into cumulative histograms.

    Args:
        win, tie, total: ``float64[1326]`` as :func:`~dupai.equity.sweep_kernel` fills them.
        out: ``float32[1326, bins + 1]``: bins, then the number of rivers counted.
    """
    bins = out.shape[1] - 1
    for c in range(win.size):
        if total[c] > 0:
            rate = (win[c] + 0.5 * tie[c]) / total[c]
            out[c, min(np.int64(rate * bins), bins - 1)] += np.float32(1.0)
            out[c, bins] += np.float32(1.0)


@kernel
def nearest_kernel(points, centres, apart, out):
    """The nearest centre of every point, the first of several; a matrix product would start threads for so little.

    Args:
        points: ``float32[n, d]``. centres: ``float32[d, k]``. apart: ``float32[k]``, space. out: ``int64[n]``.
    """
    for i in range(points.shape[0]):
        apart[:] = np.float32(0.0)
        for j in range(centres.shape[0]):
            x = points[i, j]
            for c in range(centres.shape[1]):
                y = x - centres[j, c]
                apart[c] += y * y
        best = 0
        for c in range(1, apart.size):
            if apart[c] < apart[best]:
                best = c
        out[i] = best
