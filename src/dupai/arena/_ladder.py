"""Ladders: everyone against everyone, a cross table, a rating, and what is not separated yet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import Fault, TableRules
from dupai.arena._match import Seating, match_game, match_tasks, match_values, play_seating
from dupai.arena._ratings import bradley_terry
from dupai.arena._results import MatchConfig, Measure, versions
from dupai.arena._store import Store, run_logged
from dupai.arena._tournament import MAX_SEED, check_count
from dupai.arena.backends import Backend, local_backend
from dupai.base import Z95, ConfigError, NoProgress, Progress, Rng
from dupai.rules import GameSpec

#: Streams of ``Rng(seed, table, 0, stream)``: the seed of a table, and (table 0) the draw of the tables.
_SEED_STREAM = 12
_TABLE_STREAM = 13
#: Tables drawn of which the best is taken.
_DRAWS = 20

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
    """

    agents: tuple[str, ...]
    labels: tuple[str, ...]
    game: GameSpec
    tables: tuple[tuple[int, ...], ...]
    hands: int
    matches: int = 1
    seed: int = 0
    rules: TableRules = TableRules()


class LadderRow(msgspec.Struct, frozen=True, kw_only=True):
    """One agent: its rating in points (Elo's scale, mean 1500) with standard error and 95 % interval, mbb/hand (mean
    of its tables) and faults."""

    agent: str
    rating: float
    rating_se: float
    low: float
    high: float
    mbb: Measure
    faults: int


class LadderCell(msgspec.Struct, frozen=True, kw_only=True):
    """Two agents: at two seats what ``first`` won from ``second``, at more what it won more than ``second`` at the
    tables that they shared, in mbb/hand. ``rating_z``: difference of the ratings in standard errors."""

    first: str
    second: str
    mbb: Measure
    rating_z: float | None


class LadderResult(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder: ``rows`` best rating first, ``cells`` one for each pair that met, better rating first.

    ``not_separated``: pairs whose cell's 95 % interval holds 0, or has none; ``unit``: what intervals count;
    ``met``: fewest and most tables that two agents shared.
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
    rng = Rng(seed, 0, 0, _TABLE_STREAM)
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
        seed, blinds, stack, game, rules, jobs, progress, backend, store: as for :func:`dupai.arena.play_match`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    check_count("hands", hands, 1)
    check_count("matches", matches, 1)
    check_count("seed", seed, 0, MAX_SEED)
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
    )
    plans = [_table_config(config, t) for t in range(len(tables))]
    tasks = [task for t, plan in enumerate(plans) for task in match_tasks([everybody[i] for i in tables[t]], plan, t)]
    shown = progress or NoProgress()
    total = hands * matches * seats * len(tables)

    def tick(done: int, played: int) -> bool:
        shown.report(played, total, f"{played:,} hands")
        return not shown.cancelled

    log = store.log("ladder", config, len(tasks)) if store is not None else None
    found: dict[int, Seating] = run_logged(
        backend or local_backend(jobs, len(tasks)), play_seating, tasks, tick, log, Seating
    )
    stateless = all(e.stateless for e in everybody)
    values = []
    for t, plan in enumerate(plans):
        played = [(tasks[i], s) for i, s in found.items() if tasks[i].table == t]
        values.append(
            match_values([replace(e, stateless=stateless) for e in everybody[: len(tables[t])]], plan, played)
        )
    partial = len(found) < len(tasks) or not all(s.complete for s in found.values())
    result = _ladder_result(config, everybody, values, [found[i] for i in sorted(found)], partial)
    if log is not None and not partial:
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


def _table_config(config: LadderConfig, table: int) -> MatchConfig:
    seats = config.tables[table]
    return MatchConfig(
        agents=tuple(config.agents[i] for i in seats),
        labels=tuple(config.labels[i] for i in seats),
        game=config.game,
        hands=config.hands,
        duplicate=True,
        seed=Rng(config.seed, table, 0, _SEED_STREAM).word() >> 1,
        matches=config.matches,
        rules=config.rules,
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


def _ladder_result(
    config: LadderConfig,
    everybody: Sequence[Entrant],
    values: Sequence[np.ndarray],
    seatings: Sequence[Seating],
    partial: bool,
) -> LadderResult:
    n = len(everybody)
    seats = len(config.tables[0])
    stateless = all(e.stateless for e in everybody)
    ratings, covariance = bradley_terry(n, list(zip(config.tables, values, strict=True)))
    order = sorted(range(n), key=lambda i: (-ratings[i], i))
    rows = []
    for i in order:
        mine = [v[:, t.index(i)] for t, v in zip(config.tables, values, strict=True) if i in t]
        se = math.sqrt(max(float(covariance[i, i]), 0.0))
        rows.append(
            LadderRow(
                agent=config.labels[i],
                rating=float(ratings[i]),
                rating_se=se,
                low=float(ratings[i]) - Z95 * se,
                high=float(ratings[i]) + Z95 * se,
                mbb=_of_tables(mine),
                faults=sum(
                    s.fault_counts[config.tables[s.table].index(i)] for s in seatings if i in config.tables[s.table]
                ),
            )
        )
    cells, close, met = [], [], []
    for a, b in combinations(order, 2):
        shared = [(t, v) for t, v in zip(config.tables, values, strict=True) if a in t and b in t]
        met.append(len(shared))
        if seats == 2:
            cell = _of_tables([v[:, t.index(a)] for t, v in shared])
        else:
            cell = _of_tables([v[:, t.index(a)] - v[:, t.index(b)] for t, v in shared])
        spread = float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
        first, second = config.labels[a], config.labels[b]
        z = float(ratings[a] - ratings[b]) / math.sqrt(spread) if spread > 0 else None
        cells.append(LadderCell(first=first, second=second, mbb=cell, rating_z=z))
        if cell.low is None or cell.high is None or cell.low <= 0 <= cell.high:
            close.append((first, second))
    what = "every pair" if seats == 2 else f"{len(config.tables)} tables of {seats} drawn by a balanced design"
    return LadderResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        pairing=f"{what}, every deal in {'both seatings' if seats == 2 else f'all {seats} rotations'} (duplicate)",
        unit="deal" if stateless else "match",
        hands=sum(len(s.payoffs) for s in seatings),
        rows=tuple(rows),
        cells=tuple(cells),
        not_separated=tuple(close),
        met=(min(met), max(met)),
        partial=partial,
        faults=tuple(f for s in seatings for f in s.faults),
        reproducible=all(e.reproducible for e in everybody) and not config.rules.clocked,
    )
