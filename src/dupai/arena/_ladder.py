"""Ladders: everyone against everyone, a cross table, a rating, and what is not separated yet.

One number a player: from how much everybody wins (least squares), or from who beat whom (Bradley and Terry).

Least squares (``mbb_ratings``): ratings whose differences are as close as possible to what each pair won from each
other. Poker is not transitive, so pairs deviate from these differences by more than their errors. The moment estimator
of R. DerSimonian and N. Laird, "Meta-analysis in clinical trials", Controlled Clinical Trials 7 (1986), in its form for
a regression, estimates how far. A pair's weight is 1 / (its squared error + the squared deviation). So precise pairs
count more while errors are large; once errors are small all pairs count the same, and careful players' small pots do
not outweigh the others.

Bradley and Terry, by the MM algorithm (``bradley_terry``):
D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), section 2. A player
of strength w_i beats one of w_j with probability w_i / (w_i + w_j); ratings are 400 log10 w (Elo's scale), mean 1500.
Poker is not transitive: such a number sums results up, it does not say who beats whom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import UNSET, UnsetType

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._format import Format, play_format, played_with
from dupai.arena._match import match_tasks, match_values, seating_lines
from dupai.arena._results import NOTHING, MatchConfig, Measure, PlayResult, common_facts, with_times
from dupai.arena._seating import Seating, SeatingTask, play_seating
from dupai.arena._settings import StakesSettings, takes_settings
from dupai.base import Z95, ConfigError, Estimate, Option, Rng
from dupai.rules import TABLE_DRAW_STREAM, TABLE_SEED_STREAM, GameSpec

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
        strength = won.sum(axis=1) / (games / (strength[:, None] + strength[None, :])).sum(axis=1)
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
    players: int, pairs: Sequence[tuple[int, int]], means: F64, errors: F64 | None
) -> tuple[F64, F64, float | None]:
    """Ratings from what pairs won from each other; see the head of this module.

    Args:
        pairs: numbers of two players, each pair once.
        means: ``float64[pairs]``, what the first won from the second.
        errors: ``float64[pairs]``, standard errors; None: not known, all pairs count as much.

    Returns:
        Ratings ``float64[players]`` (of the unit of ``means``, mean 0 among those who met), the matrix
        ``float64[players, pairs]`` that makes them from ``means``, and by how much pairs stray (a standard deviation;
        None where errors are unknown or there are too few pairs to tell).
    """
    design = np.zeros((len(pairs), players))
    for row, (a, b) in enumerate(pairs):
        design[row, a], design[row, b] = 1.0, -1.0
    straying: float | None = None
    weights = np.ones(len(pairs))
    if errors is not None and len(pairs) and errors.any():
        # A pair without spread would get an infinite weight.
        squares = np.maximum(errors**2, 1e-4 * float(np.mean(errors**2)))
        weights = 1 / squares
        free = len(pairs) - int(np.linalg.matrix_rank(design))
        if free > 0:
            solved = _solved(design, weights)
            excess = float(weights @ (means - design @ (solved @ means)) ** 2) - free
            inverse = np.linalg.pinv(design.T * weights @ design, hermitian=True)
            scale = float(weights.sum() - np.trace(inverse @ (design.T * weights**2 @ design)))
            straying = math.sqrt(max(excess / scale, 0.0)) if scale > 0 else 0.0
            weights = 1 / (squares + straying**2)
    solved = _solved(design, weights)
    return np.asarray(solved @ means), solved, straying


def _solved(design: F64, weights: F64) -> F64:
    """The matrix of weighted least squares."""
    return np.asarray(np.linalg.pinv(design.T * weights @ design, hermitian=True) @ (design.T * weights))


#: Number of tables drawn, of which the best is used.
_DRAWS = 20

Order = Literal["mbb", "elo"]
IntArray = npt.NDArray[np.int64]


class LadderSettings(StakesSettings, frozen=True, kw_only=True):
    """Everyone against everyone, duplicate, stacks reset: ratings, a cross table, and what is not separated yet.

    The rating is in mbb/hand: what an agent wins from an average one of these, by least squares over all pairs, with
    its 95 % interval. Elo points (Bradley and Terry: who won more of a deal beat the others; mean 1500) stand beside
    it: they count how often an agent wins, not how much, and may well disagree. Poker is not transitive: A may beat B,
    B beat C, and C beat A; "pairs stray" says by how much the ratings' differences miss what pairs won from each
    other. Look at the cross table before believing an order. With --luck-reduced all figures are without the luck of
    the cards; "plain" is with it.

    Examples:

      dupai ladder rules style:TA style:LP caller --hands 500 --jobs 2

      dupai ladder rules style:LA style:LP style:TA style:TP caller --seats 6

    Attributes:
        hands: deals of a match at each table, each in all rotations.
        seats: players at a table: 2 plays all pairs, more plays tables as :func:`ladder_tables` draws them.
        matches: matches at each table.
        order: the rating that the order goes by: ``"mbb"`` (how much everybody wins) or ``"elo"`` (how often).
    """

    arguments: ClassVar[tuple[tuple[str, str, bool], ...]] = (("agents", "Two or more agent specs.", True),)

    hands: Annotated[int, Option("Deals of a match, each in all rotations.", short="-n", low=1)] = 1000
    seats: Annotated[int | UnsetType, Option("Players at a table: 2 plays all pairs.")] = 2
    matches: Annotated[int, Option("Matches at each table (agents that learn).", short="-m", low=1)] = 1
    order: Annotated[Order, Option("Rating to order by: mbb (how much is won) or elo (how often).")] = "mbb"


class LadderConfig(LadderSettings, frozen=True, kw_only=True):
    """The settings once they are checked.

    Attributes:
        game: the game of a table with its stacks.
        tables: who sits at each, by number; every table plays deals of its own, and draws its seed from ``seed``.
    """

    game: GameSpec
    tables: tuple[tuple[int, ...], ...]
    seats: UnsetType = UNSET


class LadderRow(msgspec.Struct, frozen=True, kw_only=True):
    """One agent.

    Attributes:
        agent: its label.
        rating, rating_se, low, high: in mbb/hand with standard error and 95 % interval (0 where there is none): what it
            wins from an average one of these agents, by least squares over the pairs (:func:`mbb_ratings`); mean 0.
        elo, elo_se: points from how often an agent won more of a deal than another, however much
            (Bradley and Terry; mean 1500).
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


