"""One decision as a row: the situation before it and the action."""

from __future__ import annotations

from typing import Any

import numpy as np

from dupai.rules import MAX_PLAYERS

#: The action at a decision, finer than the rules' FOLD, CALL and RAISE; ``NOTHING`` while it is still due.
DID_FOLD, DID_CHECK, DID_CALL, DID_BET, DID_RAISE = range(5)
NOTHING = -1

_FIELDS = """
n street position position_class players
pot to_call bet total stack effective min_to max_to big_blind
live able behind after
raises calls aggressor leader acted checked raise_by raise_pot
did to paid all_in
"""
#: One decision. Chips are int64, everything else too (rows are few, kernels like one type). Positions are those of the
#: rules, -1 for nobody.
#:
#: * where: ``n`` index of the decision in the hand, ``street``, ``position``, ``position_class``, ``players``;
#: * before it: ``pot`` all chips put in by anybody, ``to_call``, ``bet`` own live chips of this street, ``total`` own
#:   live chips of the hand, ``stack`` chips behind, ``effective`` the most more chips that the actor can put in and a
#:   live opponent still match, ``min_to`` and ``max_to`` of a raise (0: none allowed), ``big_blind``;
#: * players in the hand: ``live`` players not folded, ``able`` of them not all-in, ``behind`` able players who still
#:   have to act on this street after the actor (before a raise), ``after`` live players with a later turn on streets
#:   after the first (0: in position);
#: * the betting: ``raises`` bets and raises of this street so far (blinds are none, nor in limit games all-ins that the
#:   rules count as no full raise), ``calls`` callers since the last of them, ``aggressor`` the player who made it,
#:   ``leader`` the player who made the last one of an earlier street, ``acted`` how often the actor has acted on this
#:   street, ``checked`` whether the actor has checked on it, ``raise_by`` and ``raise_pot``: chips of the last bet or
#:   raise beyond the call, and the pot after that call (0 and 0: none on this street);
#: * the action: ``did``, ``to`` total after the action, ``paid`` chips put in by it, ``all_in``.
SPOT_DTYPE: np.dtype[Any] = np.dtype([(name, np.int64) for name in _FIELDS.split()], align=True)

#: State that is carried from decision to decision of a hand (one-element array): see :func:`spot_kernel`.
TRACK_DTYPE: np.dtype[Any] = np.dtype(
    [
        *((name, np.int64) for name in ("n", "street", "pot", "raises", "calls")),
        *((name, np.int64) for name in ("aggressor", "leader", "raise_by", "raise_pot")),
        *((name, np.int64, (MAX_PLAYERS,)) for name in ("acted", "checked")),
    ],
    align=True,
)
