"""How long work reports to its caller, and how the caller stops it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Progress(Protocol):
    """Passed into long work, which calls :meth:`report` at least every 100 ms. As soon as :attr:`cancelled` is true the
    work stops early and keeps its results so far."""

    @property
    def cancelled(self) -> bool:
        """Whether the caller wants the work to stop."""
        ...

    def report(self, done: float, total: float | None, note: str = "") -> None:
        """Report that ``done`` of ``total`` units are finished (``total`` is None when it is unknown)."""
        ...


class NoProgress:
    """Reports nothing and is never cancelled: the default of every long function."""

    @property
    def cancelled(self) -> bool:
        return False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        return None
