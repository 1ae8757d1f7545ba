"""Ray: workers on other machines (or more of this one), behind the same seam. Ray itself is imported when asked for."""

from __future__ import annotations

import importlib
import os
import pickle
import socket
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any

from dupai.arena.backends._seam import Tick, Work
from dupai.base import AgentError, ConfigError

#: A task whose workers or nodes have died so often is given up.
MOST_DEATHS = 3


class _RemotePulse:
    """Counts the hands of one task."""

    def __init__(self) -> None:
        self.hands = 0

    def hand(self) -> bool:
        self.hands += 1
        return True


def _remotely(work: Work, task: Any) -> tuple[Any, int]:
    pulse = _RemotePulse()
    return work(task, pulse), pulse.hands


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

    A worker or node that dies loses what it plays, which is played again, up to :data:`MOST_DEATHS` times. When told
    to stop, tasks in flight are dropped.
    """

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        self._address = address
        self._jobs = jobs

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            ConfigError: Ray is not installed, there is no cluster at the address, or an agent cannot be sent.
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
            yield from self._run(ray, work, tasks, tick)
        finally:
            if ours:
                ray.shutdown()

    def _run(self, ray: Any, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        remote = ray.remote(max_retries=0, num_cpus=1)(_remotely)
        died = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)
        room = 2 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
        waiting = deque(range(len(tasks)))
        flying: dict[Any, int] = {}
        deaths: Counter[int] = Counter()
        done = hands = 0
        while waiting or flying:
            while waiting and len(flying) < room:
                index = waiting.popleft()
                flying[remote.remote(work, tasks[index])] = index
            ready, _ = ray.wait(list(flying), timeout=0.1)
            for future in ready:
                index = flying.pop(future)
                try:
                    result, played = ray.get(future)
                except died:
                    deaths[index] += 1
                    if deaths[index] >= MOST_DEATHS:
                        name = getattr(tasks[index], "name", f"task {index + 1}")
                        raise AgentError(f"{name}: its worker died {MOST_DEATHS} times (killed?)") from None
                    waiting.appendleft(index)
                    continue
                done += 1
                hands += played
                yield index, result
            if not tick(done, hands):
                for future in flying:
                    ray.cancel(future, force=True)
                return
        tick(done, hands)
