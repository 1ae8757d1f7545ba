"""The file of ``dupai train fold``: fitted constants, and the populations that a player is compared with.

Made from training hands only.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from dupai.base import ConfigError
from dupai.history import Population
from dupai.reading._fold._constants import FoldConstants

#: The shipped file: ``dupai train fold`` on the training part of the shared logs.
FILE = Path(__file__).parents[1] / "fold.json.gz"


class FoldFile(msgspec.Struct, frozen=True, kw_only=True):
    """Attributes:
    about: what it was made of, and the bits that it gains.
    constants: by kind of game (:func:`game_kind`).
    populations: by betting structure, ``no-limit`` and ``limit``.
    """

    about: dict[str, Any]
    constants: Mapping[str, FoldConstants]
    populations: Mapping[str, Population]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it, whole or not at all.

        Raises:
            ConfigError: it cannot be written.
        """
        target = Path(path)
        part = target.with_name(target.name + ".part")
        try:
            # No time of day in it: the same content is the same file.
            part.write_bytes(gzip.compress(msgspec.json.encode(self), 9, mtime=0))
            os.replace(part, target)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written: {error.strerror or error}") from None


@cache
def load_fold(path: str | os.PathLike[str] = FILE) -> FoldFile:
    """What :meth:`FoldFile.save` wrote.

    Raises:
        ConfigError: it cannot be read or is none.
    """
    try:
        found = msgspec.json.decode(gzip.decompress(Path(path).read_bytes()), type=FoldFile)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise ConfigError(f"{path}: holds no constants of the reader fold: {error}") from None
    return found
