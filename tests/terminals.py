"""A command on a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios


def on_a_terminal(words: list[str], until: bytes = b"", **environment: str) -> tuple[int, str]:
    """Run a command on a terminal of 100 x 30; Ctrl-C is typed once ``until`` has been printed. Gives the exit code and
    what was printed."""
    process, master = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "xterm-256color", **environment})
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
        os.execvp(words[0], words)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    printed = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        printed += data
        if until and until in printed:
            os.write(master, b"\x03")
            until = b""
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), printed.decode()
