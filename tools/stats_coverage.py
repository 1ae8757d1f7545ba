"""The tables of docs/results/player-statistics.md: do intervals of `dupai history stats` from few hands hold?

Usage: python tools/stats_coverage.py FOLDER

FOLDER holds hand histories whose players have names. Of every player of at least 500 hands, runs of consecutive hands
are taken; the interval from such a run is compared with what the player did in all their other hands. The priors come
from other people than they are tried on: each eighth of the people is read by the population of the others. Programs
play at the tables of ``TABLES`` and are read by the population that ships.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dupai.arena import Session
from dupai.base import Z95, Rng
from dupai.base.arrays import I64
from dupai.history._tracker._definitions import NAMES
from dupai.history._tracker._shrink import RatePart, rate_posterior
from dupai.history.stats import (
    TABLE_SIZES,
    UNNAMED,
    HandBatch,
    PlayerStats,
    Population,
    StatsTable,
    batch_of,
    population,
)
from dupai.training._population import fit_population
from population import counted_batches

#: Consecutive hands of a player that are counted together, and the lengths of runs in hands.
PIECE, RUNS = 10, (10, 30, 100, 300, 1000)
#: Players of fewer hands are left out, hands beyond the most too; runs of each length taken of a player.
MIN_HANDS, MAX_HANDS, DRAWS = 500, 4_000, 8
STATISTICS = ("vpip", "pfr", "3bet", "steal", "cbet-flop", "fold-to-cbet-flop", "af", "wtsd", "wsd")
#: Opportunities within a run: the columns of the table.
BINS = ((1, 9), (10, 29), (30, 99), (100, 299), (300, 1000))
#: People whose priors are fitted together with those of all others: so many parts.
FOLDS = 8
#: Programs that play together, and their hands: the weight of strange players was chosen on the first six tables.
TABLES: tuple[str, ...] = (
    "rules style:paper-TA", "style:paper-LA style:paper-TP", "caller rules:tight", "fixed style:paper-LP",
    "rules rules:tight style:paper-LA style:paper-TP style:paper-LP caller",
    "rules style:paper-TA rules:tight style:paper-LP fixed style:paper-TA caller style:paper-LA style:paper-TP",
    "rules:loose-aggressive style:paper-LA", "raiser style:paper-TA", "random rules:tight-passive",
    "style:paper-TP expert",
    "expert random rules:loose style:paper-LA",
    "rules:loose-passive expert style:paper-TA style:TA,size=people raiser rules:tight-aggressive",
)  # fmt: skip
CHOSEN_ON, HANDS = 6, 6_000


class Person(NamedTuple):
    """A player's counters ``int64[pieces, cells, columns]`` in the order that the hands were played, and all."""

    name: str
    pieces: I64
    all: I64


class Case(NamedTuple):
    """One interval from ``n`` opportunities: whether it holds the ratio of all other hands, with the error of that
    ratio allowed for; and whether the one of the first part of the prior alone does (``before``)."""

    person: str
    statistic: str
    n: int
    before: bool
    allowed: bool


