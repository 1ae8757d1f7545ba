"""Running papers' experiments: finished cells go to disk, so that a run that was killed resumes."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from dupai.agents import agent_names, full_spec
from dupai.arena.match import versions
from dupai.base import ConfigError, DupaiError, FileError, NoProgress, Progress, __version__
from dupai.base.files import disk_faults, shipped, write_whole
from dupai.base.text import nearest, plain
from dupai.experiments._page import report_html
from dupai.experiments._paper import Cell, Paper, PaperResult, Part, PartResult, Size
from dupai.experiments._report import report_markdown
from dupai.history import shared_file
from dupai.jobs import Backend, Keeper, Pulse, stream
from dupai.training import content

#: Papers by name, and the package that describes each. Another paper is one package and one line here.
PAPERS: dict[str, str] = {
    name: f"dupai.experiments._{name}" for name in ("fold", "rules", "mcts", "experience", "brpso", "cross", "ledger")
}

#: Processor minutes of the last complete quick run of each paper: those of ``docs/results/papers.md``.
QUICK_MINUTES = {
    "fold": 8.7, "rules": 0.1, "mcts": 2.8, "experience": 7.8, "brpso": 10.2, "cross": 1.5, "ledger": 5.8,
}  # fmt: skip


def load_paper(name: str) -> Paper:
    """The experiments of one of :data:`PAPERS`.

    Raises:
        ConfigError: there is no such paper.
    """
    if name not in PAPERS:
        raise ConfigError(f"there is no paper {name!r}: {nearest(name, PAPERS)}", key="paper", text=name)
    paper: Paper = import_module(PAPERS[name]).PAPER
    return paper


def stamped(part: Part, cell: Cell) -> str:
    """A cell's key among the stored results. Another version, or other data that ships, is other work: one report is
    of one program."""
    work = f"{cell.work.__module__}.{cell.work.__qualname__} {cell.task!r} {__version__} {shipped()}{_data(cell.task)}"
    return f"{part.name} | {cell.key} | {hashlib.sha1(work.encode()).hexdigest()}"


def _data(task: Any) -> str:
    """What the shared logs are that a task names: another file under the same name is other work."""
    files = [shared_file(text) for text in _texts(task) if Path(text).suffix]
    return "".join(f" {content(file)}" for file in files if file.is_file())


def _work(cell: Cell, pulse: Pulse) -> Any:
    """A cell's result, with the processor time that it took; None: it was stopped."""
    began = time.process_time()
    result = cell.work(cell.task, pulse)
    return None if result is None else {"result": result, "seconds": round(time.process_time() - began, 2)}


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


class Outlook(msgspec.Struct, frozen=True):
    """How much of a paper is left to do.

    Attributes:
        cells: pieces of work done, and in all.
        minutes: processor time of what is left, about; None where nothing was measured: no piece of a part is finished,
            and it is not a quick run of a paper that :data:`QUICK_MINUTES` has.
    """

    cells: tuple[int, int]
    minutes: float | None


def outlook(
    paper: Paper, out: Path, *, size: Size = "quick", seed: int = 0, parts: Sequence[str] = (), resume: bool = True
) -> Outlook:
    """What running a paper would still take, without running it: by the time of the pieces that an earlier run has
    finished (``resume`` counts them as done), else by that of the run that is on the results page."""
    done, total, minutes = 0, 0, [0.0]
    everything = sum(len(part.cells(size, seed)) for part in paper.parts) if size == "quick" else 0
    measured = QUICK_MINUTES.get(paper.name, math.nan) / everything if everything else math.nan
    with _kept(paper, out) as keeper:
        for part in chosen_parts(paper, parts):
            if part.needs():
                continue
            cells = list(part.cells(size, seed))
            found = [keeper and keeper.get(stamped(part, cell)) for cell in cells]
            times = [float(piece["seconds"]) for piece in found if _sound(piece)]
            finished = len(times) if resume else 0
            done, total, left = done + finished, total + len(cells), len(cells) - finished
            if left:
                minutes.append(left * (sum(times) / len(times) / 60 if times else measured))
    return Outlook((done, total), None if math.isnan(sum(minutes)) else sum(minutes))


def _kept(paper: Paper, out: Path) -> AbstractContextManager[Keeper | None]:
    """The finished pieces in a folder, or None."""
    file = out / "cells.db"
    with disk_faults(f"{out}: cannot keep results there", out):
        there = file.exists()
    return Keeper(file, {"paper": paper.name}, version=2) if there else nullcontext()


