"""A trained reader from logs, in stages that are kept on disk until the reader is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, __version__
from dupai.base.files import digest
from dupai.reading import populations
from dupai.reading.model import Network, load_weights, save_weights
from dupai.training._corpus import Corpus, Decisions, find_cases, find_decisions, read_corpus
from dupai.training._model._decisions import PopulationReadings, preflop_gains, with_recipes
from dupai.training._model._fit import Run
from dupai.training._model._recipe import EVERYBODY, Known, Recipe, Street, load_recipe, plain_recipe, pruned
from dupai.training._model._samples import add_ranges, make_samples, postflop_cases
from dupai.training._model._training import Stages, Training
from dupai.training._settings import TrainSettings
from dupai.training._sources import check_target, contents
from dupai.training._split import PARTS, source_name
from dupai.training._stopped import look_up, stoppable
from dupai.training._torch import check_torch


class TrainedReader(msgspec.Struct, kw_only=True):
    """What training gave: the file, its size, its card, and the seconds it took."""

    file: str
    bytes: int
    card: dict[str, Any]
    seconds: float


@stoppable
def train_reader(
    paths: Sequence[str | Path],
    out: str | Path,
    settings: TrainSettings | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> TrainedReader:
    """Train a reader on hands with known cards and write it to ``out`` (an ``.npz`` that ``model:file=`` takes).

    The training set (:func:`~dupai.training._split.part_of`) is learned from, the validation set chooses the epoch, and
    the test set is not touched. Finished stages are kept in a folder beside ``out`` until ``out`` is written. Returns
    None when ``progress`` was cancelled; ``resume`` continues from the finished stages.

    Raises:
        HistoryError: the data cannot be read, or has no known cards.
        MissingPackage: torch is not installed.
        FileError: a reader's file cannot be read, or the folder of stages holds other work.
        ConfigError: torch knows no such device; there is no folder for ``out``; a share names no file here; there is no
            such recipe, or it needs hands that the data lack; the known reader was made by another recipe.
    """
    return _train(paths, Path(out), settings or TrainSettings(), resume, progress or NoProgress(), log)


def _train(
    paths: Sequence[str | Path], target: Path, settings: TrainSettings, resume: bool, look: Progress,
    log: Callable[[str], None],
) -> TrainedReader:  # fmt: skip
    began = time.time()
    check_torch(settings.device)
    check_target(target)
    names = [source_name(p) for p in paths]
    unknown = set(settings.shares) - set(names)
    if unknown:
        raise ConfigError(f"share of {min(unknown)!r}: expected one of the files {', '.join(names)}", key="shares")
    named = None if settings.recipe is None else pruned(load_recipe(settings.recipe), settings.without)
    known = _known(settings, named, log)
    key: dict[str, object] = {"settings": settings, "sources": names, "data": contents(paths)}
    key["version"] = __version__
    if known:
        key["known"] = digest([known.file])
    stages = Stages(target.with_name(target.name + ".stages"), key, resume, look)
    corpus = stages.corpus(
        lambda: read_corpus(paths, most=lambda s: settings.shares.get(s, settings.share), progress=look)
    )
    corpus = left_out(corpus, settings.without)
    counts = {PARTS[k]: int((corpus.part == k).sum()) for k in range(3)}
    if not counts["train"] or not counts["validation"]:
        raise ConfigError(f"hands by part {counts}: expected some of both train and validation")
    log("hands: " + ", ".join(f"{n:,} {part}" for part, n in counts.items()))
    decisions = find_decisions(corpus, look)
    look_up(look)
    recipe = named or _plain(settings, corpus, decisions)
    run = Run(settings.device, look, log)
    training = Training(recipe, stages, corpus, decisions, settings.seed, run, known.networks if known else None)
    before = training.before()
    networks = {g: [Network(arrays, True) for arrays in some] for g, some in before.items()}
    judged = [g for g in recipe.judged(populations.NAMES) if known is None or g not in known.read]
    gains = preflop_gains(networks, corpus, decisions, settings.seed, judged) | (known.gains if known else {})
    gains = with_recipes(gains, recipe)
    reading = PopulationReadings(networks, gains, corpus, decisions)
    samples = make_samples(corpus, decisions.did, (0, 1), reading, run, seed=settings.seed)
    if settings.ranges:
        first = training.after(samples, again="first-", only=(EVERYBODY,))
        file = stages.folder / "first.npz"
        save_weights(file, before, first, {}, ranges=False, gains=gains)
        samples = add_ranges(corpus, decisions, samples, load_weights(str(file)), look)
    after = training.after(samples)
    card: dict[str, Any] = {
        "data": corpus.sources,
        "hands": counts,
        "populations": {
            n: int((corpus.group == g).sum()) for g, n in enumerate(populations.NAMES) if (corpus.group == g).any()
        },
        "settings": msgspec.to_builtins(settings),
        "recipe": msgspec.to_builtins(recipe),
        "gains": {populations.NAMES[g]: gain for g, gain in gains.items()},
        "validation": training.bits | (known.bits if known else {}),
    }
    if known:
        card["known"] = known.card
    steps = training.made["before"], training.made["after"]
    priors = known.priors if known else None
    save_weights(target, before, after, card, ranges=settings.ranges, gains=gains, priors=priors, steps=steps)
    stages.clear()
    return TrainedReader(file=str(target), bytes=target.stat().st_size, card=card, seconds=time.time() - began)


def _known(settings: TrainSettings, recipe: Recipe | None, log: Callable[[str], None]) -> Known | None:
    """The networks that need not be trained."""
    if settings.known is None:
        return None
    if recipe is None or settings.ranges:
        raise ConfigError(f"known {settings.known!r}: expected a recipe with it, and no ranges")
    known = Known(settings.known, recipe, settings.seed)
    log(f"{len(known.networks)} of {len(recipe.network)} networks are known")
    return known


def _plain(settings: TrainSettings, corpus: Corpus, decisions: Decisions) -> Recipe:
    """The recipe that suits these data."""
    cases = {"before": find_cases(corpus, decisions.did, (0,)), "after": postflop_cases(corpus, decisions.did)}

    def counts(street: Street, family: tuple[int, ...]) -> tuple[int, int]:
        mine = cases[street].part[np.isin(cases[street].group, family)]
        return int((mine == 0).sum()), int((mine == 1).sum())

    return plain_recipe(counts, settings)


def left_out(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """The corpus without the cards of these populations, and without the hands in which no others are known.

    Raises:
        ConfigError: there is no such population, or nothing is left.
    """
    if not names:
        return corpus
    theirs = np.isin(corpus.group, [populations.number(name) for name in names])
    hole = np.where(theirs[:, :, None], np.uint8(255), corpus.hole)
    # Hands of which nobody's cards are known any more belong to no part.
    part = np.where((hole != 255).any(axis=(1, 2)), corpus.part, np.int8(-1))
    if not (part >= 0).any():
        raise ConfigError(f"without {', '.join(names)} no hand is left: expected data of others too")
    return msgspec.structs.replace(corpus, hole=hole, part=part, group=np.where(theirs, np.int8(-1), corpus.group))
