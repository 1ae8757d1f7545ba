"""Backends by name."""

from __future__ import annotations

from dupai.base import ConfigError, nearest
from dupai.jobs._backend import Backend
from dupai.jobs._local import LocalBackend
from dupai.jobs._processes import ProcessBackend
from dupai.jobs._ray import RayBackend
from dupai.jobs._serial import SerialBackend


def make_backend(name: str = "local", jobs: int = 1) -> Backend:
    """A backend by name.

    Args:
        name: ``"serial"``: this process; ``"processes"``: ``jobs`` worker processes; ``"local"``: the one of these
            two that is faster; ``"ray"``: a Ray cluster started on this machine; ``"ray:ADDRESS"``: the Ray cluster
            at this address (``auto`` or ``host:port``).
        jobs: how many tasks run at once (at least 1). A Ray cluster takes as many as it has CPUs; one that is started
            here has ``jobs`` of them if ``jobs`` is above 1.

    Raises:
        ConfigError: there is no such backend.
    """
    kind, colon, address = name.partition(":")
    if kind == "ray" and bool(colon) == bool(address):
        return RayBackend(address or None, jobs if jobs > 1 and not address else None)
    if name == "serial":
        return SerialBackend()
    if name == "local":
        return LocalBackend(jobs)
    if name == "processes":
        return ProcessBackend(jobs)
    hint = nearest(name, ("local", "serial", "processes", "ray"), "expected local, serial, processes or ray[:ADDRESS]")
    raise ConfigError(f"backend {name!r}: {hint}", key="backend", text=name)
