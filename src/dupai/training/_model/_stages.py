"""Finished stages of a training, kept in a folder so that a stopped one goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, Progress
from dupai.training._model._data import Corpus
from dupai.training._stopped import Stopped

#: Name of an array that says how a network was made.
_MADE_BY = "made by"


class Stages:
    """The corpus and networks, each written whole or not at all; ``key`` is what they depend on.

    Raises:
        ConfigError: the folder holds stages of another key.
    """

    def __init__(self, folder: Path, key: object, resume: bool, look: Progress) -> None:
        self.folder, self.look = folder, look
        said = msgspec.json.encode(key)
        mark = folder / "settings.json"
        if folder.exists() and not resume:
            self.clear()
        if mark.exists() and mark.read_bytes() != said:
            raise ConfigError(f"{folder} holds stages of other data or settings: delete it to begin anew")
        folder.mkdir(parents=True, exist_ok=True)
        if not mark.exists():
            mark.write_bytes(said)

    def corpus(self, make: Callable[[], Corpus]) -> Corpus:
        file = self.folder / "corpus.npz"
        if not file.exists():
            made = make()
            if self.look.cancelled:
                raise Stopped
            made.save(self._part(file))
            self._part(file).replace(file)
        return Corpus.load(file)

    def network(self, name: str, made_by: object, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The arrays of a network; one that something else than ``made_by`` made is made again."""
        file = self.folder / f"{name}.npz"
        said = np.frombuffer(msgspec.json.encode(made_by), np.uint8)
        if file.exists():
            with np.load(file) as found:
                if np.array_equal(found[_MADE_BY], said):
                    return {k: found[k] for k in found.files if k != _MADE_BY}
        made = make()
        with self._part(file).open("wb") as out:
            arrays: dict[str, Any] = made | {_MADE_BY: said}
            np.savez(out, **arrays)
        self._part(file).replace(file)
        return made

    @staticmethod
    def _part(file: Path) -> Path:
        return file.with_name("." + file.name)

    def clear(self) -> None:
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()
