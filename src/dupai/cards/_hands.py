"""The meaning of a strength: hand values in nibbles, categories, words. Needs no kernel."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from dupai.base import NotationError
from dupai.base.arrays import U32
from dupai.cards._tables import TABLE_FILE
from dupai.cards._values import Card

#: Number of different strengths: 1 (7-5-4-3-2) to 7462 (royal flush).
STRENGTHS = 7462
#: Names of the hand types 0..8 of *Programming Poker AI*, the weakest first.
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_ONE = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_MANY = tuple("sixes" if name == "six" else name + "s" for name in _ONE)
#: Number of kickers of each category.
_KICKERS = (4, 3, 1, 2, 0, 4, 0, 1, 0)


@cache
def hand_value_table() -> U32:
    """``uint32[7463]``, read-only: the hand value of each strength; entry 0 is unused (0)."""
    with np.load(TABLE_FILE, allow_pickle=False) as tables:
        values: U32 = tables["value"]
    values.flags.writeable = False
    return values


def hand_value(strength: int) -> int:
    """The 32-bit hand value of a strength, as *Programming Poker AI* writes it.

    Six nibbles: the hand type 0..8 (see :data:`CATEGORIES`), then up to five ranks (deuce 0 .. ace 12) in order of
    significance: AH QD 4S KH 8C is ``0x000CBA62``. Straights name their top card only (the wheel the five).

    Raises:
        NotationError: ``strength`` is not 1..7462.
    """
    if not 1 <= strength <= STRENGTHS:
        raise NotationError(f"{strength!r} is not a strength: expected 1 to {STRENGTHS}")
    return int(hand_value_table()[strength])


def category(strength: int) -> int:
    """Hand type 0..8 of a strength (high card 0, straight flush 8; names in :data:`CATEGORIES`).

    Raises:
        NotationError: ``strength`` is not 1..7462.
    """
    return hand_value(strength) >> 20


def describe(hand: int | str | Iterable[int | str]) -> str:
    """A hand in words: ``"two pair, aces and fours, king kicker"``, ``"straight, nine high"``, ``"royal flush"``.

    ``hand`` is a *strength* where it is an integer (not a mask), else five to seven cards in any form.

    Raises:
        NotationError: not a strength, or the cards are not five to seven different ones.
    """
    if isinstance(hand, int | np.integer) and not isinstance(hand, Card):
        value = hand_value(int(hand))
    else:
        from dupai.cards._strength import strength

        value = hand_value(strength(hand))
    kind = value >> 20
    ranks = [value >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    first, second = ranks[:2]
    name = CATEGORIES[kind]
    if kind == 8 and first == 12:
        return "royal flush"
    if kind in (0, 4, 5, 8):
        head = f"{name}, {_ONE[first]}{' high' if kind else ''}"
    elif kind in (2, 6):
        head = f"{name}, {_MANY[first]} {'and' if kind == 2 else 'over'} {_MANY[second]}"
    else:
        head = f"{name}, {_MANY[first]}"
    kickers = [_ONE[r] for r in ranks[2 if kind in (2, 6) else 1 :][: _KICKERS[kind]]]
    return head + f", {' '.join(kickers)} kicker{'s' * (len(kickers) > 1)}" * bool(kickers)