def _sound(piece: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a stored piece is one of ours."""
    return isinstance(piece, dict) and "result" in piece and isinstance(piece.get("seconds"), int | float)


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
    """Run the experiments of a paper and write ``results.json``, ``report.html`` and ``report.md`` into ``out``.

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
    pieces: dict[Part, dict[str, Any]] = {part: {} for part in cells}
    with Keeper(_folder(out) / "cells.db", {"paper": paper.name}, version=2) as keeper:
        for part in () if resume else cells:
            keeper.forget(f"{part.name} | ")
        keys = [stamped(*pair) for pair in plan]
        work = [cell for _, cell in plan]
        for index, piece in stream(
            _work, work, backend=backend, jobs=jobs, progress=progress, note="hands", keeper=keeper, keys=keys
        ):
            if piece is None:
                continue  # it was stopped
            part, cell = plan[index]
            if not _sound(piece):
                where = f"{out / 'cells.db'}: damaged: {part.name}, {cell.key}"
                raise FileError(f"{where} is no finished piece of work; --fresh does it again", path=out)
            pieces[part][cell.key] = piece
    outcome = PaperResult(
        paper=paper.name,
        title=paper.title,
        reference=paper.reference,
        size=size,
        seed=seed,
        versions=versions(),
        parts=tuple(_part_result(part, cells[part], missing[part], pieces[part], size) for part in cells),
        partial=any(len(pieces[part]) < len(some) for part, some in cells.items()),
        players=_players(cell.task for _, cell in plan),
    )
    write_whole(out / "results.json", json.dumps(plain(outcome), indent=1, allow_nan=False) + "\n")
    write_reports([outcome], out)
    return outcome


def run_papers(
    papers: Sequence[Paper],
    out: Path,
    *,
    size: Size = "quick",
    seed: int = 0,
    jobs: int = 1,
    resume: bool = True,
    progress: Progress | None = None,
    backend: Backend | str | None = None,
) -> list[PaperResult]:
    """Run papers one after the other, each in its folder ``out/PAPER-SIZE``, and write one report of all into
    ``out/all-SIZE``. When ``progress`` is cancelled the report holds what is done, of every paper.

    Raises:
        FileError: as :func:`run_paper`.
    """
    together = _folder(out / f"all-{size}")
    folders = [out / f"{paper.name}-{size}" for paper in papers]
    totals = [
        outlook(paper, folder, size=size, seed=seed).cells[1] for paper, folder in zip(papers, folders, strict=True)
    ]
    results = []
    for k, (paper, folder) in enumerate(zip(papers, folders, strict=True)):
        share = None if progress is None else _Share(progress, paper.name, sum(totals[:k]), sum(totals))
        results.append(
            run_paper(paper, folder, size=size, seed=seed, jobs=jobs, resume=resume, progress=share, backend=backend)
        )
    write_reports(results, together)
    return results


def _folder(path: Path) -> Path:
    """A folder for results, made if it is not there.

    Raises:
        FileError: it cannot be made.
    """
    with disk_faults(f"{path}: cannot keep results there", path):
        path.mkdir(parents=True, exist_ok=True)
    return path


class _Share(NoProgress):
    """The progress of one paper as a share of that of all."""

    def __init__(self, whole: Progress, name: str, before: int, total: int) -> None:
        self._whole, self._name, self._before, self._total = whole, name, before, total

    @property
    def cancelled(self) -> bool:
        return self._whole.cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self._whole.report(self._before + done, self._total, f"{self._name}, {note}" if note else self._name)


def write_reports(results: Sequence[PaperResult], out: Path) -> None:
    """Write ``report.html`` (one page that needs nothing else) and ``report.md`` of papers into a folder.

    Raises:
        FileError: it cannot be written.
        MissingPackage: there are charts to draw and matplotlib is not installed.
    """
    write_whole(out / "report.html", report_html(results))
    write_whole(out / "report.md", report_markdown(results))


def _part_result(
    part: Part, cells: Sequence[Cell], missing: str | None, pieces: dict[str, Any], size: Size
) -> PartResult:
    """The outcome of the cells that are done, in the order of the plan."""
    done = {cell.key: pieces[cell.key]["result"] for cell in cells if cell.key in pieces}
    return PartResult(
        name=part.name,
        title=part.title,
        section=part.section(done, size) if done else None,
        cells=(len(done), len(cells)),
        missing=missing,
        seconds=round(sum(pieces[cell.key]["seconds"] for cell in cells if cell.key in pieces), 1),
    )


def _players(tasks: Iterable[Any]) -> dict[str, str]:
    """Agents that tasks name, each with all its options."""
    names, players = set(agent_names()), {}
    for text in sorted({text for task in tasks for text in _texts(task)}):
        if text.partition(":")[0].strip() in names:
            try:
                players[text] = full_spec(text)
            except DupaiError:
                continue  # a word that happens to begin as an agent's name does
    return players


def _texts(task: Any) -> Iterator[str]:
    if isinstance(task, str):
        yield task
    elif isinstance(task, tuple | list):
        for one in task:
            yield from _texts(one)
    elif isinstance(task, dict):
        yield from _texts(list(task.values()))
    else:
        # Of the tasks of the arena only the players: their rules have words that agents are named by, too.
        for entrant in getattr(task, "entrants", ()):
            yield entrant.spec or entrant.label
