"""What the paper *experience* prints."""

from __future__ import annotations

from dupai.experiments._verdict import Printed

#: Collisions of the base table by its size in MB; tables 1 and 2 print the same ones.
COLLISIONS = {
    size: Printed("table 1", text)
    for size, text in ((16, "555,067"), (32, "332,746"), (64, "172,883"), (128, "90,545"), (1024, "13,517"),
                       (2048, "4,537"))
}  # fmt: skip
#: Seconds of its flop search by the sizes of the overflow and of the base table in MB.
SECONDS: dict[int, dict[int, Printed]] = {
    128: {size: Printed("table 1", text, "s") for size, text in zip(
        COLLISIONS, ("60.988", "61.312", "59.590", "58.529", "59.848", "62.789"), strict=True)},
    256: {size: Printed("table 2", text, "s") for size, text in zip(
        COLLISIONS, ("61.436", "59.356", "60.459", "61.088", "61.494", "61.112"), strict=True)},
}  # fmt: skip
#: What a larger overflow table does to collisions.
SAME = Printed("table 2", "the same collisions")
#: The network's accuracy in per cent, by steps and batch; each tested on ten batches of that size.
ACCURACY: dict[tuple[int, int], Printed] = {
    how: Printed("section 4.1", text, "%")
    for how, text in (((500, 32), "88.1"), ((1000, 128), "94"), ((1000, 1024), "99.1"), ((2000, 1024), "99.3"),
                      ((5000, 1024), "99.74"))
}  # fmt: skip
#: Table 4: chips that the first wins from the second in 1,000 hands; the paper's human is the author of the rules.
TABLE4 = {
    ("exp+cnn", "exp+exp"): Printed("table 4", "32,620", "chips"),
    ("exp+cnn", "expert"): Printed("table 4", "92,561", "chips"),
    ("exp+exp", "expert"): Printed("table 4", "631", "chips"),
}
