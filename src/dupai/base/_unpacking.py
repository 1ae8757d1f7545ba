"""Decompresses the pack of machine code in a thread, on import, where the cache folder has no machine code yet."""

from __future__ import annotations

import lzma
import platform
import sys
import threading
from concurrent.futures import Future
from pathlib import Path

from dupai.base._root import cache_root

#: The pack of this Python.
FILE = Path(__file__).parent / f"kernels-cp{sys.version_info[0]}{sys.version_info[1]}-linux.pack"
_early: list[Future[bytes]] = []


def content(file: Path) -> bytes:
    """What is compressed in a pack, after its manifest.

    Raises:
        OSError, lzma.LZMAError: it cannot be read.
    """
    return _early.pop().result() if file == FILE and _early else _decompressed(file)


def _decompressed(file: Path) -> bytes:
    with file.open("rb") as data:
        data.seek(int.from_bytes(data.read(8), "little"), 1)
        return lzma.decompress(data.read())


def _begin() -> None:
    if FILE.is_file() and platform.machine() == "x86_64" and not (cache_root() / "numba").exists():
        _early.append(Future())
        threading.Thread(target=_work, args=(_early[0],), name="machine code").start()


def _work(result: Future[bytes]) -> None:
    try:
        result.set_result(_decompressed(FILE))
    except Exception as error:  # noqa: BLE001 - it is raised where the content is asked for
        result.set_exception(error)


_begin()
