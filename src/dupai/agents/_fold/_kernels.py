"""Algorithm 1 of the FOLD paper: deal hands from the readings and the rest of the board, compare."""

import numpy as np

from dupai.base import kernel, next_below, next_uniform
from dupai.cards import CARD_MASK, COMBO_MASK, strength_kernel

_ZERO = np.uint64(0)


@kernel
def predicted_rate_kernel(hole0, hole1, board, n_board, cumulative, samples, tries, rng_state):
    """Share of the pot that a hand wins against hands drawn from readings, ties shared.

    A deal in which two players would hold the same card, or one of ours, is thrown away whole and drawn again: so the
    joint probability of the hands is the product of the readings given that no card is held twice, whatever the order
    of the players.

    Args:
        hole0, hole1: our cards.
        board: ``uint8[5]``, the first ``n_board`` cards count.
        cumulative: ``float64[n, 1326]``, running sums of each opponent's reading (of any scale).
        samples: deals to make (Algorithm 1's N).
        tries: deals to draw at most, those thrown away counted.
        rng_state: ``uint64[4]`` of an :class:`dupai.base.Rng`; advances.

    Returns:
        Sum of the shares won, and how many deals were made (fewer than ``samples`` when ``tries`` ran out).
    """
    n = cumulative.shape[0]
    own = CARD_MASK[hole0] | CARD_MASK[hole1]
    known = _ZERO
    for k in range(n_board):
        known |= CARD_MASK[board[k]]
    held = np.empty(n, np.uint64)
    score = 0.0
    made = 0
    drawn = 0
    while made < samples and drawn < tries:
        drawn += 1
        used = own | known
        clash = False
        for p in range(n):
            u = next_uniform(rng_state) * cumulative[p, 1325]
            low = 0
            high = 1325
            while low < high:
                middle = (low + high) >> 1
                if cumulative[p, middle] > u:
                    high = middle
                else:
                    low = middle + 1
            mask = COMBO_MASK[low]
            if mask & used != _ZERO:
                clash = True
                break
            used |= mask
            held[p] = mask
        if clash:
            continue
        made += 1
        table = known
        for _ in range(5 - n_board):
            card = CARD_MASK[next_below(rng_state, 52)]
            while card & used != _ZERO:
                card = CARD_MASK[next_below(rng_state, 52)]
            used |= card
            table |= card
        ours = strength_kernel(own | table)
        sharing = 1
        for p in range(n):
            his = strength_kernel(held[p] | table)
            if his > ours:
                sharing = 0
                break
            if his == ours:
                sharing += 1
        if sharing > 0:
            score += 1.0 / sharing
    return score, made
