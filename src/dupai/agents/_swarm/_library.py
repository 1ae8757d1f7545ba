"""A small library of counter-policies: what beats known opponents, and what those look like."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dupai.agents._swarm._layout import MAX_LIBRARY
from dupai.base import F64

#: Made by ``dupai.experiments._brpso._build``.
FILE = Path(__file__).with_name("library.npz")


class Library(NamedTuple):
    """Known opponents by name: the best policy against each, ``policies`` ``float64[n, 5]``; their rates while the
    ``first`` policy (``float64[5]``) was played, ``features`` ``float64[n, 4]``."""

    names: tuple[str, ...]
    policies: F64
    features: F64
    first: F64

    def into(self, config: Any, probe: int) -> None:
        """Write it into the settings of a swarm that watches its opponent for ``probe`` hands."""
        g = config[0]
        n = len(self.names)
        assert n <= MAX_LIBRARY, f"{n} policies: at most {MAX_LIBRARY} fit"
        g["probe"], g["known"], g["first"] = probe, n, self.first
        g["library"][:n] = self.policies
        g["features"][:n] = self.features


@cache
def load_library() -> Library:
    """The library that ships."""
    with np.load(FILE, allow_pickle=False) as file:
        return Library(tuple(map(str, file["names"])), file["policies"], file["features"], file["first"])
