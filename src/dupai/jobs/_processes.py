"""Worker processes on this machine."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from dupai.base import NoProgress, WorkerError
from dupai.jobs._backend import MAX_DEATHS, Tick, Work, check_sendable
from dupai.jobs._workers import begin_worker, forking, surroundings, worker_context

#: Seconds after which workers that were told to end are killed.
KILL_SECONDS = 3.0
#: Seconds that tasks in flight have to return what they have when they are told to stop.
STOP_SECONDS = 1.8

#: Set once in each worker by :func:`_initialise`.
_pulse: _WorkerPulse | None = None


class _WorkerPulse(NoProgress):
    """Counts steps in shared memory, in batches, and looks whether the parent wants to stop."""

    def __init__(self, steps: Any, stop: Any) -> None:
        self._steps = steps
        self._stop = stop
        self._pending = 0
        self._next = 0.0

    @property
    def cancelled(self) -> bool:
        return bool(self._stop.value)

    def step(self) -> bool:
        self._pending += 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.05
            self.flush()
            return not self._stop.value
        return True

    def flush(self) -> None:
        with self._steps.get_lock():
            self._steps.value += self._pending
        self._pending = 0


def _initialise(steps: Any, stop: Any, environment: dict[str, str], folder: str) -> None:
    global _pulse
    begin_worker(environment, folder)
    _pulse = _WorkerPulse(steps, stop)


def _in_worker(work: Work, task: Any) -> Any:
    assert _pulse is not None
    try:
        return work(task, _pulse)
    finally:
        _pulse.flush()


class _Workers:
    """A pool and what it shares with this process.

    Nothing that this process reads takes a lock: a worker that is killed while it holds one would stop us for good.
    """

    def __init__(self, jobs: int) -> None:
        context = worker_context()
        self._steps = context.Value("q", 0)
        self._stop = context.RawValue("b", 0)
        shared = (self._steps, self._stop, *surroundings())
        self.pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_initialise, initargs=shared)

    def submit(self, work: Work, task: Any) -> Future[Any]:
        # The first call starts the workers.
        with forking():
            return self.pool.submit(_in_worker, work, task)

    @property
    def steps(self) -> int:
        return int(self._steps.get_obj().value)

    def stop(self) -> None:
        self._stop.value = 1

    def kill(self) -> None:
        self.stop()
        processes = list((getattr(self.pool, "_processes", None) or {}).values())
        manager = getattr(self.pool, "_executor_manager_thread", None)
        for process in processes:
            process.terminate()
        self.pool.shutdown(wait=False, cancel_futures=True)
        # The pool's thread ends with its workers. If it still ran when this process exits, the exit would wake it by a
        # pipe that it is closing ("Exception ignored ... Bad file descriptor").
        if manager is not None:
            manager.join(KILL_SECONDS)
            if manager.is_alive():
                for process in processes:
                    process.kill()
                manager.join(KILL_SECONDS)


class ProcessBackend:
    """``jobs`` worker processes on this machine.

    When a worker dies, its pool is replaced and what was in flight is done again, from then on one task at a time
    until those tasks are through. So the task that kills its worker is found, and given up after
    :data:`MAX_DEATHS` deaths. When told to stop, tasks in flight have :data:`STOP_SECONDS` to return what they have.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            WorkerError: the worker process of a task died again and again; names the task.
            ConfigError: the work cannot be sent to other processes.
        """
        check_sendable(work, tasks, f"jobs = {self._jobs}")
        if not tasks:
            return
        jobs = min(self._jobs, len(tasks))
        workers = _Workers(jobs)
        waiting = deque(range(len(tasks)))
        suspects: deque[int] = deque()
        deaths: Counter[int] = Counter()
        flying: dict[Future[Any], int] = {}
        done, before, going, finished, limit = 0, 0, True, False, math.inf
        try:
            while time.monotonic() < limit:
                broken: list[int] = []
                # Only a few wait in the pool at a time: looking at all tasks of a long run would cost more than the
                # work.
                alone = bool(suspects) or any(deaths[i] for i in flying.values())
                room = (1 if alone else 4 * jobs) - len(flying) if going else 0
                queue = suspects or waiting
                while room > 0 and queue and not broken:
                    index = queue.popleft()
                    try:
                        flying[workers.submit(work, tasks[index])] = index
                    except BrokenProcessPool:
                        broken.append(index)
                    room -= 1
                if not flying and not broken and (not going or not (suspects or waiting)):
                    break
                ready, _ = wait(flying, timeout=0.1, return_when=FIRST_COMPLETED)
                if not tick(done, before + workers.steps) and going:
                    going, limit = False, time.monotonic() + STOP_SECONDS
                    workers.stop()
                    flying = {f: i for f, i in flying.items() if f in ready or not f.cancel()}
                for future in sorted(ready, key=flying.__getitem__):
                    index = flying.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        broken.append(index)
                        continue
                    done += 1
                    yield index, result
                if broken:
                    # The whole pool is lost with one worker.
                    broken += flying.values()
                    flying = {}
                    before += workers.steps
                    workers.kill()
                    book_deaths(tasks, broken, deaths)
                    suspects.extend(sorted(broken))
                    if going:
                        workers = _Workers(jobs)
            tick(done, before + workers.steps)
            finished = not flying
        finally:
            if finished:
                workers.pool.shutdown(wait=True)
            else:
                workers.kill()


def book_deaths(tasks: Sequence[Any], broken: Sequence[int], deaths: Counter[int]) -> None:
    """Count the deaths of workers by the tasks that were in flight.

    Raises:
        WorkerError: one of them has too many.
    """
    deaths.update(broken)
    for index in broken:
        if deaths[index] >= MAX_DEATHS:
            name = getattr(tasks[index], "name", f"task {index + 1}")
            raise WorkerError(
                f"{name}: its worker process died {MAX_DEATHS} times (killed, or out of memory?); "
                "--jobs 1 runs it in this process"
            )
