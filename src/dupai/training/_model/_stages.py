"""Finished stages of a training, kept in a folder so that a stopped one goes on."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import Progress
from dupai.jobs import Keeper
from dupai.training._model._data import Corpus
from dupai.training._stopped import look_up


class Stages:
    """The corpus and the networks of a training, each kept once it is finished.

    Args:
        folder: where they are kept; made if missing.
        work: what they depend on, as :class:`~dupai.jobs.Keeper` takes it.
        resume: False: forget the stages of an earlier run.
        look: cancelling it stops the training.

    Raises:
        FileError: the folder holds stages of other work, or cannot be used.
    """

    def __init__(self, folder: Path, work: dict[str, Any], resume: bool, look: Progress) -> None:
        self.folder, self.look = folder, look
        if folder.exists() and not resume:
            self.clear()
        folder.mkdir(parents=True, exist_ok=True)
        self._keeper = Keeper(folder / "stages.pieces", msgspec.to_builtins(work))

    def file(self, name: str, make: Callable[[Path], object]) -> Path:
        """A file of the folder, made unless it was finished before."""
        file = self.folder / name
        if not self.finished(name):
            make(file)
            self._keeper.put(name, True)
        return file

    def finished(self, name: str) -> bool:
        """Whether :meth:`file` has finished this one."""
        return self._keeper.get(name) is not None and (self.folder / name).exists()

    def corpus(self, make: Callable[[], Corpus]) -> Corpus:
        def write(file: Path) -> None:
            corpus = make()
            look_up(self.look)
            corpus.save(file)

        return Corpus.load(self.file("corpus.npz", write))

    def network(self, name: str, made_by: object, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The arrays of a network; made again unless the same ``made_by`` made them before."""
        key = f"{name} {msgspec.json.encode(made_by).decode()}"
        data = self._keeper.get(key)
        if data is None:
            buffer = io.BytesIO()
            np.savez(buffer, allow_pickle=False, **make())
            data = self._keeper.put(key, buffer.getvalue())
        with np.load(io.BytesIO(data)) as arrays:
            return dict(arrays)

    def clear(self) -> None:
        """Remove the folder: its work is done, or is to start again."""
        if hasattr(self, "_keeper"):
            self._keeper.close()
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()
