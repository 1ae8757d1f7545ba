"""Tables and charts of ``dupai reproduce brpso`` from the records of its matches."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.agents import risk_curves
from dupai.base import Z95, Estimate
from dupai.experiments._paper import Chart, Line, Table

Records = list[dict[str, Any]]


def gathered(results: Mapping[str, Any], label: str) -> Records:
    """The records of all cells of a run (keys ``label #block``)."""
    return [record for key, found in results.items() if key.split(" #")[0] == label for record in found]


def won(records: Records) -> Estimate:
    """Final winnings, chips, over seeds."""
    return Estimate.of(r["won"] for r in records)


def good_text(records: Records, hands: int) -> str:
    """How many seeds are positive for good within the match, and their median hand."""
    found = sorted(r["good"] for r in records if r["good"] is not None)
    if not found:
        return f"0 of {len(records)}"
    # Those that never are count as later than all others.
    everybody = sorted(r["good"] if r["good"] is not None else hands + 1 for r in records)
    middle = statistics.median(everybody)
    said = f"{middle:,.0f}" if middle <= hands else "never"
    return f"{len(found)} of {len(records)}, median {said}"


def within(records: Records, hands: int) -> int:
    """Seeds that are positive for good from ``hands`` on."""
    return sum(r["good"] is not None and r["good"] <= hands for r in records)


def middle_policy(records: Records) -> str:
    """Medians of the five numbers found."""
    xs = [r["x"] for r in records if r["x"]]
    return ", ".join(f"{v:.2f}" for v in np.median(np.array(xs), axis=0)) if xs else ""


def learning(label: str, records: Records, hands: int, dashed: bool = False) -> Line:
    """Cumulative winnings, 10^6 chips, mean over seeds with the band of the mean."""
    curves = np.array([r["curve"] for r in records]) / 1e6
    n, points = curves.shape
    band = Z95 * curves.std(0, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(points)
    x = (np.arange(points) + 1) * hands / points / 1000
    return Line(
        label=label, x=tuple(x.tolist()), y=tuple(curves.mean(0).tolist()), band=tuple(band.tolist()), dashed=dashed
    )


def regret(label: str, records: Records, hands: int, best: float) -> Line:
    """Chips per hand that the best fixed policy had won more, by hand."""
    curves = np.array([r["curve"] for r in records])
    n, points = curves.shape
    at = (np.arange(points) + 1) * hands / points
    lost = (best * at - curves) / at
    band = Z95 * lost.std(0, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(points)
    return Line(label=label, x=tuple((at / 1000).tolist()), y=tuple(lost.mean(0).tolist()), band=tuple(band.tolist()))


def curves_chart(title: str, x: Sequence[float], note: str = "") -> Chart:
    """A policy as chances over the win rate."""
    rates = np.linspace(0.0, 1.0, 101)
    found = risk_curves(np.array(x), rates)
    names = ("fold (facing a bet)", "call", "raise", "check (free)", "bet")
    lines = tuple(
        Line(label=name, x=tuple(rates.tolist()), y=tuple(found[:, k].tolist()), dashed=k > 2)
        for k, name in enumerate(names)
    )
    return Chart(title=title, x="win rate", y="chance", lines=lines, note=note)


def summary(
    title: str, rows: Sequence[tuple[str, str, Records]], hands: int, best: Mapping[str, float], note: str = ""
) -> Table:
    """Who, against whom: winnings, per hand, share of the best fixed policy, hands until positive for good."""
    lines = []
    for name, opponent, records in rows:
        if not records:
            continue
        total = won(records)
        share = f"{100 * total.mean / hands / best[opponent]:.0f} %" if opponent in best else ""
        lines.append(
            (
                name,
                opponent,
                Estimate(total.mean / 1e6, total.se / 1e6, total.n),
                total.mean / hands,
                share,
                good_text(records, hands),
                middle_policy(records),
            )
        )
    columns = ("player", "against", "10^6 chips", "chips/hand", "of the best", "positive for good", "found, median")
    return Table(title=title, columns=columns, rows=tuple(lines), note=note)
