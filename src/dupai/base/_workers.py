"""Worker processes that do not outlive who started them."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing import connection


def end_with_parent() -> None:
    """In a worker process: from now on it ends at once when the process that started it is gone, however that went.

    Nothing tells a worker that its parent was killed (``kill -9``, out of memory): it would work on to the end of its
    task, and the same command started again would share the machine with it. In a process that nobody started as a
    worker this does nothing.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
