"""``dupai bench``."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from dupai.base import ConfigError, nearest


def bench(
    names: Annotated[
        list[str] | None,
        Argument(help="Which figures to measure; none: list them. 'all' measures everything.", metavar="NAME"),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON list of rows.")] = False,
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
            raise ConfigError(f"unknown benchmark {name!r}: {nearest(name, BENCHMARKS)}")
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
    table.add_column("figure", min_width=16, overflow="fold")
    table.add_column("ours", justify="right", overflow="fold")
    table.add_column("peer", justify="right", overflow="fold")
    table.add_column("ratio", justify="right", no_wrap=True)
    table.add_column("goal", overflow="fold")
    table.add_column("met", no_wrap=True)
    for row in rows:
        table.add_row(
            row.name,
            _amount(row.value, row.unit),
            "" if row.peer is None or row.peer_value is None else f"{row.peer}: {_amount(row.peer_value, row.unit)}",
            "" if row.ratio is None else f"{row.ratio:,.3g} x" if row.ratio < 1000 else f"{row.ratio:,.0f} x",
            row.goal or "",
            "" if row.ok is None else ("yes" if row.ok else "NO"),
        )
    out.print(table)


def _amount(value: float, unit: str) -> str:
    """``500 M evaluations/s``, ``57.4 µs``: rates with a prefix, anything else as it is."""
    steps = (("G ", 1e9), ("M ", 1e6), ("k ", 1e3)) if unit.endswith("/s") else ()
    prefix, size = next(((p, s) for p, s in steps if value >= s), ("", 1.0))
    value /= size
    return f"{value:,.3g} {prefix}{unit}" if abs(value) < 1000 else f"{value:,.0f} {prefix}{unit}"
