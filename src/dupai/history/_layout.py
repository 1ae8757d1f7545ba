"""What replaying a scanned hand can find, and the rows that a hand becomes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.spots import SPOT_DTYPE

Array = npt.NDArray[Any]

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
HAND_ROW: np.dtype[Any] = np.dtype(
    [
        ("row", np.int64),
        ("pot", np.int64),
        ("actions", np.int32),
        ("street", np.int8),
        ("showdown", np.bool_),
        ("board", np.uint8, (5,)),
    ],
    align=True,
)

#: The same for ``players``. ``player`` is the index of the name (input of ``columns_kernel``), ``folded`` is -1 for a
#: player who did not fold, ``hole`` has 255 for unknown cards.
PLAYER_ROW: np.dtype[Any] = np.dtype(
    [
        *((name, np.int64) for name in ("stack", "ante", "blind", "put", "payoff")),
        *(("player", np.int32), ("position", np.int8), ("folded", np.int8)),
        *(("all_in", np.bool_), ("showdown", np.bool_), ("hole", np.uint8, (2,))),
    ],
    align=True,
)

_BYTES = "street position position_class players live able behind after calls aggressor leader checked did all_in"
_SMALL = {"n": np.int32, "raises": np.int16, "acted": np.int16, **dict.fromkeys(_BYTES.split(), np.int8)}
#: The same for ``actions``: the fields of ``SPOT_DTYPE``, in smaller types where those will do.
ACTION_ROW: np.dtype[Any] = np.dtype(
    sorted(
        ((name, np.dtype(_SMALL.get(name, np.int64))) for name in SPOT_DTYPE.names or ()), key=lambda f: -f[1].itemsize
    ),
    align=True,
)


class Rows(NamedTuple):
    """Room for the rows of one part. ``at`` (``int64[3]``) counts the rows of each table that are in use."""

    hands: Array
    players: Array
    actions: Array
    at: npt.NDArray[np.int64]

    @classmethod
    def empty(cls, hands: int, players: int, actions: int) -> Rows:
        """Room for so many rows of each table, none of them in use."""
        return cls(
            np.zeros(hands, HAND_ROW),
            np.zeros(players, PLAYER_ROW),
            np.zeros(actions, ACTION_ROW),
            np.zeros(3, np.int64),
        )

    @property
    def used(self) -> Rows:
        """The rows in use."""
        hands, players, actions = self.at.tolist()
        return Rows(self.hands[:hands], self.players[:players], self.actions[:actions], self.at)
