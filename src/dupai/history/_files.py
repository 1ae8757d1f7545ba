"""Hand histories as blocks of whole lines, decompressed as they are read, in bounded memory."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from dupai.base import FileError, Progress
from dupai.base.files import check_growth

#: Bytes of text in a block (at least: a block ends at a line end).
BLOCK = 4 << 20
#: A file without a line end in so many bytes is not a log.
_LONGEST = 16 << 20
_XZ, _GZ = b"\xfd7zXZ\x00", b"\x1f\x8b"


class LogFile:
    """A plain, ``.xz`` or ``.gz`` text file (recognized by its first bytes) read in blocks of whole lines.

    Attributes:
        path: As given.
        size: Bytes on disk.
        cut: After reading: why the file ends too early (a damaged or truncated compressed stream), else None.
        last_line_open: After reading: the last line had no line end.

    Raises:
        FileError: the file cannot be opened.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        self.cut: str | None = None
        self._grown = 0
        self.last_line_open = False
        try:
            self._raw: BinaryIO = Path(path).open("rb")  # noqa: SIM115
            self.size = Path(path).stat().st_size
            head = self._raw.read(6)
            self._raw.seek(0)
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from None
        self._packed = head.startswith((_XZ, _GZ))
        self._text: io.BufferedIOBase
        if head.startswith(_XZ):
            self._text = lzma.LZMAFile(self._raw)  # noqa: SIM115
        elif head.startswith(_GZ):
            self._text = gzip.GzipFile(fileobj=self._raw)
        else:
            self._text = self._raw

    def __enter__(self) -> LogFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._text.close()
        self._raw.close()

    def _unreadable(self, error: OSError | ValueError) -> FileError:
        return FileError(f"{self.path}: cannot be read: {getattr(error, 'strerror', None) or error}", path=self.path)

    @property
    def done(self) -> int:
        """Bytes of the file on disk read so far."""
        return self._raw.tell()

    def report(self, progress: Progress, note: str) -> bool:
        """Report how much of the file has been read; returns whether reading is to stop."""
        progress.report(self.done, self.size, note)
        return progress.cancelled

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """The text in blocks that end with a line end (one is added to an open last line).

        Raises:
            FileError: there is no line end in 16 MB, the file grows more than 200 times by decompression, or it cannot
                be read.
        """
        parts: list[bytes] = []
        held = 0
        while piece := self._piece(min(size, 1 << 20)):
            parts.append(piece)
            held += len(piece)
            if held < size:
                continue
            block = b"".join(parts)
            end = block.rfind(b"\n") + 1
            if end:
                yield block[:end]
                parts, held = [block[end:]], len(block) - end
            elif held > _LONGEST:
                raise FileError(f"{self.path}: no line end in {held >> 20} MB: expected a text log", path=self.path)
        block = b"".join(parts)
        if block:
            self.last_line_open = not block.endswith(b"\n")
            yield block + b"\n" if self.last_line_open else block

    def _piece(self, size: int) -> bytes:
        try:
            piece = self._text.read1(size)
            if self._packed:
                self._grown += len(piece)
                check_growth(self.path, self.done, self._grown)
            return piece
        except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
            self.cut = f"the compressed data is cut off or broken here ({error})"
        except OSError as error:
            raise self._unreadable(error) from None
        return b""


# which files ---------------------------------------------------------------------------------------------------------

_KINDS = (".log", ".ohh", ".phh", ".phhs", ".txt", ".xml")
_ENDINGS = tuple(kind + packed for kind in _KINDS for packed in ("", ".xz", ".gz"))


def shared_file(path: str) -> Path:
    """The path of a file of real logs that are not part of the repository, whether it exists or not: in ``data/`` of
    ``$DUPAI_SHARED``, or else of ``shared`` beside the working folder or beside that of the package's source."""
    if folder := os.environ.get("DUPAI_SHARED"):
        return Path(folder) / "data" / path
    beside = Path.cwd().parent / "shared"
    package = Path(__file__).resolve().parents[4] / "shared"
    return (beside if beside.is_dir() or not package.is_dir() else package) / "data" / path


def source_files(paths: Iterable[str | PathLike[str]]) -> list[str]:
    """Files and stores as given, but for a folder that is not a store the hand histories in it (``.log``, ``.ohh``,
    ``.phh``, ``.phhs``, ``.txt``, ``.xml``, plain, ``.xz`` or ``.gz``) and in its subfolders, by name.

    Raises:
        FileError: a folder holds none.
    """
    sources: list[str] = []
    for path in paths:
        folder = Path(path)
        if not os.path.isdir(path) or (folder / "store.json").exists():
            sources.append(str(path))
            continue
        files = sorted(str(f) for f in folder.rglob("*") if f.is_file() and f.name.lower().endswith(_ENDINGS))
        if not files:
            raise FileError(
                f"{path} is a folder without hand histories: expected files such as match.log, .phhs.xz", path=path
            )
        sources += files
    return sources
