"""The hands of any file or store, one record after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path

from dupai.base import ConfigError, HistoryError, NoProgress, Progress
from dupai.history._entries import file_kind, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._store import Store
from dupai.notation import AcpcEntry, AcpcError, AcpcHand, read_acpc_entries
from dupai.rules import GameSpec, HandRecord


def file_records(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    rejected: Callable[[int, str], None] | None = None,
) -> Iterator[HandRecord]:
    """The hands of an ACPC log, a PHH file, a poker site's text (plain, ``.xz``, ``.gz``) or a store (a folder), in
    their order. Nothing is recomputed: see :func:`dupai.history.verify_file`.

    Args:
        path: The file, or a store's folder.
        spec: The game of a log; default: found from its hands.
        progress: Told how much of the file is read; cancelling ends the hands.
        rejected: Told line and reason of what cannot be read; without it that is raised.

    Raises:
        HistoryError: the file cannot be read, holds no hand, or (without ``rejected``) a bad one; names the line.
        ConfigError: no game was given and none fits.
    """
    look = progress or NoProgress()
    text = str(path)

    def refuse(line: int, reason: str) -> None:
        if rejected is None:
            raise HistoryError(f"{text}:{line}: {reason}")
        rejected(line, reason)

    hands = 0
    for record, done, total in _told(text, spec, refuse):
        if look.cancelled:
            return
        hands += 1
        if hands % 100 == 0:
            look.report(done, total, f"{hands:,} hands")
        yield record
    if not hands:
        raise HistoryError(f"{text}: there is no hand in it that can be read")


def _told(
    path: str, spec: GameSpec | None, refuse: Callable[[int, str], None]
) -> Iterator[tuple[HandRecord, float, float | None]]:
    """Records with how much of the source is done."""
    if Path(path).is_dir():
        for number, record in enumerate(Store(path).records()):
            yield record, number, None
        return
    kind = file_kind(path)
    with LogFile(path) as file:
        lines = text_lines(file)
        if kind == "acpc":
            for item in _acpc_entries(path, lines, spec):
                if isinstance(item, AcpcHand):
                    yield item.record, file.done, file.size
                elif isinstance(item, AcpcError):
                    refuse(item.line, str(item.error))
        else:
            for entry in read_entries(kind, lines):
                if entry.record is not None and not entry.kind:
                    yield entry.record, file.done, file.size
                else:
                    refuse(entry.line, entry.error)
        if file.cut is not None:
            refuse(0, file.cut)


def _acpc_entries(path: str, lines: Iterator[str], spec: GameSpec | None) -> Iterator[AcpcEntry]:
    """The entries of a log; an error of the whole says which."""
    try:
        yield from read_acpc_entries(lines, spec)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
