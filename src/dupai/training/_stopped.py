"""How training ends early."""

from __future__ import annotations

from dupai.base import Progress


class Stopped(Exception):
    """The progress was cancelled."""


def look_up(progress: Progress) -> None:
    """Stop where the progress was cancelled.

    Raises:
        Stopped: it was.
    """
    if progress.cancelled:
        raise Stopped


def report(progress: Progress, done: float, total: float, note: str) -> None:
    """Report progress, and stop where it was cancelled.

    Raises:
        Stopped: it was.
    """
    progress.report(done, total, note)
    look_up(progress)
