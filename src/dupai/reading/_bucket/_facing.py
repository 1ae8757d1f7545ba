"""What a decision faces, as the model tells it apart."""

from __future__ import annotations

from dupai.spots import Spot

#: Limit games: nothing to call; one bet (before the flop the blind); a bet of more than half the pot before it; a
#: raise. From :data:`PRICED` on no-limit and pot-limit games: nothing to call; a bet of at most 0.4 of the pot before
#: it (before the flop the blind), 0.8, 1.3, 3, more; a raise after a bet and a raise that costs at most 1.3 pots.
FACINGS = 11
PRICED = 4
_SMALL, _MEDIUM, _POT, _LARGE, _HUGE, _RERAISE = range(PRICED + 1, FACINGS)


def facing_of(spot: Spot) -> int:
    """Which of the :data:`FACINGS` a decision is."""
    call = spot["to_call"]
    if spot.spec.betting == "limit":
        if call == 0:
            return 0
        if spot["raises"] + (spot.street == 0) >= 2:
            return 3
        return 2 if spot.street > 0 and 3 * call > spot["pot"] else 1
    return priced(call, spot["pot"] - call, spot["raises"], spot.street)


def priced(call: int, before: int, raises: int, street: int) -> int:
    """The same where bets have sizes: ``call`` chips to call into a pot that holds ``before`` others."""
    if call == 0:
        return PRICED
    if street == 0 and raises == 0:
        return _SMALL
    if 10 * call > 13 * before:
        return _LARGE if call <= 3 * before else _HUGE
    if raises >= 2:
        return _RERAISE
    return _SMALL if 5 * call <= 2 * before else _MEDIUM if 5 * call <= 4 * before else _POT