def people(paths: Iterable[Path]) -> tuple[list[Person], StatsTable]:
    """Everybody of enough hands, and the counters of everybody."""
    everybody, persons = StatsTable(), []
    for path in paths:
        table, pieces = StatsTable(), StatsTable()
        batches = list(counted_batches(path))
        for batch in batches:
            table.add(batch)
        seen = {name: 0 for name, hands in table.players() if hands >= MIN_HANDS and name != UNNAMED}
        for batch in batches:
            pieces.add(_in_pieces(batch, seen))
        everybody.merge(table)
        known = dict(pieces.players())
        for name, hands in seen.items():
            parts = [f"{name}#{k}" for k in range(min(hands, MAX_HANDS) // PIECE)]
            counts = np.stack([pieces.player(part).counts for part in parts if known.get(part) == PIECE])
            persons.append(Person(name, counts, table.player(name).counts))
    return persons, everybody


def _in_pieces(batch: HandBatch, seen: dict[str, int]) -> HandBatch:
    """The batch with each player of ``seen`` (name: hands so far) renamed by piece, and without all others."""
    names: dict[str, int] = {}
    players = np.full_like(batch.players, -1)
    for number, name in enumerate(batch.names):
        if name not in seen:
            continue
        for hand, place in zip(*np.nonzero(batch.players == number), strict=True):
            if seen[name] < MAX_HANDS:
                players[hand, place] = names.setdefault(f"{name}#{seen[name] // PIECE}", len(names))
            seen[name] += 1
    return batch._replace(players=players, names=tuple(names))


class _Some:
    """Some of the players of a table, as :func:`fit_population` asks for them."""

    def __init__(self, table: StatsTable, names: Sequence[str]) -> None:
        self.table, self.names = table, names

    def players(self) -> list[tuple[str, int]]:
        return [(name, 0) for name in self.names]

    def player(self, name: str) -> PlayerStats:
        return self.table.player(name)


def folds(persons: Sequence[Person], everybody: StatsTable) -> Iterator[tuple[list[Person], Population]]:
    """Each part of the people, with the population of the others."""
    names = sorted(name for name, _ in everybody.players() if name != UNNAMED)
    unnamed = [name for name, _ in everybody.players() if name == UNNAMED]
    for part in range(FOLDS):
        mine = set(names[part::FOLDS])
        others = [name for name in names if name not in mine]
        yield [p for p in persons if p.name in mine], fit_population(_Some(everybody, others + unnamed), {})  # type: ignore[arg-type]


def _runs(person: Person, hands: int, rng: Rng) -> Iterator[tuple[I64, I64]]:
    """Counters of runs of so many consecutive hands, each with those of all other hands."""
    wide = hands // PIECE
    if 2 * wide > len(person.pieces):
        return
    for _ in range(DRAWS):
        start = rng.below(len(person.pieces) - wide + 1)
        few = person.pieces[start : start + wide].sum(axis=0)
        yield few, person.all - few


def _stats(counts: I64, priors: Population) -> PlayerStats:
    stats = PlayerStats(priors=priors)
    stats.counts = counts
    return stats


def rate_cases(persons: Sequence[Person], priors: Population, seed: int = 1) -> Iterator[Case]:
    """Intervals of all rates from runs of all lengths."""
    rng = Rng(seed)
    for person in persons:
        for hands in RUNS:
            for few, rest in _runs(person, hands, rng):
                mine, other = _stats(few, priors), _stats(rest, priors)
                for name in NAMES:
                    n, successes, prior = mine._rate(name, None)
                    wide, hits, _ = other._rate(name, None)
                    if n == 0 or wide < max(100, 2 * n) or prior is None:
                        continue
                    cases = (rate_posterior(prior, successes, n, strange) for strange in ((0.0, 0.5), None))
                    held = (
                        _inside([_allowed(part, wide) for part in parts], hits / wide, 0.5 / wide) for parts in cases
                    )
                    yield Case(person.name, name, n, *held)


def _allowed(part: RatePart, wide: int) -> RatePart:
    """A part of the same mean whose variance allows for the error of the ratio over ``wide`` other opportunities."""
    return part._replace(worth=max(1.0 / (1.0 / (part.worth + 1.0) + 1.0 / wide) - 1.0, 1e-9))


def _inside(parts: Sequence[RatePart], ratio: float, step: float) -> bool:
    """Whether the central 95 % of a distribution hold a ratio, or one a step away."""
    low, high = (sum(part.weight * part.cdf(ratio + d) for part in parts) for d in (step, -step))
    return low >= 0.025 and high <= 0.975


def money_cases(persons: Sequence[Person], priors: Population, seed: int = 2) -> Iterator[Case]:
    """The same of bb/100."""
    rng = Rng(seed)
    for person in persons:
        for hands in RUNS:
            for few, rest in _runs(person, hands, rng):
                e, other = _stats(few, priors).estimate("bb/100"), _stats(rest, priors).estimate("bb/100")
                assert other.observed is not None
                squares = float(rest[:, -2].sum()) / 1e6
                error = 100.0 * math.sqrt(max(squares / other.n - (other.observed / 100.0) ** 2, 0.0) / other.n)
                half = math.hypot((e.high - e.low) / 2, Z95 * error)
                allowed = abs(other.observed - (e.low + e.high) / 2) <= half
                yield Case(person.name, "bb/100", e.n, allowed, allowed)


def programs(tables: Sequence[str], hands: int = HANDS) -> Iterator[tuple[str, Person]]:
    """The programs of each table with their number of players; their results do not depend on each other's hands."""
    for seed, table in enumerate(tables):
        session = Session(table.split(), reset=True, stack=10_000, seed=100 + seed)
        for _ in range(hands):
            session.play_hand()
        counts: dict[str, list[I64]] = {name: [] for name in session.names}
        for start in range(0, hands, PIECE):
            piece = StatsTable()
            piece.add(batch_of(session.records[start : start + PIECE]))
            for name in counts:
                counts[name].append(piece.player(name).counts)
        session.close()
        for name, pieces in counts.items():
            yield f"{len(session.names)} players", Person(f"{table}: {name}", np.stack(pieces), np.sum(pieces, axis=0))


def program_cases(tables: Sequence[str], hands: int = HANDS) -> Iterator[tuple[str, Case]]:
    """Intervals of the rates of programs, each with the size of its table."""
    for seed, (kind, person) in enumerate(programs(tables, hands)):
        for case in rate_cases([person], population(), seed + 3):
            yield kind, case


def share(cases: Sequence[Case], before: bool = False) -> str:
    """Per cent that hold, with the error clustered by person, and how many there are."""
    if len(cases) < 100:
        return "–"
    held = np.array([c.before if before else c.allowed for c in cases], float)
    names = sorted({c.person for c in cases})
    residuals = np.bincount([names.index(c.person) for c in cases], held - held.mean())
    error = math.sqrt(float((residuals**2).sum())) / len(cases)
    return f"{100 * held.mean():.1f}±{100 * error:.1f} ({len(cases):,})"


def table_of(person: Person) -> str:
    """Where a player played most."""
    return f"{TABLE_SIZES[int(person.all[:, -4].reshape(len(TABLE_SIZES), -1).sum(axis=1).argmax())]} players"


def study(folder: Path) -> tuple[dict[str, str], list[Case], list[Case]]:
    """Table by person, cases of rates and of bb/100."""
    persons, everybody = people(sorted(p for p in folder.iterdir() if p.name.endswith((".log.xz", ".phhs.xz"))))
    rates: list[Case] = []
    money: list[Case] = []
    for part, priors in folds(persons, everybody):
        rates += rate_cases(part, priors)
        money += money_cases(part, priors)
    return {p.name: table_of(p) for p in persons}, rates, money


def table(columns: Sequence[str], rows: dict[str, list[list[Case]]]) -> None:
    """Print shares: by row the cases of each column."""
    print("\n| |", " | ".join(columns), "|")
    print("| --- |" + " --- |" * len(columns))
    for name, row in rows.items():
        print("|", name, "|", " | ".join(share(cases, name.endswith("before")) for cases in row), "|")


def by_bin(cases: Sequence[Case]) -> list[list[Case]]:
    """The cases of each number of opportunities."""
    return [[c for c in cases if a <= c.n <= b] for a, b in BINS]


def main(arguments: Sequence[str]) -> None:
    tables, rates, money = study(Path(arguments[0]))
    print(f"{len(tables)} players of {MIN_HANDS} hands or more")
    bins = [f"{a:,} to {b:,}" for a, b in BINS]
    rows = {f"`{name}`": by_bin([c for c in rates if c.statistic == name]) for name in STATISTICS}
    rows |= {name: by_bin(rates) for name in ("all rates", "all rates, before")}
    for kind in sorted(set(tables.values())):
        some = by_bin([c for c in rates if tables[c.person] == kind])
        rows |= {f"all rates, {kind}": some, f"all rates, {kind}, before": some}
    table(bins, rows)
    rows = {"bb/100": [[c for c in money if c.n == k] for k in RUNS]}
    for kind in sorted(set(tables.values())):
        rows[f"bb/100, {kind}"] = [[c for c in money if tables[c.person] == kind and c.n == k] for k in RUNS]
    table([f"{k:,} hands" for k in RUNS], rows)
    rows = {}
    for label, some_tables in (("first six tables", TABLES[:CHOSEN_ON]), ("other tables", TABLES[CHOSEN_ON:])):
        played = list(program_cases(some_tables))
        groups = {f"{label}": [c for _, c in played]}
        groups |= {f"{label}, {kind}": [c for k, c in played if k == kind] for kind in sorted({k for k, _ in played})}
        groups |= {f"{label}, `{name}`": [c for _, c in played if c.statistic == name] for name in ("pfr", "3bet")}
        for name, cases in groups.items():
            rows |= {name: by_bin(cases), f"{name}, before": by_bin(cases)}
    table(bins, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
