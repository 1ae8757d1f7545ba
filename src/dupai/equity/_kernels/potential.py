"""Hand potential by enumeration, and outs from the win-rate table."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK
from dupai.cards.kernels import strength_kernel
from dupai.equity._kernels.sweep import (
    CARD_SLOTS,
    PAIRS,
    SLOT_CARDS,
    SLOT_OF_COMBO,
    SLOTS,
    flush_suit_kernel,
    pair_strengths_kernel,
    runouts_kernel,
    singles_kernel,
    table_cards_kernel,
)
from dupai.equity._kernels.table import win_rate_kernel


@kernel
def slot_strengths_kernel(board, out):
    """Strength of every hand on a full board, by slot (see :mod:`dupai.equity._kernels.sweep`).

    Args:
        board: ``uint8[5]``.
        out: ``uint16[1456]``, filled; 0 for blocked hands (unused slots hold what their ranks would make).
    """
    pairs = np.empty(PAIRS, np.uint16)
    pair_strengths_kernel(board, pairs)
    for p in range(PAIRS):
        for k in range(16):
            out[p * 16 + k] = pairs[p]
    suit, in_suit = flush_suit_kernel(board)
    if in_suit != 0:
        slots = np.empty(1176, np.int16)
        keys = np.empty(1176, np.uint16)
        for k in range(singles_kernel(board, suit, in_suit, slots, keys)):
            out[slots[k]] = keys[k]
    for k in range(5):
        for m in range(51):
            out[CARD_SLOTS[board[k], m]] = 0


@kernel
def potential_kernel(a, b, board, n_board, weights, out):
    """Ahead, tied or behind now against the same at the river, for one hand against a weighted range.

    Args:
        a, b: the hole cards.
        board: ``uint8[5]``, the first ``n_board`` (3, 4 or 5) cards count.
        weights: ``float64[1326]``.
        out: ``float64[3, 3]``, filled: weight of (opposing hand, runout) by [now, river]; 0 ahead, 1 tied, 2 behind.
    """
    full, dead = table_cards_kernel(a, b, board, n_board)
    mask = np.uint64(0)
    for k in range(n_board):
        mask |= CARD_MASK[board[k]]
    own = CARD_MASK[a] | CARD_MASK[b]
    mine = np.int64(strength_kernel(mask | own))
    # Live opponents with their state now, grouped by it.
    slots = np.empty(1326, np.int16)
    weight = np.empty(1326)
    first = np.zeros(4, np.int64)
    n = 0
    for state in range(3):
        for combo in range(1326):
            slot = SLOT_OF_COMBO[combo]
            c = SLOT_CARDS[slot, 0]
            d = SLOT_CARDS[slot, 1]
            if dead[c] or dead[d] or weights[combo] == 0.0:
                continue
            theirs = np.int64(strength_kernel(mask | CARD_MASK[c] | CARD_MASK[d]))
            if state == (0 if theirs < mine else 1 if theirs == mine else 2):
                slots[n] = slot
                weight[n] = weights[combo]
                n += 1
        first[state + 1] = n
    out[:] = 0.0
    strengths = np.empty(SLOTS, np.uint16)
    rest = runouts_kernel(n_board, dead)
    for i in range(rest.shape[0]):
        full[n_board:] = rest[i, n_board - 3 :]
        board_mask = np.uint64(0)
        for k in range(5):
            board_mask |= CARD_MASK[full[k]]
        mine = np.int64(strength_kernel(board_mask | own))
        slot_strengths_kernel(full, strengths)
        for state in range(3):
            all_ = tied = behind = 0.0
            for k in range(first[state], first[state + 1]):
                theirs = np.int64(strengths[slots[k]])
                w = weight[k] if theirs != 0 else 0.0
                all_ += w
                tied += w if theirs == mine else 0.0
                behind += w if theirs > mine else 0.0
            out[state, 0] += all_ - tied - behind
            out[state, 1] += tied
            out[state, 2] += behind


@kernel
def outs_kernel(table, a, b, board, n_board, share, out):
    """Outs of one hand against one uniform hand: cards that close ``share`` of the gap between the win rate and 1.

    Args:
        table: :class:`~dupai.equity.WinRateTable`.
        a, b: the hole cards.
        board: ``uint8[5]``, the first ``n_board`` (3 or 4) cards count.
        share: 0.6 in eq. 29.
        out: ``bool[52]``, filled: which cards are outs.

    Returns:
        How many outs there are.
    """
    full, dead = table_cards_kernel(a, b, board, n_board)
    rate = win_rate_kernel(table, a, b, full, n_board)
    n = 0
    for c in range(52):
        out[c] = False
        if not dead[c]:
            full[n_board] = c
            if win_rate_kernel(table, a, b, full, n_board + 1) - rate >= share * (1.0 - rate):
                out[c] = True
                n += 1
    return n
