"""What "Programming Poker AI" prints."""

from __future__ import annotations

from dupai.experiments._verdict import Printed

_ENCODING, _EXAMPLE, _TABLE = "Encoding Hand Values", "Stack Protection", "The Fold/Call/Raise Decision"

#: Hands and their 32-bit values, suits as the post writes them (the rank before the suit).
VALUES: dict[str, Printed] = {
    "AhQd4sKh8c": Printed(_ENCODING, "0x000CBA62"),
    "4dJd3d4cAd": Printed(_ENCODING, "0x0012C910"),
    "7c6c5c4c3d": Printed(_ENCODING, "0x00450000"),
}
#: The numbers of hand types, high card to straight flush.
TYPES = Printed("Poker Data Type", "0 to 8")
#: A bet of 20 into a pot of 40.
POT_ODDS = Printed("Pot Odds", "0.333")
#: AD 2D on QC KC 2C, pot 500, a bet of 100, stack 100.
HOLE, BOARD, POT, BET, STACK = "Ad2d", "QcKc2c", 500, 100, 100
EXAMPLE_ODDS = Printed(_EXAMPLE, "0.1666", cut=True)
EXAMPLE_RATE = Printed(_EXAMPLE, "0.297")
EXAMPLE_RETURN = Printed(_EXAMPLE, "1.8")
#: What the table says there, and what protection makes of it.
BEFORE, AFTER = Printed(_EXAMPLE, "call"), Printed(_EXAMPLE, "fold")
#: Chances in per cent of fold, call and raise, by a rate of return in each row's middle.
TABLE: dict[float, tuple[Printed, Printed, Printed]] = {
    rate: (Printed(_TABLE, fold, "%"), Printed(_TABLE, call, "%"), Printed(_TABLE, raised, "%"))
    for rate, fold, call, raised in ((0.6, "95", "0", "5"), (0.9, "80", "5", "15"), (1.15, "0", "60", "40"),
                                     (2.0, "0", "30", "70"))
}  # fmt: skip
#: The row of each, as the post writes it.
ROWS = {0.6: "RR < 0.8", 0.9: "RR < 1.0", 1.15: "RR < 1.3", 2.0: "else"}
