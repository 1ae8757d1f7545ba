"""Work of matches that is saved after every hand, or left in the middle of a block."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dupai.arena._store import Checkpoint, RunLog


def save_every_hand(patch: Callable[[object, str, object], object]) -> None:
    """Lets blocks be saved as often as the work is asked; ``patch`` sets an attribute (``setattr``)."""
    patch(RunLog, "checkpoint", lambda log, block: Checkpoint(log._store.file, log.run, block, 0.0))


def save_always(patch: Callable[[object, str, object], object]) -> None:
    """Lets every checkpoint be due at once."""
    patch(Checkpoint.__init__, "__defaults__", (0.0,))


def leave_begun(file: Path, run: int, block: int) -> None:
    """Leave a block behind as a worker does that was in the middle of it."""
    Checkpoint(str(file), run, block).write(b"half a block")
