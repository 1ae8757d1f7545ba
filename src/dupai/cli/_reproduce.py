"""``dupai reproduce``: papers' printed figures beside ours."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer import Argument, Option

from dupai.base import ConfigError
from dupai.base.text import plain
from dupai.cli._common import BackendOption, JobsOption, console, progress, resolve_jobs
from dupai.cli._shared import answer, fields, leave, table

if TYPE_CHECKING:
    from dupai.experiments import Paper, PaperResult

#: Names all papers.
ALL = "all"
#: Seconds between two lines of progress where it is no terminal that reads them.
_LINE_SECONDS = 30.0


def reproduce(
    paper: str = Argument("", help="A paper (--list shows them and their parts), or all.", metavar="PAPER"),
    full: bool = Option(False, "--full/--quick", help="The paper's sizes or larger; quick takes minutes."),
    part: list[str] | None = Option(None, help="Only this part (may be given several times)."),
    out: Path | None = Option(None, help="Folder for the results; default reproduce/PAPER-SIZE; for all: reproduce."),
    data: Path | None = Option(
        None,
        help="Folder that holds data/ with the shared logs; default: $DUPAI_SHARED, or "
        "the folder shared beside the working folder or beside the package's.",
    ),
    jobs: JobsOption = 0,
    backend: BackendOption = "local",
    resume: bool = Option(
        True, "--resume/--fresh", help="Use finished pieces of an earlier run, or do those of these parts again."
    ),
    seed: int = Option(0, min=0, help="Same seed, same figures (except times)."),
    list_: bool = Option(False, "--list", help="Print papers and parts, and exit."),
    json: bool = Option(False, "--json", help="Print results.json (for all: a list of them)."),
) -> None:
    """Run papers' experiments: their printed figures beside ours, each with a verdict by rule, in one report.

    Writes report.html (one page that needs nothing else), report.md and results.json. Every finished piece of work is
    kept: Ctrl-C (or a crash) loses only the pieces in progress, and the same command resumes. Pieces of another version
    of dupai, or of one with other networks, tables or rules, are done again.

    Examples:

      dupai reproduce all --quick

      dupai reproduce fold --full --jobs 2 --out fold-full

      dupai reproduce fold --part figure4
    """
    from dupai.experiments import PAPERS, load_paper, run_paper, run_papers

    if list_:
        papers = [load_paper(name) for name in PAPERS]
        answer(json, [_listed(known) for known in papers], lambda: _print_papers(papers))
        return
    if not paper:
        raise ConfigError(f"which paper? expected all, {', '.join(PAPERS)}", key="paper")
    if paper == ALL and part:
        raise ConfigError("--part: expected one paper, parts of all are not chosen", key="part")
    if data is not None:
        # Worker processes look there, too.
        os.environ["DUPAI_SHARED"] = str(data.resolve())
    chosen = [load_paper(name) for name in (PAPERS if paper == ALL else [paper])]
    size = "full" if full else "quick"
    base, workers = out or Path("reproduce"), resolve_jobs(jobs)
    folders = [base / f"{one.name}-{size}" for one in chosen] if paper == ALL or out is None else [out]
    asked: dict[str, Any] = {"size": size, "seed": seed, "resume": resume}
    _say_how_long(chosen, folders, workers, parts=part or (), **asked)
    with progress(f"reproduce {paper}", lines=_LINE_SECONDS) as bar:
        asked |= {"jobs": workers, "backend": backend, "progress": bar}
        if paper == ALL:
            results = run_papers(chosen, base, **asked)
        else:
            results = [run_paper(chosen[0], folders[0], parts=part or (), **asked)]
    folder = base / f"all-{size}" if paper == ALL else folders[0]
    answer(json, plain(results if paper == ALL else results[0]), lambda: _print_results(results, folder))
    leave(complete=not any(result.partial for result in results))


def _say_how_long(papers: Sequence[Paper], folders: Sequence[Path], workers: int, **asked: Any) -> None:
    """Say on standard error what is left out and why, what is left to do and how long it takes, about."""
    from dupai.experiments import outlook

    screen = console(stderr=True)
    for paper in papers:
        for part in paper.parts:
            if (why := part.needs()) and (not asked["parts"] or part.name in asked["parts"]):
                screen.print(f"left out: {paper.name}, part {part.name}: {why}", highlight=False, markup=False)
    outlooks = [outlook(paper, folder, **asked) for paper, folder in zip(papers, folders, strict=True)]
    done, total = (sum(o.cells[k] for o in outlooks) for k in (0, 1))
    if done == total:
        return
    minutes = [o.minutes for o in outlooks if o.minutes is not None]
    text = f"{done} of {total} pieces of work are done"
    if len(minutes) == len(outlooks):
        left = _time(sum(minutes) / workers)
        text += f"; the others take about {left} on {workers} idle core{'s' * (workers > 1)}"
    screen.print(text, highlight=False)


def _time(minutes: float) -> str:
    if minutes < 1:
        return "a minute"
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:,.0f} hours"


def _listed(paper: Paper) -> dict[str, Any]:
    return fields(paper, "name title") | {"parts": [fields(part, "name title") for part in paper.parts]}


def _print_papers(papers: list[Paper]) -> None:
    for paper in papers:
        console().print(f"{paper.name}: {paper.title}")
        for part in paper.parts:
            console().print(f"  {part.name:<16} {part.title}")


def _print_results(results: Sequence[PaperResult], folder: Path) -> None:
    screen = console()
    if len(results) == 1:
        _print_paper(results[0])
    else:
        _print_summary(results)
    screen.print(f"\nwrote {folder / 'report.html'} and {folder / 'report.md'}")


def _print_summary(results: Sequence[PaperResult]) -> None:
    from dupai.experiments import gaps, verdict_counts

    kinds = list(verdict_counts(()))
    view = table("paper", *(f">{kind}" for kind in kinds), ">min")
    for result in results:
        minutes = sum(part.seconds for part in result.parts) / 60
        view.add_row(result.paper, *(str(n) for n in verdict_counts([result]).values()), f"{minutes:.1f}")
    console().print(view)
    console().print("min: minutes of processor time")
    for line in gaps(results):
        console().print(f"- {line}", highlight=False)


def _print_paper(result: PaperResult) -> None:
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
