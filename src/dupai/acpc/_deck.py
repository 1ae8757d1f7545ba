"""Cards from a seed as the reference dealer's (MT19937, so that equal seeds give equal deals), or from a secret key.

Source: the ACPC dealer protocol 2.0.0 as the reference dealer speaks it (plain integer seeding, one generator a match,
used for nothing but cards).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from dupai.base import Rng
from dupai.rules import DECK_STREAM

#: Suit by suit (clubs, diamonds, hearts, spades), deuce to ace: our card numbers in order.
_FRESH = tuple(range(52))


class Deal(NamedTuple):
    """Hole cards by position and the five board cards of one hand."""

    hole: tuple[tuple[int, int], ...]
    board: tuple[int, ...]


def acpc_words(seed: int) -> Iterator[int]:
    """32-bit outputs of the generator for a match seed (taken mod 2^32)."""
    source = np.random.RandomState(seed % 2**32)
    while True:
        yield from source.randint(0, 2**32, size=624, dtype=np.uint32).tolist()


def acpc_deals(source: int | bytes, players: int) -> Iterator[Deal]:
    """The hands of a match, one after the other, for ever: hold'em with ``players`` players. ``source``: the seed as
    the reference dealer takes it, or a key: then the cards of a hand tell nothing about those of another."""
    words = iter(()) if isinstance(source, bytes) else acpc_words(source)
    for hand in count():
        deck, dealt = list(_FRESH), []
        if isinstance(source, bytes):
            Rng(source, 0, hand, DECK_STREAM).shuffle(deck)
            dealt = deck
        else:
            for left in range(52, 47 - 2 * players, -1):
                place = next(words) % left
                dealt.append(deck[place])
                deck[place] = deck[left - 1]
        hole = tuple((dealt[2 * p], dealt[2 * p + 1]) for p in range(players))
        yield Deal(hole, tuple(dealt[2 * players : 2 * players + 5]))
