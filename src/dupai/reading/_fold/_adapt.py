"""Adaptation: a player's intervals move by how much more or less often they do something than the population.

The paper moves the lower end of the call interval by how often a player calls and folds, and gives no amounts. Here,
after the flop, every boundary ``e`` between two actions moves on the log-odds scale by the difference between the
player's frequency ``f`` and the population's ``f0``: ``logit(e') = logit(e) + logit(f) - logit(f0)``. Before the flop
the boundaries are shares of starting hands, and the paper says where they tend: a player who enters 35 % of the time
holds one of the top 35 % (eq. 5). So the default share has the weight of some opportunities, and the player's own
frequency takes over. Every frequency is shrunk towards the population's: a new player moves nothing, and their first
hand moves little.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import msgspec

from dupai.history.stats import PlayerStats
from dupai.rules import STREET_NAMES
from dupai.spots import POSITION_CLASSES

#: Largest shift of log odds: about from 10 % to 0.2 %.
MAX_SHIFT = 4.0
#: Smallest share of starting hands; the largest is 1 less this.
MIN_SHARE = 0.002

#: Statistics of first bets on a street: by the player who led the betting, and into that player.
_BETS = tuple(f"{name}-{street}" for name in ("cbet", "donk") for street in STREET_NAMES[1:])
#: Number of size classes below 0.6 pot, and of all that are not all-in.
_SMALL_CLASSES, _SIZE_CLASSES = 2, 5


class Seen(NamedTuple):
    """How often a player did something.

    Attributes:
        successes: times that they did it.
        n: opportunities.
        strength: opportunities that the population's share is worth.
    """

    successes: float = 0.0
    n: float = 0.0
    strength: float = 1.0

    def share(self, prior: float) -> float:
        """The share of hands with which they do it, shrunk towards ``prior``."""
        shrunk = (self.successes + self.strength * prior) / (self.n + self.strength)
        return min(max(shrunk, MIN_SHARE), 1.0 - MIN_SHARE) if self.n else prior


class Shifts(msgspec.Struct, frozen=True):
    """What moves a player's intervals: differences of log odds, the player's less the population's, and frequencies.

    Zeros mean that the player is read like any member of the population.

    Attributes:
        enter: log odds of entering before the flop.
        enter_at: how often they entered, by class of position.
        raised: how often they raised before the flop.
        three_bet, four_bet: how often they raised again after one raise, after two.
        stay: log odds of playing on after their raise was raised.
        fold: log odds of a fold against a call after the flop.
        bet: log odds of a bet where nobody has bet.
        raises: log odds of raising a bet.
        large: log odds of more than 0.6 of the pot among bets and raises.
    """

    enter: float = 0.0
    enter_at: tuple[Seen, ...] = (Seen(),) * len(POSITION_CLASSES)
    raised: Seen = Seen()
    three_bet: Seen = Seen()
    four_bet: Seen = Seen()
    stay: float = 0.0
    fold: float = 0.0
    bet: float = 0.0
    raises: float = 0.0
    large: float = 0.0


NONE = Shifts()


def scaled(shifts: Shifts, trust: float) -> Shifts:
    """Shifts with the weight ``trust``: log odds and opportunities are multiplied by it."""
    if trust == 1.0 or shifts is NONE:
        return shifts
    if trust == 0.0:
        return NONE

    def weighted(value: Any) -> Any:
        if isinstance(value, Seen):
            return value._replace(successes=trust * value.successes, n=trust * value.n)
        return tuple(map(weighted, value)) if isinstance(value, tuple) else trust * value

    return Shifts(**{name: weighted(getattr(shifts, name)) for name in Shifts.__struct_fields__})


def logit(p: float) -> float:
    """Log odds of ``p``."""
    p = min(max(p, 1e-9), 1 - 1e-9)
    return math.log(p / (1 - p))


def shift(successes: float, n: float, prior: float, strength: float) -> float:
    """Log odds of a rate less those of ``prior``, at most 4 either way.

    The rate is shrunk towards the prior, which is worth ``strength`` opportunities.
    """
    if not (n > 0 and strength > 0 and 0 < prior < 1):
        return 0.0
    shrunk = (successes + strength * prior) / (n + strength)
    return min(max(logit(shrunk) - logit(prior), -MAX_SHIFT), MAX_SHIFT)


class _Count(NamedTuple):
    """A statistic of a player.

    Attributes:
        n: opportunities.
        successes: how often they did it.
        population: the population's rate.
        strength: opportunities that the population's rate is worth; 0 where the situation never arises.
    """

    n: int
    successes: int
    population: float
    strength: float

    @classmethod
    def of(cls, stats: PlayerStats, name: str, position: str | None = None) -> _Count:
        return cls(*stats.counted(name, position))

    @property
    def shift(self) -> float:
        return shift(self.successes, self.n, self.population, self.strength)

    @property
    def seen(self) -> Seen:
        return Seen(self.successes, self.n, self.strength) if self.n and self.strength > 0 else Seen()


def _bets(stats: PlayerStats) -> _Count:
    """First bets on all streets together, against the bets that the population would have made at the same
    opportunities (indirect standardisation)."""
    counts = [one for one in (_Count.of(stats, name) for name in _BETS) if one.n and one.strength > 0]
    n = sum(one.n for one in counts)
    if not n:
        return _Count(0, 0, 0.5, 0.0)
    population = sum(one.n * one.population for one in counts) / n
    return _Count(n, sum(one.successes for one in counts), population, sum(one.n * one.strength for one in counts) / n)


def _fold_or_call(frequency: _Count, factor: _Count) -> float:
    """Shift of folds against calls after the flop, from two statistics of aggression.

    Args:
        frequency: its opportunities are bets, calls and folds.
        factor: its opportunities are bets and calls.
    """
    if not (frequency.strength > 0 and factor.strength > 0):
        return 0.0
    folds, calls = frequency.n - factor.n, factor.n - factor.successes
    population_calls = frequency.population * (1 - factor.population) / factor.population
    population = 1 - population_calls / (1 - frequency.population)
    return shift(folds, folds + calls, population, frequency.strength)


def _large(stats: PlayerStats) -> float:
    """Shift of bets and raises after the flop of more than 0.6 of the pot against smaller ones, without all-ins."""
    large = small = population_large = population_small = strength = 0.0
    for _, counts, shares, worth in stats.counted_sizes()[1:]:
        n = sum(counts)
        if n:
            small += sum(counts[:_SMALL_CLASSES])
            large += sum(counts[_SMALL_CLASSES:_SIZE_CLASSES])
            population_small += n * sum(shares[:_SMALL_CLASSES])
            population_large += n * sum(shares[_SMALL_CLASSES:_SIZE_CLASSES])
            strength = max(strength, worth)
    population = population_large + population_small
    return shift(large, large + small, population_large / population, strength) if population else 0.0


def player_shifts(stats: PlayerStats) -> Shifts:
    """The shifts of a player; none before their first hand."""
    if not stats.hands:
        return NONE
    count = partial(_Count.of, stats)
    aggression, bets = count("afq"), _bets(stats)
    return Shifts(
        enter=count("vpip").shift,
        enter_at=tuple(count("vpip", place).seen for place in POSITION_CLASSES),
        raised=count("pfr").seen,
        three_bet=count("3bet").seen,
        four_bet=count("4bet").seen,
        stay=-count("fold-to-3bet").shift,
        fold=_fold_or_call(aggression, count("af")),
        bet=bets.shift if bets.n else aggression.shift,
        raises=aggression.shift,
        large=_large(stats),
    )
