"""What ``dupai ladder`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.cli._playing import BY_DEALS, print_close, too_few
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
    with_luck = (">with luck",) if result.config.luck_reduced else ()
    view = table("agent", ">rating", ">± 95 %", ">strays by", ">Elo", *with_luck)
    for row in result.rows:
        half = row.measure.half_text(0, "*").removeprefix("± ")
        strays = "" if row.straying is None else f"{row.straying:,.0f}"
        plain = () if row.plain is None else (f"{row.plain.mean:+,.0f}",)
        view.add_row(
            row.agent, f"{row.rating:+,.0f}", half, strays, "–" if row.elo is None else f"{row.elo:,.0f}", *plain
        )
    out.print(view)
    if result.straying is not None:
        out.print(
            f"rating: mbb/hand won from an average one of these; results of pairs stray from the differences of any "
            f"ratings by {result.straying:,.0f} mbb/hand (a standard deviation), because poker is not transitive",
            soft_wrap=True,
        )
    two = len(result.config.tables[0]) == 2
    out.print(
        "\nrow against column, mbb/hand ± 95 %"
        + ("" if two else " (what the row won more than the column at the tables they shared)")
    )
    out.print(_cross_table(result, out.width))
    close = ", ".join(f"{a} - {b}" for a, b in result.not_separated)
    out.print(f"\nnot separated yet (95 %, each pair by itself): {close or 'none'}", soft_wrap=True)
    units = "matches" if result.unit == "match" else f"{result.unit}s"
    out.print(f"intervals count {units}; a rating sums up, the cross table says who beats whom", soft_wrap=True)
    out.print("Elo counts how often deals are won, not how much, so it may well disagree", soft_wrap=True)
    if few := too_few((*result.rows, *(c.mbb for c in result.cells)), units):
        more = ", --matches M plays more" if result.unit == "match" else ""
        out.print(f"without ±: {few}{more}", style="yellow", soft_wrap=True)
    if any(row.by_deal is not None for row in result.rows) or any(c.mbb.by_deal is not None for c in result.cells):
        out.print(f"* {BY_DEALS}", style="dim", soft_wrap=True)
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
            half = m.half_text(0, "*").replace(" ", "")
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
