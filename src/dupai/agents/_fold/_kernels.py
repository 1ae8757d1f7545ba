"""Algorithm 1 of the FOLD paper: deal hands from the readings and the rest of the board, compare."""

import numpy as np

from dupai.base import kernel, next_below, next_uniform
from dupai.cards import CARD_MASK, COMBO_MASK
from dupai.cards.kernels import CARD_KEY, COMBO_KEY, EMPTY_KEY, key_strength_kernel

_ZERO = np.uint64(0)
#: Parts that a running sum is cut into, so that a draw starts near its target.
_PARTS = 2048


@kernel
def _guide(cumulative, out):
    """Where to start: ``out[k]`` is the first place at which a running sum is above ``k`` of its ``out.size`` parts."""
    last = cumulative.size - 1
    place = 0
    for k in range(out.size):
        bound = k / out.size * cumulative[last]
        while place < last and cumulative[place] <= bound:
            place += 1
        out[k] = place


@kernel
def predicted_rate_kernel(hole0, hole1, board, n_board, cumulative, samples, tries, rng_state):
    """Share of the pot that a hand wins against hands drawn from readings, ties shared.

    A deal in which two players would hold the same card, or one of ours, is rejected whole and drawn again. So the
    joint probability of the hands is the product of the readings given that no card is held twice, independent of the
    order of the players.

    Args:
        hole0, hole1: our cards.
        board: ``uint8[5]``, the first ``n_board`` cards count.
        cumulative: ``float64[n, 1326]``, running sums of each opponent's reading (of any scale).
        samples: deals to make (Algorithm 1's N).
        tries: most deals to draw, rejected ones included.
        rng_state: ``uint64[4]`` of an :class:`dupai.base.Rng`; advances.

    Returns:
        Sum of the shares won, how many deals were won alone, and how many were made (fewer than ``samples`` when
        ``tries`` ran out).
    """
    n = cumulative.shape[0]
    own = CARD_MASK[hole0] | CARD_MASK[hole1]
    own_key = CARD_KEY[hole0] + CARD_KEY[hole1]
    known = _ZERO
    known_key = EMPTY_KEY
    for k in range(n_board):
        known |= CARD_MASK[board[k]]
        known_key += CARD_KEY[board[k]]
    guides = np.empty((n, _PARTS), np.uint16)
    for p in range(n):
        _guide(cumulative[p], guides[p])
    held = np.empty(n, np.int64)
    score = 0.0
    wins = 0
    made = 0
    drawn = 0
    while made < samples and drawn < tries:
        drawn += 1
        used = own | known
        clash = False
        for p in range(n):
            r = next_uniform(rng_state)
            u = r * cumulative[p, 1325]
            h = np.int64(guides[p, np.int64(r * _PARTS)])
            while h < 1325 and cumulative[p, h] <= u:
                h += 1
            mask = COMBO_MASK[h]
            if mask & used != _ZERO:
                clash = True
                break
            used |= mask
            held[p] = h
        if clash:
            continue
        made += 1
        table = known
        key = known_key
        for _ in range(5 - n_board):
            c = next_below(rng_state, 52)
            while CARD_MASK[c] & used != _ZERO:
                c = next_below(rng_state, 52)
            used |= CARD_MASK[c]
            table |= CARD_MASK[c]
            key += CARD_KEY[c]
        ours = key_strength_kernel(key + own_key, own | table)
        sharing = 1
        for p in range(n):
            theirs = key_strength_kernel(key + COMBO_KEY[held[p]], COMBO_MASK[held[p]] | table)
            if theirs > ours:
                sharing = 0
                break
            if theirs == ours:
                sharing += 1
        if sharing > 0:
            score += 1.0 / sharing
        wins += sharing == 1
    return score, wins, made
