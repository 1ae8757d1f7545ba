"""``dupai bench``: our kernels beside their peers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from typer import Argument, Option

from dupai.base import ConfigError
from dupai.base.text import nearest
from dupai.cli._common import console
from dupai.cli._shared import answer, table

if TYPE_CHECKING:
    from rich.table import Table

    from dupai.bench import Row


def bench(
    names: list[str] | None = Argument(
        None, help="Benchmarks to run; none: list them; 'all' runs everything.", metavar="NAME"
    ),
    json: bool = Option(False, "--json", help="Print one JSON list of rows."),
) -> None:
    """Measure our kernels against their peers, side by side in one run.

    Rows: name, value, unit, peer, peer_value, ratio (how many times as fast or as good as the peer ours is, medians; a
    round of ours and one of the peer's in turn, but mcts and store measure ours and the peer one after the other),
    goal, ok. Ctrl-C prints the benchmarks that are finished. Goals are scaled by the speed of eval7 on this machine in
    this run. Exit code 0 even when a goal is not met.

    Examples:

      dupai bench evaluate

      dupai bench equity engine --json
    """
    from dupai.bench import BENCHMARKS, run_benchmark

    out = console()
    if not names:
        answer(json, list(BENCHMARKS), lambda: out.print("benchmarks: " + ", ".join(BENCHMARKS)))
        return
    asked = list(BENCHMARKS) if names == ["all"] else names
    for name in asked:
        if name not in BENCHMARKS:
            raise ConfigError(f"unknown benchmark {name!r}: {nearest(name, BENCHMARKS)}", text=name)
    rows: list[Row] = []
    try:
        for name in asked:
            if not json and len(asked) > 1:
                console(stderr=True).print(f"measuring {name}")
            rows += run_benchmark(name)
    finally:
        if rows:
            answer(json, rows, lambda: out.print(_view(rows)))


def _view(rows: Iterable[Row]) -> Table:
    view = table("figure", ">ours", ">peer", ">ratio", "goal", "met")
    view.columns[0].min_width = 16
    for column in view.columns[1:3]:
        column.no_wrap = False
    for row in rows:
        view.add_row(
            row.name,
            _amount(row.value, row.unit),
            f"{row.peer}: {_amount(row.peer_value, row.unit)}" if row.peer_value is not None else "",
            "" if row.ratio is None else f"{row.ratio:,.3g} x" if row.ratio < 1000 else f"{row.ratio:,.0f} x",
            row.goal or "",
            {None: "", True: "yes", False: "NO"}[row.ok],
        )
    return view


def _amount(value: float, unit: str) -> str:
    """``500 M evaluations/s``, ``57.4 µs``: rates with a prefix, anything else as it is."""
    steps = (("G ", 1e9), ("M ", 1e6), ("k ", 1e3)) if unit.endswith("/s") else ()
    prefix, size = next(((p, s) for p, s in steps if value >= s), ("", 1.0))
    value /= size
    return f"{value:,.3g} {prefix}{unit}" if abs(value) < 1000 else f"{value:,.0f} {prefix}{unit}"
