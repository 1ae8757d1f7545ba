"""Situations: the distinctions of the expert's rules, and the situation of a decision.

Every dimension is a tuple of words; a situation is a place in each. Chips count in big blinds before the flop and in
pots after it.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache

import numpy as np

from dupai.agents._experience._kernels.hands import classes_kernel, texture_kernel
from dupai.base.arrays import I64, AnyArray
from dupai.cards import CLASS_TEXT, board_array, hand_value_table
from dupai.spots import BUTTON, Spot

POSITIONS = ("button", "blind")
#: ``short``: fewer than 15 big blinds before the flop, less than 0.6 pots after it (effective).
STACKS = ("deep", "short")
#: Before the flop. A raise is ``small`` to at most 3.5 big blinds, ``middle`` 8, ``big`` 25, ``huge`` 60, else, or
#: if a call costs half the rest of the stack, a ``shove``. ``again``: it is the second raise; ``war``: a later one.
FACING_PREFLOP = (
    "unopened",
    "limped",
    *(f"{kind}-{size}" for kind in ("raise", "again", "war") for size in ("small", "middle", "big", "huge", "shove")),
)
#: After the flop. ``led``: no bet yet, and the last bet or raise of an earlier street was ours; ``open``: no bet yet.
#: Bets by their fraction of the pot: ``small`` to 0.4, ``half`` to 0.75, ``pot`` to 1.25, ``over`` to 3, then ``huge``;
#: ``raised``: our bet was raised, by at most 1.25 pots, ``raised-huge``: by more.
FACING_POSTFLOP = ("led", "open", "bet-small", "bet-half", "bet-pot", "bet-over", "bet-huge", "raised", "raised-huge")
#: Weak to strong. A class counts only if the hand beats the share of hands that the file gives; else the next one does.
MADE = (
    "nothing", "high", "low-pair", "mid-pair", "top-weak", "top-good", "overpair", "two-pair", "trips", "set",
    "straight", "flush", "nut-flush", "full", "quads",
)  # fmt: skip
DRAWS = ("none", "gutshot", "open-ended", "flush-draw", "combo-draw")
TEXTURES = ("dry", "wet", "paired", "dangerous")
HANDS = CLASS_TEXT

#: Shape of the tables of rules: street, position, facing, stack, board, then the hand class.
POSTFLOP_SHAPE = (3, 2, len(FACING_POSTFLOP), 2, len(TEXTURES), len(MADE) * len(DRAWS))
PREFLOP_SHAPE = (2, len(FACING_PREFLOP), 2, len(HANDS))

_TO_BLINDS = (3.5, 8.0, 25.0, 60.0)
_BET_POTS = (0.4, 0.75, 1.25, 3.0)


class BoardHands(namedtuple("BoardHands", "classes strength share texture")):
    """Every hand on a board, ``[1326]`` each: class ``made * 5 + draw`` (``int16``, 0 for blocked hands), ``strength``
    (``uint16``, 0 for blocked hands), ``share`` of all hands that are weaker; and the board's ``texture``."""


@lru_cache(maxsize=256)
def board_hands(board: tuple[int, ...], least: tuple[float, ...]) -> BoardHands:
    """Classes of all hands on a board of 3 to 5 cards; ``least`` as in the rule file."""
    full = board_array(board)
    made, draw = np.empty(1326, np.int8), np.empty(1326, np.int8)
    strength, share = np.empty(1326, np.uint16), np.empty(1326)
    classes_kernel(full, len(board), hand_value_table(), np.array(least), made, draw, strength, share)
    classes = np.maximum(made, 0).astype(np.int16) * len(DRAWS) + draw
    return BoardHands(classes, strength, share, int(texture_kernel(full, len(board))))


def preflop_place(spot: Spot) -> tuple[int, int, int]:
    """Position, facing, stack of a decision before the flop: indexes into their words."""
    row = spot.rows[-1]
    big = max(int(row["big_blind"]), 1)
    to_call, raises, effective = int(row["to_call"]), int(row["raises"]), int(row["effective"])
    button = int(row["position_class"]) == BUTTON
    if raises == 0:
        facing = 0 if to_call > 0 else 1
    else:
        to = (int(row["total"]) + to_call) / big
        size = next((i for i, most in enumerate(_TO_BLINDS) if to <= most), 4)
        if 2 * to_call >= effective:
            size = 4
        facing = 2 + 5 * min(raises - 1, 2) + size
    return (0 if button else 1), facing, int(effective + int(row["bet"]) < 15 * big)


def postflop_place(spot: Spot) -> tuple[int, int, int, int]:
    """Street (0 flop), position, facing, stack of a decision after the flop."""
    street, position, facing, short = (int(axis[0]) for axis in postflop_places(spot.row))
    return street, position, facing, short


def postflop_places(rows: AnyArray) -> tuple[I64, I64, I64, I64]:
    """The situations of many decisions, ``int64[n]`` each."""
    pot, to_call = rows["pot"], rows["to_call"]
    # Of a bet beyond the actor's stack only what can be called counts.
    size = np.minimum(rows["raise_by"], to_call) / np.maximum(rows["raise_pot"], 1)
    bet = 2 + np.searchsorted(_BET_POTS, size, side="left")
    raised = 7 + (size > _BET_POTS[2])
    unbet = np.where(rows["leader"] == rows["position"], 0, 1)
    facing = np.where(to_call == 0, unbet, np.where(rows["raises"] >= 2, raised, bet))
    short = rows["effective"] - to_call < 0.6 * (pot + to_call)
    position = (rows["position_class"] != BUTTON).astype(np.int64)
    return rows["street"] - 1, position, facing.astype(np.int64), short.astype(np.int64)
