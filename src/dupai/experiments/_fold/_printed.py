"""What the paper prints, as data."""

from collections.abc import Mapping

from dupai.experiments._verdict import Printed

FIGURES: Mapping[str, Printed] = {
    "call at 0.55": Printed("figure 2", "about 10"),
    "eight outs": Printed("equation 27", "29.7", "%"),
    # Figure 3: the paper assumes these numbers, so they show what it took its own reader for.
    "surest on a street": Printed("figure 3", "0.03"),
    "AdTc": Printed("figure 3", "0.036", "%"),
    "KsJc": Printed("figure 3", "2.16", "%"),
    "half width": Printed("figure 4", "3.3", "points"),
    "N does not matter": Printed("figure 4", "-0.2", "points"),
    "ms": Printed("figure 4", "about 10", "ms"),
    "wins": Printed("table 3", "89", "%"),
    "wins more than half": Printed("table 3", "wins more than half of its matches"),
    "wins against everybody": Printed("table 3", "at least 65", "%"),
    "chips": Printed("table 3", "3,533", "chips", se=381),
    "rank": Printed("figure 9", "1.11-1.74"),
    "rank at eight": Printed("figure 9", "1.74"),
    "best rank": Printed("figure 11", "the best mean rank"),
    "most hands": Printed("figure 11", "survives the most hands"),
    "most chips": Printed("figure 11", "has the most chips left"),
    "volatility": Printed("figure 11", "a volatility somewhat above the others'"),
    "implied odds": Printed("figure 12", "0.8", "%"),
    "agreement": Printed("figure 8", "95", "%"),
}

#: Figure 7: points of top-Z accuracy that FOLD is ahead of the Markov model, by street, and the mean of four streets
#: (so about 0.6 before the flop).
FIGURE7: Mapping[str, Printed] = {
    street: Printed("figure 7", text, "points")
    for street, text in {"pre-flop": "0.6", "flop": "3.4", "turn": "8.5", "river": "14.1", "mean": "6.65"}.items()
}

#: Figure 8: repeats after which the mean rank agrees with that of 500 matches.
REPEATS = 70

#: Figure 3: the probability that a street's action gives each hand (equation 14), street by street; the largest and
#: the least of any hand; the product over all streets in per cent (the print has 2.16 where its product is 0.216).
FIGURE3: Mapping[str, tuple[float, float, float, float]] = {
    "AdTc": (0.01, 0.006, 0.024, 0.005),
    "KsJc": (0.002, 0.03, 0.024, 0.03),
}
FIGURE3_SPAN = (0.0001, 0.03)
FIGURE3_WHOLE = {"AdTc": 0.036, "KsJc": 0.216}

#: Table 3: the players, the share of matches won by the row from the column, the difference of chips left, and its
#: standard error. Its FOLD-HC cell (65 % won, -1,510 chips) is hardly possible.
TABLE3_PLAYERS = ("XDDS", "XJX", "FANDY", "HC", "HARRY1", "LUO", "HARRY2", "FOLD")
TABLE3_WON = (
    (None, 0.90, 0.0, 0.95, 0.90, 0.55, 1.00, 0.05),
    (0.10, None, 0.0, 0.0, 0.40, 0.0, 0.55, 0.0),
    (1.00, 1.00, None, 0.0, 0.20, 0.0, 0.20, 0.05),
    (0.05, 1.00, 1.00, None, 0.75, 0.65, 1.00, 0.35),
    (0.10, 0.60, 0.80, 0.25, None, 0.80, 0.80, 0.10),
    (0.45, 1.00, 1.00, 0.35, 0.20, None, 0.05, 0.15),
    (0.0, 0.45, 0.80, 0.0, 0.20, 0.95, None, 0.05),
    (0.95, 1.00, 0.95, 0.65, 0.90, 0.85, 0.95, None),
)
TABLE3_CHIPS = (
    (None, 6607, -7968, 7162, 6374, 207, 7977, -6029),
    (-6607, None, -7972, -7956, -1170, -7815, 1527, -7859),
    (7968, 7972, None, -7855, -5543, -7859, -3865, -2351),
    (-7162, 7956, 7855, None, 3686, 1752, 7722, 1510),
    (-6374, 1170, 5543, -3686, None, 3868, 2522, -5328),
    (-207, 7815, 7859, -1752, -3868, None, -4334, -1008),
    (-7977, -1527, 3865, -7722, -2522, 4334, None, -3628),
    (6029, 7859, 2351, -1510, 5328, 1008, 3628, None),
)
