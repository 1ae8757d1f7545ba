"""Ladders: everyone against everyone, a cross table, a rating, and what is not separated yet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import Fault, TableRules
from dupai.arena._match import match_game, match_tasks
from dupai.arena._match_result import match_values
from dupai.arena._ratings import F64, bradley_terry, mbb_ratings
from dupai.arena._results import MatchConfig, Measure, versions
from dupai.arena._seating import Seating, SeatingTask, play_seating
from dupai.arena._store import Store, run_logged
from dupai.arena._tournament import MAX_SEED, check_count
from dupai.base import Z95, ConfigError, NoProgress, Progress, Rng
from dupai.jobs import Backend, LocalBackend
from dupai.rules import TABLE_DRAW_STREAM, TABLE_SEED_STREAM, GameSpec

#: Tables drawn of which the best is taken.
_DRAWS = 20

Order = Literal["mbb", "elo"]
IntArray = npt.NDArray[np.int64]


class LadderConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder.

    Attributes:
        agents, labels: specs, and their names in this ladder.
        game: the game of a table with its stacks, reset every hand.
        tables: who sits at each, by number; every table plays deals of its own in all rotations.
        hands, matches: deals of a match, and matches at each table.
        seed: the seed of a table is drawn from it.
        rules: of faults and clocks.
        order: the rating that the order goes by, ``"mbb"`` or ``"elo"`` (see :class:`LadderRow`).
        luck_reduced: everything is of hands without their luck; plain means stand beside.
    """

    agents: tuple[str, ...]
    labels: tuple[str, ...]
    game: GameSpec
    tables: tuple[tuple[int, ...], ...]
    hands: int
    matches: int = 1
    seed: int = 0
    rules: TableRules = TableRules()
    order: Order = "mbb"
    luck_reduced: bool = False


class LadderRow(msgspec.Struct, frozen=True, kw_only=True):
    """One agent.

    Attributes:
        agent: its label.
        rating, rating_se, low, high: in mbb/hand with standard error and 95 % interval (0 where there is none): what it
            wins from an average one of these agents, by least squares over the pairs (:func:`mbb_ratings`); mean 0.
        elo, elo_se: points from who won more of each deal (Bradley and Terry; mean 1500), however much it was.
        mbb: won per hand, mean of its tables, without luck if the ladder is; ``plain``: with it then, else None.
        faults: how often it broke the rules.
    """

    agent: str
    rating: float
    rating_se: float
    low: float
    high: float
    elo: float
    elo_se: float
    mbb: Measure
    faults: int
    plain: Measure | None = None


class LadderCell(msgspec.Struct, frozen=True, kw_only=True):
    """Two agents: at two seats what ``first`` won from ``second``, at more what it won more than ``second`` at the
    tables that they shared, in mbb/hand (``plain``: as :class:`LadderRow`). ``rating_z``: difference of the ratings in
    standard errors."""

    first: str
    second: str
    mbb: Measure
    rating_z: float | None
    plain: Measure | None = None


