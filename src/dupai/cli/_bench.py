"""``dupai bench``."""

from __future__ import annotations

from typing import Annotated

import typer

from dupai.base import ConfigError


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Which figures to measure; none: list them. 'all' measures everything.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON list of rows.")] = False,
) -> None:
    """Measure our kernels against their peers, side by side in one run.

    Rows: name, value, unit, peer, peer_value, ratio (ours / peer, medians of interleaved rounds), goal, ok.
    Goals are scaled by what eval7 does on this machine in this run. Exit code 0 even when a goal is not met.

    Examples:

      dupai bench evaluate

      dupai bench equity engine --json
    """
    from dupai.bench import BENCHMARKS, run_benchmark
    from dupai.cli._common import console, print_json

    out = console()
    if not names:
        out.print("benchmarks: " + ", ".join(BENCHMARKS))
        return
    wanted = list(BENCHMARKS) if names == ["all"] else names
    for name in wanted:
        if name not in BENCHMARKS:
            raise ConfigError(f"unknown benchmark {name!r}: expected one of {', '.join(BENCHMARKS)}")
    rows = []
    for name in wanted:
        if not json and len(wanted) > 1:
            console(stderr=True).print(f"measuring {name}")
        rows += run_benchmark(name)
    if json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("figure", "ours", "unit", "peer", "its", "ratio", "goal", "met"):
        table.add_column(column, justify="right" if column in ("ours", "its", "ratio") else "left", overflow="fold")
    for row in rows:
        table.add_row(
            row.name,
            _number(row.value),
            row.unit,
            row.peer or "",
            _number(row.peer_value),
            "" if row.ratio is None else f"{row.ratio:.3g} x",
            row.goal or "",
            "" if row.ok is None else ("yes" if row.ok else "NO"),
        )
    out.print(table)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
