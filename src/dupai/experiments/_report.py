"""The report: one HTML file that needs nothing else."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from dupai.base import Estimate, MissingPackage
from dupai.experiments._paper import Chart, PaperResult, PartResult, Row, Section, Table, Value

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1d2529;
       background: #fff; }
h1 { font-size: 1.6rem } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #ccd; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #e3e6ea; text-align: right; vertical-align: top; }
th:first-child, td:first-child, td.why { text-align: left } th { background: #f4f6f8; }
td.why { max-width: 22rem; color: #555; } .yes { color: #1c7c3c } .no { color: #b3261e }
figure { margin: 1.2rem 0 } figcaption, .note { color: #555; font-size: .9rem } svg { max-width: 100%; height: auto }
.missing { background: #fff6e0; padding: .5rem .8rem; }
"""
_COMPARED = ("what", "in the paper", "printed", "ours, 95 %", "unit", "hands", "seeds", "verdict", "why")
#: CSS classes of verdicts.
_CLASSES = {"agrees": "yes", "ordering agrees": "yes", "differs": "no", "cannot be compared": "open"}


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
    return number_text(value.mean) + (f" ± {number_text((high - low) / 2)}" if value.se else "")


def number_text(value: float) -> str:
    """Four digits where they suffice, with thousands separators."""
    if isinstance(value, int) or (abs(value) >= 1000 and math.isfinite(value)):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _cell(text: str, kind: str = "") -> str:
    return f"<td{f' class={kind!r}' if kind else ''}>{escape(text)}</td>"


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table from its heads and from cells that are HTML already."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _compared(row: Row) -> list[str]:
    hands, where = f"{row.hands:,}" if row.hands else "", row.printed.where if row.printed else ""
    texts = (row.label, where, value_text(row.paper), value_text(row.ours), row.unit, hands, row.seeds)
    verdict = verdict_text(row)
    why = "; ".join(text for text in (row.verdict.why if row.verdict else "", row.why) if text)
    return [*map(_cell, texts), _cell(verdict, _CLASSES.get(verdict, "")), _cell(why, "why")]


def verdict_text(row: Row) -> str:
    """The verdict in a word or two; nothing where the paper prints no figure."""
    if row.verdict is not None:
        return row.verdict.kind
    return {None: "", True: "agrees", False: "differs"}[row.agrees]


def _titled(table: Table) -> str:
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    cells = ([_cell(value_text(v)) for v in row] for row in table.rows)
    return f"<h3>{escape(table.title)}</h3>{_table(table.columns, cells)}{note}"


def chart_svg(chart: Chart) -> str:
    """A chart as an ``<svg>`` element.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    text = io.StringIO()
    _drawn(chart).savefig(text, format="svg", metadata={"Date": None})
    return re.sub(r"^.*?(?=<svg)", "", text.getvalue(), count=1, flags=re.DOTALL)


def _drawn(chart: Chart) -> Any:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackage("matplotlib", "report", "drawing charts") from None
    with matplotlib.rc_context({"svg.hashsalt": "dupai", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(7.2, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for line in chart.lines:
            (drawn,) = axes.plot(line.x, line.y, "--" if line.dashed else "-", label=line.label, linewidth=1.4)
            if line.band:
                low, high = ([y + s * b for y, b in zip(line.y, line.band, strict=True)] for s in (-1, 1))
                axes.fill_between(line.x, low, high, color=drawn.get_color(), alpha=0.18, linewidth=0)
        axes.set_xscale("log" if chart.log_x else "linear")
        axes.set_yscale("log" if chart.log_y else "linear")
        axes.set_xlabel(chart.x)
        axes.set_ylabel(chart.y)
        axes.grid(alpha=0.25)
        if len(chart.lines) > 1:
            axes.legend(frameon=False)
    return figure


def _figure(chart: Chart) -> str:
    caption = f"{chart.title}. {chart.note}" if chart.note else chart.title
    return f"<figure>{chart_svg(chart)}<figcaption>{escape(caption)}</figcaption></figure>"


def _section(section: Section) -> str:
    rows = _table(_COMPARED, map(_compared, section.rows)) if section.rows else ""
    tables, charts = "".join(map(_titled, section.tables)), "".join(map(_figure, section.charts))
    findings = "".join(f"<li>{escape(finding)}</li>" for finding in section.findings)
    return f"<p>{escape(section.text)}</p>{rows}{tables}{charts}" + (f"<ul>{findings}</ul>" if findings else "")


def _part(part: PartResult) -> str:
    head = f'<h2 id="{escape(part.name)}">{escape(part.title)}</h2>'
    done, total = part.cells
    if part.missing:
        return f'{head}<p class="missing">Not run: {escape(part.missing)}.</p>'
    note = "" if done == total else f'<p class="missing">{done} of {total} pieces of work are done.</p>'
    return head + note + (_section(part.section) if part.section else "")


def report_html(result: PaperResult) -> str:
    """The whole page.

    Raises:
        MissingPackage: there are charts to draw and matplotlib is not installed.
    """
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    state = f"Size {result.size}, seed {result.seed}, {'partial' if result.partial else 'complete'}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(result.title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(result.title)}</h1><p>{escape(result.reference)}</p>"
        f'<p class="note">{state}; {escape(versions)}. Intervals are 95 %.</p>'
        f"{''.join(map(_part, result.parts))}</body></html>\n"
    )
