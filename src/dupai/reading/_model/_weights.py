"""The file of a trained reader: networks, what they were trained for, and a card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.base.files import file_faults, open_whole, place_of, read_arrays
from dupai.reading._features._columns import FEATURE_VERSION
from dupai.reading._features._kernels.hands import HAND_SIZE
from dupai.reading._features._kernels.public import PUBLIC_SIZE
from dupai.reading._model._habits import HABIT_STAGES, HabitPrior, habit_prior
from dupai.reading._model._kernels.ranges import RANGE_HAND, RANGE_PUBLIC
from dupai.reading._model._network import Network
from dupai.reading.populations import NAMES, UNKNOWN

Arrays = dict[str, AnyArray]
#: The reader that ships.
SHIPPED_READER = Path(__file__).with_name("reader.npz")
#: How names of arrays of priors begin.
_PRIOR, _PARTS = "prior/", ("mean", "precision")
#: What the file is in messages, and the actions that a network predicts.
_KIND, _COLUMNS = "trained reader", 9


class ReaderWeights(msgspec.Struct, frozen=True, eq=False):
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

    def networks(self, street: int, group: int, limit: bool = False) -> tuple[Network, ...]:
        """The networks for a population on a street; in a limit game, those for everybody stand for `unknown`."""
        networks = self.postflop if street else self.preflop
        return networks.get(-1 if limit and group == UNKNOWN else group, networks[-1])


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


def save_networks(path: str | Path | None, target: str | Path, group: int, networks: Sequence[Arrays]) -> None:
    """Write a reader (None: the one that ships) with networks of a population's own, one before and one after the flop
    (names as torch gives them), beside or instead of those it had; whole or not at all.

    Raises:
        FileError: as :func:`load_weights`.
    """
    arrays, about = _read(_place(path))
    for kind, net in zip(("pre", "post"), networks, strict=True):
        use, steps = about["use"][kind], about["steps"].get(kind, {})
        taken = {k for of, some in use.items() if of != str(group) for k in some} | set(steps.values())
        number = next(k for k in count() if k not in taken)
        use[str(group)] = [number]
        arrays |= {f"{kind}/{number}/{name}": np.asarray(array, np.float16) for name, array in net.items()}
    _write(target, arrays, about)


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


class _About(msgspec.Struct):
    """What a file says of its networks: by street and population (-1: everybody) or name their numbers."""

    version: int
    populations: list[str]
    ranges: bool
    card: dict[str, Any]
    use: dict[str, dict[int, list[int]]]
    gains: dict[int, tuple[float, float]] = {}
    steps: dict[str, dict[str, int]] = {}


def _read(place: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays of a file, and what it says of them as JSON."""
    arrays = read_arrays(place, _KIND)
    with file_faults(place_of(_KIND, place), place):
        return arrays, msgspec.json.decode(arrays.pop("about").tobytes(), type=dict[str, Any])


def load_weights(path: str | None = None) -> ReaderWeights:
    """Read a trained reader; None: the one that ships. Once in a process.

    Raises:
        FileError: the file cannot be read, is no reader's, or is of another version of the features.
    """
    return _loaded(path)


@lru_cache(maxsize=4)
def _loaded(path: str | None) -> ReaderWeights:
    place = SHIPPED_READER if path is None else Path(path)
    arrays, raw = _read(place)
    with file_faults(place_of(_KIND, place), place):
        if raw.get("version") != FEATURE_VERSION or raw.get("populations") != list(NAMES):
            raise ConfigError(
                f"made for version {raw.get('version')!r} of the features, this program has {FEATURE_VERSION}: "
                "train it again with 'dupai train reader'"
            )
        about = _about(raw)
        by_population = {name: arrays.pop(name) for name in list(arrays) if name.startswith(_PRIOR)}
        networks = _networks(arrays, about)
        try:
            priors = _priors(by_population)
        except (KeyError, ValueError):
            raise ConfigError("its priors of persons are not those of this program: train it again") from None
        return ReaderWeights(networks["pre"], networks["post"], about.ranges, about.gains, priors, about.card)


def _about(raw: dict[str, Any]) -> _About:
    # Keys of JSON are text.
    return msgspec.json.decode(msgspec.json.encode(raw), type=_About)


def _networks(arrays: Arrays, about: _About) -> dict[str, dict[int, tuple[Network, ...]]]:
    """The networks by street and population.

    Raises:
        ConfigError: one is missing or takes other features.
    """
    parts: dict[str, dict[int, Arrays]] = {"pre": {}, "post": {}}
    for name, array in arrays.items():
        kind, number, part = name.split("/")
        parts[kind].setdefault(int(number), {})[part] = array
    networks: dict[str, dict[int, tuple[Network, ...]]] = {}
    for kind, own in parts.items():
        groups = about.use.get(kind, {})
        numbers = sorted({k for some in groups.values() for k in some})
        if missing := [k for k in numbers if k not in own]:
            raise ConfigError(f"holds no network {missing[0]}: it is cut off")
        if not groups.get(-1):
            raise ConfigError("holds no network for every population: it is cut off")
        made = {k: Network(own[k], kind == "pre") for k in numbers}
        plain = (169, PUBLIC_SIZE) if kind == "pre" else (HAND_SIZE, PUBLIC_SIZE)
        ranges = plain if kind == "pre" else (HAND_SIZE + RANGE_HAND, PUBLIC_SIZE + RANGE_PUBLIC)
        for net in made.values():
            if net.inputs not in (plain, ranges):
                raise ConfigError(f"a network takes {net.inputs} features of a hand and a decision, expected {plain}")
            if (net.groups, net.columns) != (len(NAMES), _COLUMNS):
                raise ConfigError(f"a network knows {net.groups} populations and {net.columns} actions")
        networks[kind] = {group: tuple(made[k] for k in some) for group, some in groups.items()}
    return networks


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
    arrays, raw = _read(_place(path))
    use = _about(raw).use[kind]
    return [_floats(arrays, kind, number) for number in use.get(group, use[-1])]


def step_arrays(path: str | Path | None, name: str) -> Arrays:
    """The arrays (float32) of a network of the recipe that a reader was made by; None: of the one that ships.

    Raises:
        ConfigError: the file has none of that name.
        FileError: as :func:`load_weights`.
    """
    place = _place(path)
    arrays, raw = _read(place)
    for kind, numbers in _about(raw).steps.items():
        if name in numbers:
            with file_faults(f"{place_of(_KIND, place)}, network {name!r}", place):
                step = _floats(arrays, kind, numbers[name])
                Network(step, kind == "pre")
                return step
    raise ConfigError(f"{path or SHIPPED_READER}: holds no network {name!r} of its recipe")


def _floats(arrays: Arrays, kind: str, number: int) -> Arrays:
    start = f"{kind}/{number}/"
    return {n.removeprefix(start): array.astype(np.float32) for n, array in arrays.items() if n.startswith(start)}


def _number(networks: list[Arrays], net: Arrays) -> int:
    """Place of a network (float16) in the list, added if it is new: populations may share one."""
    halves = {name: np.asarray(array, np.float16) for name, array in net.items()}
    for k, other in enumerate(networks):
        if halves.keys() == other.keys() and all(np.array_equal(halves[name], other[name]) for name in halves):
            return k
    networks.append(halves)
    return len(networks) - 1