class LadderResult(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder: ``rows`` best rating first, ``cells`` one for each pair that met, better rating first.

    ``straying``: by how many mbb/hand (a standard deviation) pairs stray from the differences of the ratings beyond
    their errors, because poker is not transitive (None: not known); ``not_separated``: pairs whose cell's 95 % interval
    holds 0, or has none; ``unit``: what intervals count; ``met``: fewest and most tables that two agents shared.
    """

    config: LadderConfig
    seed: int
    versions: dict[str, str]
    pairing: str
    unit: str
    hands: int
    rows: tuple[LadderRow, ...]
    cells: tuple[LadderCell, ...]
    not_separated: tuple[tuple[str, str], ...]
    met: tuple[int, int]
    straying: float | None = None
    partial: bool = False
    faults: tuple[Fault, ...] = ()
    reproducible: bool = True


def ladder_tables(players: int, seats: int, seed: int = 0) -> tuple[tuple[int, ...], ...]:
    """Who sits at which table: all pairs, or tables drawn until every two have met and all have played as often.

    Each table is the best of some drawn ones: who has played least sits down, then those who have met them least.

    Raises:
        ConfigError: fewer players than seats.
    """
    if not 2 <= seats <= 10:
        raise ConfigError(f"seats = {seats}: expected 2 to 10")
    if players < seats:
        raise ConfigError(f"seats = {seats}: only {players} agents are given")
    if seats in (2, players):
        return tuple(combinations(range(players), seats))
    met = np.zeros((players, players), np.int64)
    played = np.zeros(players, np.int64)
    rng = Rng(seed, 0, 0, TABLE_DRAW_STREAM)
    tables: list[tuple[int, ...]] = []
    while not tables or played.min() < played.max() or met[np.triu_indices(players, 1)].min() == 0:
        found = [_drawn_table(rng, seats, met, played) for _ in range(_DRAWS)]
        behind = (played - played.min()) ** 2
        table = min(found, key=lambda t: int((met[np.ix_(t, t)] ** 2).sum() + 2 * behind[t].sum()))
        for i, j in combinations(table, 2):
            met[i, j] += 1
            met[j, i] += 1
        played[table] += 1
        tables.append(tuple(sorted(table)))
    return _balanced([set(t) for t in tables], met)


def _balanced(tables: list[set[int]], met: IntArray) -> tuple[tuple[int, ...], ...]:
    """The tables after exchanges of two players that even out how often two meet (``met`` is brought along)."""

    def change(i: int, old: set[int], new: set[int]) -> int:
        """What the sum of squared meetings changes by when ``i`` leaves ``old`` for ``new``."""
        return sum(1 - 2 * int(met[i, j]) for j in old) + sum(1 + 2 * int(met[i, j]) for j in new)

    moved = True
    while moved:
        moved = False
        for one, two in combinations(tables, 2):
            for a, b in product(sorted(one - two), sorted(two - one)):
                if a not in one or b not in two or a in two or b in one:
                    continue
                mine, others = one - {a}, two - {b}
                left, joined = mine - others, others - mine
                if any(met[a, j] == 1 for j in left) or any(met[b, j] == 1 for j in joined):
                    continue
                if change(a, left, joined) + change(b, joined, left) < 0:
                    for i, old, new in ((a, left, joined), (b, joined, left)):
                        for group, by in ((old, -1), (new, 1)):
                            for j in group:
                                met[i, j] += by
                                met[j, i] += by
                    one ^= {a, b}
                    two ^= {a, b}
                    moved = True
    return tuple(tuple(sorted(t)) for t in tables)


def _drawn_table(rng: Rng, seats: int, met: IntArray, played: IntArray) -> list[int]:
    order = list(range(len(played)))
    rng.shuffle(order)
    table = [min(order, key=lambda i: int(played[i]))]
    while len(table) < seats:
        free = [i for i in order if i not in table]
        table.append(min(free, key=lambda i: int((met[i, table] ** 2).sum() + (played[i] - played.min()) ** 2)))
    return table


def run_ladder(
    agents: Sequence[AgentSource],
    *,
    hands: int = 1000,
    seats: int = 2,
    matches: int = 1,
    seed: int = 0,
    blinds: Sequence[int] = (50, 100),
    stack: int = 20_000,
    game: str | GameSpec | None = None,
    rules: TableRules | None = None,
    order: Order = "mbb",
    luck_reduced: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    backend: Backend | None = None,
    store: Store | None = None,
) -> LadderResult:
    """Everyone against everyone, duplicate: all pairs, or with more ``seats`` tables as :func:`ladder_tables` draws
    them.

    Args:
        agents: at least two specs or factories, as many as wanted.
        hands: deals of a match at each table, each in all rotations; ``matches`` of them.
        order: which rating the order goes by: ``"mbb"`` (how much everybody wins) or ``"elo"`` (how often).
        luck_reduced: as for :func:`dupai.arena.play_match`; everything is then of hands without their luck.
        seed, blinds, stack, game, rules, jobs, progress, backend, store: as for :func:`dupai.arena.play_match`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    check_count("hands", hands, 1)
    check_count("matches", matches, 1)
    check_count("seed", seed, 0, MAX_SEED)
    if order not in ("mbb", "elo"):
        raise ConfigError(f"order = {order!r}: expected 'mbb' or 'elo'")
    if len(agents) < 2:
        entrants_of(agents)
    tables = ladder_tables(len(agents), seats, seed)
    spec = match_game(seats, game, blinds, stack)
    everybody = _entrants(agents, seats, spec.betting)
    config = LadderConfig(
        agents=tuple(e.spec for e in everybody),
        labels=tuple(e.label for e in everybody),
        game=spec,
        tables=tables,
        hands=hands,
        matches=matches,
        seed=seed,
        rules=rules or TableRules(),
        order=order,
        luck_reduced=luck_reduced,
    )
    plans = [table_config(config, t) for t in range(len(tables))]
    tasks = [task for t, plan in enumerate(plans) for task in match_tasks([everybody[i] for i in tables[t]], plan, t)]
    shown = progress or NoProgress()
    total = hands * matches * seats * len(tables)

    def tick(done: float, played: int) -> bool:
        shown.report(played, total, f"{played:,} hands")
        return not shown.cancelled

    log = store.log("ladder", config, len(tasks)) if store is not None else None
    found: dict[int, Seating] = run_logged(backend or LocalBackend(jobs), play_seating, tasks, tick, log, Seating)
    result = ladder_result(config, everybody, [(tasks[i], found[i]) for i in sorted(found)])
    if log is not None and not result.partial:
        log.finish(result)
    return result


def _entrants(agents: Sequence[AgentSource], seats: int, betting: str) -> tuple[Entrant, ...]:
    """As many as there are, each fit for a table of ``seats``."""
    from dupai.arena._entrants import _name_of, labels_of

    labels = labels_of([_name_of(a) for a in agents])
    return tuple(
        replace(entrants_of([a] * seats, betting=betting)[0], label=label)
        for a, label in zip(agents, labels, strict=True)
    )


def table_config(config: LadderConfig, table: int) -> MatchConfig:
    seats = config.tables[table]
    return MatchConfig(
        agents=tuple(config.agents[i] for i in seats),
        labels=tuple(config.labels[i] for i in seats),
        game=config.game,
        hands=config.hands,
        duplicate=True,
        seed=Rng(config.seed, table, 0, TABLE_SEED_STREAM).word() >> 1,
        matches=config.matches,
        rules=config.rules,
        luck_reduced=config.luck_reduced,
    )


def _of_tables(values: Sequence[np.ndarray]) -> Measure:
    """Mean of the means of independent tables, with its error."""
    found = [Measure.of(v.tolist()) for v in values if len(v)]
    n = sum(m.n for m in found)
    if not found:
        return Measure(mean=0.0, se=None, low=None, high=None, n=0)
    mean = math.fsum(m.mean for m in found) / len(found)
    if any(m.se is None for m in found):
        return Measure(mean=mean, se=None, low=None, high=None, n=n)
    se = math.sqrt(math.fsum((m.se or 0.0) ** 2 for m in found)) / len(found)
    return Measure(mean=mean, se=se, low=mean - Z95 * se, high=mean + Z95 * se, n=n)


class _Cross:
    """The cross table: what every pair that met won, and its ratings."""

    def __init__(self, config: LadderConfig, values: Sequence[F64]) -> None:
        self._tables = config.tables
        self.values = values
        self._two = len(config.tables[0]) == 2
        n = len(config.labels)
        self.pairs = [p for p in combinations(range(n), 2) if any(len(v) for _, v in self._shared(*p))]
        cells = [self.cell(a, b) for a, b in self.pairs]
        known = [c.se for c in cells if c.se is not None]
        self.ratings, self._solved, self.straying = mbb_ratings(
            n, self.pairs, np.array([c.mean for c in cells]), np.array(known) if len(known) == len(cells) else None
        )
        self.known = len(known) == len(cells) > 0
        self.covariance = self._covariance(n) if self.known else np.zeros((n, n))

    def _shared(self, a: int, b: int) -> list[tuple[tuple[int, ...], F64]]:
        return [(t, v) for t, v in zip(self._tables, self.values, strict=True) if a in t and b in t]

    def _column(self, table: tuple[int, ...], values: F64, a: int, b: int) -> F64:
        mine: F64 = values[:, table.index(a)]
        return mine if self._two else mine - values[:, table.index(b)]

    def met(self, a: int, b: int) -> int:
        """How many tables the two share."""
        return len(self._shared(a, b))

    def cell(self, a: int, b: int) -> Measure:
        """What ``a`` won from ``b``."""
        return _of_tables([self._column(t, v, a, b) for t, v in self._shared(a, b)])

    def _covariance(self, n: int) -> F64:
        """Of the ratings, from the independent units of every table (pairs at one table share its deals)."""
        total = np.zeros((n, n))
        for table, values in zip(self._tables, self.values, strict=True):
            if len(values) < 2:
                continue
            moved = np.zeros((len(values), n))
            for k, (a, b) in enumerate(self.pairs):
                if a in table and b in table:
                    share = sum(len(v) > 0 for _, v in self._shared(a, b))
                    moved += np.outer(self._column(table, values, a, b) / share, self._solved[:, k])
            total += np.cov(moved, rowvar=False) / len(values)
        return total


def _table_values(
    config: LadderConfig, everybody: Sequence[Entrant], played: Sequence[tuple[SeatingTask, Seating]], *, reduced: bool
) -> list[F64]:
    """What the intervals count, table by table."""
    stateless = all(e.stateless for e in everybody)
    values = []
    for t, seats in enumerate(config.tables):
        entrants = [replace(everybody[i], stateless=stateless) for i in seats]
        mine = [(task, s) for task, s in played if task.table == t]
        values.append(match_values(entrants, table_config(config, t), mine, reduced=reduced))
    return values


def ladder_result(
    config: LadderConfig, everybody: Sequence[Entrant], played: Sequence[tuple[SeatingTask, Seating]]
) -> LadderResult:
    """What the work done so far, however much of it, comes to."""
    n, seats = len(everybody), len(config.tables[0])
    stateless = all(e.stateless for e in everybody)
    values = _table_values(config, everybody, played, reduced=config.luck_reduced)
    plain = _Cross(config, _table_values(config, everybody, played, reduced=False)) if config.luck_reduced else None
    cross = _Cross(config, values)
    elo, elo_covariance = bradley_terry(n, list(zip(config.tables, values, strict=True)))
    by = cross.ratings if config.order == "mbb" else elo
    order = sorted(range(n), key=lambda i: (-by[i], i))
    faults = [
        sum(s.fault_counts[config.tables[task.table].index(i)] for task, s in played if i in config.tables[task.table])
        for i in range(n)
    ]
    rows = []
    for i in order:
        se = math.sqrt(max(float(cross.covariance[i, i]), 0.0))
        rating = float(cross.ratings[i])
        rows.append(
            LadderRow(
                agent=config.labels[i],
                rating=rating,
                rating_se=se,
                low=rating - Z95 * se,
                high=rating + Z95 * se,
                elo=float(elo[i]),
                elo_se=math.sqrt(max(float(elo_covariance[i, i]), 0.0)),
                mbb=_of_player(config, values, i),
                faults=faults[i],
                plain=None if plain is None else _of_player(config, plain.values, i),
            )
        )
    cells, close = [], []
    for a, b in combinations(order, 2):
        cell = cross.cell(a, b)
        spread = float(cross.covariance[a, a] + cross.covariance[b, b] - 2 * cross.covariance[a, b])
        z = float(cross.ratings[a] - cross.ratings[b]) / math.sqrt(spread) if spread > 0 else None
        first, second = config.labels[a], config.labels[b]
        cells.append(
            LadderCell(
                first=first, second=second, mbb=cell, rating_z=z, plain=None if plain is None else plain.cell(a, b)
            )
        )
        if cell.low is None or cell.high is None or cell.low <= 0 <= cell.high:
            close.append((first, second))
    met = [cross.met(a, b) for a, b in combinations(range(n), 2)]
    what = "every pair" if seats == 2 else f"{len(config.tables)} tables of {seats} drawn by a balanced design"
    hands = sum(len(s.payoffs) for _, s in played)
    wanted = config.hands * config.matches * seats * len(config.tables)
    ended = config.rules.faults == "end" and any(faults)
    return LadderResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        pairing=f"{what}, every deal in {'both seatings' if seats == 2 else f'all {seats} rotations'} (duplicate)",
        unit="deal" if stateless else "match",
        hands=hands,
        rows=tuple(rows),
        cells=tuple(cells),
        not_separated=tuple(close),
        met=(min(met), max(met)),
        straying=cross.straying,
        partial=(hands < wanted and not ended) or not all(s.complete for _, s in played),
        faults=tuple(f for _, s in played for f in s.faults),
        reproducible=all(e.reproducible for e in everybody) and not config.rules.clocked,
    )


def _of_player(config: LadderConfig, values: Sequence[F64], player: int) -> Measure:
    return _of_tables([v[:, t.index(player)] for t, v in zip(config.tables, values, strict=True) if player in t])
