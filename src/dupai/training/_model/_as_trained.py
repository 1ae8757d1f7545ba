"""A reader's networks trained again as its recipe says, without some of the hands: the folds of cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.reading import Network, populations, save_weights, step_arrays
from dupai.training._model._data import Corpus
from dupai.training._model._decisions import Decisions, PopulationReadings
from dupai.training._model._fit import Run
from dupai.training._model._gains import preflop_gains, with_recipes
from dupai.training._model._known import made_as
from dupai.training._model._recipe import EVERYBODY, Recipe, Step
from dupai.training._model._samples import make_samples
from dupai.training._model._stages import Stages
from dupai.training._model._training import Training


class AsTrained:
    """How a reader comes to its networks for some populations: which of these (and of those that they begin at) have
    learned from the populations' hands, and so have to be trained again without a part of them; all others stay.

    Attributes:
        recipe: the networks to train again, and whom they read.
        learns: the populations that these learn from, and those that are read; None: all.

    Raises:
        ConfigError: the reader's file does not say how it was trained, or takes ranges.
    """

    def __init__(self, start: str | None, names: Sequence[str]) -> None:
        self.start = start
        self.weights, whole = made_as(start, "the reader that ships" if start is None else f"start {start!r}")
        steps = {step.name: step for step in whole.network}
        use = [{p: u.get(p, u[EVERYBODY]) for p in names} for u in (whole.before, whole.after)]
        wanted: set[str] = set()
        for n in (n for u in use for some in u.values() for n in some):
            wanted.update(whole.path(n))
        again = {n for n in wanted if any(_learns(steps[at], names) for at in whole.path(n))}
        self.recipe = Recipe(
            network=tuple(step for n, step in steps.items() if n in again), before=use[0], after=use[1],
            gains={p: gain for p, gain in whole.gains.items() if p in names},
        )  # fmt: skip
        some = [step.learns for step in self.recipe.network]
        self.learns = None if () in some else {name for learns in some for name in learns} | set(names)
        self._given = {n: step_arrays(start, n) for n in wanted - again}
        self._judged = [
            populations.number(p)
            for p in names
            if not any(steps[n].validation == "learned" for n in use[0][p])
        ]  # fmt: skip

    def train(
        self, stages: Stages, corpus: Corpus, decisions: Decisions, run: Run
    ) -> Callable[[str, dict[str, Any]], None]:
        """Trains them on the hands of part 0 (and 1) of a corpus; what it returns writes them to a file with a card."""
        seed = int(self.weights.card["settings"]["seed"])
        training = Training(self.recipe, stages, corpus, decisions, seed, run, self._given)
        before = training.before()
        # Others' hands, where a network learns from them too, are weighed by what the reader itself says of them.
        networks = {g: list(nets) for g, nets in self.weights.preflop.items()}
        networks |= {g: [Network(arrays, True) for arrays in some] for g, some in before.items()}
        gains = with_recipes(preflop_gains(networks, corpus, decisions, seed, self._judged), self.recipe)
        reading = PopulationReadings(networks, gains, corpus, decisions)
        samples = make_samples(corpus, decisions.did, (0, 1), reading, seed=seed, log=run.log, progress=run.look)
        after = training.after(samples)

        def write(path: str, card: dict[str, Any]) -> None:
            # Everybody is read by those of the first population: nobody else is to be read by this file.
            first, then = ({-1: next(iter(some.values()))} | some for some in (before, after))
            save_weights(path, first, then, card, ranges=False, gains=gains)

        return write

    def learned(self, corpus: Corpus) -> Corpus:
        """The corpus with the cards of those alone that the networks learn from."""
        if self.learns is None:
            return corpus
        theirs = np.isin(corpus.group, [populations.number(name) for name in self.learns])
        return msgspec.structs.replace(corpus, hole=np.where(theirs[:, :, None], corpus.hole, np.uint8(255)))


def without(corpus: Corpus, out: npt.NDArray[np.bool_]) -> Corpus:
    """The corpus without the hands ``out``; the test part is learned from as the training part is.

    Where these were the whole validation part of a file, the first unit that is left of it takes their place: a pass is
    chosen by somebody who is not learned from, as the recipe says.
    """
    part = np.where(out, np.int8(2), np.where(corpus.part == 1, np.int8(1), np.int8(0)))
    for source in np.unique(corpus.source[out & (corpus.part == 1)]).tolist():
        left = (corpus.source == source) & ~out
        units = np.unique(corpus.unit[left])
        if len(units) > 1 and not (part[left] == 1).any():
            part[left & (corpus.unit == units[0])] = 1
    return msgspec.structs.replace(corpus, part=part)


def _learns(step: Step, populations: Sequence[str]) -> bool:
    return not step.learns or not set(step.learns).isdisjoint(populations)
