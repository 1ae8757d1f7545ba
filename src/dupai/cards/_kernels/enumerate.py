"""Every seven-card hand there is, evaluated one by one through running keys and counted by category."""

import numpy as np

from dupai.base import kernel
from dupai.cards._hands import hand_value_table
from dupai.cards._kernels.evaluate import CARD_KEY, EMPTY_KEY, key_strength_kernel
from dupai.cards._tables import CARD_MASK

# Cards in rank-major order: neighbours share their rank, so that consecutive hands look into the same cache lines.
_ORDER = np.arange(52) % 4 * 13 + np.arange(52) // 4
_KEY = CARD_KEY[_ORDER]
_MASK = CARD_MASK[_ORDER]
# All pairs f < g, f descending: those above a given card stand in front, and one long loop takes the last two cards.
_PAIRS = np.array([(f, g) for f in range(50, -1, -1) for g in range(f + 1, 52)])
_PAIR_KEY = _KEY[_PAIRS[:, 0]] + _KEY[_PAIRS[:, 1]]
_PAIR_MASK = _MASK[_PAIRS[:, 0]] | _MASK[_PAIRS[:, 1]]
# The first strength of each category but the lowest.
_FROM = np.searchsorted(hand_value_table() >> 20, np.arange(9)).astype(np.uint16)
for _table in (_KEY, _MASK, _PAIR_KEY, _PAIR_MASK, _FROM):
    _table.flags.writeable = False
_BUFFER = 8192


@kernel
def _tally(strengths, counts):
    """Add to ``counts[k]`` how many strengths are of category ``k`` or above (at most 65,535 strengths)."""
    for k in range(9):
        least = _FROM[k]
        n = np.uint16(0)
        for i in range(strengths.size):
            n = np.uint16(n + np.uint16(strengths[i] >= least))
        counts[k] += np.int64(n)


@kernel
def category_counts_kernel(first, last, counts):
    """Count the seven-card hands whose lowest card is ``first`` to ``last - 1`` by category.

    Cards are numbered rank by rank here (``rank * 4 + suit``), so ``(0, 46)`` is all 133,784,560 hands: a tenth of a
    second. Adds to ``counts`` ``int64[9]``, indexed as ``CATEGORIES``.
    """
    above = np.zeros(9, np.int64)
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
                        pairs = (51 - e) * (50 - e) // 2
                        out = buffer[n : n + pairs]
                        for i in range(out.size):
                            out[i] = key_strength_kernel(key5 + _PAIR_KEY[i], mask5 | _PAIR_MASK[i])
                        n += pairs
                        if n > _BUFFER - 1081:
                            _tally(buffer[:n], above)
                            n = 0
    _tally(buffer[:n], above)
    for k in range(9):
        counts[k] += above[k] - (above[k + 1] if k < 8 else 0)
