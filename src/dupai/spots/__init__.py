"""Spots: what an action means: the class of a position, and the one form in which an intended action is stated."""

from dupai.spots._actions import ActionDistribution, RaiseBetween
from dupai.spots._positions import (
    BIG_BLIND,
    BUTTON,
    EARLY,
    LATE,
    MIDDLE,
    POSITION_CLASS,
    POSITION_CLASSES,
    SMALL_BLIND,
    position_class,
)

__all__ = [
    "BIG_BLIND",
    "BUTTON",
    "EARLY",
    "LATE",
    "MIDDLE",
    "POSITION_CLASS",
    "POSITION_CLASSES",
    "SMALL_BLIND",
    "ActionDistribution",
    "RaiseBetween",
    "position_class",
]
