"""The reader `model`: the trained action model, filtered."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from dupai.base import Option
from dupai.base.arrays import F64
from dupai.reading._filter import Filter
from dupai.reading._model._identified import IdentifiedModel
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._weights import load_weights
from dupai.spots import Spot


class ModelReader(Filter):
    """A trained action model, filtered: the reader that knows most.

    Args:
        population: the population that everybody is taken for (``docs/how/reader-model.md``); "auto": programs by name,
            people by game; "identify": strangers by how well each population predicts them.
        file: a trained reader made by ``dupai train reader``; empty: the one that ships.
        adapt: whether persons' habits, and how much what they do counts, are learned from the hands observed.
        uniform: share of the uniform distribution in every reading.

    Raises:
        ConfigError: there is no such population, or the file is not a trained reader of this version.
    """

    def __init__(
        self,
        population: Annotated[
            str, Option(help="whom to take everybody for; auto: by name and game; identify: by what they do")
        ] = "auto",
        file: Annotated[
            str, Option("a reader made by 'dupai train reader'; empty: the one that ships", file=True)
        ] = "",
        adapt: Annotated[bool, Option(help="learn the habits of persons from the hands observed")] = True,
        uniform: Annotated[float, Option(help="share of the uniform distribution mixed in", low=0, high=0.5)] = 0.01,
    ) -> None:
        weights = load_weights(file or None)
        self._trained: TrainedModel | IdentifiedModel
        if population == "identify":
            self._trained = IdentifiedModel(weights, adapt)
        else:
            self._trained = TrainedModel(weights, None if population == "auto" else population, adapt)
        super().__init__(self._trained, uniform=uniform)

    def _likelihood(self, spot: Spot) -> F64:
        """To the power that was learned of the player."""
        likelihood = super()._likelihood(spot)
        power = self._trained.power(spot)
        return likelihood if power == 1 else np.asarray(likelihood**power)
