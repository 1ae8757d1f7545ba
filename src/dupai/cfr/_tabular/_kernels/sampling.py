"""Monte Carlo regret minimisation over the histories of a game; arrays as in ``GameTree`` of ``_tree.py``.

``nodes`` differs in one thing: a player's node has the number of its information set's first action in column 1.
An iteration is one sample for each player's regrets. Regrets and averages are by action, in the tree's order.
"""

import numpy as np

from dupai.base import kernel, next_uniform

_CHANCE, _OVER = np.int64(-1), np.int64(-2)


@kernel(inline="always")
def _outcome(u, first, count, chance):
    """Which outcome of chance a uniform number means; outcomes are often equally likely, so start there."""
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
    """Which action a uniform number means."""
    a = np.int64(0)
    u -= policy[at, 0]
    while u >= 0.0 and a < count - 1:
        a += 1
        u -= policy[at, a]
    # Rounding can run past the last action that is taken at all.
    while policy[at, a] == 0.0:
        a -= 1
    return a


@kernel
def external_kernel(players, depth, width, nodes, chance, payoffs, iterations, regret, average, rng):
    """External sampling: all actions of one player, one of everybody else and of chance.

    The average is taken at the opponent's nodes, of the next player where there are several (as OpenSpiel's "simple").
    ``depth``: decisions of one player on the longest way; ``width``: most actions. ``rng`` ``uint64[4]``.
    """
    policy, values = np.empty((depth + 1, width)), np.empty((depth + 1, width))
    frame = np.empty((depth + 1, 4), np.int64)  # first child, actions, the one under way, first action's number
    for _ in range(iterations):
        for p in range(players):
            following = (p + 1) % players
            top = 0
            node = np.int64(0)
            while True:
                actor = np.int64(nodes[node, 0])
                base, first, count = np.int64(nodes[node, 1]), np.int64(nodes[node, 2]), np.int64(nodes[node, 3])
                if actor == _CHANCE:
                    node = first + _outcome(next_uniform(rng), first, count, chance)
                elif actor == p:
                    _match(base, count, regret, top, policy)
                    frame[top, 0], frame[top, 1], frame[top, 2], frame[top, 3] = first, count, 0, base
                    top += 1
                    node = first
                elif actor != _OVER:
                    _match(base, count, regret, top, policy)
                    if actor == following:
                        for a in range(count):
                            average[base + a] += policy[top, a]
                    node = first + _draw(next_uniform(rng), count, policy, top)
                else:
                    value = payoffs[base, p]
                    node = np.int64(-1)
                    while top > 0:
                        at = top - 1
                        a = frame[at, 2]
                        values[at, a] = value
                        a += 1
                        if a < frame[at, 1]:
                            frame[at, 2] = a
                            node = frame[at, 0] + a
                            break
                        value = 0.0
                        for b in range(a):
                            value += policy[at, b] * values[at, b]
                        base = frame[at, 3]
                        for b in range(a):
                            regret[base + b] += values[at, b] - value
                        top = at
                    if node < 0:
                        break


@kernel
def external_baseline_kernel(
    players, depth, width, nodes, chance, payoffs, iterations, decay, baseline, regret, average, rng
):
    """External sampling where everything sampled is corrected by a baseline: ``baseline`` ``float64[nodes, players]``
    follows the sampled values of every history with the step ``decay``. ``depth``: length of the longest way."""
    policy, values = np.empty((depth + 1, width)), np.empty((depth + 1, width))
    frame = np.empty((depth + 1, 5), np.int64)  # first child, actions, the one under way, first action's number, actor
    for _ in range(iterations):
        for p in range(players):
            following = (p + 1) % players
            top = 0
            node = np.int64(0)
            while True:
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
                    frame[top, 0], frame[top, 1], frame[top, 2] = first, count, a
                    frame[top, 3], frame[top, 4] = base, actor
                    top += 1
                    node = first + a
                    continue
                value = payoffs[base, p]
                node = np.int64(-1)
                while top > 0:
                    at = top - 1
                    first, count, a, actor = frame[at, 0], frame[at, 1], frame[at, 2], frame[at, 4]
                    if actor == p:
                        values[at, a] = value
                        a += 1
                        if a < count:
                            frame[at, 2] = a
                            node = first + a
                            break
                        value = 0.0
                        for b in range(count):
                            value += policy[at, b] * values[at, b]
                        base = frame[at, 3]
                        for b in range(count):
                            regret[base + b] += values[at, b] - value
                    else:
                        # The mean of the baselines, and by how much the sampled child differs from its own.
                        guess = baseline[first + a, p]
                        mean = 0.0
                        before = 0.0
                        for b in range(count):
                            if actor == _CHANCE:
                                mean += (chance[first + b] - before) * baseline[first + b, p]
                                before = chance[first + b]
                            else:
                                mean += policy[at, b] * baseline[first + b, p]
                        baseline[first + a, p] = guess + decay * (value - guess)
                        value = mean + value - guess
                    top = at
                if node < 0:
                    break


@kernel
def outcome_kernel(
    players, depth, width, nodes, chance, payoffs, iterations, explore, decay, baseline, regret, average, rng
):
    """Outcome sampling: one line of play for each player's regrets; that player explores with chance ``explore``.

    ``baseline`` ``float64[nodes, players]`` follows sampled values with the step ``decay`` and corrects everything that
    was not taken (M. Schmid et al. 2019, eq. 9, at chance too); without rows there are no baselines. ``depth``: length
    of the longest way.
    """
    corrected = len(baseline) > 0
    policy = np.empty((depth + 1, width))
    frame = np.empty((depth + 1, 5), np.int64)  # first child, actions, the one taken, first action's number, actor
    reach = np.empty((depth + 1, 3))  # own reach over chance of the line, 1 over own part of that, chance of the action
    for _ in range(iterations):
        for p in range(players):
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
                        # Sampled as it is: its value is that of the outcome.
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
            value = payoffs[base, p]
            while top > 0:
                top -= 1
                first, count, a, actor = frame[top, 0], frame[top, 1], frame[top, 2], frame[top, 4]
                guess = baseline[first + a, p] if corrected else 0.0
                mean = 0.0
                if corrected:
                    before = 0.0
                    for b in range(count):
                        if actor == _CHANCE:
                            mean += (chance[first + b] - before) * baseline[first + b, p]
                            before = chance[first + b]
                        else:
                            mean += policy[top, b] * baseline[first + b, p]
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
