"""The draws of a simulation: everybody's hands and the rest of the board."""

import numpy as np

from dupai.agents._mcts._layout import MEMO
from dupai.base import kernel, next_below, next_uniform, uncounted_kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_INDEX, COMBO_MASK
from dupai.equity import win_rate_kernel

_MIX, _SEVEN = np.uint64(0x9E3779B97F4A7C15), np.uint64(7)
_S3, _S6, _S9, _S13, _S29, _S45, _TOP, _S61 = (np.uint64(n) for n in (3, 6, 9, 13, 29, 45, 48, 61))
#: Draws of all hands together, then of one after the other, before any unseen cards do.
_TOGETHER, _ALONE = 400, 400


@kernel
def alias_kernel(weights, chance, other):
    """The alias table of ``float64[n]`` weights (Walker; Vose 1991): draw i evenly, keep it with ``chance[i]``, else
    take ``other[i]``."""
    n = weights.size
    total = 0.0
    for i in range(n):
        total += weights[i]
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    smalls = np.int64(0)
    larges = np.int64(0)
    for i in range(n):
        chance[i] = weights[i] / total * n
        other[i] = i
        if chance[i] < 1.0:
            small[smalls] = i
            smalls += 1
        else:
            large[larges] = i
            larges += 1
    while smalls > 0 and larges > 0:
        smalls -= 1
        i = small[smalls]
        k = large[larges - 1]
        other[i] = k
        chance[k] -= 1.0 - chance[i]
        if chance[k] < 1.0:
            larges -= 1
            small[smalls] = k
            smalls += 1
    # The rest is 1 except for rounding; a weight of 0 never gets here while a positive one is left.
    for k in range(larges):
        chance[large[k]] = 1.0
    for k in range(smalls):
        if weights[small[k]] > 0.0:
            chance[small[k]] = 1.0


@uncounted_kernel(forceinline=True)
def _draw(plan, p, rng_state):
    """A hand of position ``p``."""
    u = next_uniform(rng_state) * 1326.0
    i = np.int64(u)
    return i if u - i < plan.chance[p, i] else np.int64(plan.other[p, i])


@uncounted_kernel(forceinline=True)
def _hold(plan, work, p, combo):
    h = work.s[0]
    work.combo[p] = combo
    h["hole"][p, 0] = COMBO_CARDS[combo, 0]
    h["hole"][p, 1] = COMBO_CARDS[combo, 1]


@uncounted_kernel(forceinline=True)
def draw_hands_kernel(plan, work, used, rng_state):
    """Hands of all live opponents, each by its own weights, given that no card is held twice or in ``used``: all are
    drawn again until they fit (if that fails, one after the other, and finally from any unseen cards). Returns the
    cards in use."""
    h = work.s[0]
    me = plan.how.me
    n = h["players"]
    for _ in range(_TOGETHER):
        mask = used
        fits = True
        for p in range(n):
            if p == me or h["folded"][p] != 0:
                continue
            combo = _draw(plan, p, rng_state)
            if mask & COMBO_MASK[combo]:
                fits = False
                break
            mask |= COMBO_MASK[combo]
            _hold(plan, work, p, combo)
        if fits:
            return mask
    mask = used
    for p in range(n):
        if p == me or h["folded"][p] != 0:
            continue
        combo = np.int64(0)
        tries = np.int64(0)
        while True:
            combo = _draw(plan, p, rng_state) if tries < _ALONE else next_below(rng_state, np.int64(1326))
            tries += 1
            if not mask & COMBO_MASK[combo]:
                break
        mask |= COMBO_MASK[combo]
        _hold(plan, work, p, combo)
    return mask


@uncounted_kernel
def seen_mask_kernel(plan):
    """Our hole cards and the open board."""
    r = plan.root[0]
    me = plan.how.me
    mask = CARD_MASK[r["hole"][me, 0]] | CARD_MASK[r["hole"][me, 1]]
    for k in range(5):
        if r["board"][k] < 52:
            mask |= CARD_MASK[r["board"][k]]
    return mask


@uncounted_kernel(forceinline=True)
def deal_kernel(plan, work, seen, rng_state):
    """Set up one simulation: the hand as it stands, and opponents' hands (unless they are drawn at the leaf). The board
    is dealt street by street (``open_kernel``): most simulations end before the river."""
    work.s[0] = plan.root[0]
    h = work.s[0]
    me = plan.how.me
    work.combo[me] = np.int64(COMBO_INDEX[h["hole"][me, 0], h["hole"][me, 1]])
    work.used[0] = seen
    if not plan.rules.at_leaf:
        work.used[0] = draw_hands_kernel(plan, work, seen, rng_state)


@uncounted_kernel(forceinline=True)
def open_kernel(work, cards, rng_state):
    """Deal the missing ones of the first ``cards`` of the board, from cards that nobody holds."""
    h = work.s[0]
    used = work.used[0]
    for k in range(cards):
        if h["board"][k] >= 52:
            while True:
                c = next_below(rng_state, np.int64(52))
                if not used & CARD_MASK[c]:
                    break
            used |= CARD_MASK[c]
            h["board"][k] = c
    work.used[0] = used


@uncounted_kernel(forceinline=True)
def rate_kernel(table, tags, rates, hole0, hole1, board, street):
    """Win rate of a hand against one random hand; rivers (1 µs) are remembered."""
    if street < 3:
        return win_rate_kernel(table, hole0, hole1, board, np.int64(0) if street == 0 else street + 2)
    c = np.uint64(COMBO_INDEX[hole0, hole1])
    # The combo in bits of the mask that no card has.
    tag = (c & _SEVEN) << _S13 | (c >> _S3 & _SEVEN) << _S29 | (c >> _S6 & _SEVEN) << _S45 | (c >> _S9) << _S61
    for k in range(5):
        tag |= CARD_MASK[board[k]]
    place = np.int64(tag * _MIX >> _TOP) & (MEMO - 1)
    if tags[place] == tag:
        return rates[place]
    rate = win_rate_kernel(table, hole0, hole1, board, np.int64(5))
    tags[place] = tag
    rates[place] = rate
    return rate
