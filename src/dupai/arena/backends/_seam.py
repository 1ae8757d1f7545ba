"""What a backend is: tasks in, results out in the order they are done, with progress and a way to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol


class Pulse(Protocol):
    """Given to the work, which calls it once a hand."""

    def hand(self) -> bool:
        """Count a hand; False: stop now and return what you have."""
        ...


#: Work on one task; it must be a module-level function to run in other processes.
Work = Callable[[Any, Pulse], Any]
#: ``tick(done_tasks, hands)`` is called at least every 100 ms and answers whether to go on.
Tick = Callable[[int, int], bool]


class Backend(Protocol):
    """Runs tasks somewhere: serial, processes; other machines later."""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """Yield ``(index of the task, result)`` as they come. After ``tick`` says False only tasks in flight still
        come, with whatever the work returned when told to stop."""
        ...
