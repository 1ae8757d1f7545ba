"""Monte Carlo regret minimisation over the histories of a game.

One iteration is one sample for each player's regrets. Regrets and averages are by action, in the tree's order.
``baseline`` is ``float64[nodes, players]``, or has no rows: then nothing is corrected. It follows the sampled values of
every history with the step ``decay`` and corrects what was sampled (M. Schmid et al. 2019, eq. 9, at chance too).
"""

from typing import Any, NamedTuple

import numpy as np

from dupai.base import kernel, next_uniform

_CHANCE, _OVER = np.int64(-1), np.int64(-2)


class Histories(NamedTuple):
    """A game for the sampling kernels.

    ``nodes``, ``chance``, ``payoffs`` as in ``GameTree`` of ``_tree.py``, but column 1 of a player's node is the number
    of its information set's first action. ``depth``: most nodes on a path; ``width``: most actions.
    """

    players: int
    depth: int
    width: int
    nodes: Any
    chance: Any
    payoffs: Any


@kernel(inline="always")
def _outcome(u, first, count, chance):
    """The outcome of chance for a uniform number. Outcomes are often equally likely, so the search starts there."""
    a = np.int64(u * count)
    while a > 0 and u < chance[first + a - 1]:
        a -= 1
    while a < count - 1 and u >= chance[first + a]:
        a += 1
    return a


@kernel(inline="always")
def _match(base, count, regret, at, policy):
    """Regret matching into row ``at`` of ``policy``."""
    total = 0.0
    for a in range(count):
        r = max(regret[base + a], 0.0)
        policy[at, a] = r
        total += r
    if total > 0.0:
        scale = 1.0 / total
        for a in range(count):
            policy[at, a] *= scale
    else:
        for a in range(count):
            policy[at, a] = 1.0 / count


@kernel(inline="always")
def _draw(u, count, policy, at):
    """The action for a uniform number, by row ``at`` of ``policy``."""
    a = np.int64(0)
    u -= policy[at, 0]
    while u >= 0.0 and a < count - 1:
        a += 1
        u -= policy[at, a]
    # Rounding can run past the last action with a probability above 0.
    while policy[at, a] == 0.0:
        a -= 1
    return a


@kernel(inline="always")
def _expected_baseline(actor, first, count, p, policy, at, chance, baseline):
    """Mean of player p's baselines over the children of a node."""
    mean = 0.0
    before = 0.0
    for b in range(count):
        if actor == _CHANCE:
            mean += (chance[first + b] - before) * baseline[first + b, p]
            before = chance[first + b]
        else:
            mean += policy[at, b] * baseline[first + b, p]
    return mean


@kernel
def external_kernel(game, iterations, decay, baseline, regret, average, rng):
    """External sampling: all actions of one player, one of every other player and of chance.

    The average is taken at the nodes of the next player (OpenSpiel's "simple" average). ``game`` is
    :class:`Histories`; ``rng`` is ``uint64[4]``; ``baseline`` may be None, which compiles to code without any.
    """
    nodes, chance = game.nodes, game.chance
    policy, values = np.empty((game.depth + 1, game.width)), np.empty((game.depth + 1, game.width))
    frame = np.empty((game.depth + 1, 5), np.int64)  # first child, actions, current one, first action's number, actor
    for _ in range(iterations):
        for p in range(game.players):
            following = (p + 1) % game.players
            top = 0
            node = np.int64(0)
            while node >= 0:
                actor = np.int64(nodes[node, 0])
                base, first, count = np.int64(nodes[node, 1]), np.int64(nodes[node, 2]), np.int64(nodes[node, 3])
                if actor != _OVER:
                    a = np.int64(0)
                    if actor == _CHANCE:
                        a = _outcome(next_uniform(rng), first, count, chance)
                    else:
                        _match(base, count, regret, top, policy)
                        if actor == following:
                            for b in range(count):
                                average[base + b] += policy[top, b]
                        if actor != p:
                            a = _draw(next_uniform(rng), count, policy, top)
                    if actor == p or baseline is not None:
                        frame[top, 0], frame[top, 1], frame[top, 2] = first, count, a
                        frame[top, 3], frame[top, 4] = base, actor
                        top += 1
                    node = first + a
                    continue
                value = game.payoffs[base, p]
                node = np.int64(-1)
                while top > 0:
                    top -= 1
                    first, count, a, actor = frame[top, 0], frame[top, 1], frame[top, 2], frame[top, 4]
                    if actor == p:
                        values[top, a] = value
                        a += 1
                        if a < count:
                            frame[top, 2] = a
                            node = first + a
                            top += 1
                            break
                        value = 0.0
                        for b in range(count):
                            value += policy[top, b] * values[top, b]
                        base = frame[top, 3]
                        for b in range(count):
                            regret[base + b] += values[top, b] - value
                    elif baseline is not None:
                        guess = baseline[first + a, p]
                        mean = _expected_baseline(actor, first, count, p, policy, top, chance, baseline)
                        baseline[first + a, p] = guess + decay * (value - guess)
                        value = mean + value - guess


