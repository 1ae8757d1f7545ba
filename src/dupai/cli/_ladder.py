"""What ``dupai ladder`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.cli._playing import print_close
from dupai.cli._shared import table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dupai.arena import LadderResult


def show(out: Console, result: LadderResult, seconds: float | None = None) -> None:
    """The tables of a ladder."""
    out.print(f"{result.hands:,} hands, seed {result.seed}; {result.pairing}", soft_wrap=True)
    if result.partial:
        config = result.config
        total = config.hands * config.matches * len(config.tables[0]) * len(config.tables)
        out.print(f"partial: {result.hands:,} of {total:,} hands; what follows is what was played", style="yellow")
    if not result.hands:
        return
    with_luck = (">with luck ± se",) if result.config.luck_reduced else ()
    view = table("agent", ">rating", ">± 95 %", ">Elo", ">mbb/hand ± se", *with_luck)
    for row in result.rows:
        half = f"{row.high - row.rating:,.0f}" if row.rating_se else ""
        plain = () if row.plain is None else (row.plain.text(0),)
        view.add_row(row.agent, f"{row.rating:+,.0f}", half, f"{row.elo:,.0f}", row.mbb.text(0), *plain)
    out.print(view)
    two = len(result.config.tables[0]) == 2
    out.print(
        "\nrow against column, mbb/hand ± 95 %"
        + ("" if two else " (what the row won more than the column at the tables they shared)")
    )
    out.print(_cross_table(result, out.width))
    close = ", ".join(f"{a} - {b}" for a, b in result.not_separated)
    out.print(f"\nnot separated yet (95 %, each pair by itself): {close or 'none'}", soft_wrap=True)
    note = f"intervals count {'matches' if result.unit == 'match' else result.unit + 's'}"
    if result.unit == "match" and result.config.matches == 1:
        note += ": one match a table gives none, --matches M plays more"
    out.print(f"{note}; poker is not transitive: a rating sums up, the cross table says who beats whom", soft_wrap=True)
    if result.straying is not None:
        out.print(f"pairs stray from the differences of the ratings by {result.straying:,.0f} mbb/hand", soft_wrap=True)
    by = "how much is won (mbb/hand from an average one of these)" if result.config.order == "mbb" else "Elo"
    out.print(f"ordered by {by}; Elo counts how often deals are won, so the two may well disagree", soft_wrap=True)
    print_close(out, result)


def _cross_table(result: LadderResult, width: int) -> Table:
    """Everybody against everybody: the error under the mean where the columns would not fit beside each other."""
    names = [row.agent for row in result.rows]
    cells = {(c.first, c.second): c.mbb for c in result.cells}
    means: list[list[tuple[str, str]]] = []
    for a in names:
        line = []
        for b in names:
            m = cells.get((a, b)) or cells.get((b, a))
            if a == b or m is None or not m.n:
                line.append(("·", ""))
                continue
            half = "" if m.se is None or m.high is None else f"±{m.high - m.mean:,.0f}"
            line.append((f"{m.mean if (a, b) in cells else -m.mean:+,.0f}", half))
        means.append(line)
    labels = [f"{k + 1} {a}" for k, a in enumerate(names)]
    beside = [max(len(f"{mean} {half}") for mean, half in column) for column in zip(*means, strict=True)]
    gap = "\n" if max(map(len, labels)) + sum(n + 2 for n in beside) > width else " "
    cross = table("", *(f">{k + 1}" for k in range(len(names))))
    cross.columns[0].min_width = min(12, max(map(len, labels)))
    for label, line in zip(labels, means, strict=True):
        cross.add_row(label, *(f"{mean}{gap}{half}".rstrip() for mean, half in line))
    return cross
