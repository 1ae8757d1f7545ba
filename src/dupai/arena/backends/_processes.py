"""Local worker processes, started afresh (*spawn*), so that nothing of the parent's threads or locks is inherited."""

from __future__ import annotations

import pickle
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any

from dupai.arena.backends._seam import Tick, Work
from dupai.base import AgentError, ConfigError

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
            return not self._stop.is_set()
        return True

    def flush(self) -> None:
        with self._hands.get_lock():
            self._hands.value += self._pending
        self._pending = 0


def _initialise(hands: Any, stop: Any) -> None:
    global _pulse
    # Ctrl-C reaches the whole process group; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _pulse = _WorkerPulse(hands, stop)


def _in_worker(work: Work, task: Any) -> Any:
    assert _pulse is not None
    try:
        return work(task, _pulse)
    finally:
        _pulse.flush()


class ProcessBackend:
    """``jobs`` worker processes on this machine."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            AgentError: a worker process died.
            ConfigError: an agent given as an object cannot be sent to other processes.
        """
        try:
            pickle.dumps((work, *tasks[:1]))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigError(
                f"jobs = {self._jobs}: an agent cannot be sent to worker processes ({error}): expected specs, or "
                "classes and functions at the top of a module; jobs=1 takes anything"
            ) from None
        context = get_context("spawn")
        hands = context.Value("q", 0)
        stop = context.Event()
        pool = ProcessPoolExecutor(
            min(self._jobs, len(tasks)), mp_context=context, initializer=_initialise, initargs=(hands, stop)
        )
        finished = False
        try:
            # Only a few wait in the pool at a time: looking at all of a long tournament's would cost more than playing.
            queue = iter(enumerate(tasks))
            flying: dict[Future[Any], int] = {}
            done, going = 0, True
            while True:
                if going:
                    for index, task in islice(queue, 4 * self._jobs - len(flying)):
                        flying[pool.submit(_in_worker, work, task)] = index
                if not flying:
                    break
                ready, _ = wait(flying, timeout=0.1, return_when=FIRST_COMPLETED)
                going = tick(done, hands.value) and going
                if not going and not stop.is_set():
                    stop.set()
                    flying = {f: i for f, i in flying.items() if f in ready or not f.cancel()}
                for future in sorted(ready, key=flying.__getitem__):
                    done += 1
                    yield flying.pop(future), future.result()
            tick(done, hands.value)
            finished = True
        except BrokenProcessPool:
            raise AgentError(
                "a worker process died (killed, or out of memory?): nothing of its matches was counted; "
                "--jobs 1 plays them in this process"
            ) from None
        finally:
            if not finished:
                stop.set()
                for process in list((getattr(pool, "_processes", None) or {}).values()):
                    process.terminate()
            pool.shutdown(wait=finished, cancel_futures=True)
