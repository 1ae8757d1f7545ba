"""What long work tells its caller, and how the caller stops it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Progress(Protocol):
    """Passed into long work. Work calls :meth:`report` at least every 100 ms and stops early, keeping what it has,
    as soon as :attr:`cancelled` is true."""

    @property
    def cancelled(self) -> bool:
        """Whether the caller wants the work to stop."""
        ...

    def report(self, done: float, total: float | None, note: str = "") -> None:
        """Say that ``done`` of ``total`` units are finished (``total`` is None when it is not known)."""
        ...


class NoProgress:
    """Shows nothing and is never cancelled: the default of every long function."""

    @property
    def cancelled(self) -> bool:
        return False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        return None
