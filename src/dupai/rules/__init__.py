"""The rules of Texas hold'em: games, hands in play, what players see, finished hands.

The flat state (``STATE_DTYPE``) and its kernels obey the same code whether one hand is played interactively through
:class:`HandState` or millions are simulated. Everything inside a hand is indexed by *position* (ACPC numbering).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.rules._actions import Action as Action, Legal as Legal
    from dupai.rules._conventions import (
        DECK_STREAM as DECK_STREAM,
        DRAW_STREAM as DRAW_STREAM,
        FAULT_RULES as FAULT_RULES,
        ROLLOUT_DRAW_STREAM as ROLLOUT_DRAW_STREAM,
        ROLLOUT_SEAT_STREAM as ROLLOUT_SEAT_STREAM,
        SEAT_STREAM as SEAT_STREAM,
        STREET_NAMES as STREET_NAMES,
        STREET_PHRASES as STREET_PHRASES,
        STREET_WORDS as STREET_WORDS,
        TABLE_DRAW_STREAM as TABLE_DRAW_STREAM,
        TABLE_SEED_STREAM as TABLE_SEED_STREAM,
        FaultRule as FaultRule,
    )
    from dupai.rules._gamefile import game_names as game_names, load_game as load_game
    from dupai.rules._kernels import (
        apply_kernel as apply_kernel,
        cards_kernel as cards_kernel,
        copy_kernel as copy_kernel,
        deal_kernel as deal_kernel,
        legal_kernel as legal_kernel,
        random_hands_kernel as random_hands_kernel,
        settle_kernel as settle_kernel,
        start_kernel as start_kernel,
    )
    from dupai.rules._layout import (
        BOARD_CARDS as BOARD_CARDS,
        CALL as CALL,
        FOLD as FOLD,
        MAX_PLAYERS as MAX_PLAYERS,
        RAISE as RAISE,
        SPEC_DTYPE as SPEC_DTYPE,
        STATE_DTYPE as STATE_DTYPE,
        STREETS as STREETS,
        UNLIMITED as UNLIMITED,
    )
    from dupai.rules._pots import Pot as Pot, pots_of as pots_of
    from dupai.rules._sent import SentView as SentView
    from dupai.rules._spec import GameSpec as GameSpec
    from dupai.rules._state import HandRecord as HandRecord, HandState as HandState, Line as Line, View as View
    from dupai.rules._steps import Step as Step, step_of as step_of, steps_of as steps_of
    from dupai.rules._table import LogEntry as LogEntry
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
