"""Ray: workers on other machines (or more of this one). Ray itself is imported when it is used."""

from __future__ import annotations

import importlib
import math
import os
import socket
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dupai.base import ConfigError, DupaiError, NoProgress, optional_package
from dupai.jobs._backend import SavePoint, Tick, Work, check_sendable
from dupai.jobs._processes import book_deaths

#: Seconds between two looks of the driver at the desk, and of a task.
LOOK_SECONDS = 0.2
#: Seconds that tasks in flight have to return what they have when they are told to stop.
STOP_SECONDS = 10.0


class _Desk:
    """An actor beside the driver that collects reports from tasks on other machines."""

    def __init__(self) -> None:
        self._steps = 0
        self._going = True
        self._saved: dict[int, bytes] = {}

    def beat(self, steps: int) -> bool:
        """Count steps; whether to go on."""
        self._steps += steps
        return self._going

    def save(self, index: int, data: bytes) -> None:
        """The latest checkpoint of a task."""
        self._saved[index] = data

    def look(self) -> tuple[int, dict[int, bytes]]:
        """All steps, and the checkpoints since the last look."""
        saved, self._saved = self._saved, {}
        return self._steps, saved

    def stop(self) -> None:
        self._going = False


class _RemotePulse(NoProgress):
    """Counts the steps of one task in batches, and asks whether to stop."""

    def __init__(self, desk: Any) -> None:
        self.pending = 0
        self._desk = desk
        self._next = 0.0
        self._going = True

    @property
    def cancelled(self) -> bool:
        now = time.monotonic()
        if self._going and now >= self._next:
            self._going = _fetch(self._desk.beat.remote(self.pending))
            self.pending = 0
            # Less often over a slow network.
            self._next = now + max(LOOK_SECONDS, 20 * (time.monotonic() - now))
        return not self._going

    def step(self) -> bool:
        self.pending += 1
        return not self.cancelled


@dataclass(frozen=True)
class _RemoteSavePoint:
    """The save point of a task on another machine, which does not see the driver's file. It carries what was saved
    before; what it saves goes to the desk, where the driver fetches it."""

    desk: Any
    index: int
    seconds: float
    data: bytes | None

    def read(self) -> bytes | None:
        return self.data

    def write(self, data: bytes) -> None:
        _fetch(self.desk.save.remote(self.index, data))


def _fetch(reference: Any) -> Any:
    return importlib.import_module("ray").get(reference)


def _remotely(work: Work, task: Any, desk: Any) -> tuple[Any, int]:
    pulse = _RemotePulse(desk)
    return work(task, pulse), pulse.pending


def _knock(address: str | None) -> None:
    """Try the address first: Ray itself tries for minutes where nobody listens.

    Raises:
        OSError: nobody listens.
    """
    host, colon, port = (address or "").rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


class RayBackend:
    """Workers of a Ray cluster; every machine needs the same version of dupai.

    Args:
        address: of a running cluster (``"auto"``, ``host:port``); None: one is started on this machine.
        jobs: CPUs of a cluster that is started here; None: as Ray finds them.

    A worker or node that dies loses its work since the last checkpoint of its task, which is done again. The driver
    writes checkpoints here, at most :data:`LOOK_SECONDS` after a task made them. When told to stop, tasks in flight
    have :data:`STOP_SECONDS` to return what they have.
    """

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        self._address = address
        self._jobs = jobs

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            MissingPackage: Ray is not installed.
            ConfigError: there is no cluster at the address, or it was lost; the work cannot be sent.
            WorkerError: the worker of a task died again and again; names the task.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray = optional_package("ray", "cluster", "backend 'ray'")
        check_sendable(work, tasks, "backend 'ray'")
        ours = not ray.is_initialized()
        if ours:
            here: dict[str, Any] = {"include_dashboard": False, "num_cpus": self._jobs} if not self._address else {}
            try:
                _knock(self._address)
                ray.init(address=self._address or "local", log_to_driver=False, logging_level="ERROR", **here)
            except (OSError, RuntimeError, ValueError) as error:
                raise self._failed("no Ray cluster there", error) from None
        try:
            yield from _Driver(ray, work, tasks).run(tick)
        except (ray.exceptions.RaySystemError, ray.exceptions.RayActorError) as error:
            raise self._failed("the Ray cluster was lost", error) from None
        finally:
            if ours:
                ray.shutdown()

    def _failed(self, message: str, error: Exception) -> ConfigError:
        reason = " ".join(str(error).split())[:160]
        return ConfigError(f"address = {self._address!r}: {message} ({reason})", key="address", text=self._address)


class _Driver:
    """One run on a cluster."""

    def __init__(self, ray: Any, work: Work, tasks: Sequence[Any]) -> None:
        self._ray, self._work, self._tasks = ray, work, tasks
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
        self._steps = 0
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
                    outcome = self._result(index, future)
                    if outcome is None:
                        continue
                    result, rest = outcome
                    self._rest += rest
                    done += 1
                    if getattr(result, "complete", True):
                        self._over.add(index)
                    yield index, result
                if not tick(done, self._steps + self._rest) and limit == math.inf:
                    limit = time.monotonic() + STOP_SECONDS
                    self._waiting.clear()
                    self._ray.get(self._desk.stop.remote())
            self._look(now=True)
            tick(done, self._steps + self._rest)
        except self._ray.exceptions.RayActorError:
            # Without the desk every task ends at its next step, and Ray ends the driver's process when one that is
            # cancelled has just ended.
            self._flying.clear()
            raise
        finally:
            # Never by force: Ray ends the driver's process when a task that is killed has just returned its result.
            # A task is interrupted between two steps; `ray.shutdown` ends what does not listen.
            for future in self._flying:
                self._ray.cancel(future)

    def _submit(self) -> None:
        while self._waiting and len(self._flying) < self._room:
            index = self._waiting.popleft()
            task = self._tasks[index]
            place: SavePoint | None = getattr(task, "checkpoint", None)
            if place is not None:
                remote = _RemoteSavePoint(self._desk, index, place.seconds, place.read())
                task = replace(task, checkpoint=remote)
            self._flying[self._remote.remote(self._work, task, self._desk)] = index

    def _look(self, *, now: bool = False) -> None:
        """Fetch the checkpoints that tasks have made, and write them here."""
        if not now and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LOOK_SECONDS
        self._steps, saved = self._ray.get(self._desk.look.remote())
        for index, data in saved.items():
            # A finished task has no further use for it.
            if index not in self._over:
                self._tasks[index].checkpoint.write(data)

    def _result(self, index: int, future: Any) -> tuple[Any, int] | None:
        """The result of a task with the steps that are not counted yet; None: its worker died, it is done again.

        Raises:
            WorkerError: it died too often.
        """
        errors = self._ray.exceptions
        try:
            outcome: tuple[Any, int] = self._ray.get(future)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError):
            book_deaths(self._tasks, [index], self._deaths)
            # It goes on from its latest checkpoint.
            self._look(now=True)
            self._waiting.appendleft(index)
            return None
        except errors.RayTaskError as error:
            # An error of the user has its one line; any other keeps the traceback of where it happened.
            if isinstance(error.cause, DupaiError):
                raise error.cause from None
            raise
        return outcome
