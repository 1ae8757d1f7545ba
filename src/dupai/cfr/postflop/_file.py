"""Solve files: everything that a solver holds, written whole and read back in place.

Layout: ``DUPAI-SOLVE 2\\n``, the length of the header (8 bytes, little-endian), the header (JSON: the spot, the work
done, the sizes of the arrays), then each array at a multiple of 64 bytes, then the checksum: BLAKE2b over all bytes
before it, 16 bytes. The header's last number is the length of the file, so that a truncated file is recognised at once.
Files of version 1 had no checksum: they are refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from dupai.base import ConfigError, FileError
from dupai.base.files import SIZE_LIMITS, file_faults, open_whole, opened, place_of
from dupai.cards import COMBOS
from dupai.cfr.postflop._locks import Lock
from dupai.cfr.postflop._parts import Check
from dupai.cfr.postflop._solver import SpotSolver
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import State
from dupai.ranges import Range

_MAGIC = b"DUPAI-SOLVE 2\n"
_CHECKSUM_SIZE = 16
_KIND = "solve file"
Count = Annotated[int, msgspec.Meta(ge=0)]


def save_solution(solver: SpotSolver, path: str | Path) -> None:
    """Write a solver to a file, whole or not at all; an existing file is replaced in one step.

    Raises:
        FileError: the file cannot be written.
        ConfigError: the solver is a re-solved subgame.
    """
    if solver._gadget is not None:
        raise ConfigError("a re-solved subgame cannot be saved: save the spot it came from")
    arrays = solver.arrays()
    header: dict[str, Any] = {
        "spot": {**solver.spot.to_dict(), "oop": None, "ip": None},
        "half": solver.half,
        "symmetric": solver.symmetric,
        "iterations": solver.iterations,
        "seconds": solver._seconds,
        "curve": [[c.iterations, c.exploitability, c.seconds] for c in solver.curve],
        "locks": [lock.to_dict() for lock in solver.locks],
        "start": None if solver.start is None else list(solver.start),
        "sizes": [a.nbytes for a in arrays],
    }
    ranges = [r.weights for r in solver.spot.ranges]
    sizes = [*(r.nbytes for r in ranges), *header["sizes"]]
    header["length"] = 0
    text = b""
    for _ in range(3):  # the header contains the length of the file, which depends on the header
        text = json.dumps(header).encode()
        end = _padded(len(_MAGIC) + 8 + len(text))
        for n in sizes:
            end = _padded(end + n)
        header["length"] = end + _CHECKSUM_SIZE
    checksum = hashlib.blake2b(digest_size=_CHECKSUM_SIZE)
    with open_whole(path, "wb") as out:

        def write(data: bytes | memoryview) -> None:
            checksum.update(data)
            out.write(data)

        write(_MAGIC + len(text).to_bytes(8, "little") + text)
        for array in (*ranges, *arrays):
            write(b"\0" * (_padded(out.tell()) - out.tell()))
            write(np.ascontiguousarray(array).view(np.uint8).data)
        write(b"\0" * (_padded(out.tell()) - out.tell()))
        out.write(checksum.digest())


def _padded(n: int) -> int:
    return (n + 63) & ~63


class _Header(msgspec.Struct):
    """What a solve file says before its arrays."""

    spot: dict[str, Any]
    half: bool
    symmetric: bool
    iterations: Count
    seconds: float
    curve: list[tuple[Count, float, float]]
    locks: list[Any]
    start: State | None
    sizes: list[Count]
    length: Count


def load_solution(path: str | Path, *, threads: int = 1) -> SpotSolver:
    """Read a solve file. The solver continues where it stopped.

    Raises:
        FileError: not a solve file, truncated, damaged, or of another version (says which).
    """
    with opened(path, _KIND) as file, file_faults(place_of(_KIND, path), path):
        return _read(file, path, threads)


def _read(file: Any, path: str | Path, threads: int) -> SpotSolver:
    if file.read(len(_MAGIC)) != _MAGIC:
        expected = f"expected it to begin with {_MAGIC.decode()!r}; solve files of 0.2 have no checksum: solve again"
        raise FileError(f"{str(path)!r} is not a solve file of this version: {expected}", path=path)
    size = int.from_bytes(file.read(8), "little")
    actual = os.fstat(file.fileno()).st_size
    text = file.read(size) if size <= min(actual, SIZE_LIMITS[_KIND]) else b""
    if len(text) < size:
        raise FileError(f"{place_of(_KIND, path)} is truncated: it ends inside its header", path=path)
    header = msgspec.json.decode(text, type=_Header)
    if actual != header.length:
        message = f"{place_of(_KIND, path)} is truncated: {actual:,} bytes of {header.length:,}"
        raise FileError(message, path=path)
    content = np.memmap(path, np.uint8, "r")
    checksum = hashlib.blake2b(content[:-_CHECKSUM_SIZE].data, digest_size=_CHECKSUM_SIZE)
    if checksum.digest() != content[-_CHECKSUM_SIZE:].tobytes():
        message = f"{place_of(_KIND, path)} is damaged: its content does not match its checksum"
        raise FileError(message, path=path)
    ranges = []
    at = _padded(file.tell())
    for _ in range(2):
        file.seek(at)
        ranges.append(np.fromfile(file, np.float32, COMBOS))
        at = _padded(at + ranges[-1].nbytes)
    stored = []
    for n in header.sizes:
        # private pages of the file: read on first use, and never written back
        stored.append(np.memmap(path, np.uint8, "c", at, (n,)) if n else np.zeros(0, np.uint8))
        at = _padded(at + n)
    solver = SpotSolver(
        SolveSpot.from_dict({**header.spot, "oop": Range(ranges[0]), "ip": Range(ranges[1])}),
        threads=threads,
        half=header.half,
        symmetric=header.symmetric,
        locks=[Lock.from_dict(x) for x in header.locks],
        start=header.start,
        stored=stored,
    )
    if [a.nbytes for a in solver.arrays()] != header.sizes:
        message = f"{place_of(_KIND, path)} was made by another version: its tree has another size"
        raise FileError(message, path=path)
    solver.iterations = header.iterations
    solver._seconds = header.seconds
    solver.curve = [Check(*row) for row in header.curve]
    return solver
