"""The situations in which it is counted what a group of players does."""

from dupai.base import kernel, uncounted_kernel
from dupai.spots import BIG_BLIND, SMALL_BLIND

#: Before the flop: by position unopened (6), limped to (blinds or not: 2), by position facing a raise (6), a re-raise
#: (acted before or not: 2), more raises (1).
_PREFLOP = 17
#: After it, by street, and two or more players: nobody has bet and the player, nobody, or another one who is still to
#: act has the initiative; a bet; a raise.
_BY_STREET = 10
SITUATIONS = _PREFLOP + 3 * _BY_STREET
#: Opening raise, re-raise, bets on flop, turn and river, raises after the flop.
SIZE_SITUATIONS = 6


@uncounted_kernel
def situation_kernel(rows, i):
    """The situation (0..46) of the decision of row ``i`` (``SPOT_DTYPE``)."""
    r = rows[i]
    raises = r["raises"]
    position = r["position_class"]
    if r["street"] == 0:
        if raises == 0:
            if r["calls"] == 0:
                return position
            return 7 if position in (SMALL_BLIND, BIG_BLIND) else 6
        if raises == 1:
            return 8 + position
        if raises == 2:
            return 15 if r["acted"] > 0 else 14
        return _PREFLOP - 1
    if raises > 0:
        facing = 4 if raises > 1 else 3
    elif r["leader"] == r["position"]:
        facing = 0
    else:
        facing = 1 if r["leader"] < 0 or r["checked"] > 0 else 2
    return _PREFLOP + _BY_STREET * (r["street"] - 1) + (5 if r["live"] > 2 else 0) + facing


@kernel
def size_situation_kernel(rows, i):
    """The size situation (0..5) of a bet or raise at the decision of row ``i`` (``SPOT_DTYPE``)."""
    r = rows[i]
    if r["street"] == 0:
        return 1 if r["raises"] > 0 else 0
    return 5 if r["raises"] > 0 else 1 + r["street"]
