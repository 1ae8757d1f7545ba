"""What the paper *experience* prints, from ``printed.toml``."""

from __future__ import annotations

from dupai.experiments._verdict import nested_figures, paper_data, printed_figures

_DATA = paper_data(__file__)
SAME = printed_figures(_DATA["one"])["same"]
#: By the size of the base table in MB.
COLLISIONS = {int(size): figure for size, figure in printed_figures(_DATA["collisions"]).items()}
#: By the sizes of the overflow and of the base table.
SECONDS = {(int(over), int(size)): figure for (over, size), figure in nested_figures(_DATA["seconds"]).items()}
#: By steps and batch.
ACCURACY = {(int(steps), int(batch)): figure for (steps, batch), figure in nested_figures(_DATA["accuracy"]).items()}
#: Table 4, by winner and loser.
TABLE4 = nested_figures(_DATA["table4"])
