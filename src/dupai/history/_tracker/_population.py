"""The population: what players do at tables of 2, 3, 6 and 9, as priors of every statistic.

The shipped file is made by ``python -m dupai.history._tracker._fit FOLDER`` and holds no names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from dupai.base import ConfigError
from dupai.history._tracker._facts import SIZE_CLASSES
from dupai.history._tracker._shrink import BetaPrior, NormalPrior
from dupai.rules import HandRecord

#: Table sizes that have priors of their own.
SIZES = (2, 3, 6, 9)
#: The shipped population.
FILE = Path(__file__).with_name("population.json")
#: Key of all positions together.
ALL = "all"


def size_class(players: int) -> int:
    """The size of :data:`SIZES` nearest to a number of players (4 goes with 3; 5 and 7 with 6; from 8 on with 9)."""
    return min(SIZES, key=lambda size: (abs(size - players), size))


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


class Population(msgspec.Struct, frozen=True, kw_only=True):
    """Priors by table size (text of a number of :data:`SIZES`), class of position (or ``all``) and statistic.

    A statistic without an entry never arose there. ``about`` says what the file was made of.
    """

    about: dict[str, Any]
    rates: dict[str, dict[str, dict[str, RatePrior]]]
    results: dict[str, dict[str, MoneyPrior]]
    bets: dict[str, dict[str, SizePrior]]

    def rate(self, name: str, weights: Iterable[tuple[int, float]], position: str | None) -> BetaPrior | None:
        """The prior of a rate for a mix of table sizes (weights add up to 1); None where it never arose."""
        found = []
        for size, weight in weights:
            prior = self.rates[str(size)].get(position or ALL, {}).get(name)
            if prior is not None:
                found.append((weight, prior))
        whole = sum(w for w, _ in found)
        if whole <= 0.0:
            return None
        return BetaPrior(sum(w * p.mean for w, p in found) / whole, sum(w * p.strength for w, p in found) / whole)

    def money(self, weights: Iterable[tuple[int, float]], position: str | None) -> NormalPrior:
        """The prior of results in big blinds per hand for a mix of table sizes."""
        found = [(w, p) for size, w in weights if (p := self.results[str(size)].get(position or ALL)) is not None]
        return _mixed(found)

    def sizes(self, group: str, weights: Iterable[tuple[int, float]]) -> tuple[tuple[float, ...], float, NormalPrior]:
        """Means of the classes, their strength, and the prior of the fraction, for a mix of table sizes."""
        found = [(w, p) for size, w in weights if (p := self.bets[str(size)].get(group)) is not None]
        whole = sum(w for w, _ in found)
        if whole <= 0.0:
            k = len(SIZE_CLASSES)
            return (1.0 / k,) * k, float(k), NormalPrior(0.7, 1.0, 1.0)
        means = tuple(sum(w * p.classes[c] for w, p in found) / whole for c in range(len(SIZE_CLASSES)))
        strength = sum(w * p.strength for w, p in found) / whole
        return means, strength, _mixed([(w, p.fraction) for w, p in found])


def _mixed(found: list[tuple[float, MoneyPrior]]) -> NormalPrior:
    whole = sum(w for w, _ in found)
    if whole <= 0.0:  # nothing known of this position at these sizes: nobody can win much more than he posts
        return NormalPrior(0.0, 1.0, 10.0)
    mean = sum(w * p.mean for w, p in found) / whole
    spread = (sum(w * p.spread**2 for w, p in found) / whole) ** 0.5
    return NormalPrior(mean, spread, (sum(w * p.sd**2 for w, p in found) / whole) ** 0.5)


def load_population(path: Path | str) -> Population:
    """A population file.

    Raises:
        ConfigError: it cannot be read or is none.
    """
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Population)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{path}: is no population of players: {error}") from None


def learn_population(records: Iterable[HandRecord], about: dict[str, Any]) -> Population:
    """The priors of the players of these hands, fitted as the shipped ones are (those whose play is no population's are
    left out).

    Args:
        records: The hands, of one betting structure.
        about: Kept with the population: what it was made of.
    """
    # These count players, for which they need this module.
    from dupai.history._tracker._batch import batch_of
    from dupai.history._tracker._fit import LEFT_OUT, fit_population
    from dupai.history._tracker._stats import StatsTable

    table = StatsTable()
    told = (r for r in records if LEFT_OUT.isdisjoint(r.names))
    while batch := list(islice(told, 2000)):
        table.add(batch_of(batch))
    if not table.hands:
        raise ConfigError("no hands to learn a population of players from")
    return fit_population(table, about)


@cache
def population() -> Population:
    """The shipped population."""
    return load_population(FILE)
