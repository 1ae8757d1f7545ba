"""A command on a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time


def on_a_terminal(
    words: list[str], until: bytes = b"", size: tuple[int, int] = (30, 100), **environment: str
) -> tuple[int, str]:
    """Run a command on a terminal of so many lines and columns; Ctrl-C is typed once ``until`` (a regular expression)
    has been printed. Gives the exit code and what was printed on standard output and standard error."""
    process, master = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "xterm-256color", **environment})
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
        os.execvp(words[0], words)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    printed = b""
    end = time.monotonic() + 240
    while True:
        if time.monotonic() > end or not select.select([master], [], [], 60)[0]:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            raise TimeoutError(f"{words}: not done after four minutes, having printed {printed[-500:]!r}")
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        printed += data
        if until and re.search(until, printed):
            os.write(master, b"\x03")
            until = b""
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), printed.decode()
