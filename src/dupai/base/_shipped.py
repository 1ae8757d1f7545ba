"""What files hold, told apart by a short digest: work that is kept says with which networks and tables it was done."""

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
    """The :func:`digest` of all networks and tables that come with this program, read once."""
    return digest(sorted(_PACKAGE.rglob("*.npz")))
