"""Suit permutations until dupai.cards has them."""

from itertools import permutations

import numpy as np

from dupai.cards import COMBO_CARDS, COMBO_INDEX

SUIT_PERMUTATIONS = np.array(list(permutations(range(4))), dtype=np.uint8)
_p = SUIT_PERMUTATIONS.astype(np.int64)
_c = COMBO_CARDS.astype(np.int64)
COMBO_PERMUTED = COMBO_INDEX[_p[:, _c[:, 0] // 13] * 13 + _c[:, 0] % 13, _p[:, _c[:, 1] // 13] * 13 + _c[:, 1] % 13]
