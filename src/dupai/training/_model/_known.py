"""Networks that a reader's file already holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.reading import SHIPPED_READER, ReaderWeights, load_weights, populations, step_arrays
from dupai.training._model._recipe import EVERYBODY, Recipe

#: Stands for the reader that ships.
SHIPS = "shipped"


def made_as(path: str | None, name: str) -> tuple[ReaderWeights, Recipe]:
    """A reader and the recipe by which it was trained; ``name``: what to call it; no path: the one that ships.

    Raises:
        ConfigError: it is no reader, does not say how it was trained, or takes ranges.
    """
    weights = load_weights(path)
    try:
        recipe = msgspec.convert(weights.card["recipe"], Recipe)
    except (KeyError, msgspec.ValidationError):
        raise ConfigError(
            f"{name} does not say how it was trained: expected one made by 'dupai train reader' of this version"
        ) from None
    if weights.ranges:
        raise ConfigError(f"{name} was trained with --ranges: expected a reader trained without")
    return weights, recipe


class Known:
    """Networks of a reader that a recipe makes the same way (from whatever hands they have learned there).

    Attributes:
        file: the reader's.
        networks: arrays by name.
        gains: by number, those of populations that are read before the flop by such networks alone, as there.
        read: the numbers of these populations.
        priors: of persons' habits, of the populations that are read by such networks before and after the flop.
        bits: what the validation part said of them.
        card: which these are, and what the reader had learned from.

    Raises:
        ConfigError: as :func:`made_as`; another seed, or none of the recipe's networks.
    """

    def __init__(self, reader: str, recipe: Recipe, seed: int) -> None:
        path = None if reader == SHIPS else reader
        self.file = SHIPPED_READER if path is None else Path(path)
        weights, other = made_as(path, f"known {reader!r}")
        seed_there = int(weights.card["settings"]["seed"])
        if seed_there != seed:
            raise ConfigError(f"known {reader!r} was trained with seed {seed_there}: expected {seed}")
        names = {step.name for step in other.network}
        same = {
            step.name for step in recipe.network
            if step.name in names and recipe.made_by(step.name) == other.made_by(step.name)
        }  # fmt: skip
        if not same:
            raise ConfigError(f"known {reader!r}: it holds no network that the recipe makes the same way")
        self.networks: dict[str, dict[str, npt.NDArray[Any]]] = {name: step_arrays(path, name) for name in sorted(same)}
        self.bits = {n: bits for n, bits in weights.card["validation"].items() if n in same}
        self.read, after = (
            {
                populations.number(group) for group, names in use.items()
                if group != EVERYBODY and same.issuperset(names) and theirs.get(group) == names
            }
            for use, theirs in ((recipe.before, other.before), (recipe.after, other.after))
        )  # fmt: skip
        self.gains = {g: gain for g, gain in weights.gains.items() if g in self.read}
        self.priors = {g: prior for g, prior in weights.priors.items() if g in self.read & after}
        self.card = {"networks": sorted(same)} | {
            key: weights.card[key]
            for key in ("data", "hands", "populations", "known", "persons")
            if key in weights.card
        }
