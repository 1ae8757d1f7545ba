"""What files hold, told apart by a short digest: work that is kept says with what data of ours it was done."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def digest(files: Iterable[Path]) -> str:
    """What tells the contents of files, one after another, from others: 24 hexadecimal digits.

    Raises:
        OSError: one cannot be read.
    """
    told = hashlib.blake2b(digest_size=12)
    for file in files:
        told.update(file.read_bytes())
    return told.hexdigest()


@cache
def shipped() -> str:
    """The :func:`digest` of all that comes with this program and is no Python: networks, tables, rules; read once."""
    found = (p for p in _PACKAGE.rglob("*") if p.is_file() and p.suffix != ".py" and "__pycache__" not in p.parts)
    return digest(sorted(found))
