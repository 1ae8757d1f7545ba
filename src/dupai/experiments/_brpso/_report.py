"""Tables and charts of ``dupai reproduce brpso`` from the records of its matches."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.agents.swarm import risk_curves
from dupai.base import Estimate, t95
from dupai.base.arrays import F64
from dupai.experiments._brpso import _config as config
from dupai.experiments._brpso._printed import FIGURES, FOUND, FOUND_BY, MORE_PARTICLES, POLICIES, PREDICTOR
from dupai.experiments._paper import Chart, Line, Results, Row, Section, Size, Table, Value
from dupai.experiments._verdict import Printed

Records = list[dict[str, Any]]
_X, _CHIPS = "thousand hands", "chips/hand"


def gathered(results: Results, label: str) -> Records:
    """The records of all cells of a run (keys ``label #block``)."""
    return [record for key, block in results.items() if key.split(" #")[0] == label for record in block]


def per(records: Records, hands: float, key: str = "won") -> Estimate:
    """Chips over ``hands``, over seeds."""
    return Estimate.of(r[key] / hands for r in records)


def second_half(records: Records, hands: float) -> Estimate:
    """Chips of the second half of a match over ``hands``, over seeds."""
    return Estimate.of((r["won"] - r["half"]) / hands for r in records)


def _millions(total: Estimate) -> Estimate:
    return Estimate(total.mean / 1e6, total.se / 1e6, total.n)


def good_text(records: Records, hands: int) -> str:
    """How many seeds are positive for good within the match, and their median hand."""
    # Those that never are count as later than all others.
    good = sorted(r["good"] if r["good"] is not None else hands + 1 for r in records)
    count = sum(r["good"] is not None for r in records)
    if not count:
        return f"0 of {len(records)}"
    middle = statistics.median(good)
    return f"{count} of {len(records)}, median {f'{middle:,.0f}' if middle <= hands else 'never'}"


def within(records: Records, hands: int) -> int:
    """Seeds that are positive for good from ``hands`` on."""
    return sum(r["good"] is not None and r["good"] <= hands for r in records)


def _by_goal(records: Records) -> str:
    return f"{within(records, config.GOAL_HANDS)}/{len(records)}"


def middle_policy(records: Records) -> str:
    """Medians of the five numbers found."""
    xs = [r["x"] for r in records if r["x"]]
    return ", ".join(f"{v:.2f}" for v in np.median(np.array(xs), axis=0)) if xs else ""


def _mean_line(label: str, curves: F64, hands: int, dashed: bool = False) -> Line:
    """The mean of curves over a match, with the 95 % band of the mean."""
    n, points = curves.shape
    band = t95(n - 1) * curves.std(0, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(points)
    x = (np.arange(points) + 1) * hands / points / 1000
    return Line(label, tuple(x.tolist()), tuple(curves.mean(0).tolist()), tuple(band.tolist()), dashed)


def learning(label: str, records: Records, hands: int, dashed: bool = False) -> Line:
    """Cumulative winnings, 10^6 chips, mean over seeds."""
    return _mean_line(label, np.array([r["curve"] for r in records]) / 1e6, hands, dashed)


def regret(label: str, records: Records, hands: int, best: float) -> Line:
    """Chips per hand that the best fixed policy would have won more, by hand."""
    curves = np.array([r["curve"] for r in records])
    at = (np.arange(curves.shape[1]) + 1) * hands / curves.shape[1]
    return _mean_line(label, (best * at - curves) / at, hands)


def curves_chart(title: str, x: Sequence[float]) -> Chart:
    """A policy as probabilities over the win rate."""
    rates = np.linspace(0.0, 1.0, 101)
    shares = risk_curves(np.array(x), rates)
    names = ("fold (facing a bet)", "call", "raise", "check (free)", "bet")
    lines = [Line(n, rates.tolist(), shares[:, k].tolist(), dashed=k > 2) for k, n in enumerate(names)]
    return Chart(title, "win rate", "chance", lines)


def summary(runs: Sequence[tuple[str, str, Records]], hands: int, best: Mapping[str, float]) -> Table:
    """All runs: winnings, per hand, share of the best fixed policy, hands until positive for good."""
    rows: list[tuple[Value, ...]] = []
    for name, opponent, records in runs:
        total = per(records, 1)
        share = f"{100 * total.mean / hands / best[opponent]:.0f} %" if opponent in best else ""
        figures = (_millions(total), total.mean / hands, share)
        spec = config.RUNS[name].spec if name in config.RUNS else name
        texts = (turn_text(records), good_text(records, hands), middle_policy(records))
        rows.append((name, spec, opponent, *figures, *texts))
    columns = ("player", "spec", "against", "10^6 chips", _CHIPS, "of the best", "turning point", "positive for good",
               "found, median")  # fmt: skip
    return Table("All runs", columns, rows)


def turns(records: Records, key: str = "turn") -> Estimate:
    """The turning point of the cumulative curve, over seeds."""
    return Estimate.of(float(r[key]) for r in records)


def one_run(estimate: Estimate) -> float:
    """The standard deviation of a run: the error of a figure that was printed from a single one."""
    return estimate.se * math.sqrt(estimate.n) if math.isfinite(estimate.se) else math.inf


def turn_text(records: Records) -> str:
    """Median turning point, and the range of the seeds."""
    some = sorted(r["turn"] for r in records)
    return f"{statistics.median(some):,.0f} ({some[0]:,} to {some[-1]:,})"


def winnings_row(label: str, printed: Printed, records: Records, hands: int) -> Row:
    """Winnings, mean over seeds, beside the printed figure, which is of one run."""
    total = per(records, 1)
    ordering = None
    if printed.limits is None:
        ordering = total if printed.text == "wins" else Estimate(-total.mean, total.se, total.n)
    why = f"positive for good: {good_text(records, hands)}; turning point: {turn_text(records)}"
    if (limits := printed.limits) is not None:
        same = sum(limits[0] <= r["won"] < limits[1] for r in records)
        why = f"this exponent in {same} of {len(records)} seeds; {why}"
    return Row.judged(
        label, printed, total, hands=hands, seeds=str(len(records)), ordering=ordering, error=one_run(total), why=why
    )


def found_row(label: str, printed: Printed, records: Records, hands: int) -> Row:
    """The hand from which a counter-policy is found, beside the printed one, which is of one run."""
    turn = turns(records)
    why = f"median and range of the seeds: {turn_text(records)}; positive for good: {good_text(records, hands)}"
    ordering = None
    if printed.text == "soon":
        ordering = Estimate(config.GENERATION - turn.mean, turn.se, turn.n)
        why = f"soon: within the first {config.GENERATION:,} hands, before any update; {why}"
    elif printed.text.startswith("not within"):
        # The sum falls to the end: there is no turning point before the last tenth of the match.
        ordering = Estimate(turn.mean - config.UNFOUND * hands, turn.se, turn.n)
        why = f"not found: the curve has its minimum in the last tenth of the match; {why}"
    return Row.judged(
        label, printed, turn, hands=hands, seeds=str(len(records)), ordering=ordering, error=one_run(turn), why=why
    )


def run_section(results: Results, size: Size) -> Section:
    hands = config.HANDS
    # The better of two searches over the same deals, which neither has seen.
    searches = {
        style: [(name, results[key]) for name, key in _searches(style) if key in results] for style in config.STYLES
    }
    offline = {style: [result for _, result in some] for style, some in searches.items() if some}
    fixed = {style: max(some, key=lambda r: float(r["mean"])) for style, some in offline.items()}
    best = {style: search["mean"] for style, search in fixed.items()}
    runs = [
        (name, style, gathered(results, f"{name} {style}"))
        for name, run in config.RUNS.items()
        for style in run.against
    ]
    runs = [run for run in runs if run[2]]
    rows = []
    for name, style, records in runs:
        label, key = f"{name} against {style}", (name, style)
        if key in FIGURES:
            rows.append(winnings_row(f"{label}: winnings", FIGURES[key], records, hands))
        if key in FOUND and name == "PSO":
            rows.append(found_row(f"{label}: counter-policy found", FOUND[key], records, hands))
    by = {(name, style): records for name, style, records in runs}
    more, fewer = ({r["seed"]: r["won"] for r in by.get((name, "TA"), [])} for name in ("BR-PSO, m = 40", "BR-PSO"))
    if both := more.keys() & fewer.keys():
        gain = Estimate.of(more[seed] - fewer[seed] for seed in sorted(both))
        label = "BR-PSO against TA: m = 40 less m = 20, seed by seed"
        rows.append(Row.judged(label, MORE_PARTICLES, gain, hands=hands, seeds=str(gain.n), ordering=gain))
    rows_of_searches = [
        (style, name, Estimate(r["mean"], r["se"], hands), ", ".join(f"{v:.2f}" for v in r["x"]))
        for style, some in searches.items()
        for name, r in some
    ]
    searched = Table(
        "Best fixed policy, found offline",
        ("against", "search of", _CHIPS, "x1, x2, x3, x4, x5"),
        rows_of_searches,
        "Cross-entropy searches; the figures are over equal deals that neither has seen. The better one counts.",
    )
    return Section(
        f"Heads-up no-limit, 50/100, 20,000 chips every hand, {hands:,} hands a match; bands over seeds. CMA-ES "
        "and random search play their policies in time, 1,000 hands each, as the particles do.",
        rows,
        (summary(runs, hands, best), searched),
        _run_charts(by, fixed, hands),
        _goal(by, best, hands),
    )


def _searches(style: str) -> tuple[tuple[str, str], ...]:
    return ("this run", f"best {style}"), ("the library", f"library {style}")


def _run_charts(by: Mapping[tuple[str, str], Records], fixed: Mapping[str, Any], hands: int) -> list[Chart]:
    charts, compared = [], (*config.OURS, "PSO", "BR-PSO", "variant 2", "CMA-ES", "random search")
    for style in config.STYLES:
        mine = {name: records for (name, s), records in by.items() if s == style and name != "rules"}
        lines = [learning(name, r, hands, name in ("CMA-ES", "random search")) for name, r in mine.items()]
        charts.append(Chart(f"Winnings against {style}", _X, "10^6 chips", lines))
    for style in fixed:
        best = fixed[style]["mean"]
        lines = [regret(n, r, hands, best) for (n, s), r in by.items() if s == style and n in compared]
        if lines:
            charts.append(Chart(f"Regret against {style}", _X, _CHIPS, lines))
    charts += [curves_chart(f"Best fixed policy against {style}", search["x"]) for style, search in fixed.items()]
    for name in ("BR-PSO", "variant 2"):
        if records := by.get((name, "TA"), []):
            top = max(records, key=lambda r: float(r["won"]))
            charts.append(curves_chart(f"Found by {name} against TA, its best seed", top["x"]))
    return charts


def _goal(by: Mapping[tuple[str, str], Records], best: Mapping[str, float], hands: int) -> list[str]:
    """How far the goal is reached, style by style."""
    findings = []
    for name in config.OURS:
        for style in config.STYLES:
            records = by.get((name, style), [])
            if not records or style not in best:
                continue
            early, share = within(records, config.GOAL_HANDS), per(records, 1).mean / hands / best[style]
            ok = early >= config.GOAL_SEEDS * len(records) and share >= config.GOAL_SHARE
            findings.append(
                f"{name} against {style}: positive for good within {config.GOAL_HANDS:,} hands in {early} of "
                f"{len(records)} seeds, {100 * share:.0f} % of the best fixed policy: the goal is "
                f"{'reached' if ok else 'missed'}."
            )
    return findings


def printed_section(results: Results, size: Size) -> Section:
    hands = config.HANDS
    rows = []
    for x, printed in POLICIES.items():
        if records := gathered(results, x):
            label = f"risk:{x}, found by {FOUND_BY[x]}"
            # The luck of the paper's one match counts, too.
            total, seeds, why = (
                per(records, 1),
                str(len(records)),
                f"the paper does not say over how many hands: {hands:,} are taken",
            )
            rows.append(
                Row.judged(
                    label, printed, total, hands=hands, seeds=seeds, ordering=None if printed.limits else total,
                    error=one_run(total), why=why,
                )
            )  # fmt: skip
    charts = [
        curves_chart(f"Printed policy ({x.replace('/', ', ')}), {where}", [float(v) for v in x.split("/")])
        for x, where in FOUND_BY.items()
    ]
    return Section("The policies that the paper prints, played unchanged against TA.", rows, charts=charts)


def option_section(results: Results, size: Size) -> Section:
    hands = config.OPTION_HANDS
    rows: list[list[Value]] = []
    for name in config.OPTIONS:
        row: list[Value] = [name]
        for style in config.STYLES:
            records = gathered(results, f"{name} {style}")
            row += [per(records, hands), _by_goal(records)] if records else ["", ""]
        rows.append(row)
    columns = ("swarm", *(c for s in config.STYLES for c in (f"{s}, {_CHIPS}", "positive by 20,000")))
    return Section(
        f"Each option with its own effect over {hands:,} hands: mean over the match, and seeds that are positive "
        f"for good from hand {config.GOAL_HANDS:,}.",
        tables=(Table("Options (1) to (3)", columns, rows),),
    )


def stranger_section(results: Results, size: Size) -> Section:
    hands = config.OPTION_HANDS
    rows: list[tuple[Value, ...]] = []
    base = {k.split(" #")[1]: v[0]["won"] for k, v in results.items() if k.startswith("quick #")}
    for name in config.STRANGER_RUNS:
        mine = {k.split(" #")[1]: v[0] for k, v in results.items() if k.split(" #")[0] == name}
        if mine:
            records = list(mine.values())
            less = [(v["won"] - base[k]) / hands for k, v in mine.items() if k in base]
            gain = Estimate.of(less) if name != "quick" and less else ""
            positive = f"{sum(r['won'] > 0 for r in records)}/{len(records)}"
            rows.append((name, per(records, hands), gain, _by_goal(records), positive))
    columns = ("player", _CHIPS, "less quick, same opponent", "positive by 20,000", "positive at the end")
    return Section(
        "Styles with thresholds drawn at random, one match against each: none of them is in the library.",
        tables=(Table(f"Strangers, {hands:,} hands", columns, rows),),
    )


def change_section(results: Results, size: Size) -> Section:
    half = config.CHANGE_HANDS // 2
    rows: list[list[Value]] = []
    for name in config.CHANGE_RUNS:
        runs = [gathered(results, f"{name} {a}-{b}") for a, b in config.CHANGES]
        rows.append([name, *(second_half(records, half) if records else "" for records in runs)])
    columns = ("swarm", *(f"{a} then {b}" for a, b in config.CHANGES))
    return Section(
        "From the middle of the match on the opponent is another. With (5) the rates of 500 hands are compared with "
        "all before them; if they differ, the swarm starts anew.",
        tables=(Table(f"Chips/hand in the {half:,} hands after the change", columns, rows),),
    )


def table_section(results: Results, size: Size) -> Section:
    hands = config.table_hands(size)
    rows: list[tuple[Value, ...]] = []
    for name in config.TABLE_RUNS:
        for others in config.TABLES:
            if records := gathered(results, f"{name} {'-'.join(others)}"):
                means = [sum(r["others"][k] for r in records) / len(records) / hands for k in range(len(others))]
                each = " ".join(f"{other} {mean:+.0f}" for other, mean in zip(others, means, strict=True))
                rows.append((name, " ".join(others), per(records, hands), second_half(records, hands / 2), each))
    columns = ("player", "others", _CHIPS, "second half", "the others, chips/hand")
    return Section(
        "Tables of 3 and 6 with mixed styles: one swarm for the table, or one for each opponent, which decides "
        "when that opponent bets; where nobody has bet, one is drawn by how much each has lost to us.",
        tables=(Table(f"Several opponents, {hands:,} hands", columns, rows),),
    )


def sensitivity_section(results: Results, size: Size) -> Section:
    hands = config.SENSITIVITY_HANDS
    rows: list[tuple[Value, ...]] = []
    for name in config.SENSITIVITY:
        if records := gathered(results, name):
            figures = (_millions(per(records, 1)), per(records, 1e6, "half"))
            rows.append((name, *figures, good_text(records, hands), middle_policy(records)))
    columns = ("setting", "10^6 chips", "of it after half the match", "positive for good", "found, median")
    return Section(
        f"BR-PSO (m = 20, n_f = 1000) against TA, {hands:,} hands: what the paper leaves open, changed one by one.",
        tables=(Table("Unstated constants", columns, rows),),
    )


def reader_section(results: Results, size: Size) -> Section:
    hands = config.reader_hands(size)
    runs = {style: gathered(results, f"fold {style}") for style in config.STYLES}
    rows = [(style, per(r, hands), f"{len(r)} x {hands:,}") for style, r in runs.items() if r]
    table = Table("The hand reader", ("against", _CHIPS, "hands"), rows)
    played = runs["TA"]
    as_long = per(played, hands / config.HANDS) if played else None
    row = Row.judged(
        "a program that predicts hands, against TA: fold", PREDICTOR, as_long, hands=hands, seeds=str(len(played)),
        missing="the paper's program ph", stand_in=f"the agent fold's chips/hand times {config.HANDS:,}",
    )  # fmt: skip
    return Section("The agent fold, which reads hands, on the first hands of the same matches.", [row], (table,))
