"""The rules of Texas hold'em: games, hands in play, what players see, finished hands.

The flat state (``STATE_DTYPE``) and its kernels obey the same code whether one hand is played interactively through
:class:`HandState` or millions are simulated. Everything inside a hand is indexed by *position* (ACPC numbering).
"""

from dupai.rules._actions import Action, Legal
from dupai.rules._gamefile import game_names, load_game
from dupai.rules._kernels import (
    apply_kernel,
    cards_kernel,
    copy_kernel,
    deal_kernel,
    legal_kernel,
    random_hands_kernel,
    settle_kernel,
    start_kernel,
    view_kernel,
)
from dupai.rules._layout import (
    BOARD_CARDS,
    CALL,
    FOLD,
    MAX_PLAYERS,
    RAISE,
    SPEC_DTYPE,
    STATE_DTYPE,
    STREET_NAMES,
    STREETS,
    UNLIMITED,
)
from dupai.rules._record import HandRecord
from dupai.rules._spec import GameSpec
from dupai.rules._state import HandState, LogEntry, View

__all__ = [
    "BOARD_CARDS",
    "CALL",
    "FOLD",
    "MAX_PLAYERS",
    "RAISE",
    "SPEC_DTYPE",
    "STATE_DTYPE",
    "STREETS",
    "STREET_NAMES",
    "UNLIMITED",
    "Action",
    "GameSpec",
    "HandRecord",
    "HandState",
    "Legal",
    "LogEntry",
    "View",
    "apply_kernel",
    "cards_kernel",
    "copy_kernel",
    "deal_kernel",
    "game_names",
    "legal_kernel",
    "load_game",
    "random_hands_kernel",
    "settle_kernel",
    "start_kernel",
    "view_kernel",
]
