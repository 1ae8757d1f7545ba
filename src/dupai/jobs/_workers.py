"""How worker processes are started, and what every one of them does first.

A process without threads is forked: its workers have all that it has loaded (the interpreter, numba, kernels, tables)
and start in some hundredths of a second. A fork of a process with threads would inherit locks that nobody releases. So
where there are threads, workers are forked from a server that was started afresh and has loaded what they need: 0.8 s
of processor time for the server, and the second and later workers, and those of later runs, start at once.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from multiprocessing import connection, get_all_start_methods, get_context
from typing import Any

from dupai.jobs._supervisor import hide_memory

#: Packages with threads of their own that do not survive a fork. (The BLAS of NumPy and SciPy does: it ends its threads
#: before and starts them when they are needed.)
_THREADED = ("torch", "polars", "pyarrow", "duckdb", "ray", "grpc", "jax", "tensorflow")

#: Modules that the server imports before it forks workers.
_preloaded = ["dupai.jobs._server"]


def preload_in_workers(module: str) -> None:
    """Load a module once in the server that workers are forked from; without effect once the server runs."""
    if module not in _preloaded:
        _preloaded.append(module)


def end_with_parent() -> None:
    """In a worker process: end at once when the process that started it is gone, however that went.

    Nothing tells a worker that its parent was killed (``kill -9``, out of memory). Without this it would work on to
    the end of its task, and the same command started again would share the machine with it. In a process that was not
    started as a worker this does nothing.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def surroundings() -> tuple[dict[str, str], str]:
    """Environment and folder of this process: the server that workers are forked from keeps those of its start."""
    return dict(os.environ), os.getcwd()


def begin_worker(environment: dict[str, str], folder: str) -> None:
    """Prepare a worker process: it leaves Ctrl-C to its parent and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        # Held back by the parent while it forked.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    # Garbage of the parent is not ours to finalise: it may have a process, a connection or a file.
    gc.freeze()
    # It may hold cards, and a stranger's program may run beside it.
    hide_memory()
    end_with_parent()
    if environment != os.environ:
        os.environ.clear()
        os.environ.update(environment)
    os.chdir(folder)


_SIGNALS = {signal.SIGINT, signal.SIGTERM}


@contextlib.contextmanager
def forking() -> Iterator[None]:
    """While workers may be forked from this process: a signal before :func:`begin_worker` would meet our handlers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        with warnings.catch_warnings():
            # Python 3.12 counts the threads of the BLAS.
            warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def can_fork() -> bool:
    """Whether workers can be forked from this process: Linux, one thread, and no package that brings others."""
    return sys.platform == "linux" and threading.active_count() == 1 and not any(m in sys.modules for m in _THREADED)


def worker_context() -> Any:
    """How worker processes are started."""
    if can_fork():
        return get_context("fork")
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    # Not there on every system.
    from multiprocessing import forkserver, resource_tracker

    context = get_context("forkserver")
    context.set_forkserver_preload(list(_preloaded))
    # Ctrl-C reaches the server too, and would end it while it loads, and with it the start of our worker. So it starts
    # with the signal blocked, and ignores it from then on (see _server), as do all workers forked from it. Starting
    # the server starts the resource tracker first, which unblocks the signal: hence it is started here.
    resource_tracker.ensure_running()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return context
