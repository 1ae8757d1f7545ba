"""What the BR-PSO paper prints."""

from __future__ import annotations

from dupai.experiments._verdict import Printed

#: Policies found against TA, and by which run.
POLICIES = {
    "0.86/0.85/90.96/0.99/15.11": "m = 40",
    "0.41/0.14/97.57/0.99/19.61": "m = 20",
    "0.97/0.22/61.78/0.99/64.79": "variant 4",
}
#: Winnings of the first of them against TA; over how many hands it does not say.
FIRST_WON = Printed("section 3.2.2", "93,453,887", "chips")
_THREE, _FOUR, _FIVE, _SIX = "figure 3", "figure 4(d)", "figure 5", "figure 6"
#: The largest winnings over 400,000 hands, in the paper's words, by run and style; of one run each.
FIGURES: dict[tuple[str, str], Printed] = {
    ("PSO", "LA"): Printed(_THREE, "10^8", "chips"),
    ("PSO", "LP"): Printed(_THREE, "10^8", "chips"),
    ("PSO", "TP"): Printed(_THREE, "10^7", "chips"),
    ("PSO", "TA"): Printed(_THREE, "loses", "chips"),
    ("BR-PSO", "TA"): Printed(_FOUR, "wins", "chips"),
    ("BR-PSO, m = 40", "TA"): Printed(_FIVE, "wins", "chips"),
    ("variant 1", "TA"): Printed(_SIX, "wins", "chips"),
    ("variant 2", "TA"): Printed(_SIX, "10^7", "chips"),
    ("variant 4", "TA"): Printed(_SIX, "wins", "chips"),
}
#: The hand from which a counter-policy is found: the turning point of the cumulative curve. "Soon" is the paper's word.
FOUND: dict[tuple[str, str], Printed] = {
    ("PSO", "LA"): Printed(_THREE, "soon", "hands"),
    ("PSO", "LP"): Printed(_THREE, "soon", "hands"),
    ("PSO", "TP"): Printed(_THREE, "about 80,000", "hands"),
    ("PSO", "TA"): Printed(_THREE, "not within 400,000", "hands"),
    ("variant 1", "TA"): Printed(_SIX, "80,000", "hands"),
    ("variant 2", "TA"): Printed(_SIX, "40,000", "hands"),
    ("variant 3", "TA"): Printed(_SIX, "400,000", "hands"),
    ("variant 4", "TA"): Printed(_SIX, "160,000", "hands"),
}
#: The four cases from the first found to the last.
ORDER = (2, 1, 4, 3)
#: Section 3.2.2, figure 5.
MORE_PARTICLES = Printed(_FIVE, "m = 40 wins more than m = 20", "chips")
#: Figure 4(c).
FITNESS = {
    "best": Printed("figure 4(c)", "the best fitness rises clearly"),
    "mean": Printed("figure 4(c)", "the growth of the mean fitness is not obvious"),
}
