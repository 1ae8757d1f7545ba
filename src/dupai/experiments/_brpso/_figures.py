"""Figures 4(c) and 6 of the BR-PSO paper, and its runs by what the styles bet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from dupai.base import Estimate
from dupai.experiments._brpso import _config as config, _report as report
from dupai.experiments._brpso._printed import FIGURES, FITNESS, FOUND, ORDER, POLICIES
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


def comes_out(printed: Printed, value: float, hands: int) -> bool:
    """Whether one match shows what the paper prints of one: its words, its order of magnitude, or a number within a
    factor of two. ``value``: chips won, or the hand from which a policy is found."""
    words = {"wins": value > 0, "loses": value < 0, "soon": value < config.GENERATION}
    if printed.text in words:
        return words[printed.text]
    if printed.text.startswith("not within"):
        return value >= config.UNFOUND * hands
    if "^" in printed.text:
        low, high = printed.limits or (0.0, 0.0)
        return low <= value < high
    return (printed.value or 0.0) / 2 <= value <= 2 * (printed.value or 0.0)


def _facts(run: tuple[str, str]) -> Iterator[tuple[str, Printed, str]]:
    """What the paper prints of a run: in words, the figure, and the key of a record that it is about."""
    name, style = run
    case = name.startswith("case")
    key = name.replace("case", "variant"), style
    if won := POLICIES.get(name) or FIGURES.get(key):
        # A case is played over twice the paper's hands.
        yield f"{name} against {style}: {won.text}", won, "half" if case else "won"
    if found := FOUND.get(key):
        yield f"{name} against {style}: found {found.text}", found, "turn"


def size_section(results: Results, size: Size) -> Section:
    by = {
        (run, raises): records
        for run in config.SIZE_RUNS
        for raises in config.SIZES
        if (records := report.gathered(results, f"{' '.join(run)} {raises}"))
    }
    bits = dict.fromkeys(config.SIZES, 0.0)
    facts, lines = [], []
    for run, (spec, hands) in config.SIZE_RUNS.items():
        mine = {raises: by[run, raises] for raises in config.SIZES if (run, raises) in by}
        for label, printed, key in _facts(run) if len(mine) == len(config.SIZES) else ():
            row: list[Value] = [label]
            for raises, records in mine.items():
                count = sum(comes_out(printed, float(r[key]), hands) for r in records)
                bits[raises] += math.log2((count + 0.5) / (len(records) + 1))
                row.append(f"{count}/{len(records)}")
            facts.append(row)
        for raises, records in mine.items():
            figures = Estimate.of(r["won"] / 1e6 for r in records), report.turn_text(records)
            lines.append((run[0], spec, f"style:{run[1]},size={raises}", *figures, report.good_text(records, hands)))
    findings = []
    if facts:
        facts.append(["all of them, bits", *(f"{bits[raises]:.1f}" for raises in config.SIZES)])
        best = max(bits, key=lambda raises: bits[raises])
        findings = [f"Of these sizes {best} explains what is printed best, with {bits[best]:.1f} bits."]
    note = (
        "Seeds in which a match shows what is printed: the words, the exponent, or the number within a factor of two. "
        "Bits: the sum of log2((seeds + 1/2) / (all seeds + 1)); 0 is the best possible."
    )
    columns = ("player", "spec", "against", "10^6 chips", "turning point", "positive for good")
    return Section(
        "The paper does not say what the styles bet; what it prints depends on it. Equal seeds for all sizes.",
        tables=(
            Table("How well each raise size explains what is printed", ("printed", *config.SIZES), facts, note),
            Table("By raise size of the style", columns, lines),
        )
        if lines
        else (),
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
