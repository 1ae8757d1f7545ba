"""A trained reader from logs: all stages, each kept on disk until the reader is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress
from dupai.reading._model._groups import BEGINS_AT, FAMILIES, NAMES, PLENTY, population_number
from dupai.reading._model._network import Network
from dupai.reading._model._weights import load_weights, save_weights
from dupai.reading._split import PARTS, source_name
from dupai.reading._train._cases import ALL, find_cases
from dupai.reading._train._data import Corpus, read_corpus
from dupai.reading._train._decisions import Decisions, PopulationReadings, find_decisions
from dupai.reading._train._gains import preflop_gains
from dupai.reading._train._net import grown
from dupai.reading._train._postflop import train_postflop
from dupai.reading._train._preflop import train_preflop
from dupai.reading._train._ranges import add_ranges
from dupai.reading._train._samples import Samples, make_samples
from dupai.reading._train._stopped import Stopped, look_up

#: Fewest cases of a family of populations in each part for which networks of its own are trained.
_FEWEST = 100
#: At most so many cases of each population in a pass for all; networks for some see all there are.
_MOST = 8000
#: Cases of a step before the flop: for all populations, for a family of many cases, and for one of fewer than so many
#: (large steps teach them too little: docs/reader-model.md, calibration).
_ALL_BATCH, _BATCH, _SMALL_BATCH, _SMALL = 3072, 1024, 128, 60_000
#: Name of an array of a stage that is none of the network's.
_BITS = "bits"


class TrainedReader(msgspec.Struct, kw_only=True):
    """What training gave: the file, its size, its card, and the seconds it took."""

    file: str
    bytes: int
    card: dict[str, Any]
    seconds: float


class TrainSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How to train.

    Attributes:
        device: ``"cpu"`` or ``"cuda"`` (or any that torch knows).
        seed: of everything drawn.
        epochs: passes over the readings, after a warm-up on single actions.
        networks: how many are trained and averaged, before and after the flop.
        hidden, second: units per hand of the networks after the flop.
        dropout: share of units left out.
        share: share of the hands of each file that is used, spread evenly over it.
        shares: other shares for some files, by source name (:func:`~dupai.reading.source_name`).
        without: populations whose cards stay unknown: the result never saw their hands.
        ranges: whether the networks after the flop see the players' ranges (a second stage: every hand is filtered).
    """

    device: str = "cpu"
    seed: int = 0
    epochs: int = 8
    networks: int = 2
    hidden: int = 160
    second: int = 96
    dropout: float = 0.1
    share: float = 1.0
    shares: dict[str, float] = {}
    without: tuple[str, ...] = ()
    ranges: bool = False


