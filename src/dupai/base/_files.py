"""The one way to write a file: whole or not at all."""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal

from dupai.base._errors import FileError
from dupai.base._notify import notify

#: Most bytes of a file's name, and of its suffix, in the name of the temporary file.
_LONGEST = 80


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def disk_faults(what: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Inside, an error of the system becomes a FileError: ``what`` cannot be done, and the reason.

    Args:
        what: as ``"FILE: cannot be written"``.
        path: the file or folder.
    """
    try:
        yield
    except OSError as error:
        raise FileError(f"{what}: {error.strerror or error}", path=path) from error


@contextmanager
def whole_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside ``path`` for code that writes a file by name; renamed to ``path`` when the block ends.

    The temporary file exists, is empty, lies in the same folder and has the same suffix (if that has at most 80
    bytes). When the block ends it is flushed to disk, gets the permissions of the file that it replaces (a new file:
    those that the umask leaves) and takes its place in one step. When the block raises, it is removed and ``path`` is
    as it was. A symbolic link is followed: its target is replaced.

    Raises:
        FileError: there is no such folder, no permission, no space; ``path`` names a folder.
    """
    target = Path(os.path.realpath(path))
    with disk_faults(f"{path}: cannot be written", path):
        if target.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        # No name may have more than 255 bytes.
        stem = os.fsencode(target.stem)[:_LONGEST].decode(errors="ignore")
        suffix = target.suffix if len(os.fsencode(target.suffix)) <= _LONGEST else ""
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{stem}-", suffix=suffix)
        os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        try:
            mode = target.stat().st_mode & 0o777
        except OSError:
            mode = 0o666 & ~_umask()
        part.chmod(mode)
        part.replace(target)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}", path=path) from error
    finally:
        with suppress(OSError):
            part.unlink()


@contextmanager
def open_whole(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file for writing that appears at ``path`` when the block ends, as :func:`whole_path` says.

    Args:
        path: the file to make or replace.
        mode: ``"w"`` (UTF-8 text, line ends as written) or ``"wb"``.

    Raises:
        FileError: as :func:`whole_path`.
    """
    text = "b" not in mode
    with (
        whole_path(path) as part,
        part.open(mode, encoding="utf-8" if text else None, newline="" if text else None) as file,
    ):
        yield file


def write_whole(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write ``data`` (text as UTF-8) to ``path``, whole or not at all.

    Raises:
        FileError: as :func:`whole_path`.
    """
    with open_whole(path, "w" if isinstance(data, str) else "wb") as file:
        file.write(data)


#: Of this process.
_mapped: list[mmap.mmap] = []


def map_file(path: str | os.PathLike[str], dtype: Any, mode: Literal["r", "r+"] = "r", offset: int = 0) -> Any:
    """The numbers of a file from ``offset`` on (in bytes), mapped into memory and shared with other processes.

    Raises:
        OSError, ValueError: it cannot be mapped.
    """
    import numpy as np

    mapped = np.memmap(path, dtype, mode, offset)
    _mapped.append(mapped._mmap)  # type: ignore[attr-defined,unused-ignore]
    return mapped.view(np.ndarray)


def release_pages() -> None:
    """Take the pages of mapped files out of this process (Linux); the system still has them for the next use."""
    for one in _mapped:
        one.madvise(mmap.MADV_DONTNEED)


def lock_file(file: int | IO[Any], path: str | os.PathLike[str], *, wait: bool = False) -> bool:
    """Lock an open file for this process; the lock ends with the file or the process.

    Where the system has no locks (Windows, some network folders) a notice says so, and the file counts as locked.

    Args:
        path: the file, for the notice.
        wait: until another process gives it back.

    Returns:
        False where another process has it.
    """
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        notify(f"dupai: {path}: there are no locks here: make sure that no other process uses it at the same time")
    return True
