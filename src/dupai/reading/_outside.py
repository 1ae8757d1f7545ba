"""A reader of another package, in a process of its own: here its stand-in, and the functions that are called there."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from dupai.base import ConfigError
from dupai.jobs import Outside, OutsideError, ProcessLost
from dupai.reading._protocol import Reader
from dupai.reading._reading import Reading
from dupai.rules import HandRecord, SentView, View

#: Seconds for whatever a reader is asked.
_SECONDS = 60.0
#: In its process: the reader.
here: list[Reader] = []
T = TypeVar("T")


class OutsideReader:
    """A reader that reads in a process of its own.

    Args:
        spec: its spec; package: the package that brings it.
        make: makes it in the process.

    Raises:
        NotationError, ConfigError: as :func:`load_reader`; ConfigError also where it gives no answer.
    """

    def __init__(self, spec: str, package: str, make: Callable[[str], None]) -> None:
        self._spec, self._child = spec, Outside.of(package)
        weakref.finalize(self, self._child.end)
        self._call(make, spec)

    def _call(self, function: Callable[..., T], *values: object) -> T:
        try:
            return self._child.call(function, *values, seconds=_SECONDS, notice=function.__name__.strip("_"))
        except (ProcessLost, OutsideError) as error:
            raise ConfigError(f"reader {self._spec!r}: {error}") from None

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        seen = SentView.of(view, self._child.last)
        self._child.last = view.spec
        return self._call(_read, seen, seats)

    def meet(self, names: Mapping[int, str]) -> None:
        self._call(_meet, names)

    def observe(self, record: HandRecord) -> None:
        self._call(_observe, record)


def _read(seen: SentView, seats: tuple[int, ...] | None) -> dict[int, Reading]:
    return dict(here[0].read(seen.view(), seats))


def _meet(names: dict[int, str]) -> None:
    here[0].meet(names)


def _observe(record: HandRecord) -> None:
    here[0].observe(record)
