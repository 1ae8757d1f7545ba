"""Everything in this process, one task after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from dupai.jobs._backend import Tick, Work


class SerialPulse:
    """Counts steps and looks at most every 50 ms whether to go on."""

    def __init__(self, tick: Tick) -> None:
        self._tick = tick
        self._next = 0.0
        self._share = 0.0
        self.steps = 0
        self.done = 0
        self.going = True

    def look(self, *, now: bool = False) -> bool:
        """Tell ``tick`` how far the work is, if it is time (or ``now``)."""
        clock = time.monotonic()
        if now or clock >= self._next:
            self._next = clock + 0.05
            self.going = self._tick(self.done + self._share, self.steps) and self.going
        return self.going

    def finish(self) -> None:
        """One task is done."""
        self.done += 1
        self._share = 0.0
        self.look(now=True)

    def step(self) -> bool:
        self.steps += 1
        return self.look()

    @property
    def cancelled(self) -> bool:
        return not self.look()

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self._share = min(done / total, 1.0) if total else 0.0
        self.look()


class SerialBackend:
    """No processes; work and tasks may be any objects."""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        pulse = SerialPulse(tick)
        for index, task in enumerate(tasks):
            if not pulse.going:
                return
            result = work(task, pulse)
            pulse.finish()
            yield index, result
