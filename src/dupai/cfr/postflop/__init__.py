"""The heads-up postflop solver."""
