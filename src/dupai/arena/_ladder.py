"""Ladders: everyone against everyone, a cross table, a rating, and what is not separated yet.

One number a player, from how much everybody wins (``mbb_ratings``): ratings whose differences are as near as can be to
what each pair won from each other, by least squares in which every pair counts as much. Weights by the errors of the
pairs would depend on the results themselves, and so would what the rating is an estimate of.

Poker is not transitive, so pairs stray from these differences by more than their errors. How far is estimated without
weights, too: L. V. Hedges, "A random effects model for effect sizes", Psychological Bulletin 93 (1983), in its form for
a regression with the covariance of the pairs, which share deals at tables of more than two.

Who sits at which table depends on the numbers of players and seats alone (``ladder_tables``): a cyclic design, see
J. A. John and E. R. Williams, Cyclic and Computer Generated Designs (1995), chapter 3.

Bradley and Terry, by the MM algorithm (``bradley_terry``):
D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), section 2. A player
of strength w_i beats one of w_j with probability w_i / (w_i + w_j); ratings are 400 log10 w (Elo's scale), mean 1500.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import UNSET, UnsetType

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._format import Format, play_format, played_with
from dupai.arena._match import deals_count, match_tasks, match_values, seating_lines
from dupai.arena._results import NOTHING, MatchConfig, PlayResult, common_facts, with_times
from dupai.arena._seating import Seating, SeatingTask, play_seating
from dupai.arena._settings import StakesSettings, takes_settings
from dupai.base import ConfigError, Option, Rng, source_of
from dupai.rules import TABLE_DRAW_STREAM, TABLE_SEED_STREAM, GameSpec
from dupai.stats import Measure, mean_intervals

#: Points of Elo's scale for a factor e in strength.
ELO = 400 / math.log(10)

F64 = npt.NDArray[np.float64]


def bradley_terry(
    players: int, tables: Sequence[tuple[Sequence[int], F64]], prior: float = 1.0, rounds: int = 10_000
) -> tuple[F64, F64]:
    """Ratings ``float64[players]`` and their covariance ``float64[players, players]``, in points.

    Args:
        tables: who sat at each (numbers of players) and what they won there, ``float64[units, seats]``; in each unit
            everybody beat all who won less (equal: half). Units are independent; the comparisons within one are not,
            which the covariance takes into account (sandwich estimator by unit).
        prior: draws added to every pair that met, so that a player who never lost has a finite rating.
    """
    won = np.zeros((players, players))
    met = np.zeros((players, players), np.bool_)
    scores = []
    for seats, values in tables:
        index = np.asarray(seats)
        score = (values[:, :, None] > values[:, None, :]) + 0.5 * (values[:, :, None] == values[:, None, :])
        score[:, np.arange(len(index)), np.arange(len(index))] = 0
        scores.append((index, score))
        won[np.ix_(index, index)] += score.sum(axis=0)
        met[np.ix_(index, index)] = True
    np.fill_diagonal(met, False)
    won = won + 0.5 * prior * met
    games = won + won.T
    strength = np.ones(players)
    for _ in range(rounds):
        before = strength
        played = (games / (strength[:, None] + strength[None, :])).sum(axis=1)
        # Who has met nobody stays an average one.
        strength = np.divide(won.sum(axis=1), played, out=np.ones(players), where=played > 0)
        strength /= np.exp(np.log(strength).mean())
        if np.abs(np.log(strength / before)).max() < 1e-10:
            break
    p = strength[:, None] / (strength[:, None] + strength[None, :])
    bend = games * p * (1 - p)
    information = np.diag(bend.sum(axis=1)) - bend
    spread = np.zeros((players, players))
    for index, score in scores:
        expected = p[np.ix_(index, index)] * (1 - np.eye(len(index)))
        gradient = (score - expected).sum(axis=2)
        spread[np.ix_(index, index)] += gradient.T @ gradient
    inverse = np.linalg.pinv(information, hermitian=True)
    return 1500 + ELO * np.log(strength), ELO**2 * inverse @ spread @ inverse


def mbb_ratings(
    players: int, pairs: Sequence[tuple[int, int]], means: F64, covariance: F64 | None = None
) -> tuple[F64, F64, Straying | None]:
    """Ratings from what pairs won from each other; see the head of this module.

    Args:
        pairs: numbers of two players, each pair once.
        means: ``float64[pairs]``, what the first won from the second.
        covariance: of the means, ``float64[pairs, pairs]``; None: not known.

    Returns:
        Ratings ``float64[players]`` (of the unit of ``means``, mean 0 among those who met), the matrix
        ``float64[players, pairs]`` that makes them from ``means``, and by how much pairs stray from their differences
        (None where errors are not known or there are no more pairs than it takes).
    """
    design = np.zeros((len(pairs), players))
    for row, (a, b) in enumerate(pairs):
        design[row, a], design[row, b] = 1.0, -1.0
    solved: F64 = np.asarray(np.linalg.pinv(design), np.float64)
    rest = np.eye(len(pairs)) - design @ solved
    straying = None
    if covariance is not None and np.trace(rest) > 0.5:
        free, excess = np.diag(rest), (rest @ means) ** 2 - np.diag(rest @ covariance @ rest)
        of = np.abs(design).T
        # What rounding leaves of two equal numbers is nothing, and its root would look like something.
        excess[np.abs(excess) < 1e-12 * np.abs(means).max() ** 2] = 0.0
        straying = Straying(
            math.sqrt(max(float(excess.sum() / free.sum()), 0.0)),
            np.sqrt(np.maximum(of @ excess / np.maximum(of @ free, 1e-9), 0.0)),
        )
    return np.asarray(solved @ means), solved, straying


class Straying(NamedTuple):
    """By how much pairs stray from the differences of ratings beyond their errors, a standard deviation: all, and
    those of each player, ``float64[players]``."""

    all: float
    players: F64


#: Random starts of a search for a design, of which the best is taken.
_STARTS = 10


class LadderSettings(StakesSettings, frozen=True, kw_only=True):
    """Everyone against everyone, duplicate, stacks reset: ratings, a cross table, and what is not separated yet.

    The rating is in mbb/hand: what an agent wins from an average one of these, by least squares over all pairs, with
    its 95 % interval. Poker is not transitive: A may beat B, B beat C, and C beat A. So beside the rating stands by how
    many mbb/hand an agent's results against single opponents stray from the differences of the ratings. Look at the
    cross table before believing an order. Elo points (Bradley and Terry: who won more of a deal beat the others; mean
    1500) count how often an agent wins, not how much, and may well disagree. With --luck-reduced all figures are
    without the luck of the cards; "plain" is with it.

    Examples:

      dupai ladder rules style:TA style:LP caller --hands 500 --jobs 2

      dupai ladder rules style:LA style:LP style:TA style:TP caller --seats 6

    Attributes:
        hands: deals of a match at each table, each in all rotations.
        seats: players at a table: 2 plays all pairs, more plays the tables of :func:`ladder_tables`.
        matches: matches at each table.
    """

    arguments: ClassVar[tuple[tuple[str, str, bool], ...]] = (("agents", "Two or more agent specs.", True),)

    hands: Annotated[int, Option("Deals of a match, each in all rotations.", short="-n", low=1)] = 1000
    seats: Annotated[int | UnsetType, Option("Players at a table: 2 plays all pairs.")] = 2
    matches: Annotated[int, Option("Matches at each table (agents that learn).", short="-m", low=1)] = 1


class LadderConfig(LadderSettings, frozen=True, kw_only=True):
    """The settings once they are checked.

    Attributes:
        game: the game of a table with its stacks.
        order: in results files of 0.2, which could order by Elo; it has no effect.
        tables: who sits at each, by number; every table plays deals of its own, and has its seed from ``seed``.
    """

    game: GameSpec
    tables: tuple[tuple[int, ...], ...]
    seats: UnsetType = UNSET
    order: str | UnsetType = UNSET


class LadderRow(msgspec.Struct, frozen=True, kw_only=True):
    """One agent.

    Attributes:
        agent: its label.
        rating, rating_se, low, high: in mbb/hand with standard error and 95 % interval (None where there is none): what
            it wins from an average one of these agents, by least squares over the pairs (:func:`mbb_ratings`); mean 0.
        by_deal: as that of :class:`~dupai.stats.Measure`.
        needed: how many ``unit`` of the ladder its tables have to play at least for an interval; None: it has one.
        straying: by how many mbb/hand (a standard deviation) what it won from single opponents strays from the
            differences of the ratings, beyond the errors (None: not known).
        elo, elo_se: points from how often an agent won more of a deal than another, however much
            (Bradley and Terry; mean 1500); None where it has met nobody yet.
        mbb: won per hand, mean of its tables, without luck if the ladder is; ``plain``: with it then, else None.
        faults: how often it broke the rules.
    """

    agent: str
    rating: float
    rating_se: float | None
    low: float | None
    high: float | None
    elo: float | None
    elo_se: float | None
    mbb: Measure
    faults: int
    plain: Measure | None = None
    needed: int | None = None
    straying: float | None = None
    by_deal: tuple[float, float] | None = None

    @property
    def measure(self) -> Measure:
        """The rating with its uncertainty."""
        same = {key: getattr(self, key) for key in ("low", "high", "needed", "by_deal")}
        return Measure(mean=self.rating, se=self.rating_se, n=0, **same)


class LadderCell(msgspec.Struct, frozen=True, kw_only=True):
    """Two agents: at two seats what ``first`` won from ``second``, at more what it won more than ``second`` at the
    tables that they shared, in mbb/hand (``plain``: as :class:`LadderRow`). ``rating_z``: difference of the ratings in
    standard errors."""

    first: str
    second: str
    mbb: Measure
    rating_z: float | None
    plain: Measure | None = None


class LadderResult(PlayResult, frozen=True, kw_only=True):
    """A ladder: ``rows`` best rating first, ``cells`` one for each pair that met, better rating first.

    ``straying``: as that of a row, of all pairs; ``not_separated``: pairs whose cell's 95 % interval
    holds 0, or has none; ``unit``: what intervals count; ``met``: fewest and most tables that two agents shared.
    """

    config: LadderConfig
    pairing: str
    unit: str
    rows: tuple[LadderRow, ...]
    cells: tuple[LadderCell, ...]
    not_separated: tuple[tuple[str, str], ...]
    met: tuple[int, int]
    straying: float | None = None

    def headline(self) -> str:
        best = f"{self.rows[0].agent} first; " if self.rows else ""
        return f"{best}{len(self.rows)} agents, {PlayResult.headline(self)}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = []
        for r in self.rows:
            strays = "" if r.straying is None else f"{r.straying:,.1f}"
            rows.append(
                (
                    r.agent,
                    f"{r.rating:+,.1f}",
                    r.measure.interval_text(),
                    strays,
                    "–" if r.elo is None else f"{r.elo:,.0f}",
                    r.mbb.text(1),
                )
            )
        return ("agent", "rating", "95 % interval", "strays by", "Elo", "won, mbb/hand (± 95 %)"), rows


def ladder_tables(players: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Who sits at which table: all pairs, or a cyclic design: some tables, each moved on by one player until it comes
    round. Everybody plays as often, every two meet, and no two much more often than others.

    Raises:
        ConfigError: fewer players than seats.
    """
    if not 2 <= seats <= 10:
        raise ConfigError(f"seats = {seats}: expected 2 to 10")
    if players < seats:
        raise ConfigError(f"seats = {seats}: only {players} agents are given")
    if seats in (2, players):
        return tuple(combinations(range(players), seats))
    rng = Rng(1, players, seats, TABLE_DRAW_STREAM)
    blocks = 1
    while True:
        designs = [_even_blocks(rng, players, seats, blocks) for _ in range(_STARTS)]
        unmet, _, best = min(designs, key=lambda d: d[:2])
        if not unmet:
            return tuple(tuple(sorted((i + k) % players for i in block)) for block in best for k in range(players))
        blocks += 1


