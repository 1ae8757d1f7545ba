"""Figures 5 and 8-12: tournament matches of two to eight players against opponents drawn from the field."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.base import Estimate
from dupai.experiments._fold._field import CHUNK, FIELD, HERO, VARIANTS, Matches, play_matches
from dupai.experiments._fold._published import FIGURE8, FIGURE9, FIGURE12
from dupai.experiments._paper import Cell, Chart, Line, Part, Row, Section, Size, Table, Value

MAIN = "model"
#: Matches of the agent by number of players (the paper: 100 of each, 500 for figure 8), and of each variant at eight.
MATCHES: Mapping[Size, Mapping[int, int]] = {
    "quick": {**dict.fromkeys(range(2, 8), 5), 8: 15},
    "full": {**dict.fromkeys(range(2, 8), 100), 8: 500},
}
VARIANT_MATCHES: Mapping[Size, int] = {"quick": 15, "full": 100}

#: Fewer matches than these say nothing for or against the paper.
FEW = 30
TOO_FEW = "too few matches to say"

Match = Mapping[str, Any]


def cells(size: Size, seed: int) -> list[Cell]:
    wanted = []
    for variant, spec in VARIANTS.items():
        for players, matches in MATCHES[size].items():
            if variant != MAIN:
                if players < 8:
                    continue
                matches = VARIANT_MATCHES[size]
            for first in range(0, matches, CHUNK):
                task = Matches(spec, players, first, min(first + CHUNK, matches) - 1, seed)
                wanted.append((first, Cell(f"{variant}|{players}|{first}", play_matches, task)))
    # The first matches of everything come first, so that a run that is stopped has something of each.
    return [cell for _, cell in sorted(wanted, key=lambda w: w[0])]


def matches_of(results: Mapping[str, Any], variant: str, players: int) -> list[Match]:
    """All matches of a variant at so many players, by number."""
    found = []
    for key, result in results.items():
        name, count, _ = key.split("|")
        if name == variant and int(count) == players:
            found += result["matches"]
    return sorted(found, key=lambda m: int(m["match"]))


def agreement(ranks: Sequence[float], repeats: int, draws: int = 400) -> tuple[float, float]:
    """How well the mean rank of ``repeats`` matches agrees with that of all (%), and the SE of that mean (% of it)."""
    all_ranks = np.asarray(ranks, np.float64)
    rng = np.random.Generator(np.random.PCG64(8))
    means = np.array([rng.choice(all_ranks, repeats, replace=False).mean() for _ in range(draws)])
    mean = all_ranks.mean()
    off = np.abs(means - mean) / mean
    return 100 * (1 - float(off.mean())), 100 * float(all_ranks.std(ddof=1)) / math.sqrt(repeats) / float(mean)


def section(results: Mapping[str, Any], size: Size) -> Section:
    by_players = {n: matches_of(results, MAIN, n) for n in range(2, 9)}
    by_players = {n: m for n, m in by_players.items() if m}
    rows = [*_rows_figure9(by_players), *_rows_figure8(by_players.get(8, [])), *_rows_figure12(results)]
    tables = [_table_figure9(by_players)]
    if 8 in by_players:
        tables.append(_table_figure11(by_players[8]))
        tables.append(_table_variants(results))
    tables.append(_table_figure5(results))
    findings = []
    if 8 in by_players:
        table = standings(by_players[8])
        first = min(table, key=lambda name: table[name]["rank"].mean)
        findings.append(
            f"At eight seats {first} is first by mean rank ({table[first]['rank'].mean:.2f}), over "
            f"{table[first]['rank'].n} matches."
        )
    findings.append(
        "The paper's seven programs are private; ours are drawn for each match from eleven of different looseness and "
        "aggression, so ranks compare in kind only."
    )
    return Section(
        text="600 hands at most, blinds 20/40 that never rise, 2,000 chips and one rebuy of 2,000; rank by hands "
        f"survived, then by chips left. The agent is {HERO}; its opponents are drawn anew from {', '.join(FIELD)}. "
        "The same cards, chairs and opponents for every variant of the agent.",
        rows=tuple(rows),
        tables=tuple(tables),
        charts=(*_chart_figure10(by_players), *_chart_figure8(by_players.get(8, []))),
        findings=tuple(findings),
    )


def _rows_figure9(by_players: Mapping[int, list[Match]]) -> list[Row]:
    rows = []
    for n, found in by_players.items():
        rank = Estimate.of(m["rows"][0][1] for m in found)
        paper = FIGURE9["worst"] if n == 8 else None
        rows.append(
            Row(
                label=f"figure 9: mean rank, {n} players",
                paper=paper if n == 8 else f"{FIGURE9['best']}-{FIGURE9['worst']}",
                ours=rank,
                hands=sum(m["hands"] for m in found),
                seeds=f"{len(found)} matches",
                agrees=rank.interval()[0] <= FIGURE9["worst"] if rank.n >= FEW else None,
                why="ours is not worse, within its interval; another field" if rank.n >= FEW else TOO_FEW,
            )
        )
    return rows


def _table_figure9(by_players: Mapping[int, list[Match]]) -> Table:
    return Table(
        title="Figure 9: by number of players",
        columns=("players", "mean rank", "first, %", "hands survived", "chips left", "matches"),
        rows=tuple(
            (
                n,
                Estimate.of(m["rows"][0][1] for m in found),
                Estimate.of(100.0 * (m["rows"][0][1] == 1) for m in found),
                Estimate.of(m["rows"][0][2] for m in found),
                Estimate.of(m["rows"][0][3] for m in found),
                len(found),
            )
            for n, found in by_players.items()
        ),
    )


def standings(found: Sequence[Match]) -> dict[str, dict[str, Estimate]]:
    """Everybody's mean rank, hands, chips and volatility (with and without the root) over the matches he was in."""
    values: dict[str, dict[str, list[float]]] = {}
    for match in found:
        for name, rank, hands, chips, squared, _ in match["rows"]:
            one = values.setdefault(name, {k: [] for k in ("rank", "hands", "chips", "volatility", "squared")})
            for key, value in zip(one, (rank, hands, chips, math.sqrt(squared), squared), strict=True):
                one[key].append(value)
    return {name: {k: Estimate.of(v) for k, v in one.items()} for name, one in values.items()}


