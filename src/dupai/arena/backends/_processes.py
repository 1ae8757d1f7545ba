"""Local worker processes, started afresh (*spawn*), so that nothing of the parent's threads or locks is inherited."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from dupai.arena.backends._seam import Tick, Work
from dupai.base import AgentError

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
        """
        context = get_context("spawn")
        hands = context.Value("q", 0)
        stop = context.Event()
        pool = ProcessPoolExecutor(
            min(self._jobs, len(tasks)), mp_context=context, initializer=_initialise, initargs=(hands, stop)
        )
        finished = False
        try:
            futures: dict[Future[Any], int] = {pool.submit(_in_worker, work, t): i for i, t in enumerate(tasks)}
            waiting = set(futures)
            done = 0
            while waiting:
                ready, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                going = tick(done, hands.value)
                if not going and not stop.is_set():
                    stop.set()
                    waiting = {f for f in waiting if not f.cancel()}
                for future in sorted(ready, key=futures.__getitem__):
                    if future.cancelled():
                        continue
                    done += 1
                    yield futures[future], future.result()
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
