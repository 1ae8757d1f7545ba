"""Cross-validation: each person (match, session, block) is read by networks that never saw him."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NoProgress, Progress, RulesError, digest
from dupai.history import file_records
from dupai.reading import (
    SHIPPED_READER,
    KnownHabits,
    Network,
    StartTable,
    load_weights,
    network_arrays,
    populations,
    save_weights,
    save_with_priors,
    shipped_table,
)
from dupai.rules import HandRecord
from dupai.training._model._as_trained import AsTrained, without
from dupai.training._model._cases import ALL
from dupai.training._model._data import read_corpus
from dupai.training._model._decisions import Decisions, PreflopReadings, find_decisions
from dupai.training._model._net import told_apart
from dupai.training._model._persons import FEWEST, as_arrays, known_persons, of_arrays, priors_of
from dupai.training._model._postflop import train_postflop
from dupai.training._model._preflop import train_preflop
from dupai.training._model._reader import check_torch
from dupai.training._model._samples import Samples, keep_samples, make_samples
from dupai.training._model._stages import Stages
from dupai.training._processes import share_out
from dupai.training._score._report import ScoreReport, summary
from dupai.training._score._run import Only, Task, score_task
from dupai.training._split import part_of, source_name, split_keys
from dupai.training._stopped import Stopped, look_up

#: Readers that are scored: what they are called, and their specs for the files of a fold.
_READERS = {
    "start-table": "start-table:table={table}{variant}",
    "model": "model:file={model}{variant}",
}
#: Fewer cases after the flop than this make smaller batches.
_FEW = 5000


class FoldSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How to train without some of the units (persons, matches, sessions or blocks), and to read those.

    Attributes:
        populations: names of those that are trained for and read.
        start: a reader whose networks are trained further, which must never have seen them; with ``recipe`` the reader
            that is judged, None: the one that ships.
        recipe: train as ``start`` was trained: those of its networks that have learned from the populations again, by
            its recipe, and all others as they are. Then the following up to ``rate`` say nothing.
        like: the population whose networks of ``start`` are taken.
        folds: into how many parts the units are dealt; None: each is a part of its own.
        before, after: passes over the hands of the other units, before and after the flop; none is chosen, the last
            counts.
        networks: how many are trained and averaged after the flop.
        batch: players' hands in a step before the flop; None: 512, and 1,024 where there are many.
        dropout: share of units left out.
        rate: of learning, in multiples of what is usual; few hands and many passes need more.
        cases: at most so many hands of each fold are read, drawn at random, and as many folded before the flop.
        seed: of everything drawn.
        device: as torch knows it.
    """

    populations: tuple[str, ...]
    start: str | None = None
    recipe: bool = False
    like: str = "unknown"
    folds: int | None = None
    before: int = 3
    after: int = 4
    networks: int = 1
    batch: int | None = None
    dropout: float = 0.2
    rate: float = 1.0
    cases: int | None = None
    seed: int = 1
    device: str = "cpu"


