"""Running a paper's experiments: cells as they are done go to disk, so a run that was killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from dupai import __version__
from dupai.arena import versions
from dupai.base import ConfigError, NoProgress, Progress, nearest, shipped
from dupai.experiments._paper import Cell, Paper, Part, Section, Size
from dupai.jobs import Backend, LocalBackend, Pulse

#: Papers by name, and where each is described. Another paper is one module and one line here.
PAPERS: dict[str, str] = {
    "fold": "dupai.experiments._fold",
    "experience": "dupai.experiments.experience",
    "brpso": "dupai.experiments.brpso",
    "mcts": "dupai.experiments.mcts",
}


def load_paper(name: str) -> Paper:
    """The experiments of one of :data:`PAPERS`.

    Raises:
        ConfigError: there is no such paper.
    """
    if name not in PAPERS:
        raise ConfigError(f"there is no paper {name!r}: {nearest(name, PAPERS)}")
    paper: Paper = import_module(PAPERS[name]).PAPER
    return paper


class PartResult(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a paper as it came out; ``missing``: why it could not be run; ``cells``: done and wanted."""

    name: str
    title: str
    section: Section | None
    cells: tuple[int, int] = (0, 0)
    missing: str | None = None


class PaperResult(msgspec.Struct, frozen=True, kw_only=True):
    """All of it, as ``results.json`` keeps it."""

    paper: str
    title: str
    reference: str
    size: Size
    seed: int
    versions: dict[str, str]
    parts: tuple[PartResult, ...]
    partial: bool


class CellStore:
    """Results of cells in a folder, a file each, written whole or not at all.

    Args:
        folder: made if it is not there.
        resume: whether what is there is used.

    Raises:
        ConfigError: the folder cannot be written.
    """

    def __init__(self, folder: Path, resume: bool = True) -> None:
        self.folder = folder
        self.resume = resume
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{folder}: cannot keep results there ({error.strerror})") from None

    def _file(self, part: str, cell: Cell) -> Path:
        return self.folder / f"{part}-{hashlib.sha1(cell.key.encode()).hexdigest()[:12]}.json"

    @staticmethod
    def _stamp(cell: Cell) -> str:
        # Another version, or other data that ships, is other work: one report is of one program.
        what = f"{cell.work.__module__}.{cell.work.__qualname__} {cell.key} {cell.task!r}"
        said = f"{what} {__version__} {shipped()}"
        return hashlib.sha1(said.encode()).hexdigest()

    def get(self, part: str, cell: Cell) -> Any | None:
        """What was found before for exactly this work, else None."""
        if not self.resume:
            return None
        try:
            kept = json.loads(self._file(part, cell).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept["result"] if kept.get("stamp") == self._stamp(cell) else None

    def put(self, part: str, cell: Cell, result: Any) -> None:
        text = json.dumps({"key": cell.key, "stamp": self._stamp(cell), "result": result})
        write_whole(self._file(part, cell), text)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _work(task: tuple[Cell, ...], pulse: Pulse) -> Any:
    cell = task[0]
    return cell.work(cell.task, pulse)


def chosen_parts(paper: Paper, names: Iterable[str]) -> tuple[Part, ...]:
    """The parts named (all where none is).

    Raises:
        ConfigError: there is no such part.
    """
    wanted = list(names)
    known = [part.name for part in paper.parts]
    for name in wanted:
        if name not in known:
            raise ConfigError(f"paper {paper.name!r} has no part {name!r}: {nearest(name, known)}")
    return tuple(part for part in paper.parts if not wanted or part.name in wanted)


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
    backend: Backend | None = None,
) -> PaperResult:
    """Run the experiments of a paper and write ``results.json`` and ``report.html`` into ``out``.

    Args:
        out: folder for the results and, in ``cells``, every piece of work as it is done.
        size: ``"quick"``: minutes; ``"full"``: at the paper's sizes or larger.
        seed: same seed, same figures, but for times.
        parts: names of parts; default all.
        jobs: worker processes (1: this one).
        resume: use what a run before has left in ``out`` (only for exactly the same work, by the same version and the
            networks, tables and rules that ship with it).
        progress: told of cells done; when it is cancelled the report is made of what there is.
        backend: where to work, instead of ``jobs``.

    Raises:
        ConfigError: an unknown part, or a folder that cannot be written.
    """
    shown = progress or NoProgress()
    store = CellStore(out / "cells", resume)
    plan: list[tuple[Part, list[Cell], str | None]] = []
    for part in chosen_parts(paper, parts):
        missing = part.needs()
        plan.append((part, [] if missing else list(part.cells(size, seed)), missing))
    found: dict[tuple[str, str], Any] = {}
    todo: list[tuple[Part, Cell]] = []
    for part, cells, _ in plan:
        for cell in cells:
            kept = store.get(part.name, cell)
            if kept is None:
                todo.append((part, cell))
            else:
                found[part.name, cell.key] = kept
    total, before = len(found) + len(todo), len(found)

    def tick(done: float, hands: int) -> bool:
        shown.report(before + done, total, f"{hands:,} hands" if hands else "")
        return not shown.cancelled

    if todo:
        where = backend or LocalBackend(jobs)
        for index, result in where.run(_work, [(cell,) for _, cell in todo], tick):
            if result is None:
                continue  # it was told to stop
            part, cell = todo[index]
            store.put(part.name, cell, result)
            # As a later run will find it: what JSON makes of it.
            found[part.name, cell.key] = json.loads(json.dumps(result))
    results = tuple(_part_result(part, cells, missing, found, size) for part, cells, missing in plan)
    result = PaperResult(
        paper=paper.name,
        title=paper.title,
        reference=paper.reference,
        size=size,
        seed=seed,
        versions=versions(),
        parts=results,
        partial=any(done < wanted for done, wanted in (r.cells for r in results)),
    )
    write_results(result, out)
    return result


def _part_result(
    part: Part, cells: Sequence[Cell], missing: str | None, found: dict[tuple[str, str], Any], size: Size
) -> PartResult:
    """What the cells that are done come to."""
    mine = {cell.key: found[part.name, cell.key] for cell in cells if (part.name, cell.key) in found}
    return PartResult(
        name=part.name,
        title=part.title,
        section=part.section(mine, size) if mine else None,
        cells=(len(mine), len(cells)),
        missing=missing,
    )


def write_results(result: PaperResult, out: Path) -> None:
    """``results.json`` and ``report.html`` into a folder that is there."""
    from dupai.experiments._report import report_html

    write_whole(out / "results.json", json.dumps(msgspec.to_builtins(result), indent=1) + "\n")
    write_whole(out / "report.html", report_html(result))
