"""Sources of recorded hands as wholes: whether all their hands are known or only shown ones, and their content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from dupai.base import FileError
from dupai.base.files import digest, disk_faults
from dupai.cards import NO_CARD
from dupai.rules import HandRecord

#: If fewer than this share of the hands dealt by a source are known, those that are known were shown.
MOSTLY_KNOWN = 0.9


class KnownShare(msgspec.Struct):
    """How many of the hands dealt by a source are known. The hand of the player who recorded it is left out: it is
    known whatever happens, and heads-up it is half of all hands.

    Attributes:
        dealt, known: players dealt in, and those of them whose cards are known.
    """

    dealt: int = 0
    known: int = 0

    def add(self, record: HandRecord) -> None:
        """Count a hand."""
        others = [two for position, two in enumerate(record.hole) if position != record.hero]
        self.dealt += len(others)
        self.known += sum(NO_CARD not in two for two in others)

    @property
    def shown_only(self) -> bool:
        """Whether the known hands are only those that were shown."""
        return self.known < MOSTLY_KNOWN * self.dealt


def without_cards(record: HandRecord) -> HandRecord:
    """The hand with nobody's cards: shown hands, even where all of a hand were shown, are another sort of hands."""
    nothing = ((NO_CARD, NO_CARD),) * len(record.hole)
    return msgspec.structs.replace(record, hole=nothing, mucked=())


def check_target(path: Path, what: str = "file") -> None:
    """Whether a file of training can be written there.

    Raises:
        FileError: its folder is missing, or it is a folder.
    """
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no such folder as {path.parent}", path=path)
    if path.is_dir():
        raise FileError(f"{path} is a folder: expected the name of a {what} to write", path=path)


def contents(paths: Sequence[str | Path]) -> list[str]:
    """The :func:`content` of each file or store."""
    return [content(path) for path in paths]


def content(path: str | Path) -> str:
    """The digest of a file, or of all files of a store; of anything else that of nothing.

    Raises:
        FileError: one cannot be read.
    """
    data = Path(path)
    with disk_faults(f"{path}: cannot be read", path):
        # Any other folder is refused when it is read: it may be large.
        folder = data.rglob("*") if (data / "store.json").exists() else ()
        files = [data] if data.is_file() else sorted(f for f in folder if f.is_file())
        return _content(tuple((f, f.stat().st_mtime_ns, f.stat().st_size) for f in files))


@lru_cache(maxsize=64)
def _content(files: tuple[tuple[Path, int, int], ...]) -> str:
    """The digest of files, each with its time and size, so that a changed one is read again."""
    return digest([file for file, _, _ in files])
