"""What the paper *experience* prints."""

from __future__ import annotations

from dupai.experiments._verdict import Printed

#: Collisions of the base table by its size in MB.
COLLISIONS = {16: 555_067, 32: 332_746, 64: 172_883, 128: 90_545, 1024: 13_517, 2048: 4_537}
#: Seconds of its flop search.
SECONDS = "59-63"
#: The network's accuracy in per cent, by steps and batch.
ACCURACY: dict[tuple[int, int], float] = {
    (500, 32): 88.1,
    (1000, 128): 94.0,
    (1000, 1024): 99.1,
    (2000, 1024): 99.3,
    (5000, 1024): 99.74,
}
#: Table 4: chips that the first wins from the second in 1,000 hands; the paper's human is the author of the rules.
TABLE4 = {
    ("exp+cnn", "exp+exp"): Printed("table 4", "32,620", "chips"),
    ("exp+cnn", "expert"): Printed("table 4", "92,561", "chips"),
    ("exp+exp", "expert"): Printed("table 4", "631", "chips"),
}
