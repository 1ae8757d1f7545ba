"""Adaptation: how far a player's intervals move, by what they do more or less often than the population.

The paper moves the lower end of the call interval by how often a player calls and folds, and gives no amounts. Here,
after the flop, every boundary between two actions moves on the log-odds scale by as much as the log odds of the
player's frequency differ from those of the population: ``logit(e') = logit(e) + logit(f) - logit(f0)``. Before the flop
the boundaries are shares of starting hands, and the paper says what they tend to: a player who enters 35 % of the
time holds one of the top 35 % (eq. 5). So the default share counts for some opportunities, and the player's own
frequency takes over. Everything is shrunk: a player never seen before moves nothing, and their first hand moves little.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import msgspec

from dupai.history import PlayerStats
from dupai.rules import STREET_NAMES
from dupai.spots import POSITION_CLASSES

#: Log odds beyond this are not believed: 0.2 % against 10 %.
MOST = 4.0
#: No share of starting hands is believed to be less than this, or less than this from all.
LEAST = 0.002

#: Opportunities to bet where nobody has: by the player who led the betting, and into them.
_BETS = tuple(f"{name}-{street}" for name in ("cbet", "donk") for street in STREET_NAMES[1:])
#: Of the classes of bet sizes that statistics count, so many lie below 0.6 of the pot, and so many are not all-ins.
_SMALL, _SIZED = 2, 5


class Seen(NamedTuple):
    """How often something was done, and how many opportunities a prior counts for."""

    successes: float = 0.0
    n: float = 0.0
    strength: float = 1.0

    def share(self, prior: float) -> float:
        """The share of hands that it is done with, shrunk towards ``prior``."""
        shrunk = (self.successes + self.strength * prior) / (self.n + self.strength)
        return min(max(shrunk, LEAST), 1.0 - LEAST) if self.n else prior


class Shifts(msgspec.Struct, frozen=True):
    """What moves a player's intervals; 0 and nothing seen: the player is read as anybody.

    Attributes:
        enter: before the flop, log odds of entering, the player's less the population's; ``enter_at``: how often they
            entered, by class of position; ``raised``: how often they raised; ``three_bet``, ``four_bet``: once more
            after one raise, after two; ``stay``: log odds of playing on after their raise was raised.
        fold: after the flop, log odds: folds rather than calls. ``bet``: bets where nobody has. ``raises``: raises a
            bet. ``large``: of bets and raises, those of more than 0.6 of the pot.
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
    """Shifts that count for a share of what they are: log odds by so much less, opportunities so many fewer."""
    if trust == 1.0 or shifts is NONE:
        return shifts
    if trust == 0.0:
        return NONE

    def less(value: Any) -> Any:
        if isinstance(value, Seen):
            return value._replace(successes=trust * value.successes, n=trust * value.n)
        return tuple(map(less, value)) if isinstance(value, tuple) else trust * value

    return Shifts(**{name: less(getattr(shifts, name)) for name in Shifts.__struct_fields__})


def logit(p: float) -> float:
    """Log odds of ``p``."""
    p = min(max(p, 1e-9), 1 - 1e-9)
    return math.log(p / (1 - p))


def shift(successes: float, n: float, prior: float, strength: float) -> float:
    """How far the log odds of a rate, shrunk towards ``prior`` worth ``strength`` opportunities, lie from the prior's;
    within ±4."""
    if not (n > 0 and strength > 0 and 0 < prior < 1):
        return 0.0
    shrunk = (successes + strength * prior) / (n + strength)
    return min(max(logit(shrunk) - logit(prior), -MOST), MOST)


class _Count(NamedTuple):
    """Opportunities, successes, the population's rate, and what that is worth (0: it never arises)."""

    n: int
    successes: int
    usual: float
    strength: float

    @property
    def shift(self) -> float:
        return shift(self.successes, self.n, self.usual, self.strength)

    @property
    def seen(self) -> Seen:
        return Seen(self.successes, self.n, self.strength) if self.n and self.strength > 0 else Seen()


def _bets(stats: PlayerStats) -> _Count:
    """Statistics of betting taken together: bets against those that the population would have made at the same
    opportunities (indirect standardisation)."""
    counts = [one for one in (_Count(*stats.counted(name)) for name in _BETS) if one.n and one.strength > 0]
    n = sum(one.n for one in counts)
    if not n:
        return _Count(0, 0, 0.5, 0.0)
    usual = sum(one.n * one.usual for one in counts) / n
    return _Count(n, sum(one.successes for one in counts), usual, sum(one.n * one.strength for one in counts) / n)


def _fold_or_call(frequency: _Count, factor: _Count) -> float:
    """Folds against calls after the flop. The aggression statistics hold both: *frequency* counts bets, calls and
    folds, *factor* bets and calls."""
    if not (frequency.strength > 0 and factor.strength > 0):
        return 0.0
    folds, calls = frequency.n - factor.n, factor.n - factor.successes
    usual_calls = frequency.usual * (1 - factor.usual) / factor.usual
    usual = 1 - usual_calls / (1 - frequency.usual)
    return shift(folds, folds + calls, usual, frequency.strength)


def _large(stats: PlayerStats) -> float:
    """Bets and raises after the flop of more than 0.6 of the pot against smaller ones (all-ins left out)."""
    large = small = usual_large = usual_small = strength = 0.0
    for _, counts, usual, worth in stats.counted_sizes()[1:]:
        n = sum(counts)
        if n:
            small += sum(counts[:_SMALL])
            large += sum(counts[_SMALL:_SIZED])
            usual_small += n * sum(usual[:_SMALL])
            usual_large += n * sum(usual[_SMALL:_SIZED])
            strength = max(strength, worth)
    if not usual_large + usual_small:
        return 0.0
    return shift(large, large + small, usual_large / (usual_large + usual_small), strength)


def player_shifts(stats: PlayerStats) -> Shifts:
    """What moves a player's intervals; nothing before their first hand."""
    if not stats.hands:
        return NONE

    def count(name: str, position: str | None = None) -> _Count:
        return _Count(*stats.counted(name, position))

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
