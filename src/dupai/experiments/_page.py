"""The report as one HTML page that needs nothing else: light and dark, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from dupai.experiments._chart import chart_svg
from dupai.experiments._paper import Chart, PaperResult, PartResult, Row, Section, Table
from dupai.experiments._report import COMPARED, gaps, row_texts, run_text, value_text, verdict_counts, verdict_text
from dupai.experiments._verdict import KINDS

_STYLE = """
:root { color-scheme: light dark; --page: #fcfcfb; --card: #fff; --ink: #1b2327; --soft: #59646b; --line: #dfe3e6;
  --head: #f2f4f5; --yes: #17703a; --part: #2a63a6; --no: #b3261e; --open: #6b7075; --bar: #e9ecee; --warn: #fdf3d8; }
@media (prefers-color-scheme: dark) { :root { --page: #14181b; --card: #1a1f23; --ink: #e3e7ea; --soft: #9aa5ad;
  --line: #303840; --head: #20262b; --yes: #5dc585; --part: #78b0f0; --no: #f28b82; --open: #9aa0a6; --bar: #2a3138;
  --warn: #3a3216; } }
* { box-sizing: border-box } html { -webkit-text-size-adjust: 100% }
body { font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; margin: 0; color: var(--ink);
  background: var(--page); overflow-wrap: break-word; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 .25rem } h2 { font-size: 1.35rem; line-height: 1.3;
  margin: 3.2rem 0 .3rem; padding-top: 1rem; border-top: 2px solid var(--ink) }
h3 { font-size: 1.1rem; margin: 2.2rem 0 .4rem } h4 { font-size: .95rem; margin: 1.6rem 0 .4rem }
p { margin: .5rem 0; max-width: 46rem } .note, figcaption { color: var(--soft); font-size: .88rem }
a { color: var(--part) } nav { font-size: .9rem; margin: .2rem 0 1rem; color: var(--soft) }
ul { padding-left: 1.2rem; max-width: 46rem } li { margin: .25rem 0 }
.wide { overflow-x: auto; margin: .8rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--card) }
table { border-collapse: collapse; width: 100%; font-size: .86rem; line-height: 1.4;
  font-variant-numeric: tabular-nums }
th, td { padding: .4rem .65rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top }
tr:last-child td { border-bottom: 0 } th { background: var(--head); font-weight: 600; white-space: nowrap }
th:first-child, td:first-child, .left { text-align: left } td { white-space: nowrap }
.cards th, .cards td:nth-child(2) { text-align: left }
.cards th:nth-child(3), .cards th:nth-child(4) { text-align: right }
.cards td:nth-child(2), .cards td:nth-child(3) { white-space: normal }
.cards td:nth-child(5) { white-space: normal; text-align: left } .cards td:nth-child(4) { white-space: nowrap }
td:first-child, td.why, td.spec { white-space: normal; min-width: 11rem } td.why { text-align: left; color: var(--soft);
  min-width: 13rem } td.spec { text-align: left; font: .78rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere }
.verdict { font-weight: 600; white-space: nowrap; text-align: left } .agrees { color: var(--yes) }
.ordering { color: var(--part) } .differs { color: var(--no) } .cannot { color: var(--open) }
.counts { display: grid; grid-template-columns: minmax(9rem, 22rem) 1fr; gap: .45rem 1rem; align-items: center;
  margin: 1rem 0 } .counts .bar { display: flex; height: 1.5rem; border-radius: 4px; overflow: hidden; gap: 2px;
  background: var(--bar) } .counts .bar span { color: #fff; font: 600 .8rem/1.5rem system-ui, sans-serif;
  text-align: center; min-width: 1.3rem } .bar .agrees { background: #1f8a4c } .bar .ordering { background: #3b78c4 }
.bar .differs { background: #c4453c } .bar .cannot { background: #7b8288 }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; font-size: .85rem }
.key span::before { content: "\\25A0\\00A0" }
.missing { margin: 1.2rem 0; background: var(--warn); padding: .6rem .9rem; border-radius: 6px; max-width: none }
figure { margin: 1.2rem 0; max-width: 40rem } svg { width: 100%; height: auto; display: block }
summary { cursor: pointer; color: var(--part); font-size: .9rem; margin: .6rem 0 }
@media (max-width: 640px) {
  main { padding: 1rem .9rem 3rem } h1 { font-size: 1.4rem } .counts { grid-template-columns: 1fr; gap: .1rem }
  .counts .bar { margin-bottom: .7rem } .cards thead { display: none } .cards, .cards tbody { display: block }
  .cards tr { display: block; padding: .6rem .75rem; border-bottom: 1px solid var(--line) }
  .cards tr:last-child { border-bottom: 0 } .cards td { display: flex; justify-content: space-between; gap: 1rem;
    border: 0; padding: .1rem 0; white-space: normal; min-width: 0 }
  .cards td, .cards td:nth-child(2), .cards td:nth-child(5) { text-align: right }
  .cards td:first-child { font-weight: 600; display: block; text-align: left; padding-bottom: .25rem }
  .cards td:empty { display: none } .cards td::before { content: attr(data-head); color: var(--soft); flex: none;
    font-weight: 400 } .cards td:first-child::before { content: none }
  .cards td.why { display: block; text-align: left }
  .cards td.why::before { content: none }
}
@media print { nav, summary { display: none } body { background: #fff } h2 { break-after: avoid } }
"""
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
