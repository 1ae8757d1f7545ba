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

    @classmethod
    def of(cls, *parts: object) -> Notes:
        """The notes of several agents together; an agent that keeps none is left out."""
        together = cls()
        for part in parts:
            notes = part.notes if isinstance(part, HasNotes) else part
            if isinstance(notes, Notes):
                together.counts += notes.counts
                together.last |= notes.last
        return together


@runtime_checkable
class HasNotes(Protocol):
    """An agent that counts its fall-backs."""

    @property
    def notes(self) -> Notes:
        """Its fall-backs since it was made, those of agents inside it included."""
        ...