def cross_validate(
    paths: Sequence[str | Path],
    folder: str | Path,
    settings: FoldSettings,
    *,
    habits: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> ScoreReport | None:
    """Leave units out in turn: train on all others, read those left out, and score all of it together.

    All hands of the files count, whatever part they are in. The habits of persons are learned hand by hand from the
    unit that is read, as everywhere. ``start-table`` is counted anew for each fold: the population's hands of the other
    units, and the shipped counts of other populations.

    With ``habits``, what a person of the populations may be like is learned too, before a unit is read: from the
    persons of all other folds, each looked at with all his hands known by the networks that never saw him
    (:func:`~dupai.training._model._persons.learned_prior`). And ``folder`` gets a ``reader.npz``: that which was judged
    or begun at, with what was learned so from all persons but those of the test part.

    What is done is kept in ``folder`` (readers, tables and scores of each fold): the same call goes on from there.
    None when ``progress`` was cancelled.

    With ``jobs`` folds are trained and read in so many processes at once, each with all hands in its memory and its
    share of torch's threads: other than with one, networks may differ by what rounding makes of that.

    Raises:
        ConfigError: torch is missing, a population or file is none, shown hands are wanted beside others, ``start``
            takes ranges or has learned from the populations' hands, there are fewer than two units to tell apart (with
            ``habits``, persons of enough hands outside of a fold), or the folder holds the work of other data or
            settings.
        HistoryError: a file cannot be read.
    """
    try:
        return _Folds(paths, Path(folder), settings, progress or NoProgress(), log).report(habits, jobs)
    except Stopped:
        return None


class _Folds:
    """The work of :func:`cross_validate`."""

    def __init__(
        self, paths: Sequence[str | Path], folder: Path, settings: FoldSettings, look: Progress,
        log: Callable[[str], None],
    ) -> None:  # fmt: skip
        check_torch(settings.device)
        self.given, self.look, self.log = settings, look, log
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
        start = digest([Path(settings.start) if settings.start else SHIPPED_READER])
        self.stages = Stages(folder, {"settings": settings, "sources": names, "start": start}, True, look)
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

    def report(self, habits: bool, jobs: int) -> ScoreReport:
        """All folds trained and read."""
        self._each(
            _Folds.train, "trained without", [name for name in self.folds if not self._model(name).exists()], jobs
        )
        readers = self._with_priors(jobs) if habits else {name: self._model(name) for name in self.folds}
        self._count_tables()
        tasks = {task: name for name, reader in readers.items() for task in self._tasks(name, reader)}
        parts = share_out(
            score_task, list(tasks), jobs, self.look, "files of folds",
            lambda task: self.log(f"{tasks[task]}: {Path(task.path).name} read"),
        )  # fmt: skip
        look_up(self.look)
        scores, pairs = summary(parts, list(_READERS))
        return ScoreReport(
            readers=list(_READERS),
            data=self.paths,
            part="all",
            seed=self.given.seed,
            observed="shown",
            hands=sum(p.hands for p in parts),
            refused=sum(p.refused for p in parts),
            complete=True,
            scores=scores,
            pairs=pairs,
        )

    def _each(self, what: Callable[[_Folds, str], Any], said: str, names: list[str], jobs: int) -> None:
        """Do it to every fold of these, ``jobs`` at once, and say so of each."""

        def tell(name: str) -> None:
            self.log(f"{name}: {said} {len(self.folds[name])} of {len(self.corpus.units)}")

        jobs = min(jobs, len(names))
        given = _Given(tuple(self.paths), self.stages.folder, self.given, jobs)
        tasks = [_Fold(given, what, name) for name in names]
        work = _in_its_process if jobs > 1 else lambda task, look: task.what(self, task.name)
        share_out(work, tasks, jobs, self.look, "folds", lambda task: tell(task.name))

    def _model(self, name: str) -> Path:
        """Where the networks of a fold are."""
        return self.stages.folder / f"model-{name}.npz"

    @cached_property
    def _decisions(self) -> Decisions:
        found = find_decisions(self.corpus, self.look)
        look_up(self.look)
        return found

    def _with_priors(self, jobs: int) -> dict[str, Path]:
        """The readers of the folds, each with the prior of habits that the persons of all others teach."""
        self._each(_Folds.persons, "looked at the persons of", list(self.folds), jobs)
        known = {name: self.persons(name) for name in self.folds}
        readers = {}
        for name in self.folds:
            others = {
                who: person
                for other, persons in known.items()
                for who, person in persons.items()
                if other != name and who not in known[name]
            }
            readers[name] = self.stages.folder / f"reader-{name}.npz"
            self._save_with_priors(self._model(name), readers[name], others)
        judged = {
            who: person
            for name, units in self.folds.items()
            if all(part_of(unit) != "test" for unit in units)
            for who, person in known[name].items()
        }
        self._save_with_priors(self.given.start, self.stages.folder / "reader.npz", judged)
        return readers

    def persons(self, name: str) -> dict[str, KnownHabits]:
        """What the persons of a fold are like, looked at once."""
        model, units = self._model(name), self.folds[name]

        def look_at() -> dict[str, Any]:
            records = (record for path in self._files(units) for key, record in self._keyed(path) if key in units)
            found = known_persons(str(model), records, self.groups, self.look)
            look_up(self.look)
            return as_arrays(found)

        return of_arrays(self.stages.network(f"persons-{name}", [digest([model]), FEWEST], look_at))

    def _save_with_priors(self, reader: str | Path | None, target: Path, persons: dict[str, KnownHabits]) -> None:
        priors = priors_of(list(persons.values()))
        if not priors:
            raise ConfigError(
                f"{', '.join(self.paths)}: {len(persons)} persons of {', '.join(self.given.populations)} to learn "
                f"habits from for {target.name}: expected at least two, of {FEWEST} known hands each"
            )
        save_with_priors(reader, target, priors, {"persons": sorted(persons)})

    def _files(self, units: list[str]) -> list[str]:
        """Those that these units are in."""
        return [p for p in self.paths if any(u.startswith(source_name(p) + " ") for u in units)]

    def _keyed(self, path: str) -> Iterator[tuple[str, HandRecord]]:
        """The hands of a file and their units."""
        records = file_records(path, rejected=lambda line, reason: None, progress=self.look)
        return split_keys(records, source_name(path))

    def _tasks(self, name: str, reader: Path) -> list[Task]:
        """What to read of a fold: its hands, file by file."""
        variant = ",population=shown" if populations.SHOWN in self.groups else ""
        files = {"model": reader, "table": self.stages.folder / f"table-{name}.npz", "variant": variant}
        readers = tuple(spec.format(**files) for spec in _READERS.values())
        units = self.folds[name]
        return [
            Task(
                path, readers, "all", self.given.cases, self.given.seed, "observer", "shown", False, None,
                str(self.stages.folder), Only(frozenset(units), self.groups),
            )
            for path in self._files(units)
        ]  # fmt: skip

    def train(self, name: str) -> None:
        """The networks of a fold, trained on all other units."""
        given, d, units, target = self.given, self._decisions, self.folds[name], self._model(name)
        out = np.isin(self.corpus.unit, [self.corpus.units.index(u) for u in units])
        card = {"left out": units, "settings": msgspec.to_builtins(given)}
        if self.again is not None:
            self._train_again(self.again, name, out, target, card)
            return
        corpus = msgspec.structs.replace(self.corpus, part=np.where(out, np.int8(2), np.int8(0)))
        shared: dict[str, Any] = {
            "device": given.device, "dropout": given.dropout, "only": self.groups, "last": True,
            "most": ALL, "progress": self.look, "log": lambda _: None,
        }  # fmt: skip
        samples = self.samples()
        kept = keep_samples(samples, np.flatnonzero(~out[samples.cases.hand]))
        drawn_by = PreflopReadings([Network(self.begin[0][0], True)], corpus, d)
        before, _ = train_preflop(
            corpus, d.features, d.did, d.legal,
            epochs=given.before, seed=given.seed, rate=3e-3 * given.rate, start=self.begin[0][0],
            batch=given.batch or (512 if len(kept.cases.hand) < _FEW else 1024), **shared,
        )  # fmt: skip
        # The networks after the flop go on from what the new one says before it; they are not to mend the old one.
        now = PreflopReadings([Network(_arrays(before), True)], corpus, d)
        kept.weight = kept.weight + _log_ratio(kept, now, drawn_by)
        after = []
        for k in range(given.networks):
            start = self.begin[1][k % len(self.begin[1])]
            net, _ = train_postflop(
                corpus, kept, kept, d.features, d.did, d.legal,
                epochs=given.after, seed=given.seed + k, rate=1.6e-3 * given.rate, start=start,
                batch=96 if len(kept.cases.hand) < _FEW else 384,
                hidden=start["hand.weight"].shape[0], second=start["mid.weight"].shape[0], **shared,
            )  # fmt: skip
            after.append(_arrays(net))
        save_weights(target, {-1: [_arrays(before)]}, {-1: after}, card, ranges=False)

    def _train_again(
        self, again: AsTrained, name: str, out: npt.NDArray[np.bool_], target: Path, card: dict[str, Any]
    ) -> None:
        """The same by the recipe that the reader was made by; finished networks of a fold are kept until it is done."""
        stages = Stages(self.stages.folder / f"stages-{name}", card, True, self.look)
        write = again.train(
            stages, without(self.corpus, out), self._decisions, device=self.given.device, look=self.look,
            log=lambda _: None,
        )  # fmt: skip
        write(str(target), card)
        stages.clear()

    def samples(self) -> Samples:
        """The cases after the flop of all units; the hands drawn beside the true ones come from a reader of none."""
        if self._samples is None:
            reading = PreflopReadings([Network(self.begin[0][0], True)], self.corpus, self._decisions)
            self._samples = make_samples(
                self.corpus, self._decisions.did, (0,), reading, seed=self.given.seed, log=self.log, progress=self.look
            )
        return self._samples

    def _count_tables(self) -> None:
        """The start table of every fold that has none: starting hands counted in all other units."""
        missing = {name: file for name in self.folds if not (file := self.stages.folder / f"table-{name}.npz").exists()}
        if not missing:
            return
        tables: dict[str, StartTable] = {}
        for path in self.paths:
            for key, record in self._keyed(path):
                try:
                    tables.setdefault(key, StartTable()).add(record)
                except RulesError:
                    continue
            look_up(self.look)
        for name, file in missing.items():
            _table_without(tables, self.folds[name], self.groups).save(file)


class _Given(NamedTuple):
    """What a process needs to make the folds of a :class:`_Folds`, one of ``jobs``."""

    paths: tuple[str, ...]
    folder: Path
    settings: FoldSettings
    jobs: int


class _Fold(NamedTuple):
    """What to do to which fold, in a process of its own."""

    given: _Given
    what: Callable[[_Folds, str], Any]
    name: str


#: The folds of a process that does some of them.
_OPENED: dict[_Given, _Folds] = {}


def _in_its_process(task: _Fold, progress: Progress) -> None:
    """Do it with this process' share of torch's threads."""
    import torch

    look_up(progress)
    given = task.given
    if given not in _OPENED:
        torch.set_num_threads(max(1, torch.get_num_threads() // given.jobs))
        _OPENED[given] = _Folds(given.paths, given.folder, given.settings, progress, lambda _: None)
    task.what(_OPENED[given], task.name)


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
        return {"-".join(unit.split()): [unit] for unit in units}
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
    if load_weights(start).ranges:
        raise ConfigError(f"start {start!r} was trained with --ranges: expected a reader trained without")
    networks = [network_arrays(start, street, like) for street in (0, 1)]
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


def _arrays(net: Any) -> dict[str, Any]:
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}
