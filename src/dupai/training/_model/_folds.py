"""Cross-validation: each person (match, session, block) is read by networks that never saw their hands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, RulesError, __version__
from dupai.base.arrays import Bool
from dupai.base.files import digest, shipped
from dupai.history import file_records
from dupai.jobs import Backend, Pulse, share_out
from dupai.reading import StartTable, model as reading_model, populations, shipped_table
from dupai.rules import HandRecord
from dupai.training._corpus import ALL, Decisions, find_decisions, read_corpus
from dupai.training._model._decisions import PreflopReadings
from dupai.training._model._fit import FitSettings, Run, arrays_of, told_apart
from dupai.training._model._persons import FEWEST, as_arrays, known_persons, of_arrays, priors_of
from dupai.training._model._postflop import train_postflop
from dupai.training._model._preflop import train_preflop
from dupai.training._model._samples import Samples, keep_samples, make_samples
from dupai.training._model._training import AsTrained, Stages, like, without
from dupai.training._score._report import ScoreReport, summary
from dupai.training._score._run import Only, Task, score_tasks
from dupai.training._settings import FoldSettings
from dupai.training._sources import KnownShare, contents
from dupai.training._split import part_of, source_name, split_keys
from dupai.training._stopped import look_up, stoppable
from dupai.training._torch import check_torch

#: Readers that are scored: what they are called, and their specs for the files of a fold.
_READERS = {"start-table": "start-table:table={table}{variant}", "model": "model:file={model}{variant}"}
#: Fewer cases after the flop than this make smaller batches.
_FEW = 5000


@stoppable
def cross_validate(
    paths: Sequence[str | Path],
    folder: str | Path,
    settings: FoldSettings,
    *,
    habits: bool = False,
    backend: Backend | str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> ScoreReport:
    """Cross-validate: leave each fold out in turn, train on the others, read the fold, and score all folds together.

    All hands of the files count, whatever part they are in. The habits of persons are learned hand by hand from the
    unit that is read, as everywhere. ``start-table`` is counted again for each fold: from the population's hands of the
    other units, and the shipped counts of other populations.

    With ``habits``, the prior of persons' habits is learned as well before a fold is read, from the persons of all
    other folds: the networks that never saw them look at all their hands with known cards
    (:func:`~dupai.training._model._persons.learned_prior`). ``folder`` then gets a ``reader.npz``: the reader that was
    judged or started from, with the prior learned from all persons except those of the test part.

    Finished work is kept in ``folder`` (readers, tables and scores of each fold), and the same call continues from
    there. Returns None when ``progress`` was cancelled.

    With ``jobs``, this many folds are trained and read at once (``backend``: see :func:`dupai.jobs.make_backend`; the
    files and ``folder`` must be reachable from every worker). Each worker has all hands in memory and its share of
    torch's threads, so that networks may differ from those of one process by rounding.

    Raises:
        ConfigError: torch is missing, a population or file is none, shown hands are wanted beside others, ``start``
            takes ranges or has learned from the populations' hands, there are fewer than two units to tell apart (with
            ``habits``, persons of enough hands outside of a fold), or the folder holds the work of other data or
            settings.
        HistoryError: a file cannot be read.
    """
    folds = _Folds(paths, Path(folder), settings, progress or NoProgress(), log)
    folds.backend, folds.jobs = backend, jobs
    return folds.report(habits)


class _Folds:
    """The work of :func:`cross_validate`."""

    def __init__(
        self, paths: Sequence[str | Path], folder: Path, settings: FoldSettings, look: Progress,
        log: Callable[[str], None],
    ) -> None:  # fmt: skip
        check_torch(settings.device)
        self.settings, self.look, self.log = settings, look, log
        self.backend: Backend | str | None = None
        self.jobs = 1
        self.paths = [str(p) for p in paths]
        self.groups = tuple(populations.number(name) for name in settings.populations)
        if populations.SHOWN in self.groups and len(self.groups) > 1:
            raise ConfigError(
                f"populations {', '.join(settings.populations)}: shown hands are read by a variant of the reader, "
                "expected them alone"
            )
        self.again = AsTrained(settings.start, settings.populations) if settings.recipe else None
        self.begin = [] if self.again else _begun(settings, self.groups)
        names = [source_name(p) for p in paths]
        start = digest([Path(settings.start) if settings.start else reading_model.SHIPPED_READER])
        work = {"settings": settings, "sources": names, "data": contents(self.paths), "start": start}
        work |= {"version": __version__, "shipped": shipped()}
        self.stages = Stages(folder, work, True, look)
        corpus = self.stages.corpus(lambda: read_corpus(paths, progress=look))
        hole = np.where(np.isin(corpus.group, self.groups)[:, :, None], corpus.hole, np.uint8(255))
        known = np.unique(corpus.unit[(hole != 255).any(axis=(1, 2))])
        if self.again is None:
            self.corpus = msgspec.structs.replace(corpus, hole=hole, part=np.zeros_like(corpus.part))
        else:
            self.corpus = self.again.learned(corpus)
        self.folds = _dealt([corpus.units[k] for k in known.tolist()], settings.folds)
        if len(self.folds) < 2:
            raise ConfigError(
                f"{', '.join(self.paths)}: {len(known)} persons, matches, sessions or blocks with known hands of "
                f"{', '.join(settings.populations)}, {len(self.folds)} folds: expected at least two"
            )
        self._samples: Samples | None = None

    def report(self, habits: bool) -> ScoreReport:
        """All folds trained and read."""
        self._each(
            _Folds.train,
            "trained without",
            [name for name in self.folds if not self.stages.finished(self._model(name).name)],
        )
        readers = self._with_priors() if habits else {name: self._model(name) for name in self.folds}
        self._count_tables()
        tasks = [task for name, reader in readers.items() for task in self._tasks(name, reader)]
        parts = score_tasks(tasks, self.backend, self.jobs, self.stages.folder, self.look)
        look_up(self.look)
        names = list(_READERS)
        # Each fold has files of its own; their readers go by one name.
        scores, pairs = summary(parts, names)
        return ScoreReport(
            readers=names, data=self.paths, part="all", seed=self.settings.seed, observed="shown",
            hands=sum(p.hands for p in parts), refused=sum(p.refused for p in parts), complete=True, scores=scores,
            pairs=pairs,
        )  # fmt: skip

    def _each(self, step: Callable[[_Folds, str], Any], done: str, names: list[str]) -> None:
        """Do one step for each of these folds, ``jobs`` at once, and log each fold."""

        def tell(task: _Fold) -> None:
            self.log(f"{task.name}: {done} {len(self.folds[task.name])} of {len(self.corpus.units)}")

        setup = _Setup(tuple(self.paths), self.stages.folder, self.settings, min(self.jobs, len(names)))
        _OPENED[setup] = self
        tasks = [_Fold(setup, step, name) for name in names]
        try:
            share_out(
                _fold_step, tasks, backend=self.backend, jobs=self.jobs, progress=self.look, note="folds", ended=tell
            )
        finally:
            del _OPENED[setup]

    def _model(self, name: str) -> Path:
        """Where the networks of a fold are."""
        return self.stages.folder / f"model-{name}.npz"

    @cached_property
    def _decisions(self) -> Decisions:
        decisions = find_decisions(self.corpus, self.look)
        look_up(self.look)
        return decisions

    def _with_priors(self) -> dict[str, Path]:
        """The readers of the folds, each with the prior of habits that the persons of all others teach."""
        self._each(_Folds.persons, "looked at the persons of", list(self.folds))
        known = {name: self.persons(name) for name in self.folds}
        readers = {}
        for name in self.folds:
            met = self._names(name)
            others = {
                player: person
                for other, persons in known.items()
                for player, person in persons.items()
                if other != name and player not in met
            }
            readers[name] = self.stages.folder / f"reader-{name}.npz"
            self._save_with_priors(self._model(name), readers[name], others)
        judged = {
            player: person
            for name, units in self.folds.items()
            if all(part_of(unit) != "test" for unit in units)
            for player, person in known[name].items()
        }
        self._save_with_priors(self.settings.start, self.stages.folder / "reader.npz", judged)
        return readers

    def _names(self, name: str) -> set[str]:
        """Everybody who plays in the hands of a fold, however few they are."""
        units = [self.corpus.units.index(unit) for unit in self.folds[name]]
        numbers = np.unique(self.corpus.name[np.isin(self.corpus.unit, units)])
        return {self.corpus.names[k] for k in numbers.tolist() if k >= 0}

    def persons(self, name: str) -> dict[str, reading_model.KnownHabits]:
        """What the persons of a fold are like, looked at once."""
        model, units = self._model(name), self.folds[name]

        def look_at() -> dict[str, Any]:
            records = (record for path in self._files(units) for key, record in self._keyed(path) if key in units)
            habits = known_persons(str(model), records, self.groups, self.look)
            look_up(self.look)
            return as_arrays(habits)

        return of_arrays(self.stages.network(f"persons-{name}", [digest([model]), FEWEST], look_at))

    def _save_with_priors(
        self, reader: str | Path | None, target: Path, persons: dict[str, reading_model.KnownHabits]
    ) -> None:
        priors = priors_of(list(persons.values()))
        if not priors:
            raise ConfigError(
                f"{', '.join(self.paths)}: {len(persons)} persons of {', '.join(self.settings.populations)} to learn "
                f"habits from for {target.name}: expected at least two, of {FEWEST} known hands each"
            )
        reading_model.save_with_priors(reader, target, priors, {"persons": sorted(persons)})

    def _files(self, units: list[str]) -> list[str]:
        """The files that hold these units."""
        return [p for p in self.paths if any(u.startswith(source_name(p) + " ") for u in units)]

    def _keyed(self, path: str) -> Iterator[tuple[str, HandRecord]]:
        """The hands of a file and their units."""
        return split_keys(file_records(path, progress=self.look), source_name(path))

    def _tasks(self, name: str, reader: Path) -> list[Task]:
        """What to read of a fold: its hands, file by file."""
        variant = ",population=shown" if populations.SHOWN in self.groups else ""
        files = {"model": reader, "table": self.stages.folder / f"table-{name}.npz", "variant": variant}
        readers = tuple(spec.format(**files) for spec in _READERS.values())
        units = self.folds[name]
        return [
            Task(
                path, readers, part="all", cases=self.settings.cases, seed=self.settings.seed, views="observer",
                only=Only(frozenset(units), self.groups),
            )
            for path in self._files(units)
        ]  # fmt: skip

    def train(self, name: str) -> None:
        """The networks of a fold, trained on all other units."""
        out = np.isin(self.corpus.unit, [self.corpus.units.index(u) for u in self.folds[name]])
        card = {"left out": self.folds[name], "settings": msgspec.to_builtins(self.settings)}
        run = Run(self.settings.device, self.look)

        def write(target: Path) -> None:
            if self.again is None:
                before, after = self._train_further(self.begin, out, run)
                reading_model.save_weights(target, {-1: [before]}, {-1: after}, card, ranges=False)
            else:
                # The finished networks of a fold are kept until it is done.
                stages = Stages(self.stages.folder / f"stages-{name}", card, True, self.look)
                self.again.train(stages, without(self.corpus, out), self._decisions, run)(str(target), card)
                stages.clear()

        self.stages.file(self._model(name).name, write)

    def _train_further(
        self, begin: list[list[dict[str, Any]]], out: Bool, run: Run
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The networks of the start trained further on the hands that are not left ``out``: that before the flop, and
        those after it."""
        options, d, samples = self.settings, self._decisions, self.samples()
        corpus = msgspec.structs.replace(self.corpus, part=np.where(out, np.int8(2), np.int8(0)))
        learned = keep_samples(samples, np.flatnonzero(~out[samples.cases.hand]))
        few = len(learned.cases.hand) < _FEW
        settings = FitSettings(
            epochs=options.before, batch=options.batch or (512 if few else 1024), rate=3e-3 * options.rate,
            dropout=options.dropout, seed=options.seed, most=ALL, only=self.groups, last=True,
        )  # fmt: skip
        before = arrays_of(train_preflop(corpus, d, settings, run, begin[0][0])[0])
        # The networks after the flop go on from what the new one says before it; they are not to mend the old one.
        old, new = (
            PreflopReadings([reading_model.Network(arrays, True)], corpus, d) for arrays in (begin[0][0], before)
        )
        learned.weight = learned.weight + _log_ratio(learned, new, old)
        after = []
        for k in range(options.networks):
            start = begin[1][k % len(begin[1])]
            rate, batch = 1.6e-3 * options.rate, 96 if few else 384
            one = msgspec.structs.replace(settings, epochs=options.after, seed=options.seed + k, rate=rate, batch=batch)
            net, _ = train_postflop(corpus, learned, learned, d, like(start, one), run, start)
            after.append(arrays_of(net))
        return before, after

    def samples(self) -> Samples:
        """The cases after the flop of all units; the hands drawn beside the true ones come from a reader of none."""
        if self._samples is None:
            reading = PreflopReadings([reading_model.Network(self.begin[0][0], True)], self.corpus, self._decisions)
            run = Run(self.settings.device, self.look, self.log)
            self._samples = make_samples(self.corpus, self._decisions.did, (0,), reading, run, seed=self.settings.seed)
        return self._samples

    def _count_tables(self) -> None:
        """The start table of every fold that has none: starting hands counted in all other units."""
        missing = [name for name in self.folds if not self.stages.finished(f"table-{name}.npz")]
        if not missing:
            return
        tables: dict[str, StartTable] = {}
        for path in self.paths:
            known, keyed = KnownShare(), list(self._keyed(path))
            for _, record in keyed:
                known.add(record)
            for key, record in keyed:
                try:
                    tables.setdefault(key, StartTable()).add(record, shown_only=known.shown_only)
                except RulesError:
                    continue  # read_corpus has counted it and said so
            look_up(self.look)
        for name in missing:
            self.stages.file(f"table-{name}.npz", _table_without(tables, self.folds[name], self.groups).save)


