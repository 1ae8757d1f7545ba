"""The hands of any file or store, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path

from dupai.base import ConfigError, HistoryError, NoProgress, Progress
from dupai.history._entries import file_kind, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._schema import HANDS_PER_SOURCE
from dupai.history._store import Store
from dupai.notation import AcpcEntry, AcpcError, AcpcHand, read_acpc_entries
from dupai.rules import GameSpec, HandRecord

#: Hands between two progress reports.
_SLICE = 100


def file_records(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    rejected: Callable[[int, str], None] | None = None,
) -> Iterator[HandRecord]:
    """The hands of an ACPC log, a PHH file, a poker site's text (plain, ``.xz``, ``.gz``) or a store (a folder), in
    their order. Payoffs of logs are not recomputed: see :func:`dupai.history.verify_file`.

    Args:
        path: The file, or a store's folder.
        spec: The game of a log; None: inferred from its header or hands.
        progress: Gets how much of the file has been read; cancelling ends the hands.
        rejected: Called with line and reason of what cannot be read; without it an error is raised.

    Raises:
        FileError: the file cannot be read.
        HistoryError: it holds no hand, or (without ``rejected``) a bad one; names the line.
        ConfigError: no game was given and none fits.
    """
    look = progress or NoProgress()
    hands = 0
    for item in file_items(str(path), spec, look, _checked_entries):
        if isinstance(item, AcpcHand):
            hands += 1
            yield item.record
        elif isinstance(item, AcpcError):
            if rejected is None:
                raise HistoryError(f"{path}:{item.line}: {item.error}", line=item.line, path=path)
            rejected(item.line, str(item.error))
    if not hands and not look.cancelled:
        raise HistoryError(f"{path}: there is no hand in it that can be read", path=path)


def _checked_entries(kind: str, lines: Iterator[str]) -> Iterator[AcpcEntry]:
    for entry in read_entries(kind, lines):
        if entry.record is not None and not entry.kind:
            yield AcpcHand(entry.line, entry.record)
        else:
            yield AcpcError(entry.line, "", entry.error)


def file_items(
    path: str,
    spec: GameSpec | None,
    progress: Progress,
    by_hand: Callable[[str, Iterator[str]], Iterator[AcpcEntry]],
) -> Iterator[AcpcEntry]:
    """Everything in a file or store, in order, until ``progress`` is cancelled; ``line`` is the hand id in a store.

    ``by_hand`` reads the lines of a file of kind ``phh`` or ``site``. Where the file is cut off there is an error with
    line 0 at the end.
    """
    if Path(path).is_dir():
        store = Store(path)
        ids = (m.number * HANDS_PER_SOURCE + k for m in store.sources() for k in range(m.hands))
        for number, (hand_id, record) in enumerate(zip(ids, store.records(), strict=True)):
            if number % _SLICE == 0:
                progress.report(number, None, f"{number:,} hands")
            if progress.cancelled:
                return
            yield AcpcHand(hand_id, record)
        return
    kind = file_kind(path)
    hands = 0
    with LogFile(path) as file:
        lines = text_lines(file)
        try:
            for item in read_acpc_entries(lines, spec) if kind == "acpc" else by_hand(kind, lines):
                hands += isinstance(item, AcpcHand)
                if hands % _SLICE == 0:
                    file.report(progress, f"{hands:,} hands")
                if progress.cancelled:
                    return
                yield item
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}", key=error.key, path=path) from None
        if file.cut is not None:
            yield AcpcError(0, "", file.cut)