def train_reader(
    paths: Sequence[str | Path],
    out: str | Path,
    settings: TrainSettings | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> TrainedReader | None:
    """Train a reader on hands with known cards and write it to ``out`` (an ``.npz`` that ``model:file=`` takes).

    The hands of part "train" (:func:`~dupai.reading._split.part_of`) are learned from, those of "validation" choose
    the epoch; those of "test" are not looked at. What is done is kept in a folder beside ``out`` until it is written.
    None when ``progress`` was cancelled: what was finished is kept, and ``resume`` goes on from there.

    Raises:
        HistoryError: the data cannot be read, or has no known cards.
        ConfigError: torch is not installed or knows no such device; there is no folder for ``out``; a share is of
            no file here; or the folder of stages is one of other data.
    """
    try:
        return _train(paths, Path(out), settings or TrainSettings(), resume, progress or NoProgress(), log)
    except Stopped:
        return None


def _train(
    paths: Sequence[str | Path], target: Path, settings: TrainSettings, resume: bool, look: Progress,
    log: Callable[[str], None],
) -> TrainedReader:  # fmt: skip
    began = time.time()
    check_torch(settings.device)
    if not target.parent.is_dir():
        raise ConfigError(f"{target}: there is no such folder as {target.parent}")
    names = [source_name(p) for p in paths]
    strange = set(settings.shares) - set(names)
    if strange:
        raise ConfigError(f"share of {min(strange)!r}: expected one of the files {', '.join(names)}")
    stages = Stages(target.with_name(target.name + ".stages"), settings, names, resume, look)
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
    training = _Training(settings, stages, corpus, decisions, look, log)
    before = training.preflop()
    networks = {g: [Network(arrays, True) for arrays in some] for g, some in before.items()}
    gains = preflop_gains(networks, corpus, decisions, settings.seed)
    reading = PopulationReadings(networks, gains, corpus, decisions)
    samples = [
        make_samples(corpus, decisions.did, (k,), reading, seed=settings.seed + k, log=log, progress=look)
        for k in (0, 1)
    ]
    after = training.postflop("post", samples)
    if settings.ranges:
        first = stages.folder / "first.npz"
        save_weights(first, before, {-1: after}, {}, ranges=False, gains=gains)
        weights = load_weights(str(first))
        samples = [add_ranges(corpus, decisions, some, weights, look) for some in samples]
        after = training.postflop("ranges", samples)
    networks_after = {-1: after} | training.families(after, samples)
    card: dict[str, Any] = {
        "data": corpus.sources,
        "hands": counts,
        "populations": {n: int((corpus.group == g).sum()) for g, n in enumerate(NAMES) if (corpus.group == g).any()},
        "settings": msgspec.to_builtins(settings),
        "gains": {NAMES[g]: gain[0] for g, gain in gains.items()},
        "validation": training.bits,
    }
    save_weights(target, before, networks_after, card, ranges=settings.ranges, gains=gains)
    stages.clear()
    return TrainedReader(file=str(target), bytes=target.stat().st_size, card=card, seconds=time.time() - began)


class _Training:
    """The networks of a reader, each a stage; ``bits`` are those gained on the validation part, for the card; ``own``
    the networks after the flop of programs that have wider ones."""

    def __init__(
        self, settings: TrainSettings, stages: Stages, corpus: Corpus, decisions: Decisions, look: Progress,
        log: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.settings, self.stages, self.corpus, self.decisions = settings, stages, corpus, decisions
        self.look, self.log = look, log
        self.bits: dict[str, Any] = {}
        self.own: dict[int, list[dict[str, Any]]] = {}

    def preflop(self) -> dict[int, list[dict[str, Any]]]:
        """The networks before the flop: those that serve all populations (-1), and for each family the same (or those
        of the population at which it begins) trained further."""
        numbers = range(self.settings.networks)
        every = [self.stages.network(f"pre-{k}", partial(self._before, k)) for k in numbers]
        self.bits["before the flop"] = _bits(every)
        cases = find_cases(self.corpus, self.decisions.did, (0,))
        made = {-1: every}
        for family in FAMILIES:
            parts = [int((np.isin(cases.group, family) & (cases.part == k)).sum()) for k in (0, 1)]
            if min(parts) < _FEWEST:
                continue
            name = "+".join(NAMES[g] for g in family)
            some = [
                self.stages.network(
                    f"pre-{name}-{k}",
                    partial(self._before, k, one, family, _SMALL_BATCH if parts[0] < _SMALL else _BATCH),
                )
                for k, one in enumerate(made.get(BEGINS_AT.get(family[0], -1), every))
            ]
            self.bits[f"before the flop: {name}"] = _bits(some)
            made |= {g: some for g in family if (cases.group == g).any()}
        return made

    def _before(
        self, k: int, start: dict[str, Any] | None = None, only: tuple[int, ...] | None = None, batch: int = _ALL_BATCH
    ) -> dict[str, Any]:
        d, given = self.decisions, self.settings
        net, found = train_preflop(
            self.corpus,
            d.features,
            d.did,
            d.legal,
            epochs=given.epochs,
            seed=given.seed + k,
            device=given.device,
            dropout=given.dropout if only is None else 1.5 * given.dropout,
            batch=batch,
            most=_MOST if only is None else ALL,
            start=start,
            only=only,
            progress=self.look,
            log=self.log,
        )
        return _arrays(net) | _said(found)

    def postflop(self, stage: str, samples: list[Samples]) -> list[dict[str, Any]]:
        """The networks after the flop that serve all populations. Where there are hands in plenty of some programs they
        begin with what was learned of these, and the programs get wider ones of their own (:attr:`own`)."""
        given = self.settings
        start: dict[str, Any] | None = None
        if min(np.isin(some.cases.group, PLENTY).sum() for some in samples) >= _FEWEST:
            once = [self.stages.network(f"{stage}-programs", partial(self._one, 0, samples, only=PLENTY))]
            self.bits["after the flop: programs"] = _bits(once)
            start = once[0]
            wide = grown(start, 2 * given.hidden, 2 * given.second, np.random.default_rng(given.seed))
            made = [self.stages.network(f"{stage}-wide", partial(self._one, 0, samples, wide, PLENTY, given.dropout))]
            self.bits["after the flop: programs, wide"] = _bits(made)
            self.own = dict.fromkeys((g for g in PLENTY if (samples[0].cases.group == g).any()), made)
        made = [
            self.stages.network(f"{stage}-{k}", partial(self._one, k, samples, start)) for k in range(given.networks)
        ]
        self.bits["after the flop"] = _bits(made)
        return made

    def families(self, after: list[dict[str, Any]], samples: list[Samples]) -> dict[int, list[dict[str, Any]]]:
        """The same (or those of the population at which it begins) trained further for each family of populations of
        which there are cases enough and that has none of its own yet."""
        found = dict(self.own)
        for family in FAMILIES:
            cases = [np.isin(some.cases.group, family).sum() for some in samples]
            if min(cases) < _FEWEST or any(g in found for g in family):
                continue
            name = "+".join(NAMES[g] for g in family)
            made = [
                self.stages.network(
                    f"{name}-{k}", partial(self._one, k, samples, one, family, 2 * self.settings.dropout)
                )
                for k, one in enumerate(found.get(BEGINS_AT.get(family[0], -1), after))
            ]
            self.bits[name] = _bits(made)
            found |= {g: made for g in family if any((some.cases.group == g).any() for some in samples)}
        return found

    def _one(
        self, k: int, samples: list[Samples], start: dict[str, Any] | None = None, only: tuple[int, ...] | None = None,
        dropout: float | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        d, given = self.decisions, self.settings
        hidden, second = given.hidden, given.second
        if start is not None:
            hidden, second = start["hand.weight"].shape[0], start["mid.weight"].shape[0]
        net, found = train_postflop(
            self.corpus,
            samples[0],
            samples[1],
            d.features,
            d.did,
            d.legal,
            epochs=given.epochs,
            seed=given.seed + k,
            device=given.device,
            hidden=hidden,
            second=second,
            dropout=given.dropout if dropout is None else dropout,
            rate=2e-3 if only is None or start is None else 1.2e-3,
            most=_MOST if only is None else ALL,
            start=start,
            only=only,
            progress=self.look,
            log=self.log,
        )
        return _arrays(net) | _said(found)


def left_out(corpus: Corpus, populations: Sequence[str]) -> Corpus:
    """The corpus without the cards of these populations, and without the hands in which no others are known.

    Raises:
        ConfigError: there is no such population, or nothing is left.
    """
    if not populations:
        return corpus
    theirs = np.isin(corpus.group, [population_number(name) for name in populations])
    hole = np.where(theirs[:, :, None], np.uint8(255), corpus.hole)
    # Hands of which nobody's cards are known any more belong to no part.
    part = np.where((hole != 255).any(axis=(1, 2)), corpus.part, np.int8(-1))
    if not (part >= 0).any():
        raise ConfigError(f"without {', '.join(populations)} no hand is left: expected data of others too")
    return msgspec.structs.replace(corpus, hole=hole, part=part, group=np.where(theirs, np.int8(-1), corpus.group))


def check_torch(device: str) -> None:
    """Torch is there, knows the device, and adds up in one order from here on.

    Raises:
        ConfigError: one of the first two is not so.
    """
    try:
        import torch
    except ImportError:
        raise ConfigError("training needs torch: pip install 'dupai[train]'") from None
    if device != "cpu" and not (device.startswith("cuda") and torch.cuda.is_available()):
        raise ConfigError(
            f"device {device!r}: torch finds none here, expected cpu"
            + (" or cuda" if torch.cuda.is_available() else "")
        )
    # Otherwise threads add rows of the same place (of a starting hand, say) in any order, and a training that was
    # stopped does not end where it would have. On a GPU some steps have no such way: there it is asked for only.
    torch.use_deterministic_algorithms(True, warn_only=device != "cpu")


def _arrays(net: Any) -> dict[str, Any]:
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


def _said(bits: dict[str, Any]) -> dict[str, Any]:
    """What a network gained on the validation part, as an array of the stage's file."""
    rounded = {name: [round(x, 3) for x in row] for name, row in bits.items()}
    return {_BITS: np.frombuffer(msgspec.json.encode(rounded), np.uint8)}


def _bits(stages: Sequence[dict[str, Any]]) -> list[Any]:
    """What :func:`_said` kept, taken out of the arrays."""
    return [msgspec.json.decode(arrays.pop(_BITS).tobytes()) for arrays in stages]


class Stages:
    """Finished stages in a folder, so that a stopped training goes on."""

    def __init__(
        self, folder: Path, settings: msgspec.Struct, sources: list[str], resume: bool, look: Progress
    ) -> None:
        self.folder, self.look = folder, look
        key = msgspec.json.encode({"settings": settings, "sources": sources})
        mark = folder / "settings.json"
        if folder.exists() and not resume:
            self.clear()
        if mark.exists() and mark.read_bytes() != key:
            raise ConfigError(f"{folder} holds stages of other data or settings: delete it to begin anew")
        folder.mkdir(parents=True, exist_ok=True)
        mark.write_bytes(key)

    def corpus(self, make: Callable[[], Corpus]) -> Corpus:
        file = self.folder / "corpus.npz"
        if not file.exists():
            made = make()
            if self.look.cancelled:
                raise Stopped
            made.save(self._part(file))
            self._part(file).replace(file)
        return Corpus.load(file)

    def network(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        file = self.folder / f"{name}.npz"
        if not file.exists():
            made = make()
            with self._part(file).open("wb") as out:
                np.savez(out, **made)
            self._part(file).replace(file)
        with np.load(file) as found:
            return {k: found[k] for k in found.files}

    @staticmethod
    def _part(file: Path) -> Path:
        return file.with_name("." + file.name)

    def clear(self) -> None:
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()
