"""What statistics are made of: facts about one decision and about one player's hand, each a bit of an int64.

The kernel determines the facts; a statistic (a table in ``definitions.toml``) says which of them must hold.
"""

from __future__ import annotations


def _bits(first: int, count: int) -> list[int]:
    """The values of ``count`` bits from bit ``first`` on."""
    return [1 << bit for bit in range(first, first + count)]


# One decision: the situation ----------------------------------------------------------------------------------------

PREFLOP, FLOP, TURN, RIVER, POSTFLOP = _bits(0, 5)
#: A call costs chips. The rules allow a bet or raise.
FACING, CAN_RAISE = _bits(5, 2)
#: Bets and raises on this street so far: exactly 0, 1, 2, 3; blinds do not count, so before the flop R1 is an open
#: raise, R2 a 3-bet, R3 a 4-bet.
R0, R1, R2, R3 = _bits(7, 4)
#: Before the flop, facing the blinds only: nobody has put in chips voluntarily.
UNOPENED = 1 << 11
#: Somebody has called the last bet or raise (before the flop at first: limped).
CALLERS = 1 << 13
#: The player has called, bet or raised on this street already. The last raise raised the player's own last bet or raise
#: of this street.
ENTERED, RERAISED = _bits(15, 2)
#: The player made the last raise before the flop. The player made a c-bet on the street before, and the last raise of
#: that street, if it was raised. The only bet of this street is an opponent's c-bet.
PF_RAISER, CBET_BEFORE, FACING_CBET = _bits(17, 3)
#: The player has checked on this street already.
CHECKED_BEFORE = 1 << 20
#: The last to bet or raise on the street before is an opponent who has chips and has not acted on this street yet.
LEADER_BEHIND = 1 << 21
#: Cutoff, button or small blind. Small or big blind. Before the flop: the only raise is an open raise from a steal
#: seat, and nobody has called it.
STEAL_SEAT, IN_BLIND, FACING_STEAL = _bits(22, 3)

# One decision: what was done ----------------------------------------------------------------------------------------

DID_FOLD, DID_CHECK, DID_CALL, DID_RAISE = _bits(32, 4)

# One player's hand --------------------------------------------------------------------------------------------------

#: Dealt in. Had a decision before the flop (no walk, not all-in from the blind).
DEALT, DECIDED = _bits(0, 2)
#: Put chips in voluntarily before the flop; raised before the flop.
VPIP, PFR = _bits(2, 2)
#: Had not folded when the flop came (all-in players included). The hand was shown down and the player had not folded.
#: Won chips from the pot (an uncalled bet that is returned does not count).
SAW_FLOP, SHOWDOWN, WON = _bits(4, 3)
#: Flop, as the last raiser before it: made a c-bet; could have and did not. Faced a c-bet on the flop.
CBET_FLOP, NO_CBET_FLOP, FACED_CBET_FLOP = _bits(7, 3)
#: Was re-raised before the flop. Folded at any time.
FACED_RERAISE, FOLDED = _bits(10, 2)
#: Bits 12 and 13: the last street the player was in; bits 16 to 19: their role before the flop (:data:`ROLES`).
STREET_SHIFT, ROLE_SHIFT = 12, 16

#: What a player last did before the flop other than folding. Players without a decision (a walk, all-in from the blind)
#: have a role of their own.
ROLES = (
    "put nothing in",
    "limper",
    "raiser",
    "caller of a raise",
    "3-bettor",
    "caller of a 3-bet",
    "4-bettor",
    "caller of a 4-bet",
    "checked the big blind",
    "had no decision",
)

# Columns of the counters --------------------------------------------------------------------------------------------

#: Bet sizes are counted in these groups ...
SIZE_GROUPS = ("preflop raise", "flop bet", "flop raise", "turn bet", "turn raise", "river bet", "river raise")
#: ... by class: chips beyond the call, as a fraction of the pot after the call; all-ins are a class of their own.
SIZE_CLASSES = ("<0.4", "0.4-0.6", "0.6-0.85", "0.85-1.25", ">1.25", "all-in")
#: Upper ends of the classes but the last two, in thousandths (a size equal to an end belongs to the class above).
SIZE_ENDS = (400, 600, 850, 1250)
#: Counters of one size group: the classes, then the sum and sum of squares of the fractions in thousandths (without
#: all-ins).
SIZE_WIDTH = len(SIZE_CLASSES) + 2
#: Counters of money: hands, sum of results in millionths of a big blind, sum of squares in (1/1000 bb)^2, and the
#: player's equal share of what the house took, in millionths of a big blind.
MONEY_WIDTH = 4
