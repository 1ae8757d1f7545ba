"""The flat layout of a hand in play: constants and the NumPy dtypes that kernels and Python share.

Everything is indexed by *position* (ACPC numbering: heads-up 0 is the big blind and 1 the button; with three or more
players 0 is the small blind and the last position the button).
"""

from __future__ import annotations

from typing import Any

import numpy as np

#: Most players at a table; the length of every array by position.
MAX_PLAYERS = 10
#: Number of betting rounds: before the flop, flop, turn, river.
STREETS = 4
#: Kinds of action. ``CALL`` is check or call, ``RAISE`` is bet or raise.
FOLD, CALL, RAISE = 0, 1, 2
#: Betting structures as they stand in :data:`SPEC_DTYPE`.
NO_LIMIT, LIMIT, POT_LIMIT = 0, 1, 2
#: Number of board cards that are open on each street.
BOARD_CARDS = (0, 3, 4, 5)
#: A stack or a raise cap that is never reached (the default of ACPC game files).
UNLIMITED = 2**31 - 1
#: Payoff units per chip under the ACPC odd-chip rule: the least common multiple of 1..10.
EXACT_SPLIT = 2520

#: One hand in play; kernels take an array of shape (1,). Chips are int64.
#:
#: * by position: ``stack`` chips behind, ``bet`` live chips put in on this street, ``total`` live chips put in during
#:   the hand (blinds included, antes not), ``ante`` dead chips, ``hole`` cards, ``folded``, ``all_in``, ``acted``
#:   (has acted on this street), ``strength`` (of each live hand; written by ``settle_kernel`` at a showdown);
#: * ``board`` all five cards, those of later streets included (255 in a view);
#: * ``players``; ``street`` 0..3; ``actor`` or -1 when the hand is over; ``finished`` 0 or 1; ``live`` players who have
#:   not folded; ``able`` of them not all-in; ``pending`` able players who must still act on this street;
#: * ``top`` the total to match; ``min_to`` the smallest full raise (as a total; limit under casino rules: the next full
#:   bet, which an all-in of less than half a bet does not move); ``raises``, ``acts`` on this street.
STATE_DTYPE: np.dtype[Any] = np.dtype(
    [
        *((name, np.int64, (MAX_PLAYERS,)) for name in ("stack", "bet", "total", "ante")),
        *((name, np.int64) for name in ("top", "min_to", "players", "street", "actor", "finished")),
        *((name, np.int64) for name in ("live", "able", "pending", "raises", "acts")),
        ("hole", np.uint8, (MAX_PLAYERS, 2)),
        ("board", np.uint8, (5,)),
        *((name, np.uint8, (MAX_PLAYERS,)) for name in ("folded", "all_in", "acted")),
        ("strength", np.uint16, (MAX_PLAYERS,)),
    ],
    align=True,
)

#: A :class:`GameSpec` as kernels take it (array of shape (1,)): ``acpc`` is 1 under the ACPC minimum-raise rule,
#: ``split`` the payoff units per chip; ``first_player`` is a position per street.
SPEC_DTYPE: np.dtype[Any] = np.dtype(
    [
        *((name, np.int64, (MAX_PLAYERS,)) for name in ("stacks", "blinds", "antes")),
        *((name, np.int64, (STREETS,)) for name in ("bet_sizes", "max_raises", "first_player")),
        *((name, np.int64) for name in ("players", "betting", "big_blind", "smallest_bet", "acpc", "split")),
    ],
    align=True,
)
