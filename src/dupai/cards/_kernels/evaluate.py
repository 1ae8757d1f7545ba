"""The evaluator: strength of five to seven cards from a mask, from a running key, and in batches.

A hand without a flush is decided by the multiset of its ranks. Each rank has a 25-bit key whose sums are unique
(modulo 2**25, so that they wrap for free in the top bits of a word); a displacement hash leads from the sum to the
strength in two look-ups. A hand with five or more cards of a suit is decided by that suit alone: neither quads nor a
full house fits beside a flush into seven cards. The tables (250 KB) come from ``tools/evaluator_tables.py``.

Two ways in. From a *mask*: the keys of its four suit lanes are looked up and added; a lane of five or more cards brings
a flag along. From a *key*, for loops that add one card after the other: ``EMPTY_KEY`` plus ``CARD_KEY`` of each card
holds the sum in its top 25 bits and, below, a counter of four bits for each suit that starts at 3, so that its top bit
shows a flush (:func:`key_strength_kernel`). That is twice as fast as masks.
"""

import numpy as np

from dupai.base import kernel
from dupai.cards._tables import COMBO_CARDS, TABLE_FILE

with np.load(TABLE_FILE, allow_pickle=False) as _file:
    _LANE_KEY = _file["lane_key"]
    _RANK_KEY = _file["rank_key"]
    _ROW_SHIFT = _file["row_shift"]
    _RANK_STRENGTH = _file["rank_strength"]
    #: ``uint16[8192]``: strength of a flush by the ranks of its suit lane, 0 for fewer than five.
    FLUSH_STRENGTH = _file["flush_strength"]

#: Key of no cards, the start of every key: 3 in each of the four suit counters.
EMPTY_KEY = np.uint64(0x3333)
#: The bits of a key of which one is set when there are five or more cards of a suit.
FLUSH_FLAGS = np.uint64(0x8888)
#: ``uint64[52]``: what a card adds to a key (modulo 2**64).
CARD_KEY = (np.tile(_RANK_KEY.astype(np.uint64), 4) << np.uint64(32)) + (
    np.uint64(1) << np.arange(0, 16, 4, dtype=np.uint64).repeat(13)
)
#: ``uint64[1326]``: what a combo adds to a key.
COMBO_KEY = CARD_KEY[COMBO_CARDS[:, 0]] + CARD_KEY[COMBO_CARDS[:, 1]]
for _table in (_LANE_KEY, _ROW_SHIFT, _RANK_STRENGTH, FLUSH_STRENGTH, CARD_KEY, COMBO_KEY):
    _table.flags.writeable = False

_S7, _S16, _S19, _S32, _S39, _S48, _S51 = (np.uint64(n) for n in (7, 16, 19, 32, 39, 48, 51))
_LANE, _LOW32, _FLAG = (np.uint64(n) for n in (0x1FFF, 0xFFFFFFFF, 0x7F))


@kernel
def flush_strength_kernel(mask):
    """Strength ``uint16`` of 5 to 7 cards, given that five of them or more share a suit; else 0."""
    a = FLUSH_STRENGTH[mask & _LANE]
    b = FLUSH_STRENGTH[(mask >> _S16) & _LANE]
    c = FLUSH_STRENGTH[(mask >> _S32) & _LANE]
    d = FLUSH_STRENGTH[(mask >> _S48) & _LANE]
    return max(max(a, b), max(c, d))


@kernel
def rank_strength_kernel(key):
    """Strength ``uint16`` of 5 to 7 cards from their key, flushes left out of account."""
    return _RANK_STRENGTH[(_ROW_SHIFT[key >> _S51] + (key >> _S39)) & _LOW32]


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
        return flush_strength_kernel(m)
    return _RANK_STRENGTH[(_ROW_SHIFT[key >> _S19] + (key >> _S7)) & _LOW32]


@kernel
def key_strength_kernel(key, mask):
    """Strength ``uint16`` of 5 to 7 cards from their running key; the mask is looked at for flushes (3 %) only.

    ``key`` (``uint64``) is ``EMPTY_KEY`` plus ``CARD_KEY`` of each card or ``COMBO_KEY`` of each pair, modulo 2**64;
    ``mask`` (``uint64``) holds the same cards.
    """
    if key & FLUSH_FLAGS:
        return flush_strength_kernel(mask)
    return rank_strength_kernel(key)
