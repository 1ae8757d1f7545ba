"""Figures 4(c) and 6 of the BR-PSO paper, and its runs by what the styles bet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from dupai.base import Estimate
from dupai.experiments._brpso import _config as config, _report as report
from dupai.experiments._brpso._printed import FIGURES, FITNESS, FOUND, ORDER
from dupai.experiments._paper import Chart, Line, Results, Row, Section, Size, Table, Value
from dupai.experiments._verdict import Printed, difference, judge_orders


def case_section(results: Results, size: Size) -> Section:
    """The turning points of the four cases, each and in order."""
    by = {k: records for k in range(1, 5) if (records := report.gathered(results, f"case {k}"))}
    hands = config.CASE_HANDS
    rows = [
        report.found_row(f"case {k} ({config.CASES[f'case {k}']})", FOUND[f"variant {k}", "TA"], records, hands)
        for k, records in by.items()
    ]
    if len(by) == len(config.CASES):
        gaps = [difference(report.turns(by[b]), report.turns(by[a])) for a, b in pairwise(ORDER)]
        verdict = judge_orders(gaps)
        why = "the least certain pair of neighbours decides: " + ", ".join(
            f"{a} before {b}: {gap.mean:+,.0f} hands" for (a, b), gap in zip(pairwise(ORDER), gaps, strict=True)
        )
        printed = Printed("figure 6", "2, 1, 4, 3")
        said = ", ".join(map(str, sorted(by, key=lambda k: report.turns(by[k]).mean)))
        seeds = str(len(by[1]))
        rows.append(Row("cases by turning point", printed.text, said, "", hands, seeds, why, printed, verdict))
    lines = [report.learning(f"case {k}", records, hands) for k, records in by.items()]
    title = "Figure 6: winnings of the four cases against TA"
    table: list[tuple[Value, ...]] = [
        (
            f"case {k}",
            Estimate.of(r["half"] / 1e6 for r in records),
            Estimate.of(r["won"] / 1e6 for r in records),
            report.turns(records, "half turn"),
            report.turns(records),
            report.good_text(records, hands),
        )
        for k, records in by.items()
    ]
    columns = ("case", "10^6 chips after 400,000", f"after {hands:,}", "turning point within 400,000",
               f"within {hands:,}", "positive for good")  # fmt: skip
    return Section(
        f"Against TA, {hands:,} hands a match; weights that change reach their last values after 400,000. The paper's "
        '"found after N hands" is the turning point of its cumulative curve: the hand with the smallest sum.',
        rows,
        (Table("The four cases", columns, table),) if table else (),
        (Chart(title, "thousand hands", "10^6 chips", lines),) if lines else (),
    )


def _over_seeds(runs: Sequence[Mapping[str, Sequence[float]]], name: str) -> list[Estimate]:
    # The last update of a match may not come: hands before the first decision do not count.
    return [Estimate.of(values) for values in zip(*(run[name] for run in runs), strict=False)]


def _rise(values: Sequence[float]) -> float:
    """The mean of the last quarter less that of the first."""
    part = max(len(values) // 4, 1)
    return sum(values[-part:]) / part - sum(values[:part]) / part


def fitness_section(results: Results, size: Size) -> Section:
    runs = list(results.values())
    best = Estimate.of(_rise(run["best"]) for run in runs)
    mean = Estimate.of(_rise(run["mean"]) for run in runs)
    seeds, hands = str(len(runs)), config.HANDS
    why = "last quarter of the updates less the first, chips/hand"
    rows = [
        Row.judged("rise of the best fitness so far", FITNESS["best"], best, hands=hands, seeds=seeds, why=why,
                   missing="a run that does not learn: the largest of more and more tries rises in any case"),
        Row.judged("rise of the mean fitness", FITNESS["mean"], mean, ordering=mean._replace(mean=-mean.mean),
                   hands=hands, seeds=seeds, why=f"differs where it rises significantly; {why}"),
    ]  # fmt: skip
    labels = {"best": "best so far", "top": "best of the generation", "mean": "mean", "low": "worst"}
    lines = [
        Line.through(label, [(float(n), e) for n, e in enumerate(_over_seeds(runs, name), 1)], name in ("top", "low"))
        for name, label in labels.items()
    ]
    note = "BR-PSO (swarm:br) against style:paper-TA; fitness: chips per hand of a particle; mean over seeds."
    return Section(
        "The best fitness of any particle so far contains its luck; the mean of a generation does not.",
        rows,
        charts=(Chart("Figure 4(c): fitness by update", "update", "chips/hand", lines, note=note),),
    )


def _judged(printed: Printed | None, records: report.Records, row: Any) -> str:
    """The verdict on one printed figure at one raise size."""
    if printed is None:
        return ""
    verdict = row("", printed, records, config.HANDS).verdict
    return "" if verdict is None else str(verdict.kind)


def size_section(results: Results, size: Size) -> Section:
    lines: list[tuple[Value, ...]] = []
    findings = []
    for name, spec, style in config.SIZE_RUNS:
        won, found = FIGURES.get((name, style)), FOUND.get((name, style))
        at: dict[str, tuple[str, str]] = {}
        for raises in config.SIZES:
            if not (records := report.gathered(results, f"{name} {style} {raises}")):
                continue
            total = report.per(records, 1)
            at[raises] = _judged(won, records, report.winnings_row), _judged(found, records, report.found_row)
            figures = Estimate(total.mean / 1e6, total.se / 1e6, total.n)
            texts = report.turn_text(records), report.good_text(records, config.HANDS), *at[raises]
            lines.append((name, spec, f"style:{style},size={raises}", figures, *texts))
        if at and (won or found):
            both = [raises for raises, kinds in at.items() if all(k in ("", *_HOLDS) for k in kinds)]
            words = [f"{p.text} ({p.unit})" for p in (won, found) if p is not None]
            findings.append(
                f"{name} against {style}: {' and '.join(words)} "
                + (f"come out with size={', '.join(both)}." if both else "come out together with no size tried.")
            )
    columns = ("player", "spec", "against", "10^6 chips", "turning point", "positive for good", "winnings", "found")
    return Section(
        f"The paper does not say what the styles bet. {config.HANDS:,} hands a match, equal seeds. The "
        "last two columns are the verdicts on the printed winnings and on the hand from which a policy is found.",
        tables=(Table("By raise size of the style", columns, lines),) if lines else (),
        findings=findings,
    )


def street_section(results: Results, size: Size) -> Section:
    lines: list[tuple[Value, ...]] = []
    for name, spec in config.STREET_RUNS.items():
        base = {style: report.gathered(results, f"{name}, alike {style}") for style in config.STYLES}
        for streets in config.STREETS:
            runs = {style: report.gathered(results, f"{name}, {streets} {style}") for style in config.STYLES}
            row: list[Value] = [name, f"{spec},streets={streets}"]
            for style, records in runs.items():
                row.append(report.per(records, config.HANDS) if records else "")
                alike = {b["seed"]: b["won"] for b in base[style]}
                gains = [(a["won"] - alike[a["seed"]]) / config.HANDS for a in records if a["seed"] in alike]
                row.append(Estimate.of(gains) if gains and streets != "alike" else "")
            if any(runs.values()):
                lines.append(tuple(row))
    columns = ("swarm", "spec", *(c for s in config.STYLES for c in (f"{s}, chips/hand", "gain")))
    return Section(
        "The paper's outlook: more information sets. Five numbers for all streets alike (the paper), five before the "
        f"flop and five after it, or five for each street; {config.HANDS:,} hands, the same seeds.",
        tables=(Table("More situations", columns, lines, "Gain: over five numbers, seed by seed."),) if lines else (),
    )


#: Verdicts with which a printed figure comes out.
_HOLDS = ("agrees", "ordering agrees")
