"""Tabular regret minimisation: games small enough to keep a number for every action of every information set."""
