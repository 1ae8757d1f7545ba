"""The file of a trained reader: networks, what they were trained for, and a card."""

from __future__ import annotations

import json
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.reading._model._features import FEATURE_VERSION
from dupai.reading._model._groups import NAMES
from dupai.reading._model._network import Network

#: The reader that ships.
SHIPPED = Path(__file__).with_name("reader.npz")


class Weights(msgspec.Struct, frozen=True):
    """A trained reader.

    Attributes:
        preflop, postflop: networks by population (those of ``-1`` serve all that have none of their own); the mean of
            their outputs counts.
        ranges: whether the networks after the flop look at ranges.
        card: what it was trained on and how it did, for people.
    """

    preflop: dict[int, tuple[Network, ...]]
    postflop: dict[int, tuple[Network, ...]]
    ranges: bool
    card: dict[str, Any]

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
) -> None:
    """Write a trained reader (float16), whole or not at all; a network is its arrays by the names that torch gives."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for kind, groups in (("pre", preflop), ("post", postflop)):
        for group, nets in groups.items():
            for k, net in enumerate(nets):
                for name, array in net.items():
                    arrays[f"{kind}/{group}/{k}/{name}"] = np.asarray(array, np.float16)
    about = {"version": FEATURE_VERSION, "populations": list(NAMES), "ranges": ranges, "card": card}
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    target = Path(path)
    number, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(number, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@lru_cache(maxsize=4)
def load_weights(path: str | None = None) -> Weights:
    """Read a trained reader; None: the one that ships.

    Raises:
        ConfigError: the file cannot be read, is no reader's, or is of another version of the features.
    """
    place = SHIPPED if path is None else Path(path)
    try:
        with np.load(place, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop("about").tobytes())
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"{place}: not the file of a trained reader: {error}") from None
    if about.get("version") != FEATURE_VERSION or about.get("populations") != list(NAMES):
        raise ConfigError(
            f"{place}: made for version {about.get('version')} of the features, this program has {FEATURE_VERSION}: "
            "train it again with 'dupai train reader'"
        )
    nets: dict[str, dict[int, dict[int, dict[str, npt.NDArray[Any]]]]] = {"pre": {}, "post": {}}
    for name, array in arrays.items():
        kind, group, number, what = name.split("/")
        nets[kind].setdefault(int(group), {}).setdefault(int(number), {})[what] = array
    made = {
        kind: {g: tuple(Network(one, kind == "pre") for _, one in sorted(some.items())) for g, some in groups.items()}
        for kind, groups in nets.items()
    }
    if not made["pre"].get(-1) or not made["post"].get(-1):
        raise ConfigError(f"{place}: holds no network for every population: it is cut off")
    return Weights(made["pre"], made["post"], bool(about["ranges"]), about["card"])
