"""What is read where files are named: folders stand for the logs in them."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from dupai.base import ConfigError

_KINDS = (".log", ".phh", ".phhs", ".txt")
_ENDINGS = tuple(kind + packed for kind in _KINDS for packed in ("", ".xz", ".gz"))


def source_files(paths: Iterable[str | PathLike[str]]) -> list[str]:
    """Files and stores as they are named, but for a folder that is no store: the hand histories in it (``.log``,
    ``.phh``, ``.phhs``, ``.txt``, plain, ``.xz`` or ``.gz``) by name, without those of folders in it.

    Raises:
        ConfigError: a folder holds none.
    """
    found: list[str] = []
    for path in paths:
        folder = Path(path)
        if not folder.is_dir() or (folder / "store.json").exists():
            found.append(str(path))
            continue
        files = sorted(str(f) for f in folder.iterdir() if f.is_file() and f.name.endswith(_ENDINGS))
        if not files:
            raise ConfigError(f"{path} is a folder without hand histories: expected files such as match.log, .phhs.xz")
        found += files
    return found
