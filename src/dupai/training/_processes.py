"""Work shared out among processes: files that are read, folds that are trained."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from functools import partial
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

from dupai.base import Progress
from dupai.jobs import end_with_parent

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_stop: Event | None = None


class _Worker:
    """Progress inside a worker: stops when the whole work is to stop."""

    @property
    def cancelled(self) -> bool:
        return _stop is not None and _stop.is_set()

    def report(self, done: float, total: float | None, note: str = "") -> None:
        return None


def _begin(stop: Event) -> None:
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C
    end_with_parent()


def _work(work: Callable[[_Task, Progress], _Result], task: _Task) -> _Result:
    return work(task, _Worker())


def share_out(
    work: Callable[[_Task, Progress], _Result],
    tasks: Sequence[_Task],
    jobs: int,
    progress: Progress,
    note: str,
    ended: Callable[[_Task], None] = lambda task: None,
) -> list[_Result]:
    """What ``work`` makes of every task, in their order: in this process, or up to ``jobs`` at once in others.

    Args:
        work: gets a task and a progress, which is cancelled when ``progress`` is or (in other processes) a task failed;
            what is left should be quick then. For other processes a function at the top of a module.
        tasks: for other processes picklable.
        jobs: how many at once.
        progress: told of how many tasks have ended; in this process by ``work``, of what it does.
        note: what these are, for ``progress``.
        ended: told of every task as it ends, unless it may have been cut short.

    Raises:
        Exception: the first that a task raised.
    """
    if min(jobs, len(tasks)) < 2:
        results = []
        for task in tasks:
            results.append(work(task, progress))
            if not progress.cancelled:
                ended(task)
        return results
    context: Any = get_context("spawn")
    stop = context.Event()
    with ProcessPoolExecutor(min(jobs, len(tasks)), context, _begin, (stop,)) as pool:
        futures = {pool.submit(partial(_work, work), task): task for task in tasks}
        waiting = set(futures)
        failed = []
        try:
            while waiting:
                done, waiting = wait(waiting, 0.1)
                for future in done:
                    if future.exception() is not None:
                        failed.append(future)
                    elif not stop.is_set():
                        ended(futures[future])
                progress.report(len(tasks) - len(waiting), len(tasks), note)
                if failed or progress.cancelled:
                    stop.set()
        finally:
            stop.set()
        return [future.result() for future in failed[:1] or futures]
