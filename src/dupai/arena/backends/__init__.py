"""Where matches are played: one seam, ``run(work, tasks, tick)``, with a backend for each kind of place."""

from dupai.arena.backends._local import LocalBackend
from dupai.arena.backends._processes import ProcessBackend
from dupai.arena.backends._ray import RayBackend
from dupai.arena.backends._seam import Backend, Pulse, SavePoint, Tick, Work
from dupai.arena.backends._serial import SerialBackend


def local_backend(jobs: int, tasks: int) -> Backend:
    """Serial for one job or one task; else worker processes, if there is enough to do for them."""
    return SerialBackend() if min(jobs, tasks) <= 1 else LocalBackend(jobs)


__all__ = [
    "Backend",
    "LocalBackend",
    "ProcessBackend",
    "Pulse",
    "RayBackend",
    "SavePoint",
    "SerialBackend",
    "Tick",
    "Work",
    "local_backend",
]
