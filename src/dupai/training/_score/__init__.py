"""How well readers know the hidden hand: information gain, calibration and hand classes on recorded hands."""
