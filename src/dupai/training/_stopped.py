"""How training ends early."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dupai.base import Progress

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Stopped(Exception):
    """The progress was cancelled."""


def stoppable(work: Callable[_P, _T]) -> Callable[_P, _T | None]:
    """The same function, which returns None where its progress was cancelled."""

    @wraps(work)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _T | None:
        try:
            return work(*args, **kwargs)
        except Stopped:
            return None

    return run


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
