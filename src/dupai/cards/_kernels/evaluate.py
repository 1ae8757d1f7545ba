"""The evaluator: strength of five to seven cards from a mask, from a running key, and in batches.

A hand without a flush is decided by the multiset of its ranks. Each rank has a 25-bit key whose sums are unique
(modulo 2**25, so that they wrap for free in the top bits of a word); a displacement hash leads from the sum to the
strength in two look-ups. A hand with five or more cards of a suit is decided by that suit alone: neither quads nor a
full house fits beside a flush into seven cards. The tables (210 KB) come from :mod:`dupai.cards._build`.
"""

import numpy as np

from dupai.base import kernel
from dupai.cards._build import TABLE_FILE

with np.load(TABLE_FILE, allow_pickle=False) as _file:
    _LANE_KEY = _file["lane_key"]
    _RANK_KEY = _file["rank_key"]
    _ROW_SHIFT = _file["row_shift"]
    _RANK_STRENGTH = _file["rank_strength"]
    _FLUSH_STRENGTH = _file["flush_strength"]
for _table in (_LANE_KEY, _RANK_KEY, _ROW_SHIFT, _RANK_STRENGTH, _FLUSH_STRENGTH):
    _table.flags.writeable = False

_S7 = np.uint64(7)
_S16 = np.uint64(16)
_S19 = np.uint64(19)
_S32 = np.uint64(32)
_S48 = np.uint64(48)
_LANE = np.uint64(0x1FFF)
_LOW32 = np.uint64(0xFFFFFFFF)
_FLAG = np.uint64(0x7F)


@kernel
def strength_kernel(mask):
    """Strength ``uint16`` 1..7462 of the best five of 5 to 7 cards, bigger is better.

    ``mask`` (``uint64``, as in ``CARD_MASK``) must hold 5, 6 or 7 cards; with another number of cards the result means
    nothing (but nothing outside the tables is read).
    """
    m = np.uint64(mask)
    a = m & _LANE
    b = (m >> _S16) & _LANE
    c = (m >> _S32) & _LANE
    d = (m >> _S48) & _LANE
    key = (np.uint64(_LANE_KEY[a]) + _LANE_KEY[b] + _LANE_KEY[c] + _LANE_KEY[d]) & _LOW32
    if key & _FLAG:
        return max(max(_FLUSH_STRENGTH[a], _FLUSH_STRENGTH[b]), max(_FLUSH_STRENGTH[c], _FLUSH_STRENGTH[d]))
    return _RANK_STRENGTH[(_ROW_SHIFT[key >> _S19] + (key >> _S7)) & _LOW32]


@kernel
def strengths_kernel(masks, out):
    """Strength of each mask: ``masks`` ``uint64[n]`` -> ``out`` ``uint16[n]``."""
    for i in range(masks.size):
        out[i] = strength_kernel(masks[i])
