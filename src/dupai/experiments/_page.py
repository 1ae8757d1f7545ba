"""The report as one HTML page that needs nothing else: light and dark, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from dupai.experiments._chart import chart_svg
from dupai.experiments._paper import Chart, PaperResult, PartResult, Row, Section, Table
from dupai.experiments._report import COMPARED, gaps, row_texts, run_text, value_text, verdict_counts, verdict_text
from dupai.experiments._verdict import KINDS

#: How the page looks; it stands in the page itself.
_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
#: CSS class of each verdict.
_CLASSES: dict[str, str] = {kind: kind.split()[0] for kind in KINDS}


def report_html(results: Sequence[PaperResult]) -> str:
    """The page of one paper or of several, verdicts first.

    Raises:
        MissingPackage: there are charts to draw and matplotlib is not installed.
    """
    title = results[0].title if len(results) == 1 else "Papers: printed figures beside ours"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>{escape(title)}</h1>{_summary(results)}{''.join(map(_paper, results))}</main></body></html>\n"
    )


def _summary(results: Sequence[PaperResult]) -> str:
    rules = (
        "A verdict is computed from the figures, two-sided: <em>agrees</em>: the printed figure lies in our 95 % "
        "interval, or ours rounds to it where it has none; <em>ordering agrees</em>: it does not, but what the paper "
        "says of the order holds, with significance; <em>differs</em>: neither; <em>cannot be compared</em>: something "
        "is missing, or our interval is too wide to say."
    )
    lines = gaps(results)
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    missing = f'<div class="missing"><strong>Missing here</strong><ul>{items}</ul></div>' if lines else ""
    links = " · ".join(f'<a href="#{escape(r.paper)}">{escape(r.title)}</a>' for r in results)
    nav = f"<nav>{links}</nav>" if len(results) > 1 else ""
    rows = [(row, result) for result in results for row in result.rows]
    return (
        f"{nav}<p>{rules}</p>{_bars(results)}{missing}"
        + (_all_figures(rows) if len(results) > 1 and rows else "")
        + '<p class="note">Intervals are 95 %. Times are processor time.</p>'
    )


def _bars(results: Sequence[PaperResult]) -> str:
    """How many figures of each paper have each verdict, as a bar."""
    lines = []
    for result in results:
        counts = verdict_counts([result])
        if not sum(counts.values()):
            continue
        parts = "".join(
            f'<span class="{_CLASSES[kind]}" style="flex: {n}" title="{kind}: {n}">{n}</span>'
            for kind, n in counts.items()
            if n
        )
        lines.append(f'<div>{escape(result.title)}</div><div class="bar">{parts}</div>')
    if not lines:
        return ""
    key = "".join(f'<span class="{_CLASSES[kind]}">{kind}</span>' for kind in KINDS)
    return f'<div class="counts">{"".join(lines)}</div><div class="key">{key}</div>'


def _all_figures(rows: Sequence[tuple[Row, PaperResult]]) -> str:
    """Every printed figure with its verdict in one table."""
    lines = []
    for row, result in rows:
        label, where, *values = row_texts(row)[:4]
        texts = (label, f"{result.paper}, {where}" if where else result.paper, *values)
        lines.append([_cell(t, _HEADS[k]) for k, t in enumerate(texts)] + [_verdict(row)])
    return f"<h3>Every printed figure</h3>{_table((*_HEADS, 'verdict'), lines, 'cards')}"


_HEADS = ("figure", "in the paper", "printed", "ours, 95 %")


def _paper(result: PaperResult) -> str:
    parts = "".join(map(_part, result.parts))
    return (
        f'<h2 id="{escape(result.paper)}">{escape(result.title)}</h2><p>{escape(result.reference)}</p>'
        f'<p class="note">{escape(run_text(result))}</p>{parts}{_players(result)}'
    )


def _players(result: PaperResult) -> str:
    if not result.players:
        return ""
    rows = ([_cell(name), _cell(spec, kind="spec")] for name, spec in result.players.items())
    table = _table(("as named", "with all options"), rows)
    return f"<details><summary>Players with all their options ({len(result.players)})</summary>{table}</details>"


def _part(part: PartResult) -> str:
    head = f'<h3 id="{escape(part.name)}">{escape(part.title)}</h3>'
    done, total = part.cells
    if part.missing:
        return f'{head}<p class="missing">Not run: {escape(part.missing)}.</p>'
    note = "" if done == total else f'<p class="missing">{done} of {total} pieces of work are done.</p>'
    return head + note + (_section(part.section) if part.section else "")


def _section(section: Section) -> str:
    rows = _table(COMPARED, map(_compared, section.rows), "cards") if section.rows else ""
    tables, charts = "".join(map(_titled, section.tables)), "".join(map(_figure, section.charts))
    findings = "".join(f"<li>{escape(finding)}</li>" for finding in section.findings)
    return f"<p>{escape(section.text)}</p>{rows}" + (f"<ul>{findings}</ul>" if findings else "") + tables + charts


def _compared(row: Row) -> list[str]:
    *texts, _, why = row_texts(row)
    cells = [_cell(text, head) for text, head in zip(texts, COMPARED, strict=False)]
    return [*cells, _verdict(row), _cell(why, kind="why")]


def _titled(table: Table) -> str:
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    cells = ([_cell(value_text(v)) for v in row] for row in table.rows)
    return f"<h4>{escape(table.title)}</h4>{_table(table.columns, cells)}{note}"


def _figure(chart: Chart) -> str:
    caption = f"{chart.title}. {chart.note}" if chart.note else chart.title
    return f"<figure>{chart_svg(chart)}<figcaption>{escape(caption)}</figcaption></figure>"


def _verdict(row: Row) -> str:
    text = verdict_text(row)
    return f'<td class="verdict {_CLASSES.get(text, "")}" data-head="verdict">{text}</td>'


def _cell(text: str, head: str = "", kind: str = "") -> str:
    attributes = (f' class="{kind}"' if kind else "") + (f' data-head="{escape(head)}"' if head else "")
    return f"<td{attributes}>{escape(text)}</td>"


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    """A table from its heads and from cells that are HTML already; ``cards``: on a phone each line becomes a card."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    named = f' class="{kind}"' if kind else ""
    return f'<div class="wide"><table{named}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
