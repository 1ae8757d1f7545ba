"""Running a paper's experiments: finished cells go to disk, so that a run that was killed resumes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from dupai.arena import versions
from dupai.base import ConfigError, FileError, Progress, __version__, nearest, shipped, write_whole
from dupai.experiments._paper import Cell, Paper, PaperResult, Part, PartResult, Size
from dupai.experiments._report import report_html
from dupai.jobs import Backend, Keeper, Pulse, stream

#: Papers by name, and the package that describes each. Another paper is one package and one line here.
PAPERS: dict[str, str] = {
    name: f"dupai.experiments._{name}" for name in ("fold", "experience", "brpso", "mcts", "cross", "ledger")
}


def load_paper(name: str) -> Paper:
    """The experiments of one of :data:`PAPERS`.

    Raises:
        ConfigError: there is no such paper.
    """
    if name not in PAPERS:
        raise ConfigError(f"there is no paper {name!r}: {nearest(name, PAPERS)}", key="paper", text=name)
    paper: Paper = import_module(PAPERS[name]).PAPER
    return paper


def _stamped(part: Part, cell: Cell) -> str:
    """A cell's key among the stored results. Another version, or other data that ships, is other work: one report is
    of one program."""
    work = f"{cell.work.__module__}.{cell.work.__qualname__} {cell.task!r} {__version__} {shipped()}"
    return f"{part.name} | {cell.key} | {hashlib.sha1(work.encode()).hexdigest()}"


def _work(cell: Cell, pulse: Pulse) -> Any:
    return cell.work(cell.task, pulse)


def chosen_parts(paper: Paper, names: Iterable[str]) -> tuple[Part, ...]:
    """The parts named; all, if none is.

    Raises:
        ConfigError: there is no such part.
    """
    names = list(names)
    known = [part.name for part in paper.parts]
    for name in names:
        if name not in known:
            raise ConfigError(f"paper {paper.name!r} has no part {name!r}: {nearest(name, known)}", key="part")
    return tuple(part for part in paper.parts if not names or part.name in names)


def run_paper(
    paper: Paper,
    out: Path,
    *,
    size: Size = "quick",
    seed: int = 0,
    parts: Sequence[str] = (),
    jobs: int = 1,
    resume: bool = True,
    progress: Progress | None = None,
    backend: Backend | str | None = None,
) -> PaperResult:
    """Run the experiments of a paper and write ``results.json`` and ``report.html`` into ``out``.

    Args:
        out: folder for the results and, in ``cells.db``, for every finished piece of work.
        size: ``"quick"``: minutes; ``"full"``: at the paper's sizes or larger.
        seed: equal seeds give equal figures, except for times.
        parts: names of parts; default all.
        jobs: worker processes (1: this one).
        resume: use what an earlier run left in ``out`` (only for exactly the same work, by the same version and the
            networks, tables and rules that ship with it); False: forget what it left of these parts.
        progress: receives the number of finished cells; if it is cancelled, the report covers what there is.
        backend: where to work, instead of ``jobs`` processes (see :func:`dupai.jobs.make_backend`).

    Raises:
        ConfigError: an unknown part.
        FileError: the folder cannot be written, or its ``cells.db`` holds results of something else.
    """
    missing = {part: part.needs() for part in chosen_parts(paper, parts)}
    cells = {part: [] if why else list(part.cells(size, seed)) for part, why in missing.items()}
    plan = [(part, cell) for part, some in cells.items() for cell in some]
    results: dict[Part, dict[str, Any]] = {part: {} for part in cells}
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{out}: cannot keep results there ({error.strerror})", path=out) from None
    with Keeper(out / "cells.db", {"paper": paper.name}) as keeper:
        for part in () if resume else cells:
            keeper.forget(f"{part.name} | ")
        keys = [_stamped(*pair) for pair in plan]
        work = [cell for _, cell in plan]
        for index, result in stream(
            _work, work, backend=backend, jobs=jobs, progress=progress, note="hands", keeper=keeper, keys=keys
        ):
            if result is not None:  # else it was stopped
                part, cell = plan[index]
                results[part][cell.key] = result
    outcome = PaperResult(
        paper=paper.name,
        title=paper.title,
        reference=paper.reference,
        size=size,
        seed=seed,
        versions=versions(),
        parts=tuple(_part_result(part, cells[part], missing[part], results[part], size) for part in cells),
        partial=any(len(results[part]) < len(some) for part, some in cells.items()),
    )
    write_whole(out / "results.json", json.dumps(msgspec.to_builtins(outcome), indent=1) + "\n")
    write_whole(out / "report.html", report_html(outcome))
    return outcome


def _part_result(
    part: Part, cells: Sequence[Cell], missing: str | None, results: dict[str, Any], size: Size
) -> PartResult:
    """The outcome of the cells that are done, in the order of the plan."""
    done = {cell.key: results[cell.key] for cell in cells if cell.key in results}
    section = part.section(done, size) if done else None
    return PartResult(name=part.name, title=part.title, section=section, cells=(len(done), len(cells)), missing=missing)
