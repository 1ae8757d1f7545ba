"""The networks of a recipe, trained one after another, each a stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.reading import populations
from dupai.training._model._cases import ALL
from dupai.training._model._data import Corpus
from dupai.training._model._decisions import Decisions
from dupai.training._model._fit import FitSettings, Run
from dupai.training._model._net import arrays_of, grown, told_apart
from dupai.training._model._postflop import train_postflop
from dupai.training._model._preflop import train_preflop
from dupai.training._model._recipe import EVERYBODY, Recipe, Step, Street
from dupai.training._model._samples import Samples, keep_samples
from dupai.training._model._stages import Stages
from dupai.training._split import PARTS

Arrays = dict[str, npt.NDArray[Any]]
#: Name of an array of a stage that is none of the network's.
_BITS = "bits"


class Training:
    """Trains the networks of a recipe but for those that are ``given``. ``bits`` are those gained on the validation
    part by networks that it chose, for the card; ``made`` all networks by street and name.

    Raises:
        ConfigError: there are no hands for one of them.
    """

    def __init__(
        self, recipe: Recipe, stages: Stages, corpus: Corpus, decisions: Decisions, seed: int, run: Run,
        given: Mapping[str, Arrays] | None = None,
    ) -> None:  # fmt: skip
        self.made: dict[Street, dict[str, Arrays]] = {"before": {}, "after": {}}
        self.given = given or {}
        self.recipe, self.stages, self.corpus, self.decisions = recipe, stages, corpus, decisions
        self.seed, self.run = seed, run
        self.bits: dict[str, Any] = {}
        for step in recipe.network:
            if step.name not in self.given:
                self._check(step)

    def before(self) -> dict[int, list[Arrays]]:
        """The networks before the flop, by population (-1: everybody)."""
        return self._networks("before", self._before)

    def after(self, samples: Samples, *, again: str = "", only: Sequence[str] | None = None) -> dict[int, list[Arrays]]:
        """The networks after the flop, by population (-1: everybody).

        Args:
            samples: of training and validation part.
            again: put before the names of the stages, where the same networks are trained a second time.
            only: populations whose networks are wanted; None: all.
        """
        # Ranges as features are what all networks say of everybody.
        everything = None if samples.extra is None else self.recipe
        return self._networks("after", partial(self._after, samples), again, only, everything)

    def _networks(
        self, street: Street, train: Callable[[Step, Arrays | None], Any], again: str = "",
        only: Sequence[str] | None = None, also: Recipe | None = None,
    ) -> dict[int, list[Arrays]]:  # fmt: skip
        use: dict[str, tuple[str, ...]] = getattr(self.recipe, street)
        use = {group: names for group, names in use.items() if only is None or group in only}
        steps = {step.name: step for step in self.recipe.steps(street)}
        wanted: set[str] = set()
        for name in (name for names in use.values() for name in names):
            wanted.update(takewhile(lambda n: n not in self.given, self.recipe.path(name)))
        made: dict[str, Arrays] = dict(self.given)
        for name, step in steps.items():
            if name in wanted:
                by = [self.recipe.made_by(name), also] if also else self.recipe.made_by(name)
                made[name] = self.stages.network(again + name, by, partial(self._stage, step, made, train))
                bits = made[name].pop(_BITS)
                if step.validation == "chooses":
                    self.bits[again + name] = msgspec.json.decode(bits.tobytes())
        self.made[street] = {name: made[name] for name in steps if name in made}
        numbers = {group: -1 if group == EVERYBODY else populations.number(group) for group in use}
        return {numbers[group]: [made[name] for name in names] for group, names in use.items()}

    def _stage(self, step: Step, made: dict[str, Arrays], train: Callable[[Step, Arrays | None], Any]) -> Arrays:
        """A network and the bits that it gains on the validation part."""
        start = None
        if step.begins is not None:
            start = told_apart(made[step.begins], _groups(step))
            if step.wider > 1:
                hidden, second = (step.wider * start[f"{name}.weight"].shape[0] for name in ("hand", "mid"))
                start = grown(start, hidden, second, np.random.default_rng(self.seed + step.seed))
        self.run.log(f"network {step.name}")
        net, bits_by_group = train(step, start)
        rounded = {name: [round(x, 3) for x in row] for name, row in bits_by_group.items()}
        bits = np.frombuffer(msgspec.json.encode(rounded), np.uint8)
        return arrays_of(net) | {_BITS: bits}

    def _before(self, step: Step, start: Arrays | None) -> Any:
        part = self.corpus.part
        if step.data:
            part = np.where(self._from(step), part, np.int8(-1))
        if step.validation == "learned":
            part = np.where(part == 1, np.int8(0), part)
        corpus = msgspec.structs.replace(self.corpus, part=part)
        return train_preflop(corpus, self.decisions, self._settings(step), self.run, start)

    def _after(self, samples: Samples, step: Step, start: Arrays | None) -> Any:
        cases = samples.cases
        part = np.where(self._from(step)[cases.hand], cases.part, -1)
        learns = part >= 0 if step.validation == "learned" else part == 0
        learn, judge = (keep_samples(samples, np.flatnonzero(some)) for some in (learns, part == 1))
        settings = self._settings(step)
        if start is not None:
            settings = like(start, settings)
        return train_postflop(self.corpus, learn, judge, self.decisions, settings, self.run, start)

    def _from(self, step: Step) -> npt.NDArray[np.bool_]:
        """Which hands of the corpus are from the files of a step."""
        sources = [k for k, name in enumerate(self.corpus.sources) if not step.data or name in step.data]
        return np.isin(self.corpus.source, sources)

    def _check(self, step: Step) -> None:
        """Whether there are hands for a network: better said before the first than hours later.

        Raises:
            ConfigError: there are none.
        """
        groups, mine = _groups(step), self._from(step)
        for part in (0, 1) if step.validation == "chooses" else (0,):
            if groups and not np.isin(self.corpus.group[mine & (self.corpus.part == part)], groups).any():
                raise ConfigError(
                    f"network {step.name!r} learns from {', '.join(step.learns)}: expected hands of theirs in part "
                    f"{PARTS[part]!r} of {', '.join(step.data) or 'these data'}"
                )

    def _settings(self, step: Step) -> FitSettings:
        return FitSettings(
            epochs=step.passes, batch=step.batch, dropout=step.dropout, rate=step.rate, hides=step.hides,
            most=ALL if step.most is None else step.most, only=_groups(step) or None, hidden=step.hidden,
            last=step.validation == "learned", second=step.second, seed=self.seed + step.seed,
        )  # fmt: skip


def like(start: Arrays, settings: FitSettings) -> FitSettings:
    """The settings of a network after the flop with as many units as one that it starts from."""
    hidden, second = (start[f"{name}.weight"].shape[0] for name in ("hand", "mid"))
    return msgspec.structs.replace(settings, hidden=hidden, second=second)


def _groups(step: Step) -> tuple[int, ...]:
    return tuple(populations.number(name) for name in step.learns)
