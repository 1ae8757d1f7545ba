"""Reading files that nobody vouches for: a size limit by kind of file, typed decoders, and one way out, FileError.

Whatever a file holds, it is read or refused with one line that names the file: by :class:`~dupai.base.FileError` in
place of the exceptions of Python, NumPy, msgspec and the decompressors.
"""

from __future__ import annotations

import gzip
import io
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from dupai.base._errors import ConfigError, DupaiError, FileError, NotationError
from dupai.base._files import disk_faults
from dupai.base._text import read_toml

if TYPE_CHECKING:
    from dupai.base._arrays import AnyArray

T = TypeVar("T")
Path = str | os.PathLike[str]

_KB, _MB, _GB = 1 << 10, 1 << 20, 1 << 30
#: The largest file of each kind that is read, in bytes after decompression.
SIZE_LIMITS = {
    "blueprint": _GB,
    "blueprint in work": 32 * _GB,
    "boards": 64 * _MB,
    "configuration": _MB,
    "deals": 256 * _MB,
    "game file": 64 * _KB,
    "hand store": 16 * _MB,
    "journal": _GB,
    "match": 256 * _MB,
    "population": 64 * _MB,
    "recipe": _MB,
    "report": 256 * _MB,
    "rule file": 16 * _MB,
    "solve file": 16 * _MB,
    "spot": 16 * _MB,
    "state": _MB,
    "constants of the reader fold": 64 * _MB,
    "Markov model": 64 * _MB,
    "network": _GB,
    "solver": 64 * _GB,
    "table of starting hands": 256 * _MB,
    "trained reader": _GB,
    "training data": 64 * _GB,
}
#: Text that is read line by line may be of any length, but grow by decompression only so many times, from so many bytes
#: on. Logs grow by 5 to 15 times.
_GROWTH, _FREE_GROWTH = 200, 64 * _MB

#: What reading hostile data raises, beside the errors of dupai.
_FAULTS = (
    msgspec.MsgspecError,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
    gzip.BadGzipFile,
    zipfile.BadZipFile,
    zlib.error,
)


@contextmanager
def file_faults(place: str, path: Path | None = None) -> Iterator[None]:
    """Inside, what data of another shape raises becomes a FileError that begins with ``place``.

    Args:
        place: the file and where in it, as ``"results file 'r.db', run 3"``.
        path: the file.
    """
    try:
        yield
    except FileError as error:
        if str(error).startswith(place) or error.path is not None:
            raise
        raise FileError(f"{place}: {error}", path=path, key=error.key) from error
    except DupaiError as error:
        raise FileError(f"{place}: {error}", path=path, key=error.key, text=error.text, line=error.line) from error
    except _FAULTS as error:
        raise FileError(f"{place}: {_reason(error)}", path=path) from error


@contextmanager
def saved_state(data: bytes, what: str) -> Iterator[None]:
    """Inside, data that cannot be decoded, and a ValueError, become a ConfigError.

    Args:
        data: what ``save()`` should have given.
        what: that, as ``"a saved fold agent"``.
    """
    try:
        yield
    except (msgspec.DecodeError, ValueError):
        raise ConfigError(f"{len(data)} bytes are not {what}: expected what save() gave") from None


