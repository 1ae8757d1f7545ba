"""Readers by name: the specs of :mod:`dupai.base`, and the entry-point group ``dupai.readers`` for other packages."""

from __future__ import annotations

import os
from functools import partial

import msgspec

from dupai.base import ConfigError
from dupai.base.specs import OptionInfo, SpecRegistry, split_spec
from dupai.jobs import is_outside, outside_where_foreign
from dupai.reading import _outside
from dupai.reading._protocol import Reader

#: Entry-point group in which other packages register their readers.
ENTRY_POINTS = "dupai.readers"

#: From the one that knows least to the one that knows most.
_READERS = SpecRegistry(
    "reader",
    ENTRY_POINTS,
    {
        "uniform": "dupai.reading._start_table:UniformReader",
        "start-table": "dupai.reading._start_table:StartTableReader",
        "fold": "dupai.reading._fold._model:FoldReader",
        "markov": "dupai.reading._markov:MarkovReader",
        "bucket": "dupai.reading._bucket._model:BucketReader",
        "cnn": "dupai.reading._cnn._model:CnnReader",
        "model": "dupai.reading._model._reader:ModelReader",
    },
)


class ReaderInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One reader of the registry.

    Attributes:
        name: what a spec starts with.
        summary: one line.
        options: in the order of its signature; the first takes a value without a name.
        origin: ``dupai`` or the package that brought it.
        error: why it cannot be loaded; None when it can.
    """

    name: str
    summary: str
    options: tuple[OptionInfo, ...] = ()
    origin: str = "dupai"
    error: str | None = None


def reader_names() -> tuple[str, ...]:
    """Names that a spec may start with: ours first, then those of other packages in alphabetical order."""
    return _READERS.names()


def reader_packages() -> dict[str, str]:
    """The package that brings each reader which is not dupai's, by the reader's name."""
    return _READERS.packages()


def _made_outside(spec: str) -> None:
    _outside.here[:] = [load_reader(spec)]


def load_reader(spec: str) -> Reader:
    """A new reader from its spec string, as ``uniform`` or ``fold:adapt=off,theta=20``.

    One of another package reads in a process of its own, with the parts of :class:`Reader` alone.

    Raises:
        NotationError: the text is not a spec, or names no known reader (the nearest is given).
        ConfigError: an option is unknown (the nearest is given), its value makes no sense, or the reader cannot be
            loaded or made.
    """
    package = _READERS.packages().get(split_spec(spec, "reader")[0])
    if package is not None and os.name == "posix" and not is_outside():
        return _outside.OutsideReader(spec, package, _made_outside)
    reader = _READERS.make(spec)
    if not isinstance(reader, Reader):
        raise ConfigError(f"reader {spec!r} lacks one of read, meet, observe")
    return reader


@partial(outside_where_foreign, _READERS, lost=ReaderInfo)
def reader_info(name: str) -> ReaderInfo:
    """What the registry knows of one reader; one that cannot be loaded has its ``error`` set.

    Raises:
        NotationError: there is no such reader (the nearest is given).
    """
    return ReaderInfo(**_READERS.known(name)[1])


def readers() -> tuple[ReaderInfo, ...]:
    """Every reader that can be named, ours first, with its options."""
    return tuple(reader_info(name) for name in reader_names())
