"""Lines on standard error about waiting, where a person is at the terminal."""

from __future__ import annotations

import sys


def notify(line: str) -> None:
    """Write a line to standard error, if the program is a command (after :func:`~dupai.base.announce_compilation`)."""
    from dupai.base import _notice

    if _notice.enabled:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
