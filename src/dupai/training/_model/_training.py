"""The networks of a recipe, trained one after another, each a stage."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, HistoryError, Progress
from dupai.base.arrays import AnyArray, Bool
from dupai.base.files import disk_faults, file_faults
from dupai.jobs import Keeper
from dupai.reading import populations
from dupai.reading.model import Network, save_weights, step_arrays
from dupai.training._corpus import ALL, Cases, Corpus, Decisions, find_cases
from dupai.training._model._decisions import PopulationReadings, preflop_gains, with_recipes
from dupai.training._model._fit import FitSettings, Run, arrays_of, grown, told_apart
from dupai.training._model._postflop import train_postflop
from dupai.training._model._preflop import train_preflop
from dupai.training._model._recipe import EVERYBODY, Recipe, Step, Street, made_as
from dupai.training._model._samples import Samples, keep_samples, make_samples, postflop_cases
from dupai.training._split import PARTS
from dupai.training._stopped import look_up

#: The files that stages of a reader make in their folder, and what is left of one whose writing was broken off.
_MADE = ("stages.pieces*", "corpus.npz", "first.npz", ".corpus-*.npz", ".first-*.npz")


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
        with disk_faults(f"{folder}: expected a folder for finished stages", folder):
            if folder.is_dir() and not resume:
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
            try:
                corpus = make()
            except HistoryError:
                # Of data that were not read to the end it says nothing.
                look_up(self.look)
                raise
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
        with file_faults(f"{self._keeper.place}, network {name!r}"), np.load(io.BytesIO(data)) as arrays:
            return dict(arrays)

    def clear(self) -> None:
        """Remove what stages made here, and the folder unless it holds more: the work is done, or is to start again."""
        if hasattr(self, "_keeper"):
            self._keeper.close()
        for file in (file for pattern in _MADE for file in self.folder.glob(pattern)):
            file.unlink()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()


Arrays = dict[str, AnyArray]
#: Name of an array of a stage that is none of the network's.
_BITS = "bits"


class Training:
    """Trains the networks of a recipe but for those that are ``ready``. ``bits`` are those gained on the validation
    part by networks that it chose, for the card; ``made`` all networks by street and name.

    Raises:
        ConfigError: there are no hands for one of them.
    """

    def __init__(
        self, recipe: Recipe, stages: Stages, corpus: Corpus, decisions: Decisions, seed: int, run: Run,
        ready: Mapping[str, Arrays] | None = None,
    ) -> None:  # fmt: skip
        self.made: dict[Street, dict[str, Arrays]] = {"before": {}, "after": {}}
        self.ready = ready or {}
        self.recipe, self.stages, self.corpus, self.decisions = recipe, stages, corpus, decisions
        self.seed, self.run = seed, run
        self.bits: dict[str, Any] = {}
        did = decisions.did
        cases = {"before": find_cases(corpus, did, (0,)), "after": postflop_cases(corpus, did)}
        for step in recipe.network:
            if step.name not in self.ready:
                self._check(step, cases[step.street])

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
        needed: set[str] = set()
        for name in (name for names in use.values() for name in names):
            needed.update(takewhile(lambda n: n not in self.ready, self.recipe.path(name)))
        made: dict[str, Arrays] = dict(self.ready)
        for name, step in steps.items():
            if name in needed:
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

    def _from(self, step: Step) -> Bool:
        """Which hands of the corpus are from the files of a step."""
        sources = [k for k, name in enumerate(self.corpus.sources) if not step.data or name in step.data]
        return np.isin(self.corpus.source, sources)

    def _check(self, step: Step, cases: Cases) -> None:
        """Whether there are hands for a network: better said before the first than hours later.

        Raises:
            ConfigError: there are none.
        """
        groups = _groups(step)
        mine = self._from(step)[cases.hand] & (np.isin(cases.group, groups) if groups else True)
        # An epoch is judged by the streets whose end a player saw.
        streets, first = self.corpus.rows["street"][cases.decision], cases.first
        judges = ~cases.folded | (streets[first[:-1]] != streets[first[1:] - 1])
        for part in (0, 1) if step.validation == "chooses" else (0,):
            if not (mine & (cases.part == part) & (judges if part else True)).any():
                raise ConfigError(
                    f"network {step.name!r} learns from {', '.join(step.learns) or 'everybody'}: expected hands of "
                    f"theirs in part {PARTS[part]!r} of {', '.join(step.data) or 'these data'}, with known cards and a "
                    f"decision {step.street} the flop{' other than a fold' if part else ''}"
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
        needed: set[str] = set()
        for n in (n for u in use for some in u.values() for n in some):
            needed.update(whole.path(n))
        again = {n for n in needed if any(_learns(steps[at], names) for at in whole.path(n))}
        self.recipe = Recipe(
            network=tuple(step for n, step in steps.items() if n in again), before=use[0], after=use[1],
            gains={p: gain for p, gain in whole.gains.items() if p in names},
        )  # fmt: skip
        some = [step.learns for step in self.recipe.network]
        self.learns = None if () in some else {name for learns in some for name in learns} | set(names)
        self._ready = {n: step_arrays(start, n) for n in needed - again}
        self._judged = whole.judged(names)

    def train(
        self, stages: Stages, corpus: Corpus, decisions: Decisions, run: Run
    ) -> Callable[[str, dict[str, Any]], None]:
        """Trains them on the hands of part 0 (and 1) of a corpus; what it returns writes them to a file with a card."""
        seed = int(self.weights.card["settings"]["seed"])
        training = Training(self.recipe, stages, corpus, decisions, seed, run, self._ready)
        before = training.before()
        # Others' hands, where a network learns from them too, are weighed by what the reader itself says of them.
        networks = {g: list(nets) for g, nets in self.weights.preflop.items()}
        networks |= {g: [Network(arrays, True) for arrays in some] for g, some in before.items()}
        gains = with_recipes(preflop_gains(networks, corpus, decisions, seed, self._judged), self.recipe)
        reading = PopulationReadings(networks, gains, corpus, decisions)
        samples = make_samples(corpus, decisions.did, (0, 1), reading, run, seed=seed)
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


def without(corpus: Corpus, out: Bool) -> Corpus:
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
