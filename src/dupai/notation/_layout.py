"""Hands of a log as flat columns: what scanning bytes gives, and what replaying and importing read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

#: Most players that a line is scanned for.
MAX_PLAYERS = 10
#: Payoffs are scanned to this many units per chip, whatever the rule of the game: the least common multiple of 1..10.
UNITS = 2520

#: The line is well formed.
GOOD = 0
#: The line is not well formed in this field (the Python parser says what is wrong).
BAD_HAND, BAD_BETTING, BAD_CARDS, BAD_PAYOFFS, BAD_NAMES = 1, 2, 3, 4, 5

#: One hand of a log. ``line`` number in the file; ``start`` and ``end`` of its text in the block; ``hand`` number;
#: ``action`` the index of its first action and ``actions`` how many; ``rounds`` of betting written; ``code``; by
#: position ``hole`` (255 unknown), ``payoff`` in 1/2520 chip, ``names`` (start and end in the block); ``board``.
HAND_DTYPE: np.dtype[Any] = np.dtype(
    [
        ("line", np.int64),
        ("start", np.int64),
        ("end", np.int64),
        ("hand", np.int64),
        ("action", np.int64),
        ("actions", np.int64),
        ("rounds", np.int64),
        ("code", np.int64),
        ("payoff", np.int64, (MAX_PLAYERS,)),
        ("names", np.int32, (MAX_PLAYERS, 2)),
        ("hole", np.uint8, (MAX_PLAYERS, 2)),
        ("board", np.uint8, (5,)),
    ],
    align=True,
)


class HandColumns(NamedTuple):
    """Hands of one block of a log.

    Attributes:
        hands: array of ``HAND_DTYPE``, in the order of the file; a line that is not well formed has ``code != 0``.
        kind: ``uint8[m]`` FOLD, CALL or RAISE of all actions, hand after hand.
        to: ``int64[m]`` the total raised to; -1 where the log writes no number (limit games), 0 for other actions.
        street: ``uint8[m]`` the round that the log writes the action in, 0..3.
        other: ``int64[k, 3]`` line number, start and end of every line that is not a hand (comments, scores, ...).
    """

    hands: npt.NDArray[Any]
    kind: npt.NDArray[np.uint8]
    to: npt.NDArray[np.int64]
    street: npt.NDArray[np.uint8]
    other: npt.NDArray[np.int64]
