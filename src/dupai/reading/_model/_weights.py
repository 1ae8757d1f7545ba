"""The file of a trained reader: networks, what they were trained for, and a card."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.reading._model._features import FEATURE_VERSION
from dupai.reading._model._kernels import HAND_SIZE, PUBLIC_SIZE, RANGE_HAND, RANGE_PUBLIC
from dupai.reading._model._network import Network
from dupai.reading._model._prior import HABIT_STAGES, HabitPrior, habit_prior
from dupai.reading.populations import NAMES

#: The reader that ships.
SHIPPED_READER = Path(__file__).with_name("reader.npz")
#: How names of arrays of priors begin.
_PRIOR, _PARTS = "prior/", ("mean", "precision")


class ReaderWeights(msgspec.Struct, frozen=True):
    """A trained reader.

    Attributes:
        preflop, postflop: networks by population (those of ``-1`` serve all that have none of their own); the mean of
            their outputs counts.
        ranges: whether the networks after the flop look at ranges.
        gains: by population, how much more the hand matters than the networks say, before and after the flop
            (networks trained with dropout are not sure enough; 1 where nothing is said).
        priors: by population, what was learned from persons of how persons differ; none of all others.
        card: what it was trained on and how it did, for people.
    """

    preflop: dict[int, tuple[Network, ...]]
    postflop: dict[int, tuple[Network, ...]]
    ranges: bool
    gains: dict[int, tuple[float, float]]
    priors: dict[int, HabitPrior]
    card: dict[str, Any]

    def gain(self, street: int, group: int) -> float:
        """That of a population on a street."""
        return self.gains.get(group, (1.0, 1.0))[int(street > 0)]

    def networks(self, street: int, group: int) -> tuple[Network, ...]:
        """Those for a population on a street."""
        found = self.postflop if street else self.preflop
        return found.get(group, found[-1])


def save_weights(
    path: str | Path,
    preflop: dict[int, list[dict[str, npt.NDArray[Any]]]],
    postflop: dict[int, list[dict[str, npt.NDArray[Any]]]],
    card: dict[str, Any],
    *,
    ranges: bool,
    gains: dict[int, tuple[float, float]] | None = None,
    priors: Mapping[int, HabitPrior] | None = None,
    steps: tuple[dict[str, dict[str, npt.NDArray[Any]]], dict[str, dict[str, npt.NDArray[Any]]]] = ({}, {}),
) -> None:
    """Write a trained reader (float16), whole or not at all; a network is its arrays by the names that torch gives.

    ``steps``: all networks of its recipe before and after the flop by name, those too that only others began at.
    """
    arrays = _prior_arrays(priors or {})
    use: dict[str, dict[int, list[int]]] = {}
    named: dict[str, dict[str, int]] = {}
    for kind, groups, every in (("pre", preflop, steps[0]), ("post", postflop, steps[1])):
        kept: list[dict[str, npt.NDArray[Any]]] = []
        use[kind] = {}
        for group, nets in groups.items():
            use[kind][group] = [_number(kept, _halves(net)) for net in nets]
        named[kind] = {name: _number(kept, _halves(net)) for name, net in every.items()}
        for k, net in enumerate(kept):
            arrays |= {f"{kind}/{k}/{name}": array for name, array in net.items()}
    about: dict[str, Any] = {
        "version": FEATURE_VERSION,
        "populations": list(NAMES),
        "ranges": ranges,
        "gains": gains or {},
    }
    about |= {"use": use, "steps": named, "card": card}
    _write(Path(path), arrays, about)


def save_with_priors(
    path: str | Path | None, target: str | Path, priors: Mapping[int, HabitPrior], card: dict[str, Any]
) -> None:
    """Write a reader (None: the one that ships) with these priors of persons beside or instead of its own, and ``card``
    put into its card; whole or not at all.

    Raises:
        ConfigError: as :func:`load_weights`.
    """
    load_weights(None if path is None else str(path))
    with np.load(SHIPPED_READER if path is None else path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays.pop("about").tobytes())
    _write(Path(target), arrays | _prior_arrays(priors), about | {"card": about["card"] | card})


def _prior_arrays(priors: Mapping[int, HabitPrior]) -> dict[str, npt.NDArray[Any]]:
    return {
        f"{_PRIOR}{group}/{what}/{k}": np.asarray(x, np.float32)
        for group, prior in priors.items()
        for what, by_stage in zip(_PARTS, (prior.mean, prior.precision), strict=True)
        for k, x in enumerate(by_stage)
    }


def _write(target: Path, arrays: dict[str, npt.NDArray[Any]], about: dict[str, Any]) -> None:
    arrays = arrays | {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@lru_cache(maxsize=4)
def load_weights(path: str | None = None) -> ReaderWeights:
    """Read a trained reader; None: the one that ships.

    Raises:
        ConfigError: the file cannot be read, is no reader's, or is of another version of the features.
    """
    place = SHIPPED_READER if path is None else Path(path)
    try:
        with place.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop("about").tobytes())
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ConfigError(f"{place}: not the file of a trained reader: {str(error).partition(chr(10))[0]}") from None
    if about.get("version") != FEATURE_VERSION or about.get("populations") != list(NAMES):
        raise ConfigError(
            f"{place}: made for version {about.get('version')} of the features, this program has {FEATURE_VERSION}: "
            "train it again with 'dupai train reader'"
        )
    nets: dict[str, dict[int, dict[str, npt.NDArray[Any]]]] = {"pre": {}, "post": {}}
    priors = _priors(place, {name: arrays.pop(name) for name in list(arrays) if name.startswith(_PRIOR)})
    for name, array in arrays.items():
        kind, number, what = name.split("/")
        nets[kind].setdefault(int(number), {})[what] = array
    try:
        use = about.get("use", {"pre": {}, "post": {}})
        read = {kind: {k for numbers in groups.values() for k in numbers} for kind, groups in use.items()}
        networks = {kind: {k: Network(nets[kind][k], kind == "pre") for k in some} for kind, some in read.items()}
        made = {
            kind: {int(g): tuple(networks[kind][k] for k in numbers) for g, numbers in groups.items()}
            for kind, groups in use.items()
        }
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    except KeyError as error:
        raise ConfigError(f"{place}: holds no network {error}: it is cut off") from None
    if not made["pre"].get(-1) or not made["post"].get(-1):
        raise ConfigError(f"{place}: holds no network for every population: it is cut off")
    for kind, groups in made.items():
        for net in (net for several in groups.values() for net in several):
            _check(place, kind, net)
    gains = {int(group): (float(before), float(after)) for group, (before, after) in about.get("gains", {}).items()}
    return ReaderWeights(made["pre"], made["post"], bool(about["ranges"]), gains, priors, about["card"])


def _priors(place: Path, arrays: dict[str, npt.NDArray[Any]]) -> dict[int, HabitPrior]:
    """Those of a file, by population.

    Raises:
        ConfigError: their numbers are not those of this program.
    """
    try:
        groups = {int(name.split("/")[1]) for name in arrays}
        parts = {
            g: [
                [arrays[f"{_PRIOR}{g}/{what}/{k}"].astype(np.float64) for k in range(len(HABIT_STAGES))]
                for what in _PARTS
            ]
            for g in groups
        }
        return {g: habit_prior(*both) for g, both in parts.items()}
    except (KeyError, ValueError):
        raise ConfigError(f"{place}: its priors of persons are not those of this program: train it again") from None


def network_arrays(path: str | Path, street: int, group: int) -> list[dict[str, npt.NDArray[Any]]]:
    """The arrays (float32) of the networks that a reader's file has for a population on a street, to train further.

    Raises:
        ConfigError: as :func:`load_weights`.
    """
    load_weights(str(path))  # refuses what is no reader's
    kind = "post" if street else "pre"
    with np.load(path, allow_pickle=False) as file:
        use = json.loads(file["about"].tobytes())["use"][kind]
        return [_floats(file, kind, number) for number in use.get(str(group), use["-1"])]


def step_arrays(path: str | Path | None, name: str) -> dict[str, npt.NDArray[Any]]:
    """The arrays (float32) of a network of the recipe that a reader was made by; None: of the one that ships.

    Raises:
        ConfigError: the file has none of that name; as :func:`load_weights`.
    """
    load_weights(None if path is None else str(path))
    with np.load(SHIPPED_READER if path is None else path, allow_pickle=False) as file:
        for kind, numbers in json.loads(file["about"].tobytes()).get("steps", {}).items():
            if name in numbers:
                return _floats(file, kind, numbers[name])
    raise ConfigError(f"{path or SHIPPED_READER}: holds no network {name!r} of its recipe")


def _floats(file: Any, kind: str, number: int) -> dict[str, npt.NDArray[Any]]:
    start = f"{kind}/{number}/"
    return {n.removeprefix(start): file[n].astype(np.float32) for n in file.files if n.startswith(start)}


def _halves(net: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    return {name: np.asarray(array, np.float16) for name, array in net.items()}


def _number(kept: list[dict[str, npt.NDArray[Any]]], net: dict[str, npt.NDArray[Any]]) -> int:
    """Place of a network among those kept: populations may share one."""
    for k, other in enumerate(kept):
        if net.keys() == other.keys() and all(np.array_equal(net[name], other[name]) for name in net):
            return k
    kept.append(net)
    return len(kept) - 1


def _check(place: Path, kind: str, net: Network) -> None:
    """Whether a network takes the features of this program.

    Raises:
        ConfigError: it does not.
    """
    plain = (169, PUBLIC_SIZE) if kind == "pre" else (HAND_SIZE, PUBLIC_SIZE)
    ranges = plain if kind == "pre" else (HAND_SIZE + RANGE_HAND, PUBLIC_SIZE + RANGE_PUBLIC)
    if net.inputs not in (plain, ranges):
        raise ConfigError(f"{place}: a network takes {net.inputs} features of a hand and a decision, expected {plain}")
