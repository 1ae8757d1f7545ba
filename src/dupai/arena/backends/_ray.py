"""Ray: workers on other machines (or more of this one), behind the same seam. Ray itself is imported when asked for."""

from __future__ import annotations

import importlib
import math
import os
import pickle
import socket
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dupai.arena.backends._seam import SavePoint, Tick, Work
from dupai.base import AgentError, ConfigError

#: A task whose workers or nodes have died so often is given up.
MOST_DEATHS = 3


#: Seconds between two looks of the driver at the desk, and of a task.
LOOK_SECONDS = 0.2
#: When told to stop, tasks in flight have so many seconds to hand in what they have.
STOP_SECONDS = 10.0


class _Desk:
    """An actor beside the driver, by which tasks on other machines say how far they are."""

    def __init__(self) -> None:
        self._hands = 0
        self._going = True
        self._kept: dict[int, bytes] = {}

    def beat(self, hands: int) -> bool:
        """Count hands; whether to go on."""
        self._hands += hands
        return self._going

    def keep(self, index: int, data: bytes) -> None:
        """What a task wrote last."""
        self._kept[index] = data

    def look(self) -> tuple[int, dict[int, bytes]]:
        """All hands, and what was kept since the last look."""
        kept, self._kept = self._kept, {}
        return self._hands, kept

    def stop(self) -> None:
        self._going = False


class _RemotePulse:
    """Counts the hands of one task in lots, and asks whether to stop."""

    def __init__(self, desk: Any) -> None:
        self.pending = 0
        self._desk = desk
        self._next = 0.0
        self._going = True

    def hand(self) -> bool:
        self.pending += 1
        now = time.monotonic()
        if self._going and now >= self._next:
            self._going = _answer(self._desk.beat.remote(self.pending))
            self.pending = 0
            # Over a slow network less often.
            self._next = now + max(LOOK_SECONDS, 20 * (time.monotonic() - now))
        return self._going


@dataclass(frozen=True)
class _Mailed:
    """The save point of a task on another machine, which does not see the driver's file: it takes along what was in
    it, and what it writes goes to the desk, where the driver fetches it."""

    desk: Any
    index: int
    seconds: float
    data: bytes | None

    def read(self) -> bytes | None:
        return self.data

    def write(self, data: bytes) -> None:
        _answer(self.desk.keep.remote(self.index, data))


def _answer(asked: Any) -> Any:
    return importlib.import_module("ray").get(asked)


def _remotely(work: Work, task: Any, desk: Any) -> tuple[Any, int]:
    pulse = _RemotePulse(desk)
    return work(task, pulse), pulse.pending


def _knock(address: str | None) -> None:
    """Ray itself tries for minutes where nobody listens.

    Raises:
        OSError: nobody does.
    """
    host, colon, port = (address or "").rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


class RayBackend:
    """Workers of a Ray cluster; every machine needs the same dupai.

    Args:
        address: of a running cluster (``"auto"``, ``host:port``); None: one is started on this machine.
        jobs: CPUs of a cluster that is started here; None: as Ray finds them.

    A worker or node that dies loses what it plays since its last checkpoint, which is played again, up to
    :data:`MOST_DEATHS` times. Checkpoints are written here, by the driver, not later than :data:`LOOK_SECONDS` after a
    task made them. When told to stop, tasks in flight have :data:`STOP_SECONDS` to return what they have.
    """

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        self._address = address
        self._jobs = jobs

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            ConfigError: Ray is not installed, there is no cluster at the address, or it was lost; an agent cannot be
                sent.
            AgentError: the worker of a task died again and again; names the task.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise ConfigError("backend 'ray' is not installed: expected pip install 'dupai[cluster]'") from None
        try:
            pickle.dumps((work, *tasks[:1]))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigError(
                f"an agent cannot be sent to other machines ({error}): expected specs, or classes and functions at the "
                "top of a module"
            ) from None
        ours = not ray.is_initialized()
        if ours:
            here: dict[str, Any] = {"include_dashboard": False, "num_cpus": self._jobs} if not self._address else {}
            try:
                _knock(self._address)
                ray.init(address=self._address or "local", log_to_driver=False, logging_level="ERROR", **here)
            except (OSError, RuntimeError, ValueError) as error:
                said = " ".join(str(error).split())[:160]
                raise ConfigError(f"address = {self._address!r}: no Ray cluster there ({said})") from None
        try:
            yield from _Driver(ray, work, tasks).run(tick)
        except (ray.exceptions.RaySystemError, ray.exceptions.RayActorError) as error:
            said = " ".join(str(error).split())[:160]
            raise ConfigError(f"address = {self._address!r}: the Ray cluster was lost ({said})") from None
        finally:
            if ours:
                ray.shutdown()


