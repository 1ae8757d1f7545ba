"""``dupai bench``; and ``dupai reproduce``, a paper's figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from typer import Argument, Option

from dupai.base import ConfigError, nearest
from dupai.cli._common import BackendOption, JobsOption, console, print_json, progress, resolve_jobs
from dupai.cli._shared import answer, fields, leave, table

if TYPE_CHECKING:
    from dupai.experiments import Paper, PaperResult


def bench(
    names: list[str] | None = Argument(
        None, help="Benchmarks to run; none: list them; 'all' runs everything.", metavar="NAME"
    ),
    json: bool = Option(False, "--json", help="Print one JSON list of rows."),
) -> None:
    """Measure our kernels against their peers, side by side in one run.

    Rows: name, value, unit, peer, peer_value, ratio (ours / peer, medians of interleaved rounds), goal, ok.
    Goals are scaled by the speed of eval7 on this machine in this run. Exit code 0 even when a goal is not met.

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
    rows = []
    for name in asked:
        if not json and len(asked) > 1:
            console(stderr=True).print(f"measuring {name}")
        rows += run_benchmark(name)
    if json:
        print_json(rows)
        return
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
    out.print(view)


def _amount(value: float, unit: str) -> str:
    """``500 M evaluations/s``, ``57.4 µs``: rates with a prefix, anything else as it is."""
    steps = (("G ", 1e9), ("M ", 1e6), ("k ", 1e3)) if unit.endswith("/s") else ()
    prefix, size = next(((p, s) for p, s in steps if value >= s), ("", 1.0))
    value /= size
    return f"{value:,.3g} {prefix}{unit}" if abs(value) < 1000 else f"{value:,.0f} {prefix}{unit}"


def reproduce(
    paper: str = Argument(
        "", help="Which paper: fold, experience, brpso, mcts, cross or ledger (--list: their parts).", metavar="PAPER"
    ),
    full: bool = Option(False, "--full/--quick", help="The paper's sizes or larger; quick takes minutes."),
    part: list[str] | None = Option(None, help="Only this part (may be given several times)."),
    out: Path | None = Option(None, help="Folder for the results; default reproduce/PAPER-SIZE."),
    jobs: JobsOption = 1,
    backend: BackendOption = "local",
    resume: bool = Option(
        True, "--resume/--fresh", help="Use finished pieces of an earlier run, or do those of these parts again."
    ),
    seed: int = Option(0, help="Same seed, same figures (except times)."),
    list_: bool = Option(False, "--list", help="Print papers and parts, and exit."),
    json: bool = Option(False, "--json", help="Print results.json."),
) -> None:
    """Run a paper's experiments; print its figures beside ours, write report.html and results.json.

    Every finished piece of work is kept: Ctrl-C (or a crash) loses only the pieces in progress, and the same command
    resumes. Pieces of another version of dupai, or of one with other networks, tables or rules, are done again.

    Examples:

      dupai reproduce fold --quick

      dupai reproduce fold --full --jobs 2 --out fold-full

      dupai reproduce fold --part figure4
    """
    from dupai.experiments import PAPERS, load_paper, run_paper

    if list_:
        papers = [load_paper(name) for name in PAPERS]
        answer(json, [_listed(known) for known in papers], lambda: _print_papers(papers))
        return
    if not paper:
        raise ConfigError(f"which paper? expected one of {', '.join(PAPERS)}", key="paper")
    chosen = load_paper(paper)
    size: Literal["quick", "full"] = "full" if full else "quick"
    folder = out or Path("reproduce") / f"{paper}-{size}"
    with progress(f"reproduce {paper}") as bar:
        result = run_paper(
            chosen,
            folder,
            size=size,
            seed=seed,
            parts=part or (),
            jobs=resolve_jobs(jobs),
            backend=backend,
            resume=resume,
            progress=bar,
        )
    answer(json, result, lambda: _print_paper(result, folder))
    leave(complete=not result.partial)


def _listed(paper: Paper) -> dict[str, Any]:
    return fields(paper, "name title") | {"parts": [fields(part, "name title") for part in paper.parts]}


def _print_papers(papers: list[Paper]) -> None:
    for paper in papers:
        console().print(f"{paper.name}: {paper.title}")
        for part in paper.parts:
            console().print(f"  {part.name:<16} {part.title}")


def _print_paper(result: PaperResult, folder: Path) -> None:
    from dupai.experiments import value_text, verdict_text

    screen = console()
    screen.print(result.title)
    for part in result.parts:
        screen.print(f"\n{part.title}")
        if part.missing:
            screen.print(f"  not run: {part.missing}")
            continue
        if part.cells[0] < part.cells[1]:
            screen.print(f"  {part.cells[0]} of {part.cells[1]} pieces of work done")
        if part.section is None:
            continue
        if part.section.rows:
            view = table("figure", ">paper", ">ours, 95 %", "verdict")
            for row in part.section.rows:
                ours = f"{value_text(row.ours)} {row.unit}".strip()
                view.add_row(row.label, value_text(row.paper), ours, verdict_text(row))
            screen.print(view)
        for data in part.section.tables:
            screen.print(data.title)
            view = table(*data.columns)
            for line in data.rows:
                view.add_row(*map(value_text, line))
            screen.print(view)
        for finding in part.section.findings:
            screen.print(f"- {finding}")
    screen.print(f"\nwrote {folder / 'report.html'} and {folder / 'results.json'}")
