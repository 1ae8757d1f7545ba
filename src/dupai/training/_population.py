"""Fits the population of players of some hands: the priors of their rates, bet sizes and results.

Rates: a Beta prior for each table size, class of position and statistic, by maximum likelihood of the beta-binomial
distribution over players (each player counts once, however many hands they have; players of more than ``CAP``
opportunities are scaled down to that). Hands of players without names contribute to the mean only: each opportunity
counts as that of another player. Where fewer than ``ENOUGH`` players have ten opportunities, the mean is drawn towards
that of all positions (and that towards all sizes), which count for ``BORROWED`` opportunities, and the strength is
theirs. Strengths stay between ``WEAKEST`` and ``STRONGEST``, so that no prior is worth more than a few hundred
opportunities.

Mean fractions: DerSimonian and Laird's moments over players with 10 bets: mean, spread between players, standard
deviation of one bet. Results: the mean is that of all hands (what the rake leaves: chips are conserved), by position
too, both drawn towards all sizes, which count for ``BORROWED_HANDS``; the spread is that of moments over players with
50 hands, the same for all positions.

``tools/population.py`` makes the file that ships.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64, I64
from dupai.history import stats
from dupai.rules import HandRecord
from dupai.spots import POSITION_CLASSES

LEFT_OUT = frozenset({"LBR"})
ENOUGH = 8
CAP = 2000
BORROWED = 20.0
BORROWED_HANDS = 5_000
WEAKEST, STRONGEST = 2.0, 200.0
#: Players' true results differ by at least so many big blinds per hand (moments of such noisy data cannot show it).
MIN_SPREAD = 0.05
_GOLD = (5**0.5 - 1) / 2


def _highest(f: Callable[[float], float], low: float, high: float, steps: int = 28) -> float:
    """The maximum of a function with a single one (golden section)."""
    a, b = high - _GOLD * (high - low), low + _GOLD * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(steps):
        if fa < fb:
            low, a, fa = a, b, fb
            b = low + _GOLD * (high - low)
            fb = f(b)
        else:
            high, b, fb = b, a, fa
            a = high - _GOLD * (high - low)
            fa = f(a)
    return (low + high) / 2


def fit_beta(successes: I64, trials: I64, single: tuple[int, int] = (0, 0)) -> tuple[float, float]:
    """``(mean, strength)`` of the Beta distribution of players' rates, by maximum likelihood.

    The beta-binomial log-likelihood is a sum of log(a + j), log(b + j), log(a + b + j) over j below successes, failures
    and trials: counted once for each j. ``single``: successes and number of further trials, each of another player.
    """
    scale = CAP / np.maximum(trials, CAP)
    hits, n = np.rint(successes * scale).astype(np.int64), np.minimum(trials, CAP)

    def above(counts: I64) -> F64:
        """How many players have more than j, for j = 0, 1, ..."""
        top = int(counts.max(initial=0))
        return (len(counts) - np.cumsum(np.bincount(counts, minlength=top + 1))[:top]).astype(float)

    hit, miss, both = above(hits), above(n - hits), above(n)
    jh, jm, jb = np.arange(len(hit)), np.arange(len(miss)), np.arange(len(both))
    s1, n1 = single

    def likelihood(mean: float, strength: float) -> float:
        a, b = mean * strength, (1.0 - mean) * strength
        value = hit @ np.log(a + jh) + miss @ np.log(b + jm) - both @ np.log(strength + jb)
        return float(value + s1 * np.log(mean) + (n1 - s1) * np.log(1.0 - mean))

    def best_mean(log_strength: float) -> float:
        k = float(np.exp(log_strength))
        x = _highest(lambda x: likelihood(1.0 / (1.0 + np.exp(-x)), k), -9.0, 9.0)
        return float(1.0 / (1.0 + np.exp(-x)))

    def profile(log_strength: float) -> float:
        return likelihood(best_mean(log_strength), float(np.exp(log_strength)))

    best = _highest(profile, float(np.log(WEAKEST)), float(np.log(STRONGEST)), 16)
    return best_mean(best), float(np.exp(best))


def _rate(column: I64, parent: stats.RatePrior | None) -> stats.RatePrior | None:
    """The prior of one cell from ``int64[players + 1, 2]``, the last row that of unnamed players; None where nothing
    was ever counted."""
    n, s = column[:-1].T
    have = n > 0
    whole, hits = column.sum(axis=0).tolist()
    players = int(have.sum())
    if int((n >= 10).sum()) >= ENOUGH or (parent is None and whole):
        mean, strength = fit_beta(s[have], n[have], (int(column[-1, 1]), int(column[-1, 0])))
    elif parent is not None:
        mean, strength = (hits + BORROWED * parent.mean) / (whole + BORROWED), parent.strength
    else:
        return None
    return stats.RatePrior(round(mean, 5), round(strength, 2), players, whole)


def _rates(
    rates: I64, hands: int, parents: dict[str, stats.RatePrior], parent_hands: int
) -> dict[str, stats.RatePrior]:
    """The priors of all statistics at one kind of table or position, from ``int64[players + 1, statistics, 2]``.

    Left out is what does not arise there: less than 1 % of the opportunities that the ``hands`` would give among the
    ``parent_hands`` (straddles and missing blinds make a few where the rules know none).
    """
    priors = {}
    for d, row in enumerate(stats.DEFINITIONS):
        parent = parents.get(row.name)
        if parent is None:
            continue
        expected = parent.n * hands / parent_hands
        if expected >= 20 and int(rates[:, d, 0].sum()) < 0.01 * expected:
            continue
        prior = _rate(rates[:, d], parent)
        if prior is not None:
            priors[row.name] = prior
    return priors


def _moments(n: I64, total: F64, squares: F64, least: int, floor: float) -> stats.MoneyPrior:
    """DerSimonian and Laird: mean, spread and standard deviation of one observation."""
    enough = n >= least
    if int(enough.sum()) < 2:
        whole = max(int(n.sum()), 1)
        mean = float(total.sum()) / whole
        var = max(float(squares.sum()) / whole - mean * mean, 0.0)
        return stats.MoneyPrior(
            round(mean, 5), floor * 2, round(max(var**0.5, floor), 5), int((n > 0).sum()), int(n.sum())
        )
    n, total, squares = n[enough], total[enough], squares[enough]
    means = total / n
    within = max(float((squares - total * means).sum() / max(int((n - 1).sum()), 1)), floor**2)
    weight = n / within
    centre = float((weight * means).sum() / weight.sum())
    q = float((weight * (means - centre) ** 2).sum())
    size = float(weight.sum() - (weight**2).sum() / weight.sum())
    spread2 = max((q - (len(n) - 1)) / size, floor**2) if size > 0 else floor**2
    weight = 1.0 / (within / n + spread2)
    centre = float((weight * means).sum() / weight.sum())
    return stats.MoneyPrior(
        round(centre, 5), round(float(spread2**0.5), 5), round(float(within**0.5), 5), len(n), int(n.sum())
    )


def _result(counts: I64, near: stats.MoneyPrior | None, spread: stats.MoneyPrior | None) -> stats.MoneyPrior:
    """Results per hand from ``int64[players + 1, 3]``, the last row that of unnamed players; the mean is drawn towards
    that of ``near``. ``spread`` gives the differences between players where too few players show them, and always for a
    position (whose ``near`` is another prior)."""
    n, total, squares = counts[:, 0], counts[:, 1] / 1e6, counts[:, 2] / 1e6
    hands = int(n.sum())
    mean = (float(total.sum()) + (BORROWED_HANDS * near.mean if near else 0.0)) / (
        hands + (BORROWED_HANDS if near else 0)
    )
    sd = max(float(squares.sum()) / max(hands, 1) - mean * mean, MIN_SPREAD**2) ** 0.5
    enough = int((n[:-1] >= 50).sum())
    if spread is not None and (spread is not near or enough < ENOUGH):
        width = spread.spread
    else:
        width = _moments(n[:-1], total[:-1], squares[:-1], 50, MIN_SPREAD).spread
    return stats.MoneyPrior(round(mean, 5), width, round(sd, 5), int((n[:-1] > 0).sum()), hands)


def _size_prior(counts: I64, parent: stats.SizePrior | None) -> stats.SizePrior | None:
    """Bet sizes of one group from its counters ``int64[players, classes + 2]``."""
    k = len(stats.SIZE_CLASSES)
    n = counts[:, :k].sum(axis=1)
    have = n > 0
    if parent is not None and int((n >= 10).sum()) < ENOUGH:
        means = counts[:, :k].sum(axis=0) + BORROWED * np.array(parent.classes)
        strength, fraction = parent.strength, parent.fraction
    elif not have.any():
        return None
    else:
        fits = [fit_beta(counts[have, c], n[have]) for c in range(k)]
        means = np.array([m for m, _ in fits])
        # One strength for all classes: the geometric mean, frequent classes weighing more.
        shares = (means / means.sum()).tolist()
        strength = round(float(np.exp(sum(m * np.log(s) for m, (_, s) in zip(shares, fits, strict=True)))), 2)
        fraction = _moments(n - counts[:, k - 1], counts[:, k] / 1e3, counts[:, k + 1] / 1e6, 10, 0.05)
    means = means / means.sum()
    return stats.SizePrior(tuple(round(float(m), 5) for m in means), strength, fraction)


def fit_population(table: stats.StatsTable, about: dict[str, Any]) -> stats.Population:
    """Priors from the counters of everybody."""
    named = [name for name, _ in table.players() if name != stats.UNNAMED]
    counts = [table.player(name).counts for name in named]
    unnamed = stats.UNNAMED in (name for name, _ in table.players())
    counts.append(table.player(stats.UNNAMED).counts if unnamed else np.zeros_like(counts[0]))
    # [players + 1, sizes, positions, ...], the last "player" being everybody without a name.
    cells = np.stack(counts).reshape(len(counts), len(stats.TABLE_SIZES), len(POSITION_CLASSES), -1)
    world = stats.split_counters(cells.sum(axis=(1, 2)))
    world_rates = {row.name: r for d, row in enumerate(stats.DEFINITIONS) if (r := _rate(world.rates[:, d], None))}
    world_result = _result(world.money, None, None)
    world_hands = int(world.money[:, 0].sum())
    rates: dict[str, dict[str, dict[str, stats.RatePrior]]] = {}
    results: dict[str, dict[str, stats.MoneyPrior]] = {}
    bets: dict[str, dict[str, stats.SizePrior]] = {}
    for i, size in enumerate(map(str, stats.TABLE_SIZES)):
        whole = stats.split_counters(cells[:, i].sum(axis=1))
        hands = int(whole.money[:, 0].sum())
        rates[size] = {stats.ALL_POSITIONS: _rates(whole.rates, hands, world_rates, world_hands)}
        result = _result(whole.money, world_result, world_result)
        results[size] = {stats.ALL_POSITIONS: result}
        for p, place in enumerate(POSITION_CLASSES):
            here = stats.split_counters(cells[:, i, p])
            seen = int(here.money[:, 0].sum())
            if seen:
                anywhere = _result(stats.split_counters(cells[:, :, p].sum(axis=1)).money, None, None)
                results[size][place] = _result(here.money, anywhere, result)
                rates[size][place] = _rates(here.rates, seen, rates[size][stats.ALL_POSITIONS], hands)
        bets[size] = {}
        for g, group in enumerate(stats.SIZE_GROUPS):
            prior = _size_prior(whole.bets[:-1, g], _size_prior(world.bets[:-1, g], None))
            if prior is not None:
                bets[size][group] = prior
    return stats.Population(about=about, rates=rates, results=results, bets=bets)


def learn_population(records: Iterable[HandRecord], about: dict[str, Any]) -> stats.Population:
    """The priors of the players of these hands, fitted as the shipped ones are (without the programs of ``LEFT_OUT``).

    Args:
        records: The hands, of one betting structure.
        about: Kept with the population: what it was made of.

    Raises:
        ConfigError: there are no hands.
    """
    table = stats.StatsTable()
    used = (r for r in records if LEFT_OUT.isdisjoint(r.names))
    while batch := list(islice(used, 2000)):
        table.add(stats.batch_of(batch))
    if not table.hands:
        raise ConfigError("no hands to learn a population of players from")
    return fit_population(table, about)
