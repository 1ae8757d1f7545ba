"""What replaying a scanned hand can find, and the rows that a hand becomes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base.arrays import I64, AnyArray
from dupai.notation.scan import row_dtype
from dupai.spots import SPOT_DTYPE

#: The hand replays and its payoffs are right.
FINE = 0
#: It replays, but its payoffs are not those that the rules give.
MISMATCH = 1
#: An action is not legal where it stands; the hand is not over; it has too few or too many rounds; cards that the
#: showdown needs are unknown, and the payoffs are wrong whatever they are.
ILLEGAL, UNFINISHED, WRONG_ROUNDS, UNKNOWN_CARDS = 2, 3, 4, 5
#: Cards that the showdown needs are unknown; chips are conserved and folded players lose what they put in.
UNPROVEN = 6

#: What replaying gives for the store's table ``hands``. ``row`` is the hand's index in the scanned columns; ``board``
#: has 255 for unknown cards.
HAND_ROW = row_dtype(
    ("row pot", np.int64, ()),
    ("actions", np.int32, ()),
    ("street", np.int8, ()),
    ("showdown", np.bool_, ()),
    ("board", np.uint8, (5,)),
)

#: The same for ``players``. ``player`` is the index of the name (input of ``columns_kernel``), ``folded`` is -1 for a
#: player who did not fold, ``hole`` has 255 for unknown cards.
PLAYER_ROW = row_dtype(
    ("stack ante blind put payoff", np.int64, ()),
    ("player", np.int32, ()),
    ("position folded", np.int8, ()),
    ("all_in showdown", np.bool_, ()),
    ("hole", np.uint8, (2,)),
)

_BYTES = "street position position_class players live able behind after calls aggressor leader checked did all_in"
_SMALL = {"n": np.int32, "raises": np.int16, "acted": np.int16, **dict.fromkeys(_BYTES.split(), np.int8)}
_ACTION_FIELDS = [(name, _SMALL.get(name, np.int64), ()) for name in SPOT_DTYPE.names or ()]
#: The same for ``actions``: the fields of ``SPOT_DTYPE``, in smaller types where those will do.
ACTION_ROW = row_dtype(*sorted(_ACTION_FIELDS, key=lambda field: -np.dtype(field[1]).itemsize))


def accepted(codes: AnyArray) -> AnyArray:
    """Which hands are in order, as far as can be checked, from the codes of replaying them."""
    return np.isin(codes, (FINE, UNPROVEN))


class Rows(NamedTuple):
    """Room for the rows of one part. ``at`` (``int64[3]``) counts the rows of each table that are in use."""

    hands: AnyArray
    players: AnyArray
    actions: AnyArray
    at: I64

    @classmethod
    def empty(cls, hands: int, players: int, actions: int) -> Rows:
        """Room for so many rows of each table, none of them in use."""
        sizes = ((hands, HAND_ROW), (players, PLAYER_ROW), (actions, ACTION_ROW), (3, np.int64))
        return cls(*(np.zeros(size, kind) for size, kind in sizes))

    @property
    def used(self) -> Rows:
        """The rows in use."""
        hands, players, actions = self.at.tolist()
        return Rows(self.hands[:hands], self.players[:players], self.actions[:actions], self.at)
