"""Decompresses the pack of machine code in a thread, on import, where the cache folder has no machine code yet."""

from __future__ import annotations

import lzma
import platform
import struct
import sys
import threading
from concurrent.futures import Future
from pathlib import Path

from dupai.base._root import cache_root

#: The pack of this Python.
FILE = Path(__file__).parent / f"kernels-cp{sys.version_info[0]}{sys.version_info[1]}-linux.pack"
#: Bytes of the manifest and of the code that follow.
HEAD = struct.Struct("<QQ")
_early: list[Future[bytes]] = []


def code_of(file: Path) -> bytes:
    """The files of a pack's folders, decompressed.

    Raises:
        OSError, lzma.LZMAError, struct.error: they cannot be read.
    """
    return _early.pop().result() if file == FILE and _early else _code(file)


def _code(file: Path) -> bytes:
    with file.open("rb") as data:
        text, code = HEAD.unpack(data.read(HEAD.size))
        data.seek(text, 1)
        return lzma.decompress(data.read(code))


def linking_of(file: Path) -> bytes:
    """What comes last in a pack: the bitcode, decompressed.

    Raises:
        OSError, lzma.LZMAError, struct.error: it cannot be read.
    """
    with file.open("rb") as data:
        data.seek(sum(HEAD.unpack(data.read(HEAD.size))), 1)
        return lzma.decompress(data.read())


def _begin() -> None:
    if FILE.is_file() and platform.machine() == "x86_64" and not (cache_root() / "numba").exists():
        _early.append(Future())
        threading.Thread(target=_work, args=(_early[0],), name="machine code").start()


def _work(result: Future[bytes]) -> None:
    try:
        result.set_result(_code(FILE))
    except Exception as error:  # noqa: BLE001 - it is raised where the content is asked for
        result.set_exception(error)


_begin()
