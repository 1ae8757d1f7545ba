"""What a decision faces, in one place for the bucket model and for searches that play by it."""

import numpy as np

from dupai.base import kernel

#: Edges of the classes of raises where bets have sizes, in pots; the all-in is a class of its own above them.
SIZE_EDGES = (0.75, 1.5)


@kernel(forceinline=True)
def facing_class_kernel(limit, street, raises, to_call, pot):
    """The class of what a decision faces, 0 to 10.

    Limit games: 0 nothing to call; 1 one bet (before the flop the blind); 2 a bet of more than half the pot before it;
    3 a raise. Games with bet sizes: 4 nothing to call; 5, 6, 7, 8, 9 a bet of at most 0.4 of the pot before it (before
    the flop the blind), 0.8, 1.3, 3, more; 10 a raise after a bet and a raise that costs at most 1.3 pots.

    Args:
        limit: whether bets have one size.
        street: 0 to 3.
        raises: bets and raises on this street so far.
        to_call: chips to call.
        pot: chips put in that the player can win.
    """
    if limit:
        if to_call == 0:
            return np.int64(0)
        if raises + (1 if street == 0 else 0) >= 2:
            return np.int64(3)
        return np.int64(2) if street > 0 and 3 * to_call > pot else np.int64(1)
    if to_call == 0:
        return np.int64(4)
    if street == 0 and raises == 0:
        return np.int64(5)
    before = pot - to_call
    if 10 * to_call > 13 * before:
        return np.int64(8) if to_call <= 3 * before else np.int64(9)
    if raises >= 2:
        return np.int64(10)
    if 5 * to_call <= 2 * before:
        return np.int64(5)
    return np.int64(6) if 5 * to_call <= 4 * before else np.int64(7)
