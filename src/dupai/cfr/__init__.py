"""Regret minimisation: algorithms for small games, best responses, and the heads-up postflop solver."""