def _table_figure11(found: Sequence[Match]) -> Table:
    table = standings(found)
    order = sorted(table, key=lambda name: table[name]["rank"].mean)
    return Table(
        title="Figure 11: eight players, everybody",
        columns=("agent", "mean rank", "hands survived", "chips left", "volatility F", "F squared", "matches"),
        rows=tuple((name, *table[name].values(), table[name]["rank"].n) for name in order),
        note="F = sqrt(sum of squared changes of chips left from hand to hand); the root is reconstructed.",
    )


def _paired(results: Mapping[str, Any], variant: str, than: str, column: int) -> Estimate:
    """``variant`` less ``than`` in a column of the rows, over the matches that both have played."""
    a, b = ({m["match"]: m["rows"][0][column] for m in matches_of(results, v, 8)} for v in (variant, than))
    return Estimate.of(a[k] - b[k] for k in a.keys() & b.keys())


def _rows_figure12(results: Mapping[str, Any]) -> list[Row]:
    if not matches_of(results, MAIN, 8) or not matches_of(results, "no implied odds", 8):
        return []
    worse = _paired(results, "no implied odds", MAIN, 1)
    base = Estimate.of(m["rows"][0][1] for m in matches_of(results, MAIN, 8)[: worse.n]).mean
    gain = Estimate(100 * worse.mean / base, 100 * worse.se / base, worse.n)
    low, high = gain.interval()
    return [
        Row(
            label="figure 12: better mean rank with implied odds",
            paper=FIGURE12["gain"],
            ours=gain,
            unit="%",
            seeds=f"{worse.n} matches with and without",
            # An interval that holds everything agrees with everything.
            agrees=low <= FIGURE12["gain"] <= high if high - low < 6 else None,
            why="same cards, chairs and opponents; a gain of 0.8 % takes some tens of thousands of matches to see",
        )
    ]


