"""The population: what players do at tables of 2, 3, 6 and 9, as priors of every statistic.

The shipped file is made by ``python tools/population.py`` and holds no names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from dupai.base.files import read_json_file
from dupai.history._tracker._facts import SIZE_CLASSES
from dupai.history._tracker._shrink import BetaPrior, NormalPrior

#: Table sizes that have priors of their own.
TABLE_SIZES = (2, 3, 6, 9)
#: The shipped population.
FILE = Path(__file__).with_name("population.json")
#: Key of all positions together.
ALL_POSITIONS = "all"

Weights = Iterable[tuple[int, float]]
_P = TypeVar("_P")


def size_class(players: int) -> int:
    """The size of :data:`TABLE_SIZES` nearest to a number of players (4 goes with 3; 5 and 7 with 6; 8 and up with
    9)."""
    return min(TABLE_SIZES, key=lambda size: (abs(size - players), size))


class RatePrior(msgspec.Struct, frozen=True, array_like=True):
    """A Beta prior: ``mean``, ``strength``; fitted to ``players`` with ``n`` opportunities in all."""

    mean: float
    strength: float
    players: int
    n: int


class MoneyPrior(msgspec.Struct, frozen=True, array_like=True):
    """Results in big blinds per hand: ``mean``, ``spread`` between players, ``sd`` of one hand."""

    mean: float
    spread: float
    sd: float
    players: int
    n: int


class SizePrior(msgspec.Struct, frozen=True, array_like=True):
    """Bet sizes: means of the classes, worth ``strength`` bets; the fraction of the pot as a :class:`MoneyPrior`."""

    classes: tuple[float, ...]
    strength: float
    fraction: MoneyPrior


class _Mix(list[tuple[float, _P]]):
    """Priors with their weights."""

    def mean(self, value: Callable[[_P], float]) -> float:
        """The weighted mean of a value of the priors."""
        return sum(w * value(p) for w, p in self) / sum(w for w, _ in self)


def _mix(weights: Weights, prior_of: Callable[[str], _P | None]) -> _Mix[_P]:
    """The priors of a mix of table sizes, without sizes that have none."""
    return _Mix((w, p) for size, w in weights if w > 0.0 and (p := prior_of(str(size))) is not None)


class Population(msgspec.Struct, frozen=True, kw_only=True):
    """Priors by table size (text of a number of :data:`TABLE_SIZES`), class of position (or ``all``) and statistic.

    A statistic without an entry never arose there. ``about`` says what the file was made of.
    """

    about: dict[str, Any]
    rates: dict[str, dict[str, dict[str, RatePrior]]]
    results: dict[str, dict[str, MoneyPrior]]
    bets: dict[str, dict[str, SizePrior]]

    def rate(self, name: str, weights: Weights, position: str | None) -> BetaPrior | None:
        """The prior of a rate for a mix of table sizes (weights add up to 1); None where it never arose."""
        weights = list(weights)
        mix = _mix(weights, lambda size: self.rates[size].get(position or ALL_POSITIONS, {}).get(name))
        if not mix:
            return None
        heads_up = sum(w for size, w in weights if size == 2)
        return BetaPrior(mix.mean(lambda p: p.mean), mix.mean(lambda p: p.strength), heads_up)

    def money(self, weights: Weights, position: str | None) -> NormalPrior:
        """The prior of results in big blinds per hand for a mix of table sizes."""
        return _normal(_mix(weights, lambda size: self.results[size].get(position or ALL_POSITIONS)))

    def sizes(self, group: str, weights: Weights) -> tuple[tuple[float, ...], float, NormalPrior]:
        """Means of the classes, their strength, and the prior of the fraction, for a mix of table sizes."""
        mix = _mix(weights, lambda size: self.bets[size].get(group))
        k = len(SIZE_CLASSES)
        if not mix:
            return (1.0 / k,) * k, float(k), NormalPrior(0.7, 1.0, 1.0)
        means = tuple(mix.mean(lambda p, c=c: p.classes[c]) for c in range(k))  # type: ignore[misc]
        return means, mix.mean(lambda p: p.strength), _normal(_Mix((w, p.fraction) for w, p in mix))


def _normal(mix: _Mix[MoneyPrior]) -> NormalPrior:
    if not mix:  # nothing is known of this position at these sizes: nobody can win much more than they post
        return NormalPrior(0.0, 1.0, 10.0)
    spread, sd = mix.mean(lambda p: p.spread**2) ** 0.5, mix.mean(lambda p: p.sd**2) ** 0.5
    return NormalPrior(mix.mean(lambda p: p.mean), spread, sd)


def load_population(path: Path | str) -> Population:
    """A population file.

    Raises:
        FileError: it cannot be read or is not one.
    """
    return read_json_file(path, "population", Population)


@cache
def population() -> Population:
    """The shipped population."""
    return load_population(FILE)
