"""Spots: what an action means. So far the one form in which a player's intended action is stated exactly."""

from dupai.spots._actions import ActionDistribution, RaiseBetween

__all__ = ["ActionDistribution", "RaiseBetween"]
