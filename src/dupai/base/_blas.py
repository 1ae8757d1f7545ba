"""One thread for NumPy's matrix products, where they are small."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import numpy as np


class _Threads(NamedTuple):
    """OpenBLAS's own functions: how many threads it uses, and to change that (a fraction of a microsecond)."""

    get: Callable[[], int]
    set: Callable[[int], None]


@cache
def _threads() -> _Threads | None:
    """Those of the OpenBLAS that NumPy's wheels bring along; None for another library."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            try:
                library = ctypes.CDLL(str(path))
            except OSError:
                continue
            for prefix, suffix in (("scipy_", "64_"), ("scipy_", ""), ("", "64_"), ("", "")):
                get = getattr(library, f"{prefix}openblas_get_num_threads{suffix}", None)
                put = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
                if get is not None and put is not None:
                    put.restype = None
                    return _Threads(get, put)
    return None


class _OneBlasThread:
    """See :data:`one_blas_thread`. Threads may enter it together, and a thread more than once: the last one out
    restores what was set."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 1

    def __enter__(self) -> None:
        threads = _threads()
        if threads is None:
            return
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = threads.get()
                if self._before != 1:
                    threads.set(1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        threads = _threads()
        if threads is None:
            return
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._before != 1:
                threads.set(self._before)


#: ``with one_blas_thread:`` NumPy multiplies matrices in one thread, as long as its library is OpenBLAS. For products
#: of a millisecond a second thread gains little where a core is idle, and costs ten times as much where none is: the
#: first waits, at full speed, for the second to get a core.
one_blas_thread = _OneBlasThread()
