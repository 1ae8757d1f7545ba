"""What "Programming Poker AI" prints, from ``printed.toml``."""

from __future__ import annotations

from dupai.experiments._verdict import Printed, paper_data, printed_figures

#: The example: AD 2D on QC KC 2C, and a bet of 100.
HOLE, BOARD, BET = "Ad2d", "QcKc2c", 100
_DATA = paper_data(__file__)
FIGURES, VALUES = printed_figures(_DATA["figures"]), printed_figures(_DATA["values"])
#: The rows of its table as it writes them, and the chances of fold, call and raise in each, by a rate of return.
ROWS: dict[float, str] = {float(rate): one["row"] for rate, one in _DATA["table"].items()}
TABLE = {
    float(rate): [Printed("The Fold/Call/Raise Decision", text, "%") for text in one["chances"]]
    for rate, one in _DATA["table"].items()
}
