"""What a backend is: tasks in, results out in the order they are done, with progress and a way to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol


class Pulse(Protocol):
    """Given to the work, which calls it once a hand."""

    def hand(self) -> bool:
        """Count a hand; False: stop now and return what you have."""
        ...


class SavePoint(Protocol):
    """Where a long unit of work writes how far it is, and finds it when it is played again. A task that has one
    carries it as ``checkpoint``."""

    @property
    def seconds(self) -> float:
        """Of play between two writings, at least."""
        ...

    def read(self) -> bytes | None:
        """What was written last, if anything."""
        ...

    def write(self, data: bytes) -> None:
        """Replace what was written last."""
        ...


#: Work on one task; it must be a module-level function to run in other processes.
Work = Callable[[Any, Pulse], Any]
#: ``tick(done_tasks, hands)`` is called at least every 100 ms and answers whether to go on.
Tick = Callable[[int, int], bool]


class Backend(Protocol):
    """Runs tasks somewhere: in this process, in worker processes, on other machines."""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """Yield ``(index of the task, result)`` as they come. After ``tick`` says False only tasks in flight still
        come, with whatever the work returned when told to stop."""
        ...
