"""Simulations of small games written out as arrays, on the same tree as hold'em: there the best answer is known."""

import numpy as np

from dupai.agents.mcts import NODE_KINDS, add_kernel, back_up_kernel, decide_kernel, find_kernel
from dupai.base import kernel, next_below, next_uniform

DECISION, OPPONENT, CHANCE, LEAF = NODE_KINDS


@kernel
def _drawn(game, state, rng_state):
    """The number of an action of chance or of an opponent, by its probability."""
    first = game.first[state]
    u = next_uniform(rng_state)
    last = game.first[state + 1] - 1
    at = first
    while at < last and u >= game.chance[at]:
        u -= game.chance[at]
        at += 1
    # Rounding must not lead to what cannot happen.
    while game.chance[at] == 0.0:
        at -= 1
    return at - first


@kernel
def small_search_kernel(tree, game, how, root, work, simulations, rng_state):
    """Simulations: a state of the root's information set is drawn, which fixes what opponents hold; then down the tree,
    a new node, at random to the end, and back up.

    Opponents' actions are drawn from their policies with what they hold (the probabilities of ``game``), so a child of
    an opponent node is an action, and one of a chance node what we see of the cards dealt.

    Args:
        tree, how: :class:`dupai.agents.Tree` and :class:`dupai.agents.mcts.Selection`.
        game: the game as arrays, by state.
        root: states of the information set, and running sums of their weights.
        work: ``int64`` path of nodes, ``float64[players]`` winnings.
    """
    start, weights = root
    path, won = work
    for _ in range(simulations):
        u = next_uniform(rng_state) * weights[weights.size - 1]
        i = np.int64(0)
        while i + 1 < weights.size and u >= weights[i]:
            i += 1
        state = start[i]
        node = np.int64(0)
        path[0] = 0
        depth = np.int64(0)
        growing = True
        while game.kind[state] != LEAF:
            options = game.first[state + 1] - game.first[state]
            child = np.int64(-1)
            if game.kind[state] != DECISION:
                index = _drawn(game, state, rng_state)
            elif growing:
                child, index = decide_kernel(tree, node, options, how, rng_state)
            else:
                index = next_below(rng_state, options)
            here = game.kind[state]
            state = game.child[game.first[state] + index]
            if growing:
                key = game.seen[state] if here == CHANCE else index
                if child < 0:
                    child = find_kernel(tree, node, key)
                if child < 0:
                    growing = False
                    child = add_kernel(tree, node, game.kind[state], key, index)
                if child >= 0:
                    node = child
                    depth += 1
                    path[depth] = node
        for p in range(won.size):
            won[p] = game.payoffs[state, p]
        back_up_kernel(tree, path, depth, won, how)
