"""Everything in this process, one task after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from dupai.arena.backends._seam import Tick, Work


class _Pulse:
    def __init__(self, tick: Tick) -> None:
        self._tick = tick
        self._next = 0.0
        self.hands = 0
        self.done = 0
        self.going = True

    def hand(self) -> bool:
        self.hands += 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.05
            self.going = self._tick(self.done, self.hands) and self.going
        return self.going


class SerialBackend:
    """The default: no processes, agents may be any objects."""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        pulse = _Pulse(tick)
        for index, task in enumerate(tasks):
            if not pulse.going:
                return
            result = work(task, pulse)
            pulse.done += 1
            pulse.going = tick(pulse.done, pulse.hands) and pulse.going
            yield index, result
