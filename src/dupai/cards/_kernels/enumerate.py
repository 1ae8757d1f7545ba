"""Every seven-card hand there is, counted by strength: hand by hand, or by ranks with multiplicities.

Both go through running keys, with the cards in rank-major order (``rank * 4 + suit``): neighbours share their rank, so
that hands after each other look into the same cache lines. The last two cards ``f < g`` are taken from lists sorted by
``f`` descending: those above a given card stand in front.
"""

import numpy as np

from dupai.base import kernel
from dupai.cards._hands import hand_value_table
from dupai.cards._kernels.evaluate import (
    CARD_KEY,
    EMPTY_KEY,
    FLUSH_FLAGS,
    FLUSH_STRENGTH,
    key_strength_kernel,
    rank_strength_kernel,
)
from dupai.cards._tables import CARD_MASK

_ORDER = np.arange(52) % 4 * 13 + np.arange(52) // 4
_KEY = CARD_KEY[_ORDER]
_MASK = CARD_MASK[_ORDER]
_PAIRS = np.array([(f, g) for f in range(50, -1, -1) for g in range(f + 1, 52)])
_PAIR_KEY = _KEY[_PAIRS[:, 0]] + _KEY[_PAIRS[:, 1]]
_PAIR_MASK = _MASK[_PAIRS[:, 0]] | _MASK[_PAIRS[:, 1]]
# The same for ranks: pairs r <= q, r descending; those above a rank are in front.
_RANKS = np.array([(r, q) for r in range(12, -1, -1) for q in range(r, 13)])
_RANK_KEY = CARD_KEY[:13] & np.uint64(0xFFFFFFFFFFFF0000)
_RANKS_KEY = _RANK_KEY[_RANKS[:, 0]] + _RANK_KEY[_RANKS[:, 1]]
# In how many ways two cards of four suits have these ranks; and how many of them are not both of one given suit.
_RANKS_WAYS = np.where(_RANKS[:, 0] == _RANKS[:, 1], 6, [[16], [15]]).astype(np.uint8)
_SUITED = np.array([(r, q) for r in range(11, -1, -1) for q in range(r + 1, 13)])
_SUITED_LANE = (1 << _SUITED[:, 0] | 1 << _SUITED[:, 1]).astype(np.uint64)
# The first strength of each category.
_FROM = np.searchsorted(hand_value_table() >> 20, np.arange(9)).astype(np.uint16)
for _table in (_KEY, _MASK, _PAIR_KEY, _PAIR_MASK, _RANK_KEY, _RANKS_KEY, _RANKS_WAYS, _SUITED_LANE, _FROM):
    _table.flags.writeable = False
_T1, _T2, _T3, _T4, _T5, _T6, _T7, _T8 = _FROM[1:]
_BUFFER = 8192
_LANE = np.uint64(0x1FFF)
_ONES = np.uint64(0x1111)
_TWOS = np.uint64(0x2222)
_S16 = np.uint64(16)
_ONE = np.uint64(1)


@kernel
def _tally(strengths, above):
    """Add to ``above[k]`` how many strengths are of category ``k`` or above (at most 65,535 strengths)."""
    c1 = c2 = c3 = c4 = c5 = c6 = c7 = c8 = np.uint16(0)
    for i in range(strengths.size):
        s = strengths[i]
        c1 = np.uint16(c1 + np.uint16(s >= _T1))
        c2 = np.uint16(c2 + np.uint16(s >= _T2))
        c3 = np.uint16(c3 + np.uint16(s >= _T3))
        c4 = np.uint16(c4 + np.uint16(s >= _T4))
        c5 = np.uint16(c5 + np.uint16(s >= _T5))
        c6 = np.uint16(c6 + np.uint16(s >= _T6))
        c7 = np.uint16(c7 + np.uint16(s >= _T7))
        c8 = np.uint16(c8 + np.uint16(s >= _T8))
    above[0] += strengths.size
    for k, c in enumerate((c1, c2, c3, c4, c5, c6, c7, c8)):
        above[k + 1] += np.int64(c)


