"""The hash table of hand ranks of the *experience* system, as published; our own evaluator is different and far faster.

Source: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems (2020), evaluation core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NotationError, Rng
from dupai.base.arrays import U32, U64
from dupai.cards import CARDS, hand_value_table
from dupai.experiments._experience._kernels import collisions_kernel, fill_kernel, stored_kernel, zobrist_values_kernel

#: Five-card hands better than high card: all that is stored.
ZOBRIST_HANDS = 1_296_420
#: A row of either table, 16 bytes: hand type, occupied flag, rank within the type, check word.
ZOBRIST_ROW: np.dtype[Any] = np.dtype(
    [("type", np.uint16), ("used", np.uint16), ("rank", np.uint32), ("check", np.uint64)]
)
#: The paper counts suits spades 0, hearts 1, diamonds 2, clubs 3.
_PAPER_CARD = np.array([(3 - c // 13) * 13 + c % 13 for c in range(CARDS)])


class ZobristKeys(NamedTuple):
    """Random numbers of the cards, by our card number: ``key uint64[52]`` (32 bits), ``check uint64[52]``."""

    key: U64
    check: U64


def zobrist_keys(seed: int = 0) -> ZobristKeys:
    """A pair of random numbers of 32 and 64 bits for each card."""
    rng = Rng(seed)
    pairs = np.array([(rng.word() >> 32, rng.word()) for _ in range(CARDS)], np.uint64)
    return ZobristKeys(pairs[_PAPER_CARD, 0].copy(), pairs[_PAPER_CARD, 1].copy())


def stored_hands(keys: ZobristKeys) -> tuple[U64, U64, U32]:
    """Key, check word and 32-bit hand value of every stored hand (arrays of :data:`ZOBRIST_HANDS`)."""
    key, check = np.empty(ZOBRIST_HANDS, np.uint64), np.empty(ZOBRIST_HANDS, np.uint64)
    values = np.empty(ZOBRIST_HANDS, np.uint32)
    count = stored_kernel(hand_value_table(), keys.key, keys.check, values, key, check)
    assert count == ZOBRIST_HANDS, f"{count} hands better than high card: expected {ZOBRIST_HANDS}"
    return key, check, values


def slots_of(megabytes: int) -> int:
    """Rows of a table of so many megabytes (2**20 bytes).

    Raises:
        ConfigError: not a power of two of at least 1.
    """
    if megabytes < 1 or megabytes & (megabytes - 1):
        raise ConfigError(f"a table of {megabytes} MB: expected a power of two (16, 32, 64, ...)")
    return megabytes * (1 << 20) // ZOBRIST_ROW.itemsize


class ZobristTable:
    """The table: a hand's slot is the XOR of its cards' 32-bit numbers, masked to the size of the table. Hands whose
    slot is taken go to the overflow table, at the key masked to *its* size, and from there on by linear probing.

    Args:
        base, overflow: sizes in megabytes, powers of two; the paper's best are 128 and 128.
        seed: of the random numbers.

    Attributes:
        collisions: stored hands that did not get their slot of the base table.

    Raises:
        ConfigError: a size is no power of two, or the overflow table cannot hold the collisions.
    """

    def __init__(self, base: int = 128, overflow: int = 128, seed: int = 0) -> None:
        self.keys = zobrist_keys(seed)
        self.base = np.zeros(slots_of(base), ZOBRIST_ROW)
        self.overflow = np.zeros(slots_of(overflow), ZOBRIST_ROW)
        self.collisions = int(fill_kernel(*stored_hands(self.keys), self.base, self.overflow))
        if self.collisions < 0:
            raise ConfigError(f"an overflow table of {overflow} MB cannot hold what does not fit into {base} MB")

    def values(self, hands: npt.ArrayLike) -> U32:
        """32-bit hand values (see :func:`dupai.cards.hand_value`) of hands of 5 to 7 cards, ``uint32[m]``.

        Args:
            hands: ``uint8[m, n]`` of different cards, ``n`` from 5 to 7.

        Raises:
            NotationError: another number of cards, or something is not a card.
        """
        rows = np.ascontiguousarray(hands, np.uint8)
        if rows.ndim != 2 or not 5 <= rows.shape[1] <= 7:
            raise NotationError(f"hands of shape {list(rows.shape)}: expected [m, 5], [m, 6] or [m, 7]")
        if rows.size and rows.max() >= CARDS:
            raise NotationError(f"{int(rows.max())} is not a card: expected 0..51")
        out = np.empty(len(rows), np.uint32)
        zobrist_values_kernel(rows, self.keys.key, self.keys.check, self.base, self.overflow, out)
        return out


def zobrist_collisions(seed: int, megabytes: int, key: U64 | None = None) -> int:
    """Collisions of a base table of so many megabytes, counted without filling it.

    Args:
        key: keys of the stored hands, if they are known already (:func:`stored_hands` of the seed's keys).

    Raises:
        ConfigError: the size is no power of two.
    """
    slots = slots_of(megabytes)
    if key is None:
        key = stored_hands(zobrist_keys(seed))[0]
    return int(collisions_kernel(key, slots, np.zeros(max(slots // 64, 1), np.uint64)))
