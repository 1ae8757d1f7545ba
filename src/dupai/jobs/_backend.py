"""What a backend is: tasks in, results out in the order they finish, with progress and a way to stop."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from dupai.base import ConfigError, Progress

#: A task whose worker has died this often is given up.
MAX_DEATHS = 3


class Pulse(Progress, Protocol):
    """The :class:`~dupai.base.Progress` that work on one task is given. Where the work has many equal steps, such as
    hands, it counts them with :meth:`step`; they are added up over all tasks and workers."""

    def step(self) -> bool:
        """Count one step. False: stop now and return what you have."""


class SavePoint(Protocol):
    """Where a long task saves its state, and finds it when it is started again. A task that has one carries it as its
    attribute ``checkpoint``."""

    @property
    def seconds(self) -> float:
        """Least number of seconds between two writes."""

    def read(self) -> bytes | None:
        """What was written last, if anything."""

    def write(self, data: bytes) -> None:
        """Replace what was written last."""


#: Work on one task. Only a function at the top of a module can run in other processes.
Work = Callable[[Any, Pulse], Any]
#: ``tick(done_tasks, steps)`` is called at least every 100 ms and returns whether to go on.
Tick = Callable[[float, int], bool]


class Backend(Protocol):
    """Runs tasks in some place: this process, worker processes, other machines."""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """Yield ``(index of the task, result)`` as tasks finish.

        Once ``tick`` has returned False no further task is started; those in flight are told to stop and still yield
        what their work returns.

        Raises:
            Exception: the first that work raises.
        """


def check_sendable(work: Work, tasks: Sequence[Any], where: str) -> None:
    """Refuse work that cannot be sent to other processes.

    Raises:
        ConfigError: it or its first task cannot be pickled.
    """
    try:
        pickle.dumps((work, *tasks[:1]))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"{where}: an agent or task cannot be sent to worker processes ({error}): expected specs, or classes and "
            "functions at the top of a module; jobs=1 takes anything",
            key="jobs",
        ) from None
