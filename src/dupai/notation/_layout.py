"""Hands of a log as flat columns: what scanning bytes gives, and what replaying and importing read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dupai.base.arrays import I64, U8, AnyArray


def row_dtype(*fields: tuple[str, Any, tuple[int, ...]]) -> np.dtype[Any]:
    """An aligned structured type; each of ``fields`` gives names (separated by spaces), their type and their shape."""
    return np.dtype([(name, kind, shape) for names, kind, shape in fields for name in names.split()], align=True)


#: Most players that a line is scanned for.
MAX_PLAYERS = 10
#: Payoffs are scanned to this many units per chip, whatever the rule of the game: the least common multiple of 1..10.
UNITS = 2520

#: The line is well formed.
GOOD = 0
#: The line is not well formed in this field (the Python parser says what is wrong).
BAD_HAND, BAD_BETTING, BAD_CARDS, BAD_PAYOFFS, BAD_NAMES = 1, 2, 3, 4, 5
#: A PHH table that is not of the usual shape: the Python reader says what it is.
UNUSUAL = 6

#: One hand of a log. ``line`` number in the file; ``start`` and ``end`` of its text in the block; ``hand`` number;
#: ``action`` the index of its first action and ``actions`` how many; ``rounds`` of betting written; ``code``; by
#: position ``hole`` (255 unknown), ``payoff`` in 1/2520 chip, ``names`` (start and end in the block); ``board``.
HAND_DTYPE = row_dtype(
    ("line start end hand action actions rounds code", np.int64, ()),
    ("payoff", np.int64, (MAX_PLAYERS,)),
    ("names", np.int32, (MAX_PLAYERS, 2)),
    ("hole", np.uint8, (MAX_PLAYERS, 2)),
    ("board", np.uint8, (5,)),
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

    hands: AnyArray
    kind: U8
    to: I64
    street: U8
    other: I64


#: Text that belongs to a PHH hand, in the order of ``PHH_DTYPE["words"]``.
PHH_WORDS = ("section", "comment", "venue", "room", "unit")
#: A slot of ``scan_phh_kernel`` that deals board cards and is no action.
DEAL = 3

#: What one table of a PHH file says beside its ``HAND_DTYPE`` row (whose ``payoff`` is first the amounts of ``given``,
#: times 2520: 1 finishing stacks, 2 winnings, 0 neither). ``players``; by position ``stacks``, ``seats`` (-1 unknown),
#: ``shown``, ``mucked`` (255: none; ``lost``: whether there are any); ``named``: there are names; ``rake`` in chips
#: (-1: not said); ``hero`` (-1: nobody). Start and end, -1 for none: ``words`` (see ``PHH_WORDS``) in the text; in the
#: scanner's ``out`` ``game`` (what tells games apart), ``extra`` (other fields as JSON), ``played`` (date and time).
PHH_DTYPE = row_dtype(
    ("players given rake hero named lost", np.int64, ()),
    ("stacks seats", np.int64, (MAX_PLAYERS,)),
    ("words", np.int32, (len(PHH_WORDS), 2)),
    ("game extra played", np.int32, (2,)),
    ("shown", np.uint8, (MAX_PLAYERS,)),
    ("mucked", np.uint8, (MAX_PLAYERS, 2)),
)
