"""Set-up of boards: possible hands, their order by strength, and all-in results before the river."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.equity import sort_by_strength_kernel


@kernel
def hands_kernel(mask, river, above, out, strengths):
    """Hands of ``above`` (combos) that are possible on a board; on a river by strength, else in the same order.

    Args:
        mask: ``uint64``, the cards of the board; river: whether there are five.
        above: ``int16[n]``, combos.
        out: ``int16[>= n]``, filled with combos. strengths: ``int16[>= n]``, filled on a river.

    Returns:
        The number of hands.
    """
    n = 0
    for i in range(above.shape[0]):
        c = np.int64(above[i])
        hand = COMBO_MASK[c]
        if hand & mask == 0:
            out[n] = c
            if river:
                strengths[n] = np.int16(strength_kernel(mask | hand))
            n += 1
    if river:
        keys2 = np.empty(n, np.int16)
        ids2 = np.empty(n, np.int16)
        sort_by_strength_kernel(strengths, out, n, keys2, ids2)
    return n


@kernel
def groups_kernel(s0, s1, out):
    """Groups of equal strength over both sorted lists: row g of ``out`` (``int16[:, 2]``) holds their ends.

    Neighbouring groups are joined if only one player has hands in them. Returns the number of groups.
    """
    n0 = s0.shape[0]
    n1 = s1.shape[0]
    i = 0
    j = 0
    g = 0
    # players in the group before: 0 both or none, 1 only player 0, 2 only player 1
    before = 0
    while i < n0 or j < n1:
        if j >= n1:
            key = s0[i]
        elif i >= n0:
            key = s1[j]
        else:
            key = min(s0[i], s1[j])
        i0 = i
        j0 = j
        while i < n0 and s0[i] == key:
            i += 1
        while j < n1 and s1[j] == key:
            j += 1
        players = (1 if i > i0 else 0) + (2 if j > j0 else 0)
        if players != 3 and players == before:
            g -= 1
        out[g, 0] = i
        out[g, 1] = j
        g += 1
        before = players if players != 3 else 0
    return g


@kernel
def tables_kernel(mine, n_mine, yours, n_yours, nothing, cards, same, index):
    """Cards of each of my hands (``uint8[:, 2]``) and the place of the same combo in your list, else ``nothing``.

    ``index`` is scratch memory, ``int16[1326]``.
    """
    for i in range(1326):
        index[i] = nothing
    for j in range(n_yours):
        index[yours[j]] = j
    for i in range(n_mine):
        c = np.int64(mine[i])
        cards[i, 0] = COMBO_CARDS[c, 0]
        cards[i, 1] = COMBO_CARDS[c, 1]
        same[i] = index[c]


@kernel
def places_kernel(mine, n_mine, permuted, index, out):
    """The place of each of my hands, its suits renamed, in a list with the given ``index`` (``int16[1326]``)."""
    for i in range(n_mine):
        out[i] = index[permuted[mine[i]]]


@kernel
def allin_kernel(mask, dead, mine, yours, out, back):
    """Over the rivers after a turn: wins less losses of each hand of ``mine`` against each of ``yours``.

    Args:
        mask: ``uint64`` with four cards; dead: ``uint64``, cards that will not come.
        mine, yours: ``int16``, possible combos.
        out: ``int16[blocks, len(yours), 16]``, zeroed; hand i of mine is ``[i // 16, :, i % 16]``.
        back: ``int16[blocks, len(mine), 16]``, zeroed; the same seen from the other side.
    """
    n = mine.shape[0]
    m = yours.shape[0]
    b = np.empty(m, np.int16)
    total = np.zeros((n, m), np.int16)
    for r in range(52):
        card = CARD_MASK[r]
        if (mask | dead) & card:
            continue
        board = mask | card
        for j in range(m):
            hand = COMBO_MASK[yours[j]]
            b[j] = 0 if hand & card else np.int16(strength_kernel(board | hand))
        for i in range(n):
            hand = COMBO_MASK[mine[i]]
            if hand & card:
                continue
            x = np.int16(strength_kernel(board | hand))
            row = total[i]
            for j in range(m):
                y = b[j]
                row[j] += np.int16((1 if (x > y) & (y != 0) else 0) - (1 if x < y else 0))
    for i in range(n):
        hand = COMBO_MASK[mine[i]]
        for j in range(m):
            x = total[i, j] if hand & COMBO_MASK[yours[j]] == 0 else np.int16(0)
            out[i >> 4, j, i & 15] = x
            back[j >> 4, i, j & 15] = -x


@kernel
def allin_add_kernel(part, n, m, place_mine, place_yours, out, back):
    """Add one turn card's all-in counts to the flop's; ``place_mine``, ``place_yours``: the hands' places there."""
    for i in range(n):
        p = np.int64(place_mine[i])
        for j in range(m):
            q = np.int64(place_yours[j])
            x = part[i >> 4, j, i & 15]
            out[p >> 4, q, p & 15] += x
            back[q >> 4, p, q & 15] -= x


@kernel
def meetings_kernel(combos, weights, others, other_weights, out):
    """Weight of the opponent's hands that share no card with each of mine, into ``out`` (``float64[n]``)."""
    held = np.zeros(52)
    own = np.zeros(1326)
    total = 0.0
    for j in range(others.shape[0]):
        c = np.int64(others[j])
        w = np.float64(other_weights[j])
        own[c] = w
        held[COMBO_CARDS[c, 0]] += w
        held[COMBO_CARDS[c, 1]] += w
        total += w
    for i in range(combos.shape[0]):
        c = np.int64(combos[i])
        x = total - held[COMBO_CARDS[c, 0]] - held[COMBO_CARDS[c, 1]] + own[c]
        out[i] = x if x > 1e-12 * total else 0.0
