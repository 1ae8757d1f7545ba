"""Jobs: work shared out among this process, worker processes or a Ray cluster; progress, stopping, finished pieces.

:func:`share_out` is the one call that most work needs. Importing this package loads no backend.
"""

from typing import TYPE_CHECKING

from dupai.base import lazy_exports

if TYPE_CHECKING:
    from dupai.jobs._backend import Backend, Pulse, SavePoint, Tick, Work, make_backend
    from dupai.jobs._keeper import Keeper, Pieces, first_difference
    from dupai.jobs._local import LocalBackend
    from dupai.jobs._processes import ProcessBackend
    from dupai.jobs._ray import RayBackend
    from dupai.jobs._serial import SerialBackend
    from dupai.jobs._share import share_out, stream
    from dupai.jobs._workers import end_with_parent, preload_in_workers
else:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "Backend": "dupai.jobs._backend",
            "Keeper": "dupai.jobs._keeper",
            "LocalBackend": "dupai.jobs._local",
            "Pieces": "dupai.jobs._keeper",
            "ProcessBackend": "dupai.jobs._processes",
            "Pulse": "dupai.jobs._backend",
            "RayBackend": "dupai.jobs._ray",
            "SavePoint": "dupai.jobs._backend",
            "SerialBackend": "dupai.jobs._serial",
            "Tick": "dupai.jobs._backend",
            "Work": "dupai.jobs._backend",
            "end_with_parent": "dupai.jobs._workers",
            "first_difference": "dupai.jobs._keeper",
            "make_backend": "dupai.jobs._backend",
            "preload_in_workers": "dupai.jobs._workers",
            "share_out": "dupai.jobs._share",
            "stream": "dupai.jobs._share",
        },
    )

__all__ = [
    "Backend",
    "Keeper",
    "LocalBackend",
    "Pieces",
    "ProcessBackend",
    "Pulse",
    "RayBackend",
    "SavePoint",
    "SerialBackend",
    "Tick",
    "Work",
    "end_with_parent",
    "first_difference",
    "make_backend",
    "preload_in_workers",
    "share_out",
    "stream",
]
