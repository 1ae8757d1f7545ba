"""Which files a command reads: folders stand for the hand histories in them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from dupai.base import FileError

_KINDS = (".log", ".phh", ".phhs", ".txt")
_ENDINGS = tuple(kind + packed for kind in _KINDS for packed in ("", ".xz", ".gz"))


def shared_file(path: str) -> Path:
    """The path of a file of real logs that are not part of the repository, whether it exists or not: in ``data/`` of
    ``$DUPAI_SHARED``, or else of ``../shared`` beside the working folder."""
    return Path(os.environ.get("DUPAI_SHARED") or Path.cwd().parent / "shared") / "data" / path


def source_files(paths: Iterable[str | PathLike[str]]) -> list[str]:
    """Files and stores as given, but for a folder that is not a store the hand histories in it (``.log``, ``.phh``,
    ``.phhs``, ``.txt``, plain, ``.xz`` or ``.gz``) by name, without those of its subfolders.

    Raises:
        FileError: a folder holds none.
    """
    sources: list[str] = []
    for path in paths:
        folder = Path(path)
        if not folder.is_dir() or (folder / "store.json").exists():
            sources.append(str(path))
            continue
        files = sorted(str(f) for f in folder.iterdir() if f.is_file() and f.name.endswith(_ENDINGS))
        if not files:
            raise FileError(
                f"{path} is a folder without hand histories: expected files such as match.log, .phhs.xz", path=path
            )
        sources += files
    return sources
