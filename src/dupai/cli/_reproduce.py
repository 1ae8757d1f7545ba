"""dupai reproduce: a paper's figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from dupai.base import ConfigError
from dupai.cli._common import console, print_json, progress, resolve_jobs


def reproduce(
    paper: Annotated[
        str, Argument(help="Which paper: fold (--list shows all with their parts).", metavar="PAPER")
    ] = "",
    full: Annotated[bool, Option("--full/--quick", help="The paper's sizes or larger; quick takes minutes.")] = False,
    part: Annotated[list[str] | None, Option(help="Only this part (may be given several times).")] = None,
    out: Annotated[Path | None, Option(help="Folder for the results; default reproduce/PAPER-SIZE.")] = None,
    jobs: Annotated[int, Option(help="Worker processes; 0: one for each core.")] = 1,
    resume: Annotated[bool, Option("--resume/--fresh", help="Use what an earlier run has left in the folder.")] = True,
    seed: Annotated[int, Option(help="Same seed, same figures (but for times).")] = 0,
    list_: Annotated[bool, Option("--list", help="Print papers and parts and leave.")] = False,
    json: Annotated[bool, Option("--json", help="Print results.json.")] = False,
) -> None:
    """Run a paper's experiments; print its figures beside ours, write report.html and results.json.

    Every piece of work is kept as it is done: Ctrl-C (or a crash) loses what is in flight, and the same command goes on
    from there. What another version of dupai left, or one with other networks, tables or rules, is done again.

    Examples:

      dupai reproduce fold --quick

      dupai reproduce fold --full --jobs 2 --out fold-full

      dupai reproduce fold --part figure4
    """
    from dupai.experiments import PAPERS, load_paper, run_paper

    if list_:
        for name in PAPERS:
            known = load_paper(name)
            console().print(f"{name}: {known.title}")
            for one in known.parts:
                console().print(f"  {one.name:<16} {one.title}")
        return
    if not paper:
        raise ConfigError(f"which paper? expected one of {', '.join(PAPERS)}")
    wanted = load_paper(paper)
    size = "full" if full else "quick"
    folder = out or Path("reproduce") / f"{paper}-{size}"
    with progress(f"reproduce {paper}") as bar:
        result = run_paper(
            wanted,
            folder,
            size="full" if full else "quick",
            seed=seed,
            parts=part or (),
            jobs=resolve_jobs(jobs),
            resume=resume,
            progress=bar,
        )
    if json:
        print_json(result)
    else:
        _tell(result, folder)
    if result.partial:
        raise typer.Exit(130)


def _tell(result, folder: Path) -> None:  # type: ignore[no-untyped-def]
    from rich.table import Table

    from dupai.experiments import value_text

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
            table = Table(box=None, pad_edge=False)
            for column, side in (("what", "left"), ("paper", "right"), ("ours, 95 %", "right"), ("agrees", "left")):
                table.add_column(column, justify=side)  # type: ignore[arg-type]
            for row in part.section.rows:
                agrees = {None: "", True: "yes", False: "no"}[row.agrees]
                table.add_row(row.label, value_text(row.paper), f"{value_text(row.ours)} {row.unit}".strip(), agrees)
            screen.print(table)
        for one in part.section.tables:
            screen.print(one.title)
            table = Table(*one.columns, box=None, pad_edge=False)
            for line in one.rows:
                table.add_row(*map(value_text, line))
            screen.print(table)
        for finding in part.section.findings:
            screen.print(f"- {finding}")
    screen.print(f"\nwrote {folder / 'report.html'} and {folder / 'results.json'}")