def _even_blocks(rng: Rng, players: int, seats: int, blocks: int) -> tuple[int, int, list[list[int]]]:
    """First tables of a cyclic design from a random start, improved by exchanging one player at a time: how many
    pairs of players never meet (of the first one), how uneven meetings are, and the tables."""

    def uneven(tables: list[list[int]]) -> tuple[int, int]:
        index = np.array(tables)
        apart = (index[:, :, None] - index[:, None, :]) % players
        met = np.bincount(apart.ravel(), minlength=players)[1:]
        return int((met == 0).sum()), int((met**2).sum())

    tables = []
    for _ in range(blocks):
        order = list(range(players))
        rng.shuffle(order)
        tables.append(order[:seats])
    best, before = uneven(tables), None
    while best != before:
        before = best
        for table, seat in product(tables, range(seats)):
            for other in set(range(players)) - set(table):
                mine, table[seat] = table[seat], other
                now = uneven(tables)
                if now < best:
                    best = now
                else:
                    table[seat] = mine
    return *best, tables


def _plan(agents: Sequence[AgentSource], s: LadderSettings) -> tuple[tuple[Entrant, ...], LadderConfig]:
    if len(agents) < 2:
        entrants_of(agents)
    assert isinstance(s.seats, int)
    tables = ladder_tables(len(agents), s.seats)
    spec = s.spec(s.seats)
    everybody = entrants_of(agents, betting=spec.betting, table=s.seats)
    made = {"tables": tables, "seats": UNSET}
    return everybody, LadderConfig(**msgspec.structs.asdict(s) | played_with(everybody, spec, s.key) | made)


