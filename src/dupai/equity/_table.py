"""The win-rate table in memory: the shipped part, and the turn's entries in the cache folder."""

from __future__ import annotations

import contextlib
import sys
import threading
import zlib
from functools import cache
from pathlib import Path

import numpy as np

from dupai.base import FileError, Progress, cache_root
from dupai.base.arrays import U16
from dupai.base.files import map_file, write_whole
from dupai.cards import CLASSES
from dupai.equity import _build as build
from dupai.equity._kernels.table import WinRateTable

_MAGIC = b"dupai win rates\n"
_HEADER = 64
_ENTRIES = sum(build.ENTRIES.values())
_reading, _building = threading.Lock(), threading.Lock()
_turn_table: dict[str, WinRateTable] = {}


def table_file() -> Path:
    """The file of the whole table once the turn's part has been built (48 MB in the cache folder)."""
    return cache_root() / "tables" / f"winrates-{build.VERSION}.bin"


def _header(entries: U16) -> bytes:
    text = _MAGIC + f"{build.VERSION} {entries.size} {zlib.crc32(entries.data):08x}\n".encode()
    return text.ljust(_HEADER, b"\0")


def _read() -> U16 | None:
    """All entries, memory-mapped from the file; None when there is none. A damaged file is removed."""
    path = table_file()
    try:
        if path.stat().st_size != _HEADER + 2 * _ENTRIES:
            return None
        entries: U16 = map_file(path, np.dtype("<u2"), offset=_HEADER)
        with path.open("rb") as file:
            if file.read(_HEADER) == _header(entries):
                return entries
        path.unlink()  # else every later query of a turn would read and refuse it again
    except (OSError, ValueError):
        pass
    return None


def _shipped() -> U16:
    with np.load(build.TABLE_FILE, allow_pickle=False) as file:
        if int(file["version"]) != build.SHIPPED_VERSION:
            version = int(file["version"])
            raise RuntimeError(
                f"{build.TABLE_FILE} is of version {version}, not {build.SHIPPED_VERSION}: reinstall dupai"
            )
        entries: U16 = file["entries"]
    return np.concatenate([entries[:CLASSES], build.unpacked_flops(entries[CLASSES:])])


@cache
def _without_turn() -> WinRateTable:
    return _frozen(build.build_index(False), _shipped())


def _frozen(index: build.Index, entries: U16) -> WinRateTable:
    for a in (*index, entries):
        a.flags.writeable = False  # one type for kernels, whether mapped from a file or not
    return WinRateTable(*index, entries)


def has_turn(table: WinRateTable) -> bool:
    """Whether the table holds the turn."""
    return bool(table.entries.size == _ENTRIES)


def load_win_rate_table(
    turn: bool | None = False, progress: Progress | None = None, *, rebuild: bool = False
) -> WinRateTable:
    """The win-rate table, loaded once for the process, to be given to :func:`win_rate_kernel`.

    Args:
        turn: False: pre-flop and flop (kernels then compute a turn, 50 µs a query). True: with the turn, which is built
            into the cache folder (seconds, once) when it is missing, damaged or of another version. None: with the turn
            if it has been built.
        progress: receives the number of canonical boards done while the turn is built. Without one, a line on standard
            error says that the table is being built. When it is cancelled, the table without the turn is returned.
        rebuild: with ``turn``: build it again even if it is there.
    """
    if turn is False:
        return _without_turn()
    table = None if rebuild else _with_turn()
    if table is not None or turn is None:
        return table or _without_turn()
    with _building:
        # Another thread may have built it meanwhile.
        table = None if rebuild else _with_turn()
        if table is None:
            entries = _built_turn(progress)
            if entries is None:
                return _without_turn()
            table = _turn_table["table"] = _frozen(build.build_index(True), entries)
    return table


def _with_turn() -> WinRateTable | None:
    """The whole table; None where its file is missing. Never waits until it is built."""
    with _reading:
        table = _turn_table.get("table")
        if table is None:
            entries = _read()
            if entries is not None:
                table = _turn_table["table"] = _frozen(build.build_index(True), entries)
        return table


def _built_turn(progress: Progress | None) -> U16 | None:
    if progress is None:
        sys.stderr.write("building the turn's win-rate table, once\n")
        sys.stderr.flush()
    turn = build.build_win_rates(4, progress)
    if turn is None:
        return None
    entries = np.concatenate([_shipped(), turn])
    mapped = None
    with contextlib.suppress(FileError, OSError):
        table_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(table_file(), _header(entries) + entries.astype("<u2", copy=False).tobytes())
        mapped = _read()
    return entries if mapped is None else mapped
