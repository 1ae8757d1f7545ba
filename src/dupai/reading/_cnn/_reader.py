"""The reader ``cnn``."""

from __future__ import annotations

from typing import Annotated

from dupai.base import Option
from dupai.reading._cnn._file import load_cnn
from dupai.reading._cnn._model import CnnModel
from dupai.reading._filter import Filter


class CnnReader(Filter):
    """A network that foretells actions heads-up, filtered.

    Args:
        file: a network made by ``dupai train cnn`` (file or folder); empty: the one that ships.
        uniform: share of the uniform distribution in every reading.

    Raises:
        ConfigError: the file is not such a network, or reads what no player knows.
    """

    def __init__(
        self,
        file: Annotated[str, Option(help="made by 'dupai train cnn'; empty: the one that ships")] = "",
        uniform: Annotated[float, Option(help="share of the uniform distribution mixed in", low=0, high=0.5)] = 0.02,
    ) -> None:
        super().__init__(CnnModel(load_cnn(file or None)), uniform=uniform)
