"""Known hands on a board over every runout, for the referee's luck terms."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK
from dupai.cards.kernels import strength_kernel
from dupai.equity._kernels.monte_carlo import best_kernel
from dupai.equity._kernels.sweep import runouts_kernel


@kernel
def known_kernel(holes, board, n_board, dead, hist):
    """Known hands on 3, 4 or 5 board cards over every runout: adds the runouts to ``hist[winners]`` (``int64[2**n]``),
    as :func:`~dupai.equity._kernels.exact.deal_kernel` does before the flop.

    Args:
        holes: ``int64[n, 2]``, different cards.
        board: ``uint8[5]``, the first ``n_board`` cards count.
        dead: ``uint64`` mask of further cards that cannot come.
    """
    n = holes.shape[0]
    on_board = np.uint64(0)
    for k in range(n_board):
        on_board |= CARD_MASK[board[k]]
    masks = np.empty(n, np.uint64)
    gone = on_board | dead
    for p in range(n):
        masks[p] = on_board | CARD_MASK[holes[p, 0]] | CARD_MASK[holes[p, 1]]
        gone |= masks[p]
    cannot = np.empty(52, np.bool_)
    for c in range(52):
        cannot[c] = gone & CARD_MASK[c] != 0
    rest = runouts_kernel(n_board, cannot)
    for i in range(rest.shape[0]):
        runout = np.uint64(0)
        for k in range(n_board - 3, 2):
            runout |= CARD_MASK[rest[i, k]]
        best = 0
        winners = 0
        for p in range(n):
            best, winners = best_kernel(np.int64(strength_kernel(masks[p] | runout)), p, best, winners)
        hist[winners] += 1
