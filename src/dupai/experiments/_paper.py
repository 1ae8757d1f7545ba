"""What an experiment is made of (cells of work, parts, papers) and what comes out of it (tables and charts)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from dupai.base import Estimate
from dupai.experiments._verdict import Printed, Verdict, judge
from dupai.jobs import Pulse

Size = Literal["quick", "full"]

#: What the cells of a part have given, by key.
Results = Mapping[str, Any]
#: What a table may hold: words, a bare number, or an estimate with its standard error.
Value = str | float | int | Estimate | None


@dataclass(frozen=True)
class Cell:
    """The unit of work: ``work(task, pulse)`` returns what JSON can hold, or None if the pulse said stop.

    Attributes:
        key: names the cell inside its part.
        work: a function at the top of a module (worker processes must find it).
        task: all that it needs; its ``repr`` must state everything that the result depends on.
    """

    key: str
    work: Callable[[Any, Pulse], Any]
    task: Any

    @property
    def name(self) -> str:
        """The name of the work in messages."""
        return self.key


class Row(msgspec.Struct, frozen=True):
    """One line of a comparison. :meth:`judged` makes one with its verdict.

    Attributes:
        label: what is measured.
        paper: what the paper prints, as it prints it; None: nothing.
        ours: what we measured.
        unit: of both.
        hands: hands behind our figure; 0 where it does not come from hands.
        seeds: seeds, matches or repeats behind it.
        why: how to read the line.
        printed: the paper's figure as a record.
        verdict: what our figure says of it.
    """

    label: str
    paper: Value = None
    ours: Value = None
    unit: str = ""
    hands: int = 0
    seeds: str = ""
    why: str = ""
    printed: Printed | None = None
    verdict: Verdict | None = None

    @classmethod
    def judged(
        cls,
        label: str,
        printed: Printed,
        ours: Estimate | float | str | None,
        *,
        hands: int = 0,
        seeds: str = "",
        why: str = "",
        ordering: Estimate | None = None,
        error: float = 0.0,
        missing: str = "",
        stand_in: str = "",
    ) -> Row:
        """A line with the verdict of :func:`~dupai.experiments.judge` on it."""
        verdict = judge(printed, ours, ordering=ordering, error=error, missing=missing, stand_in=stand_in)
        return cls(label, printed.text, ours, printed.unit, hands, seeds, why, printed, verdict)


class Table(msgspec.Struct, frozen=True):
    """Results that are not a comparison line by line."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str = ""


class Line(msgspec.Struct, frozen=True):
    """A curve: ``x`` and ``y``, and the half width of its 95 % band, where it has one. ``printed``: it is the paper's,
    read off its figure, and is drawn behind ours."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    band: Sequence[float] = ()
    dashed: bool = False
    printed: bool = False

    @classmethod
    def through(cls, label: str, points: Iterable[tuple[float, Estimate]], dashed: bool = False) -> Line:
        """The curve of estimates over ``x``, with their 95 % intervals as its band."""
        points = list(points)
        means, bands = [e.mean for _, e in points], [e.interval()[1] - e.mean for _, e in points]
        return cls(label, [x for x, _ in points], means, bands, dashed)


class Chart(msgspec.Struct, frozen=True):
    """Lines over axes."""

    title: str
    x: str
    y: str
    lines: Sequence[Line]
    log_x: bool = False
    log_y: bool = False
    note: str = ""


class Section(msgspec.Struct, frozen=True):
    """The results of one part.

    Attributes:
        text: what was done and how, in a few sentences.
        rows: the paper's figures beside ours.
        findings: what agrees and what does not, and why, one sentence each.
    """

    text: str
    rows: Sequence[Row] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    findings: Sequence[str] = ()


@dataclass(frozen=True)
class Part:
    """A figure or table of a paper.

    Attributes:
        name: for ``--part``.
        title: for people.
        cells: the work for a size and a seed; keys are unique.
        section: what the results mean, by key. Some are missing when a run was stopped.
        needs: why the part cannot run here (data or an optional package is missing); None if it can.
    """

    name: str
    title: str
    cells: Callable[[Size, int], Sequence[Cell]]
    section: Callable[[Mapping[str, Any], Size], Section]
    needs: Callable[[], str | None] = lambda: None


@dataclass(frozen=True)
class Paper:
    """A source system with the experiments that its paper reports."""

    name: str
    title: str
    reference: str
    parts: tuple[Part, ...]


class PartResult(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one part; ``missing``: why it could not run; ``cells``: done, and in all; ``seconds``: processor
    time of those done, whenever that was."""

    name: str
    title: str
    section: Section | None
    cells: tuple[int, int] = (0, 0)
    missing: str | None = None
    seconds: float = 0.0


class PaperResult(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a paper's experiments, as ``results.json`` holds it; ``players``: every agent that plays in them,
    by its spec as it was given, with all its options."""

    paper: str
    title: str
    reference: str
    size: Size
    seed: int
    versions: dict[str, str]
    parts: tuple[PartResult, ...]
    partial: bool
    players: dict[str, str] = {}

    @property
    def rows(self) -> list[Row]:
        """All lines of comparison that have a verdict, or a printed figure at least."""
        sections = [part.section for part in self.parts if part.section is not None]
        return [row for section in sections for row in section.rows if row.verdict is not None or row.paper is not None]


def grouped(results: Mapping[str, Any], separator: str = " ") -> dict[str, dict[str, Any]]:
    """Results by the part of their key before the last ``separator``, then by the part after it, in order."""
    groups: dict[str, dict[str, Any]] = {}
    for key, result in results.items():
        label, _, rest = key.rpartition(separator)
        groups.setdefault(label, {})[rest] = result
    return groups


def verdict(estimate: Estimate, better: str = "wins", worse: str = "loses", least: int = 10) -> str:
    """What the sign of an estimate says: ``better``, ``worse`` or undecided; fewer than ``least`` observations say
    nothing, because a normal interval is too narrow for them."""
    low, high = estimate.interval()
    if estimate.n < least:
        return f"too few ({estimate.n})"
    return better if low > 0 else worse if high < 0 else "not decided"
