"""Two ranges against each other, exactly: before the flop from the table of match-ups, later over the runouts."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK
from dupai.cards.kernels import CARD_KEY, COMBO_KEY, EMPTY_KEY, FLUSH_FLAGS, key_strength_kernel, rank_strength_kernel
from dupai.equity._kernels.sweep import river_hand_kernel, runouts_kernel, sweep_kernel, table_cards_kernel

_ZERO = np.uint64(0)
#: Two more cards of each suit, in a key.
_TWOS = np.uint64(0x2222)
_U0, _U1 = np.uint16(0), np.uint16(1)
#: Marks of hands that the runout blocks: no difference of one of them (modulo 2**16) is that of two strengths, which
#: are below 8,000.
_STRENGTHS, _LESS, _BLOCKED_FIRST, _BLOCKED_SECOND = (np.uint16(n) for n in (8000, 65535 - 8000, 20000, 40000))


@kernel
def preflop_mass_kernel(weights, class_of, to_class, permuted, table_win, table_tie, win, tie, total):
    """All hands against a weighted range before the flop, from the table of match-ups.

    Args:
        weights: ``float64[1326]``, any non-negative weights.
        class_of, to_class: ``uint8[1326]``: class of a combo, and the suit permutation that leads to the first combo of
            its class.
        permuted: ``int16[24, 1326]``, :data:`dupai.cards.kernels.COMBO_PERMUTED`.
        table_win, table_tie: ``int32[169, 1326]``: boards that the class's first combo wins and ties; ties -1 where
            the hands share a card.
        win, tie, total: ``float64[1326]``, filled as by :func:`sweep_kernel`, in boards times weight.
    """
    for i in range(1326):
        row = class_of[i]
        p = to_class[i]
        w = 0.0
        t = 0.0
        met = 0.0
        for j in range(1326):
            x = weights[j]
            if x != 0.0:
                k = permuted[p, j]
                ties = table_tie[row, k]
                if ties >= 0:
                    w += x * table_win[row, k]
                    t += x * ties
                    met += x
        win[i] = w
        tie[i] = t
        total[i] = met * 1712304.0


@kernel
def preflop_pairs_kernel(own, own_weights, others, weights, class_of, to_class, permuted, table_win, table_tie):
    """Two weighted ranges before the flop, from the table of match-ups.

    Args:
        own, others: ``int16[m]``, ``int16[k]``: the players' combos; their weights ``float64``.
        class_of, to_class, permuted, table_win, table_tie: as for :func:`preflop_mass_kernel`.

    Returns:
        Weight of the deals that the first wins, loses and ties; the number of pairs of hands without a common card.
    """
    win = tie = met = 0.0
    pairs = 0
    for u in range(own.size):
        row = class_of[own[u]]
        p = to_class[own[u]]
        w = t = m = 0.0
        for v in range(others.size):
            k = permuted[p, others[v]]
            ties = table_tie[row, k]
            if ties >= 0:
                w += weights[v] * table_win[row, k]
                t += weights[v] * ties
                m += weights[v]
                pairs += 1
        win += own_weights[u] * w
        tie += own_weights[u] * t
        met += own_weights[u] * m
    return win, met * 1712304.0 - win - tie, tie, pairs


@kernel
def _runouts(gone, dead, places, order, start, stop):
    """Runouts of a board, those on which nobody can have a flush first: what :func:`pairs_kernel` takes from them.

    Returns:
        Key and mask of the full boards (``uint64[r]``), and how many allow no flush.
    """
    size = stop - start
    keys, masks = np.empty(size, np.uint64), np.empty(size, np.uint64)
    live = np.empty(52, np.int64)
    n = 0
    known = EMPTY_KEY
    for c in range(52):
        if CARD_MASK[c] & gone == _ZERO:
            live[n] = c
            n += 1
        elif CARD_MASK[c] & dead == _ZERO:
            known += CARD_KEY[c]
    plain = 0
    flush = size - 1
    for i in range(start, stop):
        key = known
        mask = gone & ~dead
        for j in range(places.shape[1]):
            c = live[places[order[i], j]]
            key += CARD_KEY[c]
            mask |= CARD_MASK[c]
        fits = (key + _TWOS) & FLUSH_FLAGS == _ZERO
        at = plain if fits else flush
        plain += fits
        flush -= not fits
        keys[at], masks[at] = key, mask
    return keys, masks, plain


@kernel
def pairs_kernel(first, first_weights, second, second_weights, gone, dead, places, order, start, stop):
    """Every hand of one player against every hand of another over runouts.

    Without a flush all hands of the same two ranks are equally strong, so one of them is evaluated.

    Args:
        first, second: ``int16[m]``, ``int16[k]``: the players' combos; their weights ``float64``.
        gone, dead: masks of the cards on the board (3 to 5) and dead together, and of the dead ones.
        places: ``uint8[r, missing]``: which of the live cards, in ascending order, complete the board.
        order: ``int32[r]``, the order of the runouts, as in :func:`dupai.equity._kernels.exact.deals_kernel`.

    Returns:
        Weight of the deals that the first wins, loses and ties; the number of pairs of hands without a common card.
    """
    keys, masks, plain = _runouts(gone, dead, places, order, start, stop)
    m, size = first.size, stop - start
    strengths = np.empty((m + second.size, size), np.uint16)
    same_ranks = np.full(169, -1)
    for h in range(m + second.size):
        combo = first[h] if h < m else second[h - m]
        row = strengths[h]
        ranks = COMBO_CARDS[combo, 0] % 13 * 13 + COMBO_CARDS[combo, 1] % 13
        if same_ranks[ranks] >= 0:
            row[:plain] = strengths[same_ranks[ranks], :plain]
        else:
            same_ranks[ranks] = h
            for r in range(plain):
                row[r] = rank_strength_kernel(keys[r] + COMBO_KEY[combo])
        for r in range(plain, size):
            row[r] = key_strength_kernel(keys[r] + COMBO_KEY[combo], masks[r] | COMBO_MASK[combo])
    for h in range(m + second.size):
        combo = first[h] if h < m else second[h - m]
        for r in range(size):
            if masks[r] & COMBO_MASK[combo] != _ZERO:
                strengths[h, r] = _BLOCKED_FIRST if h < m else _BLOCKED_SECOND
    win = lose = tie = 0.0
    pairs = 0
    for u in range(m):
        mine = strengths[u]
        for v in range(second.size):
            if COMBO_MASK[first[u]] & COMBO_MASK[second[v]] != _ZERO:
                continue
            theirs = strengths[m + v]
            wins = losses = ties = np.uint16(0)
            for r in range(size):
                more = np.uint16(mine[r] - theirs[r])
                wins = np.uint16(wins + np.uint16(np.uint16(more - _U1) < _STRENGTHS))
                losses = np.uint16(losses + np.uint16(more > _LESS))
                ties = np.uint16(ties + np.uint16(more == _U0))
            weight = first_weights[u] * second_weights[v]
            win += weight * wins
            lose += weight * losses
            tie += weight * ties
            pairs += 1
    return win, lose, tie, pairs


@kernel
def hand_counts_kernel(a, b, board, n_board):
    """One hand against one uniform hand on 3, 4 or 5 board cards, over every runout (as ``hand_kernel``): how many of
    the 990 hands on each runout it beats, how many it ties with, and the number of runouts."""
    full, dead = table_cards_kernel(a, b, board, n_board)
    rest = runouts_kernel(n_board, dead)
    wins = 0
    ties = 0
    for i in range(rest.shape[0]):
        full[n_board:] = rest[i, n_board - 3 :]
        win, tie = river_hand_kernel(a, b, full)
        wins += win
        ties += tie
    return wins, ties, rest.shape[0]


@kernel
def runout_sweep_kernel(boards, order, start, stop, weights, win, tie, total):
    """:func:`sweep_kernel` summed over full boards ``uint8[r, 5]``, for decks with dead cards and boards of 1 or 2.

    Args:
        order: ``int32[r]``, the order of the boards, as in :func:`dupai.equity._kernels.exact.deals_kernel`.
        weights: ``float64[1326]``, 0 for hands with dead cards.
        win, tie, total: ``float64[1326]``, added to.
    """
    w, t, met = np.empty(1326), np.empty(1326), np.empty(1326)
    for i in range(start, stop):
        sweep_kernel(boards[order[i]], 5, weights, w, t, met)
        win += w
        tie += t
        total += met
