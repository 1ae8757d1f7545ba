"""What the paper on Monte-Carlo tree search prints."""

from __future__ import annotations

from dupai.experiments._verdict import Printed

#: Table 1: small blinds a hand of matches of 3,000 hands, by row here.
TABLE1 = {
    "none fixed": Printed("table 1", "+2.4", "SB/hand"),
    "with fixed": Printed("table 1", "+4.6", "SB/hand"),
    "with none": Printed("table 1", "+0.67", "SB/hand"),
}
#: Hands behind each of them.
HANDS = 3_000
