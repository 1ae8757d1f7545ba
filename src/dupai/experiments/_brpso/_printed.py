"""What the BR-PSO paper prints."""

from __future__ import annotations

#: Policies found against TA, and by which run.
POLICIES = {
    "0.86/0.85/90.96/0.99/15.11": "m = 40",
    "0.41/0.14/97.57/0.99/19.61": "m = 20",
    "0.97/0.22/61.78/0.99/64.79": "variant 4",
}
#: Winnings of the first of them against TA, chips; over how many hands it does not say.
FIRST_WON = 93_453_887
#: Winnings after 400,000 hands (in words, and as a number of chips), and the hand from which it wins, by run and style.
SAID: dict[tuple[str, str], tuple[str, float | None, str]] = {
    ("PSO", "LA"): ("order of 1e8", 1e8, "at once"),
    ("PSO", "LP"): ("order of 1e8", 1e8, "at once"),
    ("PSO", "TP"): ("order of 1e7", 1e7, "after about 80,000"),
    ("PSO", "TA"): ("loses", None, "not within 400,000"),
    ("BR-PSO", "TA"): ("wins", None, ""),
    ("BR-PSO, m = 40", "TA"): ("wins", None, ""),
    ("variant 1", "TA"): ("wins", None, "after 80,000"),
    ("variant 2", "TA"): ("order of 1e7", 1e7, "after about 40,000"),
    ("variant 3", "TA"): ("wins only at the end", None, "after 400,000"),
    ("variant 4", "TA"): ("wins", None, "after 160,000"),
}
