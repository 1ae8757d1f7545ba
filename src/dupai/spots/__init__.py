"""Spots: what an action means: the class of a position, a decision as it stood, menus of actions, distributions.

The only home of these: a spot is worked out once for all readers and models (:func:`spots`), real bet sizes are
translated into a model's menu here (:class:`Menu`), and :class:`ActionModel` is the one form of knowing how somebody
plays.
"""

from dupai.spots._actions import ActionDistribution, RaiseBetween
from dupai.spots._kernels import begin_track_kernel, did_kernel, spot_kernel, spots_kernel
from dupai.spots._layout import (
    DID_BET,
    DID_CALL,
    DID_CHECK,
    DID_FOLD,
    DID_RAISE,
    NOTHING,
    SPOT_DTYPE,
    TRACK_DTYPE,
)
from dupai.spots._menu import MENU_CALL, MENU_FOLD, Menu
from dupai.spots._model import ActionModel
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
from dupai.spots._spot import Spot, raise_size, spot_rows, spots

__all__ = [
    "BIG_BLIND",
    "BUTTON",
    "DID_BET",
    "DID_CALL",
    "DID_CHECK",
    "DID_FOLD",
    "DID_RAISE",
    "EARLY",
    "LATE",
    "MENU_CALL",
    "MENU_FOLD",
    "MIDDLE",
    "NOTHING",
    "POSITION_CLASS",
    "POSITION_CLASSES",
    "SMALL_BLIND",
    "SPOT_DTYPE",
    "TRACK_DTYPE",
    "ActionDistribution",
    "ActionModel",
    "Menu",
    "RaiseBetween",
    "Spot",
    "begin_track_kernel",
    "did_kernel",
    "position_class",
    "raise_size",
    "spot_kernel",
    "spot_rows",
    "spots",
    "spots_kernel",
]
