"""An agent that learns and can be saved, and a progress that stops: for tests of runs that go on."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from dupai.agents import BaseAgent
from dupai.base import Rng
from dupai.rules import Action, HandRecord, View


class Counting(BaseAgent):
    """Raises the more, the more hands it has seen lost; can be saved. With a file it ends its process once."""

    def __init__(self, file: str = "") -> None:
        self.lost = 0
        self.seen = 0
        self.file = file

    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        if self.file and self.seen == 60 and not os.path.exists(self.file):
            Path(self.file).touch()
            os._exit(3)
        eager = self.lost > 2 + rng.below(10)
        return Action.raise_to(legal.min_to) if eager and legal.can_raise else Action.call()

    def observe(self, record: HandRecord) -> None:
        self.seen += 1
        self.lost = max(0, self.lost + (1 if record.payoffs[record.hero] < 0 else -1)) if record.hero is not None else 0

    def save(self) -> bytes:
        return msgspec.json.encode([self.lost, self.seen])

    def load(self, data: bytes) -> None:
        self.lost, self.seen = msgspec.json.decode(data)
        if self.file:
            Path(self.file).write_text(str(self.seen))


class Stopping:
    """Stops after so many hands."""

    def __init__(self, after: float) -> None:
        self.after = after
        self.hands = 0.0
        self.cancelled = False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.hands = done
        self.cancelled = self.cancelled or done >= self.after


class Failing(BaseAgent):
    """Learns nothing, but does not say so; calls, and fails one decision in so many."""

    def __init__(self, often: int = 150) -> None:
        self.often = often

    def act(self, view: View, rng: Rng) -> Action:
        if not rng.below(self.often):
            raise ValueError("lost its way")
        return Action.call()

    def save(self) -> bytes:
        return b""

    def load(self, data: bytes) -> None:
        pass
