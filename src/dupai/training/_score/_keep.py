"""Finished parts of a scoring kept on disk: work that was stopped goes on, a reader added later joins the others."""

from __future__ import annotations

import hashlib
import os
from importlib.metadata import version
from pathlib import Path
from zipfile import BadZipFile

import msgspec
import numpy as np

from dupai.base import ConfigError, digest, shipped, split_spec
from dupai.training._score._report import Scored


def kept_file(folder: str, path: str, reader: str, what: tuple[object, ...]) -> Path:
    """Where the cases of a data file scored with a reader in one way are kept.

    Other data, another reader or another way is another file, and so is a reader (given by spec) of which a file that
    the spec names, or one that ships, is no longer the same.

    Raises:
        ConfigError: the folder cannot be made.
    """
    data = Path(path)
    size = data.stat().st_size if data.is_file() else sum(f.stat().st_size for f in data.rglob("*") if f.is_file())
    key = repr((version("dupai"), data.name, size, reader, _weights(reader), what)).encode()
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: the folder cannot be made: {error.strerror or error}") from None
    return Path(folder) / f"{hashlib.blake2b(key, digest_size=12).hexdigest()}.npz"


def _weights(reader: str) -> list[str]:
    """What the files of a reader hold: those that its spec names, and all that ship."""
    _, first, named = split_spec(reader, "reader")
    given = [Path(value) for value in (first, *named.values()) if value is not None]
    return [shipped(), *(digest([file]) for file in given if file.is_file())]


def keep(scored: Scored, file: Path) -> None:
    """Write it, whole or not at all.

    Raises:
        ConfigError: it cannot be written.
    """
    part = file.with_name(f"{file.stem}.{os.getpid()}.part")
    told = scored.name, scored.hands, scored.refused, scored.dealt, scored.known, scored.persons, scored.groups
    try:
        with part.open("wb") as out:
            np.savez_compressed(
                out,
                told=np.frombuffer(msgspec.json.encode(told), np.uint8),
                cases=np.array(scored.cases, np.int64),
                values=np.array(scored.values, np.float64),
            )
        os.replace(part, file)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror or error}") from None


def kept(file: Path) -> Scored | None:
    """What :func:`keep` wrote; None where there is nothing, or nothing that can be read."""
    types = tuple[str, int, int, int, int, list[str], list[tuple[str, ...]]]
    try:
        with file.open("rb") as opened, np.load(opened) as found:
            told = msgspec.json.decode(found["told"].tobytes(), type=types)
            cases, values = found["cases"].tolist(), found["values"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, msgspec.MsgspecError):
        return None
    scored = Scored(told[0])
    scored.hands, scored.refused, scored.dealt, scored.known, scored.persons, scored.groups = told[1:]
    scored.cases = [tuple(case) for case in cases]
    scored.values = [list(row) for row in values]
    return scored