class _Driver:
    """One run on a cluster."""

    def __init__(self, ray: Any, work: Work, tasks: Sequence[Any]) -> None:
        self._ray = ray
        self._work = work
        self._tasks = tasks
        self._remote = ray.remote(max_retries=0, num_cpus=1)(_remotely)
        # If this machine goes, so does the run.
        here = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=True
        )
        self._desk = ray.remote(num_cpus=0, scheduling_strategy=here)(_Desk).remote()
        self._room = 2 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
        self._waiting = deque(range(len(tasks)))
        self._flying: dict[Any, int] = {}
        self._deaths: Counter[int] = Counter()
        self._over: set[int] = set()
        self._hands = 0
        self._rest = 0
        self._next = 0.0

    def run(self, tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`."""
        done, limit = 0, math.inf
        try:
            while (self._waiting or self._flying) and time.monotonic() < limit:
                self._submit()
                ready, _ = self._ray.wait(list(self._flying), timeout=0.1)
                self._look()
                for future in ready:
                    index = self._flying.pop(future)
                    found = self._result(index, future)
                    if found is None:
                        continue
                    result, rest = found
                    self._rest += rest
                    done += 1
                    if getattr(result, "complete", True):
                        self._over.add(index)
                    yield index, result
                if not tick(done, self._hands + self._rest) and limit == math.inf:
                    limit = time.monotonic() + STOP_SECONDS
                    self._waiting.clear()
                    self._ray.get(self._desk.stop.remote())
            self._look(now=True)
            tick(done, self._hands + self._rest)
        finally:
            for future in self._flying:
                self._ray.cancel(future, force=True)

    def _submit(self) -> None:
        while self._waiting and len(self._flying) < self._room:
            index = self._waiting.popleft()
            task = self._tasks[index]
            place: SavePoint | None = getattr(task, "checkpoint", None)
            if place is not None:
                task = replace(task, checkpoint=_Mailed(self._desk, index, place.seconds, place.read()))
            self._flying[self._remote.remote(self._work, task, self._desk)] = index

    def _look(self, *, now: bool = False) -> None:
        """Fetch what tasks have written, and write it here."""
        if not now and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LOOK_SECONDS
        self._hands, kept = self._ray.get(self._desk.look.remote())
        for index, data in kept.items():
            # One that is done has no further use for it.
            if index not in self._over:
                self._tasks[index].checkpoint.write(data)

    def _result(self, index: int, future: Any) -> tuple[Any, int] | None:
        """What a task gave, and its hands that are not counted yet; None: its worker died, it is played again.

        Raises:
            AgentError: it did so too often.
        """
        errors = self._ray.exceptions
        try:
            found: tuple[Any, int] = self._ray.get(future)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError):
            self._deaths[index] += 1
            if self._deaths[index] >= MOST_DEATHS:
                name = getattr(self._tasks[index], "name", f"task {index + 1}")
                raise AgentError(f"{name}: its worker died {MOST_DEATHS} times (killed?)") from None
            # It goes on from what it wrote last.
            self._look(now=True)
            self._waiting.appendleft(index)
            return None
        return found
