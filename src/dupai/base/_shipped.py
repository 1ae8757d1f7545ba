"""Digests of data files, those that ship and those that a spec names: saved work records what it was made with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from os import PathLike
from pathlib import Path

from dupai.base._examples import EXAMPLES

_PACKAGE = Path(__file__).parents[1]


def digest(files: Iterable[Path]) -> str:
    """A digest of the contents of files in their order: 24 hexadecimal digits.

    Raises:
        OSError: a file cannot be read.
    """
    state = hashlib.blake2b(digest_size=12)
    for file in files:
        state.update(file.read_bytes())
    return state.hexdigest()


def files_at(path: str | PathLike[str]) -> list[Path]:
    """The files that an option of a spec names: ``path`` itself, or the networks in a folder; none where it is no
    path."""
    place = Path(path)
    return [file for file in (place, place / "model.npz", place / "model.onnx") if file.is_file()]


@cache
def shipped() -> str:
    """The :func:`digest` of all shipped files that results depend on: networks, tables, rules. Read once.

    Not of example hands, the browser page, what experiments and benchmarks compare with (work names what it takes),
    the tables of results files, and the kernels' list and machine code.
    """
    aside = {"__pycache__", EXAMPLES.name, "web", "experiments", "bench", "results.sql", "kernels.json"}
    data = (p for p in _PACKAGE.rglob("*") if p.is_file() and p.suffix not in (".py", ".pack"))
    # Names below the package only: it may itself lie in a folder "web".
    return digest(sorted(p for p in data if not aside & set(p.relative_to(_PACKAGE).parts)))
