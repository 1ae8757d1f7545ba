"""What the paper on tree search prints: small blinds a hand, heads-up, by row of its table."""

TWO = {"none fixed": 2.4, "with fixed": 4.6, "with none": 0.67}
