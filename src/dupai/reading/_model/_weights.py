"""The file of a trained reader: networks, what they were trained for, and a card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np

from dupai.base import AnyArray, ConfigError, FileError, open_whole
from dupai.reading._model._features import FEATURE_VERSION
from dupai.reading._model._habits import HABIT_STAGES, HabitPrior, habit_prior
from dupai.reading._model._kernels.hands import HAND_SIZE
from dupai.reading._model._kernels.public import PUBLIC_SIZE
from dupai.reading._model._kernels.ranges import RANGE_HAND, RANGE_PUBLIC
from dupai.reading._model._network import Network
from dupai.reading.populations import NAMES

Arrays = dict[str, AnyArray]
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
        """The gain of a population on a street."""
        return self.gains.get(group, (1.0, 1.0))[int(street > 0)]

    def networks(self, street: int, group: int) -> tuple[Network, ...]:
        """The networks for a population on a street."""
        networks = self.postflop if street else self.preflop
        return networks.get(group, networks[-1])


def save_weights(
    path: str | Path,
    preflop: dict[int, list[Arrays]],
    postflop: dict[int, list[Arrays]],
    card: dict[str, Any],
    *,
    ranges: bool,
    gains: dict[int, tuple[float, float]] | None = None,
    priors: Mapping[int, HabitPrior] | None = None,
    steps: tuple[dict[str, Arrays], dict[str, Arrays]] = ({}, {}),
) -> None:
    """Write a trained reader (float16), whole or not at all; a network is its arrays by the names that torch gives.

    ``steps``: all networks of its recipe before and after the flop by name, also those that only others started from.

    Raises:
        FileError: the file cannot be written.
    """
    arrays = _prior_arrays(priors or {})
    use: dict[str, dict[int, list[int]]] = {}
    named: dict[str, dict[str, int]] = {}
    for kind, groups, every in (("pre", preflop, steps[0]), ("post", postflop, steps[1])):
        networks: list[Arrays] = []
        use[kind] = {group: [_number(networks, net) for net in nets] for group, nets in groups.items()}
        named[kind] = {name: _number(networks, net) for name, net in every.items()}
        for k, net in enumerate(networks):
            arrays |= {f"{kind}/{k}/{name}": array for name, array in net.items()}
    about = {"version": FEATURE_VERSION, "populations": list(NAMES), "ranges": ranges, "gains": gains or {}}
    _write(path, arrays, about | {"use": use, "steps": named, "card": card})


def save_with_priors(
    path: str | Path | None, target: str | Path, priors: Mapping[int, HabitPrior], card: dict[str, Any]
) -> None:
    """Write a reader (None: the one that ships) with these priors of persons beside or instead of its own, and ``card``
    put into its card; whole or not at all.

    Raises:
        FileError: as :func:`load_weights`.
    """
    arrays, about = _read(_place(path))
    _write(target, arrays | _prior_arrays(priors), about | {"card": about["card"] | card})


def _place(path: str | Path | None) -> Path:
    """The file of a reader (None: the one that ships), which :func:`load_weights` accepts."""
    load_weights(None if path is None else str(path))
    return SHIPPED_READER if path is None else Path(path)


def _prior_arrays(priors: Mapping[int, HabitPrior]) -> Arrays:
    return {
        f"{_PRIOR}{group}/{part}/{k}": np.asarray(x, np.float32)
        for group, prior in priors.items()
        for part, by_stage in zip(_PARTS, (prior.mean, prior.precision), strict=True)
        for k, x in enumerate(by_stage)
    }


def _write(target: str | Path, arrays: Arrays, about: dict[str, Any]) -> None:
    arrays = arrays | {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    with open_whole(target, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def _read(place: Path) -> tuple[Arrays, dict[str, Any]]:
    try:
        with place.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = dict(file)
        return arrays, json.loads(arrays.pop("about").tobytes())
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        reason = str(error).partition("\n")[0]
        raise FileError(f"{place}: not the file of a trained reader: {reason}", path=place) from None


@lru_cache(maxsize=4)
def load_weights(path: str | None = None) -> ReaderWeights:
    """Read a trained reader; None: the one that ships.

    Raises:
        FileError: the file cannot be read, is no reader's, or is of another version of the features.
    """
    place = SHIPPED_READER if path is None else Path(path)
    arrays, about = _read(place)

    def refuse(reason: str) -> FileError:
        return FileError(f"{place}: {reason}", path=place)

    if about.get("version") != FEATURE_VERSION or about.get("populations") != list(NAMES):
        raise refuse(
            f"made for version {about.get('version')} of the features, this program has {FEATURE_VERSION}: "
            "train it again with 'dupai train reader'"
        )
    by_population = {name: arrays.pop(name) for name in list(arrays) if name.startswith(_PRIOR)}
    parts: dict[str, dict[int, Arrays]] = {"pre": {}, "post": {}}
    for name, array in arrays.items():
        kind, number, part = name.split("/")
        parts[kind].setdefault(int(number), {})[part] = array
    networks: dict[str, dict[int, tuple[Network, ...]]] = {}
    for kind, groups in about.get("use", {"pre": {}, "post": {}}).items():
        try:
            made = {
                k: Network(parts[kind][k], kind == "pre") for k in sorted({k for some in groups.values() for k in some})
            }
        except ConfigError as error:
            raise refuse(str(error)) from None
        except KeyError as error:
            raise refuse(f"holds no network {error}: it is cut off") from None
        networks[kind] = {int(group): tuple(made[k] for k in some) for group, some in groups.items()}
        plain = (169, PUBLIC_SIZE) if kind == "pre" else (HAND_SIZE, PUBLIC_SIZE)
        ranges = plain if kind == "pre" else (HAND_SIZE + RANGE_HAND, PUBLIC_SIZE + RANGE_PUBLIC)
        for net in made.values():
            if net.inputs not in (plain, ranges):
                raise refuse(f"a network takes {net.inputs} features of a hand and a decision, expected {plain}")
    if not networks["pre"].get(-1) or not networks["post"].get(-1):
        raise refuse("holds no network for every population: it is cut off")
    try:
        priors = _priors(by_population)
    except (KeyError, ValueError):
        raise refuse("its priors of persons are not those of this program: train it again") from None
    gains = {int(group): (float(before), float(after)) for group, (before, after) in about.get("gains", {}).items()}
    return ReaderWeights(networks["pre"], networks["post"], bool(about["ranges"]), gains, priors, about["card"])


def _priors(arrays: Arrays) -> dict[int, HabitPrior]:
    """The priors of a file by population; KeyError or ValueError if they are not those of this program."""
    stages = range(len(HABIT_STAGES))
    return {
        g: habit_prior(*([arrays[f"{_PRIOR}{g}/{part}/{k}"].astype(np.float64) for k in stages] for part in _PARTS))
        for g in {int(name.split("/")[1]) for name in arrays}
    }


def network_arrays(path: str | Path, street: int, group: int) -> list[Arrays]:
    """The arrays (float32) of the networks that a reader's file has for a population on a street, to train further.

    Raises:
        FileError: as :func:`load_weights`.
    """
    kind = "post" if street else "pre"
    with np.load(_place(path), allow_pickle=False) as file:
        use = json.loads(file["about"].tobytes())["use"][kind]
        return [_floats(file, kind, number) for number in use.get(str(group), use["-1"])]


def step_arrays(path: str | Path | None, name: str) -> Arrays:
    """The arrays (float32) of a network of the recipe that a reader was made by; None: of the one that ships.

    Raises:
        ConfigError: the file has none of that name.
        FileError: as :func:`load_weights`.
    """
    with np.load(_place(path), allow_pickle=False) as file:
        for kind, numbers in json.loads(file["about"].tobytes()).get("steps", {}).items():
            if name in numbers:
                return _floats(file, kind, numbers[name])
    raise ConfigError(f"{path or SHIPPED_READER}: holds no network {name!r} of its recipe")


def _floats(file: Any, kind: str, number: int) -> Arrays:
    start = f"{kind}/{number}/"
    return {n.removeprefix(start): file[n].astype(np.float32) for n in file.files if n.startswith(start)}


def _number(networks: list[Arrays], net: Arrays) -> int:
    """Place of a network (float16) in the list, added if it is new: populations may share one."""
    halves = {name: np.asarray(array, np.float16) for name, array in net.items()}
    for k, other in enumerate(networks):
        if halves.keys() == other.keys() and all(np.array_equal(halves[name], other[name]) for name in halves):
            return k
    networks.append(halves)
    return len(networks) - 1