class _Setup(NamedTuple):
    """What a process needs to make the folds of a :class:`_Folds`, one of ``jobs``."""

    paths: tuple[str, ...]
    folder: Path
    settings: FoldSettings
    jobs: int


class _Fold(NamedTuple):
    """What to do to which fold, in a process of its own."""

    setup: _Setup
    step: Callable[[_Folds, str], Any]
    name: str


#: The folds that this process knows: those of the caller, or those that a worker has opened.
_OPENED: dict[_Setup, _Folds] = {}


def _fold_step(task: _Fold, pulse: Pulse) -> None:
    """One step of one fold; a worker opens the folds first, with its share of torch's threads."""
    look_up(pulse)
    setup = task.setup
    if setup not in _OPENED:
        import torch

        torch.set_num_threads(max(1, torch.get_num_threads() // setup.jobs))
        _OPENED[setup] = _Folds(setup.paths, setup.folder, setup.settings, pulse, lambda _: None)
    task.step(_OPENED[setup], task.name)


def _table_without(tables: dict[str, StartTable], units: list[str], groups: tuple[int, ...]) -> StartTable:
    """What ships for other populations, and for these what was counted in all other units."""
    counts = {key: row for key, row in shipped_table().counts.items() if key[0] not in groups}
    for unit, table in tables.items():
        if unit not in units:
            for key, row in table.counts.items():
                if key[0] in groups:
                    counts[key] = counts[key] + row if key in counts else row
    return StartTable(counts)


def _dealt(units: list[str], folds: int | None) -> dict[str, list[str]]:
    """Folds by name: each unit one, or so many of every which-th unit."""
    units = sorted(units)
    if folds is None:
        names: dict[str, list[str]] = {}
        for unit in units:
            # The name is part of a file's name.
            plain = re.sub(r"[\s/\\]+", "-", unit.strip())
            numbered = (plain if k == 1 else f"{plain}-{k}" for k in count(1))
            names[next(name for name in numbered if name not in names)] = [unit]
        return names
    return {f"fold{k}": units[k::folds] for k in range(min(folds, len(units)))}


def _begun(settings: FoldSettings, groups: tuple[int, ...]) -> list[list[dict[str, Any]]]:
    """Networks of the start, before and after the flop, in which these populations begin as the mean of those that were
    trained (others are zero).

    Raises:
        ConfigError: these were trained too: they would read hands that they have seen; the start takes ranges, or is
            none.
    """
    start, like = settings.start, populations.number(settings.like)
    if start is None:
        raise ConfigError(f"no start: expected a reader that never saw {', '.join(settings.populations)}, or --recipe")
    if reading_model.load_weights(start).ranges:
        raise ConfigError(f"start {start!r} was trained with --ranges: expected a reader trained without")
    networks = [reading_model.network_arrays(start, street, like) for street in (0, 1)]
    for arrays in (arrays for some in networks for arrays in some):
        seen = [populations.NAMES[g] for g in groups if np.any(arrays["group1.weight"][g] != 0)]
        if seen:
            raise ConfigError(
                f"start {start!r} has learned from hands of {', '.join(seen)}: expected a reader trained without them, "
                "or --recipe"
            )
    return [[told_apart(arrays, groups) for arrays in some] for some in networks]


def _log_ratio(samples: Samples, one: PreflopReadings, other: PreflopReadings) -> Any:
    """Log of how much more probable one reading before the flop makes each hand of the samples than another does."""
    cases, out = samples.cases, np.empty(samples.combo.shape, np.float32)
    for i in range(0, len(out), 4096):
        some = slice(i, i + 4096)
        both = [reading(cases.hand[some], cases.position[some]) for reading in (one, other)]
        first, second = (np.take_along_axis(p, samples.combo[some].astype(np.int64), axis=1) for p in both)
        out[some] = np.log(np.maximum(first, 1e-12) / np.maximum(second, 1e-12))
    return out
