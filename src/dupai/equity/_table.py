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
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import Progress, cache_root
from dupai.cards import CLASSES, COMBO_PERMUTED, COMBOS, board_classes
from dupai.equity._kernels.table import KINDS, MAP, ROW, WinRateTable, index_kernel

U16 = npt.NDArray[np.uint16]

#: Where the pre-flop and flop entries lie in the package.
TABLE_FILE = Path(__file__).with_name("winrates.npz")
#: Number of the table's layout and contents: raised when either changes, so that built files are not mistaken.
VERSION = 1
#: Entries by number of board cards.
ENTRIES = {0: CLASSES, 3: 1_286_792, 4: 13_960_050}


class Index(NamedTuple):
    """The index of flops, or of flops and turns: three of the arrays of :class:`dupai.equity.WinRateTable`."""

    word: npt.NDArray[np.uint32]
    maps: npt.NDArray[np.uint16]
    rows: npt.NDArray[np.uint64]


def build_index(turn: bool) -> Index:
    """The index of all flops (``turn=False``, milliseconds) or of flops and turns (a tenth of a second)."""
    maps = np.zeros((24 + KINDS, MAP), np.uint16)
    maps[:24, :COMBOS] = COMBO_PERMUTED
    kind_of = np.zeros(KINDS + 1, np.int64)
    words: list[npt.NDArray[np.uint32]] = []
    rows: list[npt.NDArray[np.uint64]] = []
    entries = CLASSES
    for n in (3, 4) if turn else (3,):
        classes = board_classes(n)
        words.append(np.zeros(len(classes.class_of), np.uint32))
        rows.append(np.zeros((len(classes.boards), ROW), np.uint64))
        found = index_kernel(classes, maps, words[-1], rows[-1], kind_of, sum(len(r) for r in rows[:-1]), entries)
        if found != ENTRIES[n]:
            raise AssertionError(f"{found} entries for {n} board cards: expected {ENTRIES[n]}")
        entries += found
    kinds = np.count_nonzero(kind_of)
    return Index(np.concatenate(words), maps[: 24 + kinds].flatten(), np.concatenate(rows).ravel())


_MAGIC = b"dupai win rates\n"
_HEADER = 64
_ENTRIES = sum(ENTRIES.values())
_lock = threading.Lock()
_turn_table: dict[str, WinRateTable] = {}


def table_file() -> Path:
    """Where the whole table lies once the turn's part has been built (30 MB in the cache folder)."""
    return cache_root() / "tables" / f"winrates-{VERSION}.bin"


def _header(entries: U16) -> bytes:
    text = _MAGIC + f"{VERSION} {entries.size} {zlib.crc32(entries.data):08x}\n".encode()
    return text.ljust(_HEADER, b"\0")


def _read() -> U16 | None:
    """All entries, mapped from the file; None when there is none. A damaged file is removed."""
    path = table_file()
    try:
        if path.stat().st_size != _HEADER + 2 * _ENTRIES:
            return None
        entries = np.memmap(path, np.dtype("<u2"), "r", offset=_HEADER).view(np.ndarray)
        with path.open("rb") as file:
            if file.read(_HEADER) == _header(entries):
                return entries
        path.unlink()  # or every turn that is asked for would read and refuse it again
    except (OSError, ValueError):
        pass
    return None


def _write(entries: U16) -> bool:
    """Write the file beside its place, then rename: nobody ever reads half of it. False where that cannot be done."""
    path = table_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".winrates-")
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


def _shipped() -> U16:
    with np.load(TABLE_FILE, allow_pickle=False) as file:
        if int(file["version"]) != VERSION:
            raise RuntimeError(f"{TABLE_FILE} is of version {int(file['version'])}, not {VERSION}: reinstall dupai")
        entries: U16 = file["entries"]
        return entries


@cache
def _without_turn() -> WinRateTable:
    return _frozen(build_index(False), _shipped())


def _frozen(index: Index, entries: U16) -> WinRateTable:
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
        turn: False: pre-flop and flop (kernels then count a turn out, 50 µs a query). True: with the turn, which is
            built into the cache folder (seconds, once) when it is not there, is damaged or of another version. None:
            with the turn if it has been built.
        progress: told of the canonical boards done while the turn is built. Without one, a line on standard error
            says that the table is being built. When it is cancelled, the table without the turn is returned.
        rebuild: with ``turn``: build it again even if it is there.
    """
    if turn is False:
        return _without_turn()
    with _lock:
        table = None if rebuild else _turn_table.get("table")
        if table is None:
            entries = None if rebuild else _read()
            if entries is None and turn:
                entries = _built_turn(progress)
            if entries is None:
                return _without_turn()
            table = _turn_table["table"] = _frozen(build_index(True), entries)
    return table


def build_win_rates(n_board: int, progress: Progress | None = None, threads: int | None = None) -> U16 | None:
    """Count the table's entries for all boards of 3 or 4 cards anew (seconds); nothing is read or written.

    Args:
        n_board: 3 or 4.
        progress: told of the canonical boards done; when it is cancelled the answer is None.
        threads: how many to use; by default one for each core.
    """
    from dupai.equity._build import build_entries

    built = build_entries(n_board, progress, threads)
    return None if built is None else built[0]


def _built_turn(progress: Progress | None) -> U16 | None:
    if progress is None:
        sys.stderr.write("building the turn's win-rate table, once\n")
        sys.stderr.flush()
    turn = build_win_rates(4, progress)
    if turn is None:
        return None
    entries = np.concatenate([_shipped(), turn])
    if _write(entries):
        mapped = _read()
        if mapped is not None:
            return mapped
    return entries
