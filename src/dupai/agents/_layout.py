"""Numbers that the agents' kernels and their Python faces share."""

from __future__ import annotations

from typing import Any

import numpy as np

#: The last win rate that an agent computed: bits of its hole cards, bits of the board with the number of opponents
#: above them, and the rate.
MEMO_DTYPE: np.dtype[Any] = np.dtype([("hole", np.uint64), ("seen", np.uint64), ("rate", np.float64)])

#: Places in the ``float64`` parameters of the ``rules`` agent (``style`` uses SIZE and DEALS of them).
SIZE, DEALS, LOOSENESS, RAISE_ODDS, RESERVE, SAFE, FREE_AS_BET = range(7)
PARAMETERS = 7

#: A decision that cannot be made because the actor's own cards are hidden.
NO_CARDS = -1
