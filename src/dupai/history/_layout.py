"""What replaying a scanned hand can find, and the rows that it becomes in the store."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

#: The hand replays and its payoffs are right.
FINE = 0
#: It replays, and its payoffs are not those that the rules give.
MISMATCH = 1
#: An action is not legal where it stands; the hand is not over; it has too few or too many rounds; cards that the
#: showdown needs are not known, and the payoffs cannot be right whatever they are.
ILLEGAL, UNFINISHED, WRONG_ROUNDS, UNKNOWN_CARDS = 2, 3, 4, 5
#: Cards that the showdown needs are not known; chips are conserved and folded players lose what they put in.
UNPROVEN = 6


class HandRows(NamedTuple):
    """Rows of the store's table ``hands`` that replaying gives, one array a column; ``row`` is the hand's index in the
    scanned columns; ``board`` holds the text of all boards, ``board_end`` where each ends (after a leading 0)."""

    row: Array
    street: Array
    showdown: Array
    actions: Array
    pot: Array
    board: Array
    board_end: Array

    @classmethod
    def empty(cls, n: int) -> HandRows:
        """Arrays for ``n`` hands."""
        types = (np.int64, np.int8, np.bool_, np.int32, np.int64)
        return cls(*[np.zeros(n, t) for t in types] + [np.zeros(10 * n, np.uint8), np.zeros(n + 1, np.int32)])


class PlayerRows(NamedTuple):
    """Rows of ``players``. ``hand`` is the hand's row in the block, ``player`` the index of the name (input of
    ``columns_kernel``), ``folded`` -1 for nobody; ``hole`` as ``HandRows.board``, ``known`` whether it is not null."""

    hand: Array
    position: Array
    player: Array
    stack: Array
    ante: Array
    blind: Array
    put: Array
    known: Array
    hole: Array
    hole_end: Array
    folded: Array
    all_in: Array
    showdown: Array
    payoff: Array

    @classmethod
    def empty(cls, n: int) -> PlayerRows:
        """Arrays for ``n`` players."""
        first = (np.int64, np.int8, np.int32, np.int64, np.int64, np.int64, np.int64, np.bool_)
        last = (np.int8, np.bool_, np.bool_, np.int64)
        columns: list[Array] = [np.zeros(n, t) for t in first]
        columns += [np.zeros(4 * n, np.uint8), np.zeros(n + 1, np.int32)]
        return cls(*columns, *(np.zeros(n, t) for t in last))


class ActionRows(NamedTuple):
    """Rows of ``actions``; ``hand`` and ``player`` as in :class:`PlayerRows`, ``aggressor`` and ``leader`` -1 for
    nobody, ``kind`` an index of ``ACTION_KINDS``."""

    hand: Array
    n: Array
    street: Array
    position: Array
    player: Array
    kind: Array
    total: Array
    paid: Array
    all_in: Array
    to_call: Array
    bet: Array
    pot: Array
    stack: Array
    min_to: Array
    live: Array
    able: Array
    raises: Array
    calls: Array
    aggressor: Array
    leader: Array
    acted: Array
    checked: Array

    @classmethod
    def empty(cls, n: int) -> ActionRows:
        """Arrays for ``n`` actions."""
        i1, i2, i4, i8, b = np.int8, np.int16, np.int32, np.int64, np.bool_
        types = (i8, i4, i1, i1, i4, i1, i8, i8, b, i8, i8, i8, i8, i8, i1, i1, i2, i1, i1, i1, i2, b)
        return cls(*[np.zeros(n, t) for t in types])
