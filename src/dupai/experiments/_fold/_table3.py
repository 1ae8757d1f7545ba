"""Table 3: heads-up tournament matches against every player of the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dupai.base import Estimate
from dupai.experiments._fold._field import CHUNK, FIELD, HERO, Matches, play_matches
from dupai.experiments._fold._published import TABLE3 as PUBLISHED
from dupai.experiments._fold._tournaments import FEW
from dupai.experiments._paper import Cell, Part, Row, Section, Size, Table


def cells(size: Size, seed: int) -> list[Cell]:
    matches = 5 if size == "quick" else 100
    # A few matches of everybody first, so that a run that is stopped has seen the whole field.
    return [
        Cell(f"{name} {first}", play_matches, Matches(HERO, 2, first, min(first + CHUNK, matches) - 1, seed, name))
        for first in range(0, matches, CHUNK)
        for name in FIELD
    ]


def section(results: Mapping[str, Any], size: Size) -> Section:
    wins: dict[str, list[float]] = {}
    chips: dict[str, list[float]] = {}
    hands = 0
    for name in FIELD:
        for key, found in results.items():
            if key.rpartition(" ")[0] != name:
                continue
            for match in found["matches"]:
                me, he = match["rows"]
                # Rank 1.5 is a draw, half a win.
                wins.setdefault(name, []).append(100 * (2 - me[1]))
                chips.setdefault(name, []).append(me[3] - he[3])
                hands += match["hands"]
    every = Estimate.of(w for v in wins.values() for w in v)
    gained = Estimate.of(c for v in chips.values() for c in v)
    each = {name: Estimate.of(v) for name, v in wins.items()}
    low = min(each, key=lambda n: each[n].mean)
    high = max(each, key=lambda n: each[n].mean)
    seeds = f"{every.n} matches"
    return Section(
        text="Heads-up matches of 600 hands at most, blinds 20/40, 2,000 chips and one rebuy, against every player of "
        "our field; chips are the difference of what both have left (rebuy not yet used counts).",
        rows=(
            Row(
                label="matches won, mean over the field",
                paper=PUBLISHED["wins"],
                ours=every,
                unit="%",
                hands=hands,
                seeds=seeds,
                agrees=every.interval()[1] >= PUBLISHED["wins"],
                why="another field: the paper's seven programs are private",
            ),
            Row(
                label=f"least of the field ({low})",
                paper=PUBLISHED["least"],
                ours=each[low],
                unit="%",
                agrees=each[low].interval()[1] >= PUBLISHED["least"] if each[low].n >= FEW else None,
            ),
            Row(
                label=f"most of the field ({high})",
                paper=PUBLISHED["most"],
                ours=each[high],
                unit="%",
                agrees=each[high].mean >= 95 if each[high].n >= FEW else None,
            ),
            Row(
                label="mean difference of chips left",
                paper=Estimate(PUBLISHED["chips"], PUBLISHED["chips_se"], 140),
                ours=gained,
                unit="chips",
                hands=hands,
                seeds=seeds,
                agrees=gained.interval()[1] >= PUBLISHED["chips"],
            ),
        ),
        tables=(
            Table(
                title="Heads-up against each of the field",
                columns=("opponent", "matches won, %", "difference of chips left", "matches"),
                rows=tuple((name, each[name], Estimate.of(chips[name]), each[name].n) for name in each),
            ),
        ),
    )


TABLE3 = Part("table3", "Table 3: heads-up matches", cells, section)
