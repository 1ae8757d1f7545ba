"""The win-rate table in memory: the shipped part, and the turn's entries in the cache folder."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress, cache_root
from dupai.equity._build import ENTRIES, TABLE_FILE, VERSION, Index, build_entries, build_index
from dupai.equity._iso import COMBO_PERMUTED
from dupai.equity._kernels.table import WORDS, WinRateTable

U16 = npt.NDArray[np.uint16]

_MAGIC = b"dupai turn win rates\n"
_HEADER = 64
_lock = threading.Lock()
_turn_table: dict[str, WinRateTable] = {}


def turn_file() -> Path:
    """Where the turn's entries lie once they are built (28 MB in the cache folder)."""
    return cache_root() / "tables" / f"turn-winrates-{VERSION}.bin"


def _header(entries: npt.NDArray[Any]) -> bytes:
    text = _MAGIC + f"{VERSION} {entries.size} {zlib.crc32(memoryview(entries)):08x}\n".encode()
    return text.ljust(_HEADER, b"\0")


def _read_turn() -> U16 | None:
    """The turn's entries, mapped from the file; None when there is none or it is damaged or of another version."""
    path = turn_file()
    try:
        if path.stat().st_size != _HEADER + 2 * ENTRIES[4]:
            return None
        entries = np.memmap(path, np.dtype("<u2"), "r", offset=_HEADER).view(np.ndarray)
        with path.open("rb") as file:
            return entries if file.read(_HEADER) == _header(entries) else None
    except (OSError, ValueError):
        return None


def _write_turn(entries: U16) -> bool:
    """Write the file beside its place, then rename: nobody ever reads half of it. False where that cannot be done."""
    path = turn_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".turn-")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_header(entries))
            file.write(entries.astype("<u2", copy=False).data)
        os.replace(name, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        return False
    return True


@cache
def _shipped() -> tuple[U16, U16]:
    with np.load(TABLE_FILE, allow_pickle=False) as file:
        if int(file["version"]) != VERSION:
            raise RuntimeError(f"{TABLE_FILE} is of version {int(file['version'])}, not {VERSION}: reinstall dupai")
        return file["preflop"], file["flop"]


@cache
def _index(n_board: int) -> Index:
    return build_index(n_board)


@cache
def _without_turn() -> WinRateTable:
    preflop, flop = _shipped()
    i = _index(3)
    none = Index(
        np.zeros(0, np.uint32),
        np.zeros((0, 4), np.uint8),
        np.zeros((0, WORDS), np.uint64),
        np.zeros(0, np.int32),
        np.zeros(0, np.int16),
        np.zeros((0, 1326), np.int16),
    )
    return _frozen(preflop, i, flop, none, np.zeros(0, np.uint16))


def _frozen(preflop: U16, flop_index: Index, flop: U16, turn_index: Index, turn: U16) -> WinRateTable:
    i, j = flop_index, turn_index
    arrays = (
        preflop,
        COMBO_PERMUTED,
        *(i.word, i.representative, i.rows, i.start, flop),
        *(j.word, j.representative, j.rows, j.start, turn),
    )
    for a in arrays:
        a.flags.writeable = False  # one type for kernels, whether mapped from a file or not
    return WinRateTable(*arrays)


def load_win_rate_table(turn: bool | None = False, progress: Progress | None = None) -> WinRateTable:
    """The win-rate table, loaded once for the process, to be given to :func:`win_rate_kernel`.

    Args:
        turn: False: pre-flop and flop (kernels then count a turn out, 50 µs a query). True: with the turn, which is
            built into the cache folder (seconds, once) when it is not there, is damaged or of another version. None:
            with the turn if it has been built.
        progress: told of the canonical boards done while the turn is built. Without one, a line on standard error
            says that the table is being built. When it is cancelled, the table without the turn is returned.
    """
    if turn is False:
        return _without_turn()
    with _lock:
        table = _turn_table.get("table")
        if table is None:
            entries = _read_turn()
            if entries is None and turn:
                entries = _built_turn(progress)
            if entries is None:
                return _without_turn()
            preflop, flop = _shipped()
            table = _turn_table["table"] = _frozen(preflop, _index(3), flop, _index(4), entries)
    return table


def _built_turn(progress: Progress | None) -> U16 | None:
    if progress is None:
        sys.stderr.write("building the turn's win-rate table, once\n")
        sys.stderr.flush()
    built = build_entries(4, _index(4), progress or NoProgress())
    if built is None:
        return None
    if _write_turn(built[0]):
        mapped = _read_turn()
        if mapped is not None:
            return mapped
    return built[0]