@kernel
def category_counts_kernel(first, last, counts):
    """Evaluate each seven-card hand whose lowest card is ``first`` to ``last - 1``; count them by category.

    Cards are numbered rank by rank here (``rank * 4 + suit``), so ``(0, 46)`` is all 133,784,560 hands: a tenth of a
    second. Adds to ``counts`` ``int64[9]``, indexed as ``CATEGORIES``.
    """
    above = np.zeros(10, np.int64)
    buffer = np.empty(_BUFFER, np.uint16)
    n = 0
    for a in range(first, last):
        key1 = EMPTY_KEY + _KEY[a]
        mask1 = _MASK[a]
        for b in range(a + 1, 52):
            key2 = key1 + _KEY[b]
            mask2 = mask1 | _MASK[b]
            for c in range(b + 1, 52):
                key3 = key2 + _KEY[c]
                mask3 = mask2 | _MASK[c]
                for d in range(c + 1, 52):
                    key4 = key3 + _KEY[d]
                    mask4 = mask3 | _MASK[d]
                    for e in range(d + 1, 50):
                        key5 = key4 + _KEY[e]
                        mask5 = mask4 | _MASK[e]
                        out = buffer[n : n + (51 - e) * (50 - e) // 2]
                        for i in range(out.size):
                            out[i] = key_strength_kernel(key5 + _PAIR_KEY[i], mask5 | _PAIR_MASK[i])
                        n += out.size
                        if n > _BUFFER - 1081:
                            _tally(buffer[:n], above)
                            n = 0
    _tally(buffer[:n], above)
    for k in range(9):
        counts[k] += above[k] - above[k + 1]


@kernel
def strength_counts_kernel(first, last, counts):
    """Count the seven-card hands whose lowest card is ``first`` to ``last - 1`` by strength.

    The last two cards are taken by rank, with the number of their suits; only suits of which the other five hold three
    or more are looked at card by card. Cards are numbered as in :func:`category_counts_kernel`. Adds to ``counts``
    ``int64[7463]``, indexed by strength.
    """
    for a in range(first, last):
        key1 = EMPTY_KEY + _KEY[a]
        mask1 = _MASK[a]
        for b in range(a + 1, 52):
            key2 = key1 + _KEY[b]
            mask2 = mask1 | _MASK[b]
            for c in range(b + 1, 52):
                key3 = key2 + _KEY[c]
                mask3 = mask2 | _MASK[c]
                for d in range(c + 1, 52):
                    key4 = key3 + _KEY[d]
                    mask4 = mask3 | _MASK[d]
                    for e in range(d + 1, 50):
                        key = key4 + _KEY[e]
                        mask = mask4 | _MASK[e]
                        if (key + _ONES) & FLUSH_FLAGS:
                            # Four or five of a suit: hand by hand.
                            for i in range((51 - e) * (50 - e) // 2):
                                counts[key_strength_kernel(key + _PAIR_KEY[i], mask | _PAIR_MASK[i])] += 1
                            continue
                        rank = e >> 2
                        left = 3 - (e & 3)
                        higher = 12 - rank
                        three = (key + _TWOS) & FLUSH_FLAGS
                        suit = 0
                        while three >> np.uint64(4 * suit + 4):
                            suit += 1
                        suited = np.int64(three != np.uint64(0))
                        suited_left = suited * np.int64(suit > (e & 3))
                        for i in range(higher * (higher + 1) // 2):
                            counts[rank_strength_kernel(key + _RANKS_KEY[i])] += _RANKS_WAYS[suited, i]
                        if left:
                            with_one = key + _RANK_KEY[rank]
                            for r in range(rank + 1, 13):
                                counts[rank_strength_kernel(with_one + _RANK_KEY[r])] += 4 * left - suited_left
                            if left > 1:
                                counts[rank_strength_kernel(with_one + _RANK_KEY[rank])] += left * (left - 1) // 2
                        if suited:
                            lane = (mask >> (_S16 * np.uint64(suit))) & _LANE
                            for i in range(higher * (higher - 1) // 2):
                                counts[FLUSH_STRENGTH[lane | _SUITED_LANE[i]]] += 1
                            if suited_left:
                                lane |= _ONE << np.uint64(rank)
                                for r in range(rank + 1, 13):
                                    counts[FLUSH_STRENGTH[lane | _ONE << np.uint64(r)]] += 1
