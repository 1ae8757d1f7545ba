"""What an experiment is made of: cells of work, parts, papers; and what comes out: tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from dupai.base import Estimate
from dupai.jobs import Pulse

Size = Literal["quick", "full"]

#: What a number in a table may be: words, a bare number, or an estimate with its standard error.
Value = str | float | int | Estimate | None


@dataclass(frozen=True)
class Cell:
    """The unit of work: ``work(task, pulse)`` gives something that JSON holds, or None when it was told to stop.

    Attributes:
        key: names the cell inside its part.
        work: a function at the top of a module (other processes must find it).
        task: all it needs; ``repr`` of it must say everything that the result depends on.
    """

    key: str
    work: Callable[[Any, Pulse], Any]
    task: Any

    @property
    def name(self) -> str:
        """For messages."""
        return self.key


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a comparison.

    Attributes:
        label: what is measured.
        paper: what the paper prints, as it prints it; None: it says nothing.
        ours: what we measured.
        unit: of both.
        hands: hands behind ours; 0 where that is no matter of hands.
        seeds: seeds, matches or repeats behind it.
        agrees: whether ours bears the paper out; None: not to be said.
        why: the reason where it does not, or how to read it.
    """

    label: str
    paper: Value = None
    ours: Value = None
    unit: str = ""
    hands: int = 0
    seeds: str = ""
    agrees: bool | None = None
    why: str = ""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Anything that is no comparison line by line."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A curve: ``x`` and ``y``, and the half width of its 95 % band, where there is one."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    band: tuple[float, ...] = ()
    dashed: bool = False


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """Lines over axes."""

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    log_x: bool = False
    log_y: bool = False
    note: str = ""


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """What one part found.

    Attributes:
        text: what was done and how, in a few sentences.
        rows: the paper's figures beside ours.
        findings: what agrees and what does not, and why, a sentence each.
    """

    text: str
    rows: tuple[Row, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    findings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A figure or table of a paper.

    Attributes:
        name: for ``--part``.
        title: for people.
        cells: the work for a size and a seed; keys differ.
        section: what the results mean, by key. Some may be missing when a run was stopped.
        needs: says why the part cannot be run here (data, an extra that is not installed), None if it can.
    """

    name: str
    title: str
    cells: Callable[[Size, int], Sequence[Cell]]
    section: Callable[[Mapping[str, Any], Size], Section]
    needs: Callable[[], str | None] = lambda: None


@dataclass(frozen=True)
class Paper:
    """A source system with the experiments that it reports."""

    name: str
    title: str
    reference: str
    parts: tuple[Part, ...]
