"""Notes: how often an agent decided by something weaker than it was meant to, counted by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import msgspec

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


class AgentNotes(msgspec.Struct, frozen=True, kw_only=True):
    """How many decisions of one agent fell back, of all that it made.

    Attributes:
        agent: its label.
        decisions: all of them.
        counts: those that fell back, by the code of the reason; one decision may count under several codes.
        texts: the reasons in words; where they differ under one code, the first in alphabetical order.
    """

    agent: str
    decisions: int
    counts: dict[str, int]
    texts: dict[str, str]

    @classmethod
    def of(cls, agent: str, pieces: Iterable[AgentNotes]) -> AgentNotes:
        """The sum of pieces of one agent's play."""
        decisions, counts, texts = 0, Counter[str](), dict[str, str]()
        for piece in pieces:
            decisions += piece.decisions
            counts.update(piece.counts)
            for code, text in piece.texts.items():
                texts[code] = min(text, texts.get(code, text))
        return cls(
            agent=agent, decisions=decisions, counts=dict(sorted(counts.items())), texts=dict(sorted(texts.items()))
        )

    def lines(self) -> list[str]:
        """A line for each kind of fall-back, the most frequent first."""
        return [
            f"{self.agent}, {times:,} of {self.decisions:,} decisions: {self.texts.get(code, code)}"
            for code, times in sorted(self.counts.items(), key=lambda item: -item[1])
        ]
