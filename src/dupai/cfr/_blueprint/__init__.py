"""Blueprints: a strategy of the whole heads-up game, worked out beforehand in an abstraction of cards and bets."""