def _reason(error: BaseException) -> str:
    """What an exception says of the data, in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it is larger than the memory"
    if isinstance(error, KeyError):
        return f"it has no {text}"
    if isinstance(error, msgspec.ValidationError):
        return text[:1].lower() + text[1:]
    if isinstance(error, EOFError | zlib.error | zipfile.BadZipFile | gzip.BadGzipFile | msgspec.MsgspecError):
        return f"it is damaged ({text or 'cut off'})"
    return f"it has another shape than expected ({text or type(error).__name__})"


def place_of(kind: str, path: Path) -> str:
    """A file as messages name it: ``spot 'river.toml'``."""
    return f"{kind} {os.fspath(path)!r}"


def _limit_text(kind: str) -> str:
    limit = SIZE_LIMITS[kind]
    size, unit = next((size, unit) for size, unit in ((_GB, "GB"), (_MB, "MB"), (_KB, "KB")) if limit >= size)
    return f"it is larger than {limit // size} {unit}, the limit for this kind of file"


def read_whole(path: Path, kind: str, *, unpack: bool = False) -> bytes:
    """The content of a file.

    Args:
        path: the file.
        kind: what it should be, a key of ``SIZE_LIMITS``.
        unpack: it is compressed by gzip.

    Raises:
        FileError: it cannot be read, or holds more than a file of its kind may; after decompression, of which no more
            than the limit is done.
    """
    limit = SIZE_LIMITS[kind]
    with opened(path, kind) as file, file_faults(place_of(kind, path), path):
        stream: Any = gzip.GzipFile(fileobj=file) if unpack else file
        # Piece by piece: one call for all would reserve the limit.
        pieces = []
        while piece := stream.read(min(_MB, limit + 1)):
            pieces.append(piece)
            limit -= len(piece)
            if limit < 0:
                raise FileError(_limit_text(kind))
        return b"".join(pieces)


@contextmanager
def opened(path: Path, kind: str) -> Iterator[io.BufferedReader]:
    """A file open for reading bytes; FileError where that is not possible, and for an error of the disk inside."""
    place = place_of(kind, path)
    try:
        file = open(path, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        # ValueError: a name with a zero byte.
        raise FileError(f"{place} cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error
    with file, disk_faults(f"{place} cannot be read", path):
        yield file


def read_text(path: Path, kind: str) -> str:
    """The content of a UTF-8 text file; see :func:`read_whole`.

    Raises:
        FileError: also where it is not text.
    """
    data = read_whole(path, kind)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = place_of(kind, path)
        message = f"{place} cannot be read: it is not text (byte {data[error.start]:#04x} at {error.start})"
        raise FileError(message, path=path) from None


def read_toml_file(path: Path, kind: str) -> dict[str, Any]:
    """The content of a TOML file; see :func:`read_whole`.

    Raises:
        FileError: also where it is no TOML, is nested deeper than 32 levels or holds a number of more than 30 digits.
    """
    try:
        return read_toml(read_text(path, kind))
    except NotationError as error:
        raise FileError(f"{place_of(kind, path)} is not TOML: {error}", path=path) from None


def read_json_file(path: Path, kind: str, type: type[T], *, unpack: bool = False) -> T:
    """The content of a JSON file as ``type``; see :func:`read_whole`.

    Raises:
        FileError: also where it is no JSON, or of another shape.
    """
    content: T = from_json(read_whole(path, kind, unpack=unpack), type, place_of(kind, path), path)
    return content


def from_json(data: bytes | str, type: Any, place: str, path: Path | None = None) -> Any:
    """JSON as ``type``, as msgspec takes it.

    Args:
        data: the JSON.
        type: ``Any`` for plain data.
        place: where it stands, for the message.
        path: the file that it is of.

    Raises:
        FileError: it is no JSON, or of another shape.
    """
    with file_faults(place, path):
        return msgspec.json.decode(data, type=type)


def from_plain(data: Any, type: Any, place: str, path: Path | None = None) -> Any:
    """Plain data (dicts, lists, numbers, text) as ``type``, as msgspec converts it; see :func:`from_json`."""
    with file_faults(place, path):
        return msgspec.convert(data, type)


def read_arrays(path: Path, kind: str, *, packed: bool = True) -> dict[str, AnyArray]:
    """All arrays of an ``.npz`` file by name.

    Args:
        path: the file.
        kind: see :func:`read_whole`.
        packed: whether arrays may be compressed.

    Raises:
        FileError: it cannot be read, is no such archive or damaged, holds Python objects, or is larger than a file of
            its kind may be after decompression; that is looked up before anything is decompressed.
    """
    import numpy as np

    with opened(path, kind) as file, file_faults(place_of(kind, path), path):
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
        # zipfile reads no more of a member than its entry says.
        if sum(member.file_size for member in members) > SIZE_LIMITS[kind]:
            raise FileError(_limit_text(kind))
        forms = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) if packed else (zipfile.ZIP_STORED,)
        if any(member.compress_type not in forms for member in members):
            raise ValueError("an array is compressed in a way that .npz files are not")
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            # A member that is no array comes as bytes.
            return {name: np.asarray(arrays[name]) for name in arrays.files}


def array_of(
    arrays: Mapping[str, AnyArray], name: str, shape: Sequence[int | None], dtype: Any, *, exact: bool = False
) -> AnyArray:
    """One array of a file as ``dtype``.

    Args:
        arrays: of :func:`read_arrays`.
        name: of the array.
        shape: its size along each axis; None: any.
        dtype: what it is converted to.
        exact: whether it must hold that already.

    Raises:
        KeyError: there is none.
        ValueError: it has another shape, or holds something else than finite numbers, or than ``dtype``.
    """
    import numpy as np

    array = arrays[name]
    if len(array.shape) != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        expected = ", ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"the array {name!r} has the shape {array.shape}, expected ({expected})")
    if array.dtype.kind not in "biuf" or not np.isfinite(array).all():
        raise ValueError(f"the array {name!r} does not hold finite numbers")
    if exact and array.dtype != dtype:
        raise ValueError(f"the array {name!r} holds {array.dtype}, expected {np.dtype(dtype)}")
    return array if exact else array.astype(dtype)


def check_shapes(arrays: Mapping[str, AnyArray], shapes: Mapping[str, str]) -> dict[str, int]:
    """Check that arrays fit together.

    Args:
        arrays: of :func:`read_arrays`.
        shapes: by the name of an array a letter for each of its axes; equal letters stand for equal sizes.

    Returns:
        The size of each letter.

    Raises:
        KeyError: an array is missing.
        ValueError: the sizes of a letter differ, or an array holds something else than finite numbers.
    """
    sizes: dict[str, int] = {}
    for name, letters in shapes.items():
        array = array_of(arrays, name, [sizes.get(letter) for letter in letters], arrays[name].dtype)
        sizes.update(zip(letters, array.shape, strict=True))
    return sizes


def check_growth(path: Path, packed: int, unpacked: int) -> None:
    """Refuse to go on decompressing a text that grows as no log does.

    Args:
        path: the file.
        packed: bytes of it that have been read.
        unpacked: bytes that they became.

    Raises:
        FileError: more than 64 MB, and more than 200 times as many as were read.
    """
    if unpacked > max(_FREE_GROWTH, _GROWTH * packed):
        raise FileError(
            f"{os.fspath(path)}: it grows more than {_GROWTH} times by decompression, the limit of a log "
            f"({packed:,} bytes became {unpacked:,})",
            path=path,
        )
