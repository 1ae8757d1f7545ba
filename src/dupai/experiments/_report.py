"""The report: one HTML file that needs nothing else."""

from __future__ import annotations

import html
import io
import math
import re

from dupai.base import Estimate
from dupai.experiments._paper import Chart, Row, Section, Table, Value
from dupai.experiments._run import PaperResult, PartResult

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


def value_text(value: Value) -> str:
    """A value as a table prints it; an estimate with the half width of its 95 % interval."""
    if value is None:
        return "–"
    if isinstance(value, Estimate):
        if not math.isfinite(value.se):
            return f"{number_text(value.mean)} (n = {value.n})"
        low, high = value.interval()
        if value.se == 0:
            return number_text(value.mean)
        return f"{number_text(value.mean)} ± {number_text((high - low) / 2)}"
    if isinstance(value, str):
        return value
    return number_text(value)


def number_text(value: float) -> str:
    """Four digits where that is enough, thousands set off."""
    if isinstance(value, int) or (abs(value) >= 1000 and math.isfinite(value)):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _cell(text: str, kind: str = "") -> str:
    return f"<td{f' class={kind!r}' if kind else ''}>{html.escape(text)}</td>"


def _comparison(rows: tuple[Row, ...]) -> str:
    out = [
        "<table><tr><th>what</th><th>paper</th><th>ours, 95 %</th><th>unit</th><th>hands</th><th>seeds</th>"
        "<th>agrees</th><th>why</th></tr>"
    ]
    for row in rows:
        agrees = {None: ("", ""), True: ("yes", "yes"), False: ("no", "no")}[row.agrees]
        out.append(
            "<tr>"
            + _cell(row.label)
            + _cell(value_text(row.paper))
            + _cell(value_text(row.ours))
            + _cell(row.unit)
            + _cell(f"{row.hands:,}" if row.hands else "")
            + _cell(row.seeds)
            + _cell(*agrees)
            + _cell(row.why, "why")
            + "</tr>"
        )
    return "".join([*out, "</table>"])


def _table(table: Table) -> str:
    head = "".join(f"<th>{html.escape(c)}</th>" for c in table.columns)
    body = "".join("<tr>" + "".join(_cell(value_text(v)) for v in row) + "</tr>" for row in table.rows)
    note = f'<p class="note">{html.escape(table.note)}</p>' if table.note else ""
    return f"<h3>{html.escape(table.title)}</h3><table><tr>{head}</tr>{body}</table>{note}"


def chart_svg(chart: Chart) -> str:
    """A chart as an ``<svg>`` element.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    figure = _drawn(chart)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return re.sub(r"^.*?(?=<svg)", "", text.getvalue(), count=1, flags=re.DOTALL)


def _drawn(chart: Chart):  # type: ignore[no-untyped-def]
    from dupai.base import ConfigError

    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigError("charts need matplotlib: expected pip install 'dupai[report]'") from None
    with matplotlib.rc_context({"svg.hashsalt": "dupai", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(7.2, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for line in chart.lines:
            (drawn,) = axes.plot(line.x, line.y, "--" if line.dashed else "-", label=line.label, linewidth=1.4)
            if line.band:
                low = [y - b for y, b in zip(line.y, line.band, strict=True)]
                high = [y + b for y, b in zip(line.y, line.band, strict=True)]
                axes.fill_between(line.x, low, high, color=drawn.get_color(), alpha=0.18, linewidth=0)
        if chart.log_x:
            axes.set_xscale("log")
        if chart.log_y:
            axes.set_yscale("log")
        axes.set_xlabel(chart.x)
        axes.set_ylabel(chart.y)
        axes.grid(alpha=0.25)
        if len(chart.lines) > 1:
            axes.legend(frameon=False)
    return figure


def _figure(chart: Chart) -> str:
    caption = f"{chart.title}. {chart.note}" if chart.note else chart.title
    return f"<figure>{chart_svg(chart)}<figcaption>{html.escape(caption)}</figcaption></figure>"


def _section(section: Section) -> str:
    out = [f"<p>{html.escape(section.text)}</p>"]
    if section.rows:
        out.append(_comparison(section.rows))
    out += [_table(t) for t in section.tables]
    out += [_figure(c) for c in section.charts]
    if section.findings:
        out.append("<ul>" + "".join(f"<li>{html.escape(f)}</li>" for f in section.findings) + "</ul>")
    return "".join(out)


def _part(part: PartResult) -> str:
    head = f'<h2 id="{html.escape(part.name)}">{html.escape(part.title)}</h2>'
    done, wanted = part.cells
    if part.missing:
        return f'{head}<p class="missing">Not run: {html.escape(part.missing)}.</p>'
    note = "" if done == wanted else f'<p class="missing">{done} of {wanted} pieces of work are done.</p>'
    return head + note + (_section(part.section) if part.section else "")


def report_html(result: PaperResult) -> str:
    """The whole page.

    Raises:
        ConfigError: there are charts to draw and matplotlib is not installed.
    """
    made = ", ".join(f"{k} {v}" for k, v in result.versions.items())
    state = "partial" if result.partial else "complete"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(result.title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{html.escape(result.title)}</h1><p>{html.escape(result.reference)}</p>"
        f'<p class="note">Size {result.size}, seed {result.seed}, {state}; {html.escape(made)}. Intervals are 95 %.</p>'
        + "".join(_part(part) for part in result.parts)
        + "</body></html>\n"
    )
