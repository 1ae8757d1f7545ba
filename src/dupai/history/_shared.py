"""Real logs that are not part of the repository, for experiments and benchmarks."""

from __future__ import annotations

import os
from pathlib import Path


def shared_file(path: str) -> Path:
    """A file of the shared data, there or not: ``$DUPAI_SHARED``, else ``../shared`` beside the working folder, has it
    under ``data/``."""
    return Path(os.environ.get("DUPAI_SHARED") or Path.cwd().parent / "shared") / "data" / path
