"""The shared real logs, which are not part of the repository.

`DUPAI_SHARED` names the folder that has `data/`; else `../shared` beside the repository is looked at.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("DUPAI_SHARED") or Path(__file__).parents[2].parent / "shared")


def shared_data(name: str = "") -> Path:
    """A file or folder under `data/`; skips the test, saying why, where it is not there."""
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"{path} is not there: set DUPAI_SHARED to the folder that has data/ with the shared logs")
    return path
