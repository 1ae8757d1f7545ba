"""Random numbers: xoshiro256++, the same stream in kernels and in Python.

Source: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators" (2021), xoshiro256++ 1.0.
A generator is an array of four ``uint64``; kernels take the array, Python wraps it in :class:`Rng`.
"""

from __future__ import annotations

import hashlib
import random
import struct
from collections.abc import MutableSequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base._kernels import next_below, next_uniform, next_word

U64 = npt.NDArray[np.uint64]


class Rng:
    """A seeded generator: ``Rng(seed, match, hand, stream)``.

    Seeded by ``numpy.random.SeedSequence(seed, spawn_key=key)``, so streams with different keys are independent and
    nobody's draws depend on another's. A ``seed`` of bytes (at most 64) is a secret: the state is then BLAKE2b, keyed
    by it, of the numbers in ``key``, and the state of one stream tells nothing about another. :attr:`state`
    (``uint64[4]``) may be given to kernels; both then draw from the same stream.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int | bytes, *key: int) -> None:
        if isinstance(seed, bytes):
            packed = struct.pack(f"<{len(key)}Q", *key)
            digest = hashlib.blake2b(packed, digest_size=32, key=seed).digest()
            self.state: U64 = np.frombuffer(digest, "<u8").astype(np.uint64)
            return
        self.state = np.asarray(
            np.random.SeedSequence(seed, spawn_key=key).generate_state(4, np.uint64), dtype=np.uint64
        )

    @classmethod
    def from_state(cls, state: npt.ArrayLike) -> Rng:
        """Continue from a saved :attr:`state` (``uint64[4]``, copied)."""
        rng = cls.__new__(cls)
        rng.state = np.array(state, dtype=np.uint64)
        return rng

    def word(self) -> int:
        """The next 64 random bits."""
        return int(next_word(self.state))

    def below(self, n: int) -> int:
        """An unbiased integer in ``[0, n)``, ``1 <= n < 2**32``."""
        return int(next_below(self.state, n))

    def uniform(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return float(next_uniform(self.state))

    def as_random(self) -> random.Random:
        """A :class:`random.Random` for code that wants one: seeded by the next 64 bits, so equal streams give equal
        ones. Two calls give two different generators."""
        return random.Random(self.word())

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Fisher-Yates, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
