"""The pack: machine code of the kernels, made once for x86-64-v3 and shipped with the package.

One file for each Python, ``base/kernels-cp311-linux.pack``: a manifest, the files of all cache folders, compressed
together (kernels share much code), and what only linking needs. The name of a folder is a digest of the module and of
all that it uses, so a folder of the pack fits this source or is not found. ``make kernels`` writes the file. Loading it
trusts the package as code is trusted.

A kernel's bitcode is for others that are compiled with it, which nobody needs where the pack has them all. It takes
four fifths of the pack, so it is compressed apart, and in a kernel's file there is only its digest.
"""

from __future__ import annotations

import hashlib
import lzma
import platform
import struct
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import msgspec
import numba
import numpy as np

from dupai.base._errors import FileError
from dupai.base._notify import notify
from dupai.base._unpacking import FILE, HEAD, code_of, linking_of
from dupai.base.files import write_whole

#: The processors for which the code is made: those of 2013 (Intel) or 2015 (AMD) and later.
LEVEL = "x86-64-v3"
_FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
#: Bytes of a digest that stands for bitcode, which is always longer.
_DIGEST = 8
#: Marks files of machine code that came from the pack.
PACKED = ".packed.nbc"


class Manifest(msgspec.Struct, frozen=True):
    """What the code was made with, the names of the folders, and the digests of the bitcode, in hex."""

    level: str
    versions: dict[str, str]
    folders: frozenset[str]
    bitcode: frozenset[str]


def versions() -> dict[str, str]:
    """Versions on which machine code and its files depend."""
    return {
        "python": ".".join(map(str, sys.version_info[:2])),
        "numba": numba.__version__,
        "llvmlite": str(llvmlite.__version__),
        "numpy": np.__version__.partition(".")[0],
    }


def runs_here() -> bool:
    """Whether this machine runs code of :data:`LEVEL`, and none of another processor was asked for."""
    config: Any = numba.config
    features = llvmlite.binding.get_host_cpu_features()
    linux = sys.platform == "linux" and platform.machine() == "x86_64"
    return linux and config.CPU_NAME is None and all(features.get(name) for name in _FEATURES)


@cache
def manifest() -> Manifest | None:
    """The pack's manifest; None where there is no pack for this machine."""
    if not FILE.is_file() or not runs_here():
        return None
    try:
        with FILE.open("rb") as file:
            found = msgspec.json.decode(file.read(HEAD.unpack(file.read(HEAD.size))[0]), type=Manifest)
    except (OSError, struct.error, MemoryError, OverflowError, msgspec.DecodeError) as error:
        notify(f"dupai: {FILE.name} is not used: {error}")
        return None
    return found if found.level == LEVEL and found.versions == versions() else None


def pack_facts() -> dict[str, object] | None:
    """File, size in bytes, processor level, versions and number of modules of the pack; None where none fits."""
    known = manifest()
    if known is None:
        return None
    kept = {"file": FILE.name, "bytes": FILE.stat().st_size, "level": LEVEL, "modules": len(known.folders)}
    return {**kept, "versions": known.versions}


def digest(bitcode: bytes) -> bytes:
    """What stands for a kernel's bitcode in its file."""
    return hashlib.blake2b(bitcode, digest_size=_DIGEST).digest()


def can_link(bitcode: bytes) -> bool:
    """Whether :func:`whole` finds the bitcode of a kernel that has this in its file; not where that came with a pack
    that was made otherwise."""
    known = manifest()
    return len(bitcode) != _DIGEST or (known is not None and bitcode.hex() in known.bitcode)


def whole(bitcode: bytes) -> bytes:
    """The bitcode of a kernel from what is in its file.

    Raises:
        FileError: the pack is damaged.
    """
    if len(bitcode) != _DIGEST:
        return bitcode
    try:
        return _linking()[bitcode]
    except (OSError, struct.error, lzma.LZMAError, msgspec.DecodeError, KeyError) as error:
        raise FileError(f"{FILE} is damaged: install dupai again ({error})") from None


@cache
def _linking() -> dict[bytes, bytes]:
    return msgspec.msgpack.decode(linking_of(FILE), type=dict[bytes, bytes])


def write_pack(folders: Mapping[str, Mapping[str, bytes]], bitcode: Iterable[bytes]) -> None:
    """Write the pack: the files of the cache folders, in which digests stand for bitcode, and the bitcode."""
    parts = {digest(one): one for one in bitcode}
    known = Manifest(LEVEL, versions(), frozenset(folders), frozenset(key.hex() for key in parts))
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 64 << 20}]
    code, linking = (lzma.compress(msgspec.msgpack.encode(x), filters=filters) for x in (folders, parts))
    text = msgspec.json.encode(known, order="sorted")
    FILE.write_bytes(HEAD.pack(len(text), len(code)) + text + code + linking)


#: What a pack holds, for each cache that is being filled from it.
_being_written: dict[Path, dict[str, dict[str, bytes]]] = {}


def unpack(place: Path) -> bool:
    """Fill a cache folder that does not exist from the pack; whether it has it. A thread fills all others that are
    missing, so that the next process finds them."""
    known = manifest()
    if known is None or place.name not in known.folders:
        return False
    cache = place.parent
    try:
        folders = _being_written.get(cache)
        if folders is None:
            folders = _being_written[cache] = msgspec.msgpack.decode(code_of(FILE), type=dict[str, dict[str, bytes]])
            cache.mkdir(parents=True, exist_ok=True)
            threading.Thread(target=_fill, args=(cache, folders), name="machine code").start()
        _write(place, folders.get(place.name, {}))
    except (OSError, struct.error, lzma.LZMAError, msgspec.DecodeError) as error:
        notify(f"dupai: {FILE.name} is not used: {error}")
    return place.exists()


@cache
def renew(place: Path) -> None:
    """Write the pack's files over those that another pack left in the folders of a cache: modules that are as they were
    then keep their folder. What was compiled here in such folders goes, since nothing names it any more."""
    try:
        folders = msgspec.msgpack.decode(code_of(FILE), type=dict[str, dict[str, bytes]])
        for folder, files in ((place / Path(name).name, files) for name, files in folders.items()):
            if folder.is_dir():
                # First the code, then the index (.nbi), which names it.
                for name in sorted(files):
                    write_whole(folder / Path(name).name, files[name])
                for own in folder.glob("*.nbc"):
                    if not own.name.endswith(PACKED):
                        own.unlink(missing_ok=True)
    except (OSError, struct.error, lzma.LZMAError, msgspec.DecodeError) as error:
        notify(f"dupai: {FILE.name} is not used: {error}")


def _fill(cache: Path, folders: dict[str, dict[str, bytes]]) -> None:
    # What cannot be written is told where it is asked for.
    with suppress(OSError):
        for name, files in folders.items():
            _write(cache / Path(name).name, files)
    del _being_written[cache]


def _write(place: Path, files: dict[str, bytes]) -> None:
    """Write a folder whole, unless it exists; the thread, its user and other processes may do so at the same time."""
    if place.exists():
        return
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-", ignore_cleanup_errors=True) as new:
        made = Path(new) / place.name
        made.mkdir()
        for name, code in files.items():
            (made / Path(name).name).write_bytes(code)
        # Somebody else may have been faster: then there is a folder with files, and this fails.
        with suppress(OSError):
            made.rename(place)
