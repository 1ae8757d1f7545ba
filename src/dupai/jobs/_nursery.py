"""A process that others are forked from: it has loaded what they need, and they share that memory."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial

from dupai.base import one_blas_thread
from dupai.jobs._workers import begin_worker, can_fork, forking, surroundings


class Nursery:
    """Forks processes that serve a socket each; ends with the process that made it.

    Args:
        load: loads, in the nursery, what the processes share.
        serve: serves a socket, in a process of its own with one thread for products of matrices.
    """

    def __init__(self, load: Callable[[], object], serve: Callable[[socket.socket], object]) -> None:
        self._lock = threading.Lock()
        self._wire, theirs = socket.socketpair()
        # Pages that the collector writes to would not be shared for long.
        gc.collect()
        gc.freeze()
        with forking(), theirs:
            if os.fork() == 0:
                self._wire.close()
                _leave_after(partial(_answer, theirs, load, serve))

    @classmethod
    def made(cls, load: Callable[[], object], serve: Callable[[socket.socket], object]) -> Nursery | None:
        """A nursery, where processes can be forked from this one."""
        return cls(load, serve) if can_fork() else None

    def fork(self, wire: socket.socket) -> int:
        """The number of a new process that serves ``wire``; waits until all is loaded.

        Raises:
            OSError: the nursery has ended.
        """
        with self._lock:
            socket.send_fds(self._wire, [b" "], [wire.fileno()])
            number = self._wire.recv(8)
        if not number:
            raise BrokenPipeError
        return int.from_bytes(number, "little")


def _leave_after(work: Callable[[], object]) -> None:
    """Do the work of a forked process, which returns to nothing of its parent."""
    try:
        work()
    except BaseException:  # noqa: BLE001 - whatever it is, it ends here
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(0)


def _answer(control: socket.socket, load: Callable[[], object], serve: Callable[[socket.socket], object]) -> None:
    begin_worker(*surroundings())
    with one_blas_thread:
        load()
        gc.collect()
        gc.freeze()
        # Nobody waits for the processes here.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while wires := socket.recv_fds(control, 1, 1)[1]:
            number = os.fork()
            if number == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                control.close()
                _leave_after(partial(serve, socket.socket(fileno=wires[0])))
            os.close(wires[0])
            control.sendall(number.to_bytes(8, "little"))
