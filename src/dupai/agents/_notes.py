"""Notes: how often an agent decided by something weaker than it was meant to, counted by kind."""

from __future__ import annotations

from collections import Counter
from typing import Protocol, runtime_checkable

from dupai.notation import Reason


class Notes:
    """Fall-backs of one agent since it was made.

    Attributes:
        counts: how often each was noted, by the code of its reason.
        last: the reason noted last under each code, with its values.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.last: dict[str, Reason] = {}

    def add(self, reason: Reason) -> None:
        """Count one decision that fell back for this reason."""
        self.counts[reason.code] += 1
        self.last[reason.code] = reason


@runtime_checkable
class HasNotes(Protocol):
    """An agent that counts its fall-backs."""

    @property
    def notes(self) -> Notes:
        """What it has noted since it was made, agents inside of it included."""
        ...