class LadderResult(PlayResult, frozen=True, kw_only=True):
    """A ladder: ``rows`` best rating first, ``cells`` one for each pair that met, better rating first.

    ``straying``: by how many mbb/hand (a standard deviation) pairs stray from the differences of the ratings beyond
    their errors, because poker is not transitive (None: not known); ``not_separated``: pairs whose cell's 95 % interval
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
        rows = [
            (r.agent, f"{r.rating:+,.1f}", f"[{r.low:+,.1f}, {r.high:+,.1f}]", f"{r.elo:+,.0f}", r.mbb.text(1))
            for r in self.rows
        ]
        return ("agent", "rating", "95 % interval", "Elo", "won, mbb/hand"), rows


def ladder_tables(players: int, seats: int, seed: int = 1) -> tuple[tuple[int, ...], ...]:
    """Who sits at which table: all pairs, or tables drawn until every pair has met and all have played equally often.

    Each table is the best of several drawn ones: the player with the fewest tables sits down first, then those who have
    met the others least.

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
        drawn = [_drawn_table(rng, seats, met, played) for _ in range(_DRAWS)]
        behind = (played - played.min()) ** 2
        table = min(drawn, key=lambda t: int((met[np.ix_(t, t)] ** 2).sum() + 2 * behind[t].sum()))
        for i, j in combinations(table, 2):
            met[i, j] += 1
            met[j, i] += 1
        played[table] += 1
        tables.append(tuple(sorted(table)))
    return _balanced([set(t) for t in tables], met)


def _balanced(tables: list[set[int]], met: IntArray) -> tuple[tuple[int, ...], ...]:
    """The tables after swaps of two players that even out how often pairs meet (``met`` is updated)."""

    def change(i: int, old: set[int], new: set[int]) -> int:
        """The change of the sum of squared meetings when ``i`` moves from ``old`` to ``new``."""
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


def _plan(agents: Sequence[AgentSource], s: LadderSettings) -> tuple[tuple[Entrant, ...], LadderConfig]:
    if s.order not in ("mbb", "elo"):
        raise ConfigError(f"--order {s.order!r}: expected 'mbb' or 'elo'", key="order")
    if len(agents) < 2:
        entrants_of(agents)
    assert isinstance(s.seats, int)
    tables = ladder_tables(len(agents), s.seats, s.seed)
    spec = s.spec(s.seats)
    everybody = entrants_of(agents, betting=spec.betting, table=s.seats)
    made = {"tables": tables, "seats": UNSET}
    return everybody, LadderConfig(**msgspec.structs.asdict(s) | played_with(everybody, spec) | made)


