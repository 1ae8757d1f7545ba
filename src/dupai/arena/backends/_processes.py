"""Local worker processes, started afresh, so that nothing of this process's threads or locks is inherited.

Where the system can, they are forked from a server that was started afresh itself and has loaded the compiled rules:
the second and later workers, and those of later runs, start in no time, where *spawn* takes each of them 1.5 s of
imports and loading (2.5 to 3 s for two on two cores), and as long again a little to unload it all.
"""

from __future__ import annotations

import pickle
import signal
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_all_start_methods, get_context
from typing import Any

from dupai.arena.backends._seam import Tick, Work
from dupai.base import AgentError, ConfigError, end_with_parent

#: A task whose worker process has died so often is given up.
MOST_DEATHS = 3
#: Workers that are told to end have so many seconds until they are killed.
KILL_SECONDS = 3.0

#: Set once in each worker by :func:`_initialise`.
_pulse: _WorkerPulse | None = None


class _WorkerPulse:
    """Counts hands in shared memory, in lots, and looks whether the parent wants to stop."""

    def __init__(self, hands: Any, stop: Any) -> None:
        self._hands = hands
        self._stop = stop
        self._pending = 0
        self._next = 0.0

    def hand(self) -> bool:
        self._pending += 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.05
            self.flush()
            return not self._stop.value
        return True

    def flush(self) -> None:
        with self._hands.get_lock():
            self._hands.value += self._pending
        self._pending = 0


def _initialise(hands: Any, stop: Any) -> None:
    global _pulse
    # Ctrl-C reaches the whole process group; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _pulse = _WorkerPulse(hands, stop)


def _in_worker(work: Work, task: Any) -> Any:
    assert _pulse is not None
    try:
        return work(task, _pulse)
    finally:
        _pulse.flush()


def _context() -> Any:
    """How workers are started."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    # Not there on every system.
    from multiprocessing import forkserver, resource_tracker

    context = get_context("forkserver")
    context.set_forkserver_preload(["dupai.arena.backends._warm"])
    # Ctrl-C reaches the server too, and while it still loads it would end it, and with it our start of a worker. So
    # it starts with the signal held back, and ignores it from then on (see _warm), as do all workers forked from it.
    # The server's start starts this one first, which lets the signal through again.
    resource_tracker.ensure_running()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return context


def unsendable(jobs: int, error: Exception) -> ConfigError:
    """The error of an agent that workers cannot get."""
    return ConfigError(
        f"jobs = {jobs}: an agent cannot be sent to worker processes ({error}): expected specs, or "
        "classes and functions at the top of a module; jobs=1 takes anything"
    )


class _Workers:
    """A pool and what it shares with this process.

    Nothing that this process reads takes a lock: a worker that is killed while it holds one would stop us for good.
    """

    def __init__(self, jobs: int) -> None:
        context = _context()
        self._hands = context.Value("q", 0)
        self._stop = context.RawValue("b", 0)
        self.pool = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_initialise, initargs=(self._hands, self._stop)
        )

    @property
    def hands(self) -> int:
        return int(self._hands.get_obj().value)

    def stop(self) -> None:
        self._stop.value = 1

    def kill(self) -> None:
        self.stop()
        processes = list((getattr(self.pool, "_processes", None) or {}).values())
        manager = getattr(self.pool, "_executor_manager_thread", None)
        for process in processes:
            process.terminate()
        self.pool.shutdown(wait=False, cancel_futures=True)
        # The pool's thread ends with its workers. Were it still at it when this process exits, the exit would wake it
        # by a pipe that it is closing ("Exception ignored ... Bad file descriptor").
        if manager is not None:
            manager.join(KILL_SECONDS)
            if manager.is_alive():
                for process in processes:
                    process.kill()
                manager.join(KILL_SECONDS)


class ProcessBackend:
    """``jobs`` worker processes on this machine.

    When one dies its pool is replaced and what was in flight is played again, from then on alone, one task at a time,
    until it is through: so the task that kills is found, and given up after :data:`MOST_DEATHS` deaths.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            AgentError: the worker process of a task died again and again; names the task.
            ConfigError: an agent given as an object cannot be sent to other processes.
        """
        try:
            pickle.dumps((work, *tasks[:1]))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise unsendable(self._jobs, error) from None
        if not tasks:
            return
        jobs = min(self._jobs, len(tasks))
        workers = _Workers(jobs)
        waiting = deque(range(len(tasks)))
        suspects: deque[int] = deque()
        deaths: Counter[int] = Counter()
        flying: dict[Future[Any], int] = {}
        done, before, going, finished = 0, 0, True, False
        try:
            while True:
                broken: list[int] = []
                # Only a few wait in the pool at a time: looking at all of a long run's would cost more than playing.
                alone = bool(suspects) or any(deaths[i] for i in flying.values())
                room = (1 if alone else 4 * jobs) - len(flying) if going else 0
                queue = suspects or waiting
                while room > 0 and queue and not broken:
                    index = queue.popleft()
                    try:
                        flying[workers.pool.submit(_in_worker, work, tasks[index])] = index
                    except BrokenProcessPool:
                        broken.append(index)
                    room -= 1
                if not flying and (not going or not (suspects or waiting)):
                    break
                ready, _ = wait(flying, timeout=0.1, return_when=FIRST_COMPLETED)
                stopped = not (tick(done, before + workers.hands) and going)
                if stopped and going:
                    going = False
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
                    # All of the pool is lost with one worker.
                    broken += flying.values()
                    flying = {}
                    before += workers.hands
                    workers.kill()
                    self._book(tasks, broken, deaths)
                    suspects.extend(sorted(broken))
                    if going:
                        workers = _Workers(jobs)
            tick(done, before + workers.hands)
            finished = True
        finally:
            if finished:
                workers.pool.shutdown(wait=True)
            else:
                workers.kill()

    @staticmethod
    def _book(tasks: Sequence[Any], broken: Sequence[int], deaths: Counter[int]) -> None:
        """Count who was in flight when a worker died.

        Raises:
            AgentError: one was so too often.
        """
        deaths.update(broken)
        for index in broken:
            if deaths[index] >= MOST_DEATHS:
                name = getattr(tasks[index], "name", f"task {index + 1}")
                raise AgentError(
                    f"{name}: its worker process died {MOST_DEATHS} times (killed, or out of memory?); "
                    "--jobs 1 plays it in this process"
                )
