"""What every worker process does when it starts, and the server that worker processes are forked from.

Workers start afresh, so that they inherit none of this process's threads or locks. Where the system can, they are
forked from a server that was started afresh itself and has loaded what they need: the second and later workers, and
those of later runs, start at once. Spawning takes each of them 1.5 s of imports (2.5 to 3 s for two on two cores).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing import connection, get_all_start_methods, get_context
from typing import Any

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
    end_with_parent()
    if environment != os.environ:
        os.environ.clear()
        os.environ.update(environment)
    os.chdir(folder)


def worker_context() -> Any:
    """How worker processes are started."""
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