def _table_variants(results: Mapping[str, Any]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for variant, spec in VARIANTS.items():
        found = matches_of(results, variant, 8)
        if not found:
            continue
        rank = Estimate.of(m["rows"][0][1] for m in found)
        same = variant == MAIN
        rows.append(
            (
                spec,
                rank,
                None if same else _paired(results, variant, MAIN, 1),
                Estimate.of(m["rows"][0][3] for m in found),
                None if same else _paired(results, variant, MAIN, 3),
                len(found),
            )
        )
    return Table(
        title="Readers and implied odds at eight seats, paired",
        columns=("agent", "mean rank", "less that of model", "chips left", "less those of model", "matches"),
        rows=tuple(rows),
    )


def _rows_figure8(found: Sequence[Match]) -> list[Row]:
    ranks = [m["rows"][0][1] for m in found]
    repeats = min(int(FIGURE8["repeats"]), len(ranks) // 2)
    if repeats < 5:
        return []
    agrees, se = agreement(ranks, repeats)
    return [
        Row(
            label=f"figure 8: agreement of the mean rank after {repeats} matches",
            paper=FIGURE8["agreement"],
            ours=agrees,
            unit="%",
            seeds=f"{len(ranks)} matches",
            agrees=agrees >= FIGURE8["agreement"] - 1 if repeats == FIGURE8["repeats"] else None,
            why=f"mean over random subsets, against all {len(ranks)}; "
            f"SE {se:.1f} % of the mean rank (paper: {FIGURE8['se']})",
        )
    ]


def _chart_figure8(found: Sequence[Match]) -> tuple[Chart, ...]:
    ranks = [m["rows"][0][1] for m in found]
    steps = [n for n in (5, 10, 20, 30, 50, 70, 100, 150, 200, 250) if n <= len(ranks) // 2]
    if len(steps) < 2:
        return ()
    got = [agreement(ranks, n)[0] for n in steps]
    return (
        Chart(
            title=f"Figure 8: agreement of the mean rank with that of all {len(ranks)} matches",
            x="repeats",
            y="agreement, %",
            lines=(Line(label="agreement", x=tuple(map(float, steps)), y=tuple(got)),),
        ),
    )


def _chart_figure10(by_players: Mapping[int, list[Match]]) -> tuple[Chart, ...]:
    curves = [c for m in by_players.get(8, []) if m["match"] == 0 for c in m["curves"]]
    if not curves:
        return ()
    return (
        Chart(
            title="Figure 10: chips left in the first match of eight players",
            x="hand",
            y="chips left",
            lines=tuple(
                Line(
                    label=name,
                    x=tuple(map(float, range(len(curve)))),
                    y=tuple(map(float, curve)),
                    dashed=not name.startswith("fold"),
                )
                for name, curve in curves
            ),
            note="The rebuy of 2,000 counts before it is used.",
        ),
    )


def _table_figure5(results: Mapping[str, Any]) -> Table:
    counts: dict[str, Counter[str]] = {}
    for result in results.values():
        for name, one in result["actions"].items():
            counts.setdefault(name, Counter()).update(one)
    rows: list[tuple[Value, ...]] = []
    for name in sorted(counts):
        one = counts[name]
        shares: list[float] = []
        for when in ("before", "after"):
            total = sum(one[f"{when} {what}"] for what in ("fold", "check", "call", "raise"))
            shares += [100 * one[f"{when} {w}"] / max(total, 1) for w in ("fold", "check", "call", "raise")]
        rows.append((name, *shares, sum(one.values())))
    columns = [
        f"{w}, %, {when} the flop" for when in ("before", "after") for w in ("fold", "check", "call", "bet or raise")
    ]
    return Table(
        title="Figure 5: what everybody does",
        columns=("agent", *columns, "decisions"),
        rows=tuple(rows),
        note="The paper draws the frequencies of three of its programs without figures.",
    )


TOURNAMENTS = Part("tournaments", "Figures 5 and 8-12: two to eight players", cells, section)
