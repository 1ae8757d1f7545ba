"""What reports say, in text; and the report in Markdown."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from dupai.base import Estimate
from dupai.experiments._paper import PaperResult, PartResult, Row, Section, Table, Value
from dupai.experiments._verdict import KINDS

#: Heads of a comparison with a paper.
COMPARED = ("what", "in the paper", "printed", "ours, 95 %", "from", "verdict", "why")


def value_text(value: Value) -> str:
    """A value as a table prints it; an estimate with the half width of its 95 % interval."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if not isinstance(value, Estimate):
        return number_text(value)
    if not math.isfinite(value.se):
        return f"{number_text(value.mean)} (n = {value.n})"
    low, high = value.interval()
    half = (high - low) / 2
    if not half:
        return number_text(value.mean)
    # Two digits of the error, and the mean to the same place.
    places = max(1 - math.floor(math.log10(half)), 0)
    return f"{value.mean:,.{places}f} ± {half:,.{places}f}"


def number_text(value: float) -> str:
    """Four digits where they suffice, with thousands separators."""
    if isinstance(value, int) or (abs(value) >= 1000 and math.isfinite(value)):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def verdict_text(row: Row) -> str:
    """The verdict in a word or two; nothing where the paper prints no figure."""
    return row.verdict.kind if row.verdict is not None else ""


def row_texts(row: Row) -> tuple[str, ...]:
    """A line of comparison as text, in the order of :data:`COMPARED`."""
    where = row.printed.where if row.printed else ""
    origin = ", ".join(text for text in (f"{row.hands:,} hands" if row.hands else "", row.seeds) if text)
    why = "; ".join(text for text in (row.verdict.why if row.verdict else "", row.why) if text)
    values = [
        f"{value_text(value)} {row.unit}".strip() if value is not None else "–" for value in (row.paper, row.ours)
    ]
    return row.label, where, *values, origin, verdict_text(row), why


def verdict_counts(results: Iterable[PaperResult]) -> dict[str, int]:
    """How many figures have each verdict."""
    counts = Counter(verdict_text(row) for result in results for row in result.rows)
    return {kind: counts[kind] for kind in KINDS}


def gaps(results: Iterable[PaperResult]) -> list[str]:
    """What the report lacks: parts that could not run, and work that is not done."""
    lines = []
    for result in results:
        lines += [f"{result.paper}, {part.name}: not run, {part.missing}." for part in result.parts if part.missing]
        counts = [(part.name, *part.cells) for part in result.parts if part.cells[0] < part.cells[1]]
        if counts:
            some = ", ".join(f"{name} {done} of {total}" for name, done, total in counts)
            lines.append(f"{result.paper}: pieces of work done: {some}.")
    return lines


def run_text(result: PaperResult) -> str:
    """Size, seed, time and versions in a sentence."""
    seconds = sum(part.seconds for part in result.parts)
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    time = f"{seconds / 3600:,.1f} h" if seconds > 7200 else f"{seconds / 60:,.1f} min"
    state = "partial" if result.partial else "complete"
    return f"Size {result.size}, seed {result.seed}, {state}; {time} of processor time; {versions}."


# Markdown -----------------------------------------------------------------------------------------------------------


def report_markdown(results: Sequence[PaperResult]) -> str:
    """The report of some papers in Markdown, without its charts."""
    blocks = ["# Papers: printed figures beside ours", *_summary(results)]
    for result in results:
        blocks += [f"## {result.title}", result.reference, run_text(result)]
        for part in result.parts:
            blocks += _part(part)
        if result.players:
            blocks += ["### Players", _markdown_table(("as named", "with all options"), result.players.items())]
    return "\n\n".join(blocks) + "\n"


def _summary(results: Sequence[PaperResult]) -> list[str]:
    counts = [(r.title, *(str(n or "") for n in verdict_counts([r]).values())) for r in results]
    rows = [row_texts(row) for result in results for row in result.rows]
    figures = [(*texts[:4], texts[5]) for texts in rows]
    missing = "\n".join(f"* {line}" for line in gaps(results))
    blocks = ["## Verdicts", _markdown_table(("paper", *KINDS), counts)]
    blocks.append(_markdown_table(("figure", "in the paper", "printed", "ours, 95 %", "verdict"), figures))
    return blocks + (["Missing:", missing] if missing else [])


def _part(part: PartResult) -> list[str]:
    blocks = [f"### {part.title}"]
    done, total = part.cells
    if part.missing:
        blocks.append(f"Not run: {part.missing}.")
    elif done < total:
        blocks.append(f"{done} of {total} pieces of work are done.")
    return blocks + (_section(part.section) if part.section is not None else [])


def _section(section: Section) -> list[str]:
    blocks = [section.text]
    if section.rows:
        blocks.append(_markdown_table(COMPARED, map(row_texts, section.rows)))
    for table in section.tables:
        blocks += [
            f"{table.title}:",
            _markdown_table(table.columns, _texts(table)),
            *([table.note] if table.note else []),
        ]
    if section.findings:
        blocks.append("\n".join(f"* {finding}" for finding in section.findings))
    return blocks


def _texts(table: Table) -> Iterable[Iterable[str]]:
    return ([value_text(value) for value in row] for row in table.rows)


def _markdown_table(columns: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |" for line in lines)
