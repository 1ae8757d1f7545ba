"""Kernels of the cards: the evaluator, suit isomorphism."""