def _tasks(everybody: Sequence[Entrant], config: LadderConfig) -> list[SeatingTask]:
    return [
        task
        for t, seats in enumerate(config.tables)
        for task in match_tasks([everybody[i] for i in seats], table_config(config, t), t)
    ]


@takes_settings(LadderSettings)
def run_ladder(agents: Sequence[AgentSource], settings: LadderSettings | None = None, **options: Any) -> LadderResult:
    """Everyone against everyone, duplicate: all pairs, or with more ``seats`` the tables of :func:`ladder_tables`.

    Args:
        agents: at least two specs or factories, as many as planned.
        settings, options: as for :func:`~dupai.arena.play_match`, of :class:`LadderSettings`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_format(LADDER, agents, settings, **options)


def table_config(config: LadderConfig, table: int) -> MatchConfig:
    """The match at one table."""
    seats = config.tables[table]
    same = {key: getattr(config, key) for key in ("game", "hands", "matches", "rules", "luck_reduced")}
    agents, labels = (tuple(names[i] for i in seats) for names in (config.agents, config.labels))
    seed = Rng(config.seed, table, 0, TABLE_SEED_STREAM).word() >> 1
    key = Rng(source_of(config), table, 0, TABLE_SEED_STREAM).state.tobytes().hex() if config.key else ""
    return MatchConfig(**same, agents=agents, labels=labels, duplicate=True, seed=seed, key=key)


class _Cross:
    """The cross table: what every pair that met won, and its ratings.

    Args:
        values: what intervals count, table by table, ``float64[units, seats]``.
        hands: hands that a unit is the mean of.
        deals: the same by deals, for those that are too few for an interval.
    """

    def __init__(self, config: LadderConfig, values: Sequence[F64], hands: int, deals: _Cross | None = None) -> None:
        n = len(config.labels)
        self._tables = [(t, v) for t, v in zip(config.tables, values, strict=True) if len(v)]
        self._two = len(config.tables[0]) == 2
        self._hands, self._deals = hands, deals
        self.pairs = [p for p in combinations(range(n), 2) if self._shared(*p)]
        self._cells = {(a, b): self._cell(a, b) for a, b in self.pairs}
        means = np.array([cell.mean for cell in self._cells.values()])
        known = bool(self._tables) and all(len(v) > 1 for _, v in self._tables)
        covariance = np.zeros((len(means), len(means)))
        for met, parts in self._parts():
            covariance[np.ix_(met, met)] += _error(parts) if known else 0.0
        self.ratings, solved, self.straying = mbb_ratings(n, self.pairs, means, covariance if known else None)
        self.measures = [self._rating(solved, i) for i in range(n)]
        if deals is not None:
            self.measures = [one.with_deals(other) for one, other in zip(self.measures, deals.measures, strict=True)]
        #: Of the ratings; 0 where errors are not known.
        self.covariance = solved @ covariance @ solved.T

    def _shared(self, a: int, b: int) -> list[tuple[tuple[int, ...], F64]]:
        return [(t, v) for t, v in self._tables if a in t and b in t]

    def _column(self, table: tuple[int, ...], values: F64, a: int, b: int) -> F64:
        mine: F64 = values[:, table.index(a)]
        return mine if self._two else mine - values[:, table.index(b)]

    def _parts(self) -> Iterator[tuple[list[int], F64]]:
        """Table by table: which pairs met there, and what it adds to the mean of each, ``float64[units, pairs]``."""
        for table, values in self._tables:
            met = [k for k, (a, b) in enumerate(self.pairs) if a in table and b in table]
            columns = [self._column(table, values, *self.pairs[k]) / self.met(*self.pairs[k]) for k in met]
            yield met, np.column_stack(columns)

    def _rating(self, solved: F64, i: int) -> Measure:
        """Rating of a player, from the tables on which it depends; ``solved`` as :func:`mbb_ratings` gives it."""
        everybody = np.roll(solved, -i, axis=0)
        tables = [(met, parts) for met, parts in self._parts() if np.abs(everybody[0, met]).max() > 1e-9]
        measures = mean_intervals((parts @ everybody[:, met].T for met, parts in tables), self._hands)
        return measures[0] if measures else NOTHING

    def _measure(self, columns: Sequence[tuple[F64, F64]]) -> Measure:
        """Mean of a column over tables; the results of all who sit there say what rare results may be missing."""
        if not columns:
            return NOTHING
        return mean_intervals((np.column_stack(pair) / len(columns) for pair in columns), self._hands)[0]

    def met(self, a: int, b: int) -> int:
        """How many tables the two share."""
        return len(self._shared(a, b))

    def cell(self, a: int, b: int) -> Measure:
        """What ``a`` won from ``b``."""
        measure = self._cells.get((a, b)) or self._cell(a, b)
        return measure if self._deals is None else measure.with_deals(self._deals.cell(a, b))

    def _cell(self, a: int, b: int) -> Measure:
        return self._measure([(self._column(t, v, a, b), v) for t, v in self._shared(a, b)])

    def player(self, i: int) -> Measure:
        """What a player won, the mean of its tables."""
        measure = self._measure([(v[:, t.index(i)], v) for t, v in self._tables if i in t])
        return measure if self._deals is None else measure.with_deals(self._deals.player(i))


def _error(parts: F64) -> F64:
    """Squared errors of the mean of rows, and their covariances."""
    return np.atleast_2d(np.cov(parts, rowvar=False)) / len(parts)


def _cross(config: LadderConfig, played: Sequence[Seating], unit_hands: int, *, by_deal: bool, reduced: bool) -> _Cross:
    """The cross table, where deals count for themselves or matches do, and then deals beside them."""
    deals = None if by_deal else _cross(config, played, 1, by_deal=True, reduced=reduced)
    return _Cross(config, _table_values(config, played, by_deal=by_deal, reduced=reduced), unit_hands, deals)


def _table_values(config: LadderConfig, played: Sequence[Seating], *, by_deal: bool, reduced: bool) -> list[F64]:
    """The independent units of the intervals, by table."""
    return [
        match_values(table_config(config, t), _in_all_seatings(played, t, len(table)), by_deal=by_deal, reduced=reduced)
        for t, table in enumerate(config.tables)
    ]


def _in_all_seatings(played: Sequence[Seating], table: int, seatings: int) -> list[Seating]:
    """What was played at a table, if any deal was in all seatings: one alone is no duplicate, and has the luck of the
    cards in it."""
    mine = [s for s in played if s.table == table]
    rotations: dict[tuple[int, int], set[int]] = defaultdict(set)
    for s in mine:
        # One that was stopped before its first hand is none.
        if len(s.payoffs):
            rotations[s.match, s.start].add(s.rotation)
    return mine if any(len(some) == seatings for some in rotations.values()) else []


def ladder_result(config: LadderConfig, played: Sequence[Seating], everybody: Sequence[Entrant]) -> LadderResult:
    """The result of the work done so far."""
    n, seats = len(everybody), len(config.tables[0])
    by_deal = deals_count(everybody, config)
    hands = sum(len(s.payoffs) for s in played)
    values = _table_values(config, played, by_deal=by_deal, reduced=config.luck_reduced)
    # Faults may have ended matches early: their mean length.
    unit_hands = 1 if by_deal else min(config.hands * seats, hands // max(sum(map(len, values)), 1))
    cross = _cross(config, played, unit_hands, by_deal=by_deal, reduced=config.luck_reduced)
    plain = _cross(config, played, unit_hands, by_deal=by_deal, reduced=False) if config.luck_reduced else None
    # A table that has not played is no meeting.
    met_at = [(table, units) for table, units in zip(config.tables, values, strict=True) if len(units)]
    elo, elo_covariance = bradley_terry(n, met_at)
    rated = {i for pair in cross.pairs for i in pair}
    # Who has met nobody yet comes last, without an error.
    order = sorted(range(n), key=lambda i: (i not in rated, -cross.ratings[i], i))
    faults = [
        sum(s.fault_counts[config.tables[s.table].index(i)] for s in played if i in config.tables[s.table])
        for i in range(n)
    ]
    rows = []
    for i in order:
        measure = cross.measures[i]
        rows.append(
            LadderRow(
                agent=config.labels[i],
                rating=float(cross.ratings[i]),
                rating_se=measure.se,
                **{key: getattr(measure, key) for key in ("low", "high", "needed", "by_deal")},
                straying=None if cross.straying is None else float(cross.straying.players[i]),
                elo=float(elo[i]) if i in rated else None,
                elo_se=math.sqrt(max(float(elo_covariance[i, i]), 0.0)) if i in rated else None,
                mbb=cross.player(i),
                faults=faults[i],
                plain=None if plain is None else plain.player(i),
            )
        )
    cells, close = [], []
    for a, b in combinations(order, 2):
        cell = cross.cell(a, b)
        spread = float(cross.covariance[a, a] + cross.covariance[b, b] - 2 * cross.covariance[a, b])
        known = spread > 0 and a in rated and b in rated
        z = float(cross.ratings[a] - cross.ratings[b]) / math.sqrt(spread) if known else None
        first, second = config.labels[a], config.labels[b]
        cells.append(
            LadderCell(
                first=first, second=second, mbb=cell, rating_z=z, plain=None if plain is None else plain.cell(a, b)
            )
        )
        if cell.low is None or cell.high is None or cell.low <= 0 <= cell.high:
            close.append((first, second))
    met = [cross.met(a, b) for a, b in combinations(range(n), 2)]
    tables = f"{len(config.tables)} tables of {seats} by a balanced design"
    if len(config.tables) == 1 or seats == 2:
        tables = "every pair" if seats == 2 else f"one table of {seats}"
    result = LadderResult(
        **common_facts(config, everybody, played),
        pairing=f"{tables}, every deal in {'both seatings' if seats == 2 else f'all {seats} rotations'} (duplicate)",
        unit="deal" if by_deal else "match",
        hands=hands,
        rows=tuple(rows),
        cells=tuple(cells),
        not_separated=tuple(close),
        met=(min(met), max(met)),
        straying=None if cross.straying is None else cross.straying.all,
        # Units and not hands: a match that a fault has ended is played.
        partial=len(played) < len(_tasks(everybody, config)) or not all(s.complete for s in played),
    )
    return with_times(result, {e.label: [c for s in played for c in _times_of(s, e.label)] for e in everybody})


def _times_of(seating: Seating, label: str) -> list[dict[int, int]]:
    return [counts for name, counts in zip(seating.agents, seating.times, strict=False) if name == label]


LADDER = Format(
    "ladder", LadderSettings, LadderConfig, LadderResult, Seating,
    work=play_seating, plan=_plan, tasks=_tasks, summary=ladder_result, lines=seating_lines,
    hands=lambda config: config.hands * config.matches * len(config.tables[0]) * len(config.tables),
)  # fmt: skip
