"""The tree: nodes, selection, results on their way up, and cutting it down to a subtree. For every game the same."""

import math

import numpy as np

from dupai.agents._mcts._layout import THOMPSON, UCT
from dupai.base import next_uniform, uncounted_kernel


@uncounted_kernel
def begin_kernel(tree, kind):
    """Reduce the tree to a root."""
    tree.used[0] = 0
    add_kernel(tree, np.int64(-1), kind, np.int64(0), np.int64(0))


@uncounted_kernel(forceinline=True)
def add_kernel(tree, parent, kind, key, action):
    """A new child of ``parent``; its number, or -1 when the tree is full."""
    node = tree.used[0]
    if node >= tree.visits.size:
        return np.int64(-1)
    tree.used[0] = node + 1
    tree.kind[node] = kind
    tree.options[node] = 0
    tree.links[node, 0] = parent
    tree.links[node, 1] = -1
    tree.links[node, 2] = -1
    tree.links[node, 3] = 0
    tree.key[node] = key
    tree.action[node] = action
    tree.visits[node] = 0
    tree.square[node] = 0.0
    for p in range(tree.value.shape[1]):
        tree.value[node, p] = 0.0
    if parent >= 0:
        tree.links[node, 2] = tree.links[parent, 1]
        tree.links[parent, 1] = node
        tree.links[parent, 3] += 1
    return node


@uncounted_kernel(forceinline=True)
def find_kernel(tree, node, key):
    """The child of that key, -1 when there is none."""
    child = np.int64(tree.links[node, 1])
    while child >= 0 and tree.key[child] != key:
        child = np.int64(tree.links[child, 2])
    return child


@uncounted_kernel(forceinline=True)
def nearest_kernel(tree, node, key):
    """The child whose key is nearest (the smaller of two), -1 when there are none."""
    child = np.int64(tree.links[node, 1])
    best = np.int64(-1)
    least = np.int64(0)
    while child >= 0:
        away = 2 * abs(tree.key[child] - key) + (1 if tree.key[child] > key else 0)
        if best < 0 or away < least:
            best = child
            least = away
        child = np.int64(tree.links[child, 2])
    return best


@uncounted_kernel(forceinline=True)
def nth_kernel(tree, node, n):
    """The n-th child."""
    child = np.int64(tree.links[node, 1])
    for _ in range(n):
        child = np.int64(tree.links[child, 2])
    return child


@uncounted_kernel(forceinline=True)
def _normal(rng_state):
    """A standard normal number (Box and Muller)."""
    u = 1.0 - next_uniform(rng_state)
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * next_uniform(rng_state))


@uncounted_kernel(forceinline=True)
def select_kernel(tree, node, how, rng_state):
    """The child of a decision node to go to; each has been visited.

    UCT: ``mean + C unit sqrt(ln N / n)`` with N the visits of the node. UCB-tuned (Auer, Cesa-Bianchi, Fischer 2002,
    section 4): ``mean + C sqrt(V ln N / n)`` with V the child's own variance plus ``unit**2 sqrt(2 ln N / n)`` for
    its uncertainty; there is no bound of 1/4, as winnings have none. Thompson: the largest draw from the normal
    distributions of the means, each as if one more result that far off (``unit``) had been seen.
    """
    me, rule, c, unit = how.me, how.rule, how.c, how.unit
    log_n = math.log(np.float64(tree.visits[node]))
    root = c * unit * math.sqrt(log_n)
    best = np.int64(-1)
    most = -np.inf
    child = np.int64(tree.links[node, 1])
    while child >= 0:
        v = np.float64(tree.visits[child])
        z = tree.value[child, me] / v
        if rule == UCT:
            z += root / math.sqrt(v)
        else:
            own = max(tree.square[child] / v - z * z, 0.0)
            if rule == THOMPSON:
                z += c * math.sqrt((own * v + unit * unit) / (v + 1.0) / v) * _normal(rng_state)
            else:
                z += c * math.sqrt((own + unit * unit * math.sqrt(2.0 * log_n / v)) * log_n / v)
        if z > most:
            most = z
            best = child
        child = np.int64(tree.links[child, 2])
    return best


@uncounted_kernel(forceinline=True)
def decide_kernel(tree, node, options, how, rng_state):
    """Our choice among ``options`` actions at a decision node: the child (-1: a new one) and the number of the action.
    Children are added one by one: one at once, a further one after every ``how.window`` visits."""
    children = np.int64(tree.links[node, 3])
    if children < min(options, 1 + tree.visits[node] // how.window) and (
        tree.used[0] < tree.visits.size or children == 0
    ):
        return np.int64(-1), children
    child = select_kernel(tree, node, how, rng_state)
    return child, np.int64(tree.key[child])


@uncounted_kernel(forceinline=True)
def back_up_kernel(tree, path, depth, won, how):
    """Add everybody's winnings to the nodes on the path; with ``how.plain`` a node with children gets the plain mean of
    theirs instead, whatever their visits."""
    mine = won[how.me] * won[how.me]
    for k in range(depth, -1, -1):
        node = path[k]
        tree.visits[node] += 1
        tree.square[node] += mine
        weight = np.float64(tree.visits[node]) / max(np.float64(tree.links[node, 3]), 1.0)
        for p in range(tree.value.shape[1]):
            child = np.int64(tree.links[node, 1])
            if not how.plain or child < 0:
                tree.value[node, p] += won[p]
                continue
            total = 0.0
            while child >= 0:
                total += tree.value[child, p] / np.float64(tree.visits[child])
                child = np.int64(tree.links[child, 2])
            tree.value[node, p] = total * weight


@uncounted_kernel
def sure_kernel(tree, left):
    """Whether the most visited child of the root stays so after ``left`` more simulations, whatever their results: no
    other child, nor a new one, can reach it."""
    first = np.int64(0)
    second = np.int64(0)
    child = np.int64(tree.links[0, 1])
    while child >= 0:
        visits = tree.visits[child]
        if visits > first:
            second = first
            first = visits
        elif visits > second:
            second = visits
        child = np.int64(tree.links[child, 2])
    return first > second + left


@uncounted_kernel
def keep_kernel(tree, root, place):
    """Cut the tree down to the subtree of ``root``, which becomes node 0. ``place``: ``int32`` scratch, one a node."""
    if root == 0:
        return
    n = np.int64(0)
    for i in range(tree.used[0]):
        parent = tree.links[i, 0]
        if i < root or (i > root and (parent < root or place[parent] < 0)):
            place[i] = -1
            continue
        place[i] = n
        tree.kind[n] = tree.kind[i]
        tree.options[n] = tree.options[i]
        tree.key[n] = tree.key[i]
        tree.action[n] = tree.action[i]
        tree.visits[n] = tree.visits[i]
        tree.square[n] = tree.square[i]
        for p in range(tree.value.shape[1]):
            tree.value[n, p] = tree.value[i, p]
        for k in range(4):
            tree.links[n, k] = tree.links[i, k]
        n += 1
    for i in range(n):
        for k in range(3):
            if tree.links[i, k] >= 0:
                tree.links[i, k] = place[tree.links[i, k]]
    tree.links[0, 0] = -1
    tree.links[0, 2] = -1
    tree.used[0] = n