@kernel
def outcome_kernel(game, iterations, explore, decay, baseline, regret, average, rng):
    """Outcome sampling: one path for each player's regrets; that player explores with probability ``explore``.

    ``game`` is :class:`Histories`; ``rng`` is ``uint64[4]``.
    """
    nodes, chance = game.nodes, game.chance
    corrected = len(baseline) > 0
    policy = np.empty((game.depth + 1, game.width))
    frame = np.empty((game.depth + 1, 5), np.int64)  # first child, actions, action taken, first action's number, actor
    # own reach over the path's probability, 1 over the own part of that, the action's probability
    reach = np.empty((game.depth + 1, 3))
    for _ in range(iterations):
        for p in range(game.players):
            top = 0
            node = np.int64(0)
            own, sampled, outside = 1.0, 1.0, 1.0
            while True:
                actor = np.int64(nodes[node, 0])
                base, first, count = np.int64(nodes[node, 1]), np.int64(nodes[node, 2]), np.int64(nodes[node, 3])
                if actor == _OVER:
                    break
                reach[top, 0], reach[top, 1] = own / (sampled * outside), 1.0 / sampled
                q = 1.0
                if actor == _CHANCE:
                    a = _outcome(next_uniform(rng), first, count, chance)
                    outside *= chance[first + a] - (chance[first + a - 1] if a > 0 else 0.0)
                    if not corrected:
                        # Sampled with its own probability: its value is the outcome's.
                        node = first + a
                        continue
                else:
                    _match(base, count, regret, top, policy)
                    if actor == p:
                        u = next_uniform(rng)
                        if u < explore:
                            a = min(np.int64(u / explore * count), count - 1)
                        else:
                            a = _draw((u - explore) / (1.0 - explore), count, policy, top)
                        q = explore / count + (1.0 - explore) * policy[top, a]
                        own *= policy[top, a]
                        sampled *= q
                    else:
                        a = _draw(next_uniform(rng), count, policy, top)
                        q = policy[top, a]
                        outside *= q
                frame[top, 0], frame[top, 1], frame[top, 2], frame[top, 3], frame[top, 4] = first, count, a, base, actor
                reach[top, 2] = q
                top += 1
                node = first + a
            value = game.payoffs[base, p]
            while top > 0:
                top -= 1
                first, count, a, actor = frame[top, 0], frame[top, 1], frame[top, 2], frame[top, 4]
                guess = mean = 0.0
                if corrected:
                    guess = baseline[first + a, p]
                    mean = _expected_baseline(actor, first, count, p, policy, top, chance, baseline)
                    baseline[first + a, p] = guess + decay * (value - guess)
                if actor == p:
                    taken = (value - guess) / reach[top, 2]
                    mine = mean + policy[top, a] * taken
                    base = frame[top, 3]
                    for b in range(count):
                        estimate = baseline[first + b, p] if corrected and b != a else 0.0
                        if b == a:
                            estimate = guess + taken
                        regret[base + b] += (estimate - mine) * reach[top, 1]
                        average[base + b] += reach[top, 0] * policy[top, b]
                    value = mine
                else:
                    value = mean + value - guess
