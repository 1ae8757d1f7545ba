"""Tracker statistics: what each player does, how certain that is, and where they lose."""