def _tasks(everybody: Sequence[Entrant], config: LadderConfig) -> list[SeatingTask]:
    return [
        task
        for t, seats in enumerate(config.tables)
        for task in match_tasks([everybody[i] for i in seats], table_config(config, t), t)
    ]


@takes_settings(LadderSettings)
def run_ladder(agents: Sequence[AgentSource], settings: LadderSettings | None = None, **options: Any) -> LadderResult:
    """Everyone against everyone, duplicate: all pairs, or with more ``seats`` tables as :func:`ladder_tables` draws
    them.

    Args:
        agents: at least two specs or factories, as many as planned.
        settings: see :class:`LadderSettings`.
        options: fields of the settings; ``jobs``, ``progress``, ``backend`` and ``store`` as for
            :func:`~dupai.arena.play_format`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_format(LADDER, agents, settings, **options)


def table_config(config: LadderConfig, table: int) -> MatchConfig:
    """The match at one table."""
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
    means = [Estimate.of(v) for v in values if len(v)]
    if not means:
        return NOTHING
    mean = math.fsum(m.mean for m in means) / len(means)
    # nan where one of them has no error.
    se = math.sqrt(math.fsum(m.se**2 for m in means)) / len(means)
    return Measure.of_estimate(Estimate(mean, se, sum(m.n for m in means)))


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
        """Covariance of the ratings, from the independent units of every table (pairs at one table share its deals)."""
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
    config: LadderConfig, everybody: Sequence[Entrant], played: Sequence[Seating], *, reduced: bool
) -> list[F64]:
    """The independent units of the intervals, by table; deals only if all agents of the ladder are stateless."""
    return [
        match_values(table_config(config, t), [s for s in played if s.table == t], everybody, reduced=reduced)
        for t in range(len(config.tables))
    ]


def ladder_result(config: LadderConfig, played: Sequence[Seating], everybody: Sequence[Entrant]) -> LadderResult:
    """The result of the work done so far."""
    n, seats = len(everybody), len(config.tables[0])
    stateless = all(e.stateless for e in everybody)
    values = _table_values(config, everybody, played, reduced=config.luck_reduced)
    plain = _Cross(config, _table_values(config, everybody, played, reduced=False)) if config.luck_reduced else None
    cross = _Cross(config, values)
    elo, elo_covariance = bradley_terry(n, list(zip(config.tables, values, strict=True)))
    by = cross.ratings if config.order == "mbb" else elo
    order = sorted(range(n), key=lambda i: (-by[i], i))
    faults = [
        sum(s.fault_counts[config.tables[s.table].index(i)] for s in played if i in config.tables[s.table])
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
    tables = "every pair" if seats == 2 else f"{len(config.tables)} tables of {seats} drawn by a balanced design"
    hands = sum(len(s.payoffs) for s in played)
    planned = config.hands * config.matches * seats * len(config.tables)
    ended = config.rules.faults == "end" and any(faults)
    result = LadderResult(
        **common_facts(config, everybody, (f for s in played for f in s.faults)),
        pairing=f"{tables}, every deal in {'both seatings' if seats == 2 else f'all {seats} rotations'} (duplicate)",
        unit="deal" if stateless else "match",
        hands=hands,
        rows=tuple(rows),
        cells=tuple(cells),
        not_separated=tuple(close),
        met=(min(met), max(met)),
        straying=cross.straying,
        partial=(hands < planned and not ended) or not all(s.complete for s in played),
    )
    return with_times(result, {e.label: [c for s in played for c in _times_of(s, e.label)] for e in everybody})


def _times_of(seating: Seating, label: str) -> list[dict[int, int]]:
    return [counts for name, counts in zip(seating.agents, seating.times, strict=False) if name == label]


def _of_player(config: LadderConfig, values: Sequence[F64], player: int) -> Measure:
    return _of_tables([v[:, t.index(player)] for t, v in zip(config.tables, values, strict=True) if player in t])


LADDER = Format(
    "ladder", LadderSettings, LadderConfig, LadderResult, Seating,
    work=play_seating, plan=_plan, tasks=_tasks, summary=ladder_result, lines=seating_lines,
    hands=lambda config: config.hands * config.matches * len(config.tables[0]) * len(config.tables),
)  # fmt: skip
