"""Opponents with a name, a kind and a strength. The file is written by ``tools/strengths.py`` from ladders."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from dupai.notation import load_catalogue

#: The file of strengths that is part of the release.
FILE = Path(__file__).parent / "opponents.json"


class Strength(msgspec.Struct, frozen=True):
    """Big blinds won per 100 hands from an average opponent of the ladder, and its standard error."""

    bb100: float
    se: float


class Opponent(msgspec.Struct, frozen=True):
    """An agent to play against. Its name and a line about it are in the catalogues of :mod:`dupai.notation`, under
    ``seat.SPEC`` and ``about.SPEC`` of ``names``.

    Attributes:
        spec: of the agent.
        kind: ``people`` (acts as real players or known programs did), ``thinker`` (reads or searches), ``style``
            (a fixed style of betting), ``simple`` (a few rules, or none).
        heads_up, six_max: rated strengths; None where it was not rated.
    """

    spec: str
    kind: Literal["people", "thinker", "style", "simple"]
    heads_up: Strength | None = None
    six_max: Strength | None = None

    @property
    def mean(self) -> float:
        """The mean of the strengths that were rated, to sort by; unrated ones come last."""
        rated = [s.bb100 for s in (self.heads_up, self.six_max) if s is not None]
        return sum(rated) / len(rated) if rated else float("-inf")


@cache
def opponents() -> tuple[Opponent, ...]:
    """All opponents with a name, in the order of the file."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[Opponent, ...])


def display_name(spec: str) -> str:
    """The name of an opponent for people; a spec without a name stands for itself."""
    return load_catalogue().names.get(f"seat.{spec}", spec)
