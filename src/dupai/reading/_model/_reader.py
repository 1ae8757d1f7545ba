"""The reader `model`: the trained action model, filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np

from dupai.base import Option
from dupai.base.arrays import F64
from dupai.reading._filter import Filter
from dupai.reading._model._identified import IdentifiedModel, is_stranger
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._weights import load_weights
from dupai.rules import HandRecord, View
from dupai.spots import Spot


class ModelReader(Filter):
    """A trained action model, filtered: the reader that knows most.

    Args:
        population: the population that everybody is taken for (``docs/how/reader-model.md``); "auto": programs by name,
            strangers by how well each population predicts what they do.
        file: a trained reader made by ``dupai train reader``; empty: the one that ships.
        adapt: whether persons' habits, and how much what they do counts, are learned from the hands observed.
        uniform: share of the uniform distribution in every reading.

    Raises:
        ConfigError: there is no such population, or the file is not a trained reader of this version.
    """

    def __init__(
        self,
        population: Annotated[
            str, Option(help="whom to take everybody for; auto: programs by name, people by the game and what they do")
        ] = "auto",
        file: Annotated[
            str, Option("a reader made by 'dupai train reader'; empty: the one that ships", file=True)
        ] = "",
        adapt: Annotated[bool, Option(help="learn the habits of persons from the hands observed")] = True,
        uniform: Annotated[float, Option(help="share of the uniform distribution mixed in", low=0, high=0.5)] = 0.01,
    ) -> None:
        weights = load_weights(file or None)
        self._trained: TrainedModel | IdentifiedModel
        if population == "auto" and adapt and not weights.ranges:
            self._trained = IdentifiedModel(weights)
        else:
            self._trained = TrainedModel(weights, None if population == "auto" else population, adapt)
        super().__init__(self._trained, uniform=uniform)
        self._names: dict[int, str] = {}

    def meet(self, names: Mapping[int, str]) -> None:
        super().meet(names)
        self._names.update(names)

    def observe(self, record: HandRecord) -> None:
        super().observe(record)
        self._names.update(zip(record.seats or range(record.spec.players), record.names, strict=False))

    def _weights(self, view: View, positions: Sequence[int]) -> F64:
        """Strangers by a mixture (:meth:`IdentifiedModel.reading`), all others by the model."""
        model, names = self._trained, [self._names.get(seat, "") for seat in view.seats]
        strangers = [p for p in positions if isinstance(model, IdentifiedModel) and is_stranger(names[p], view.spec)]
        rows = super()._weights(view, [p for p in positions if p not in strangers])
        for p in strangers:
            assert isinstance(model, IdentifiedModel)
            rows[p] = model.reading(view, p, names[p])
        return rows

    def _likelihood(self, spot: Spot) -> F64:
        """To the power that was learned of the player."""
        likelihood = super()._likelihood(spot)
        power = self._trained.power(spot)
        return likelihood if power == 1 else np.asarray(likelihood**power)
