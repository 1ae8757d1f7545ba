"""Players and results for their pages, from the same stores and results files as the command line."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.arena import load_format, unfinished
from dupai.arena.store import RunInfo, Store as Results
from dupai.base import DupaiError, Estimate, FileError
from dupai.base.files import file_faults
from dupai.base.text import whole_number
from dupai.cards import NO_CARD
from dupai.history.stats import LeakReport, StatsTable, definition, find_leaks
from dupai.notation import Reason
from dupai.rules import HandRecord
from dupai.stats import luck_adjusted
from dupai.web import _messages as m
from dupai.web._http import Gone
from dupai.web._review import names_of
from dupai.web._sources import Hands

#: Points of a curve, hands that one is drawn from, leaks named.
_POINTS, _MAX_HANDS, _LEAKS = 400, 100_000, 6
#: The longest source from which luck is taken out (some thousandths of a second a hand).
_FAIR_HANDS = 2_000


def players_of(hands: Hands) -> list[m.PlayerLine]:
    """Everybody in a source with the hands that they were dealt, most first."""
    table = StatsTable()
    for batch in hands.batches():
        table.add(batch)
    return [m.PlayerLine(name, hands) for name, hands in table.players()]


def player_of(hands: Hands, name: str) -> m.Player:
    """One player: statistics, results and leaks.

    Raises:
        HistoryError: there is no such player.
    """
    table = StatsTable()
    for batch in hands.batches():
        table.add(batch)
    person = table.player(name)
    stats = []
    for e in person.estimates():
        percent = e.name != "bb/100" and not definition(e.name).factor
        mean, low, high = (float(x) if e.arises and e.n > 0 else None for x in (e.mean, e.low, e.high))
        stats.append(m.Stat(e.name, e.title, mean, low, high, int(e.n), percent))
    won = _results(hands, name)
    fair = _fair_results(hands, name, len(won))
    estimate = Estimate.of(100 * x for x in won) if won else Estimate(0.0, 0.0, 0)
    leaks = _leaks(find_leaks(hands.batches(), name))
    bb100 = m.Measured(_finite(estimate.mean), _finite(estimate.se), int(estimate.n))
    return m.Player(name, person.hands, bb100, tuple(stats), _curve(won, fair), leaks)


def _finite(x: float) -> float:
    return float(x) if np.isfinite(x) else 0.0


def _results(hands: Hands, name: str) -> list[float]:
    won = []
    for start in range(0, min(len(hands), _MAX_HANDS), 1000):
        for record in hands.some(start, 1000):
            names = names_of(record)
            if name in names:
                won.append(_bb(record, names.index(name)))
    return won


def _fair_results(hands: Hands, name: str, count: int) -> list[float]:
    """The same without the luck of the cards; empty where not all hole cards are known or there are many hands."""
    if len(hands) > _FAIR_HANDS:
        return []
    rows = []
    for record in hands.some(0, _FAIR_HANDS):
        names = names_of(record)
        if name not in names:
            continue
        n = record.spec.players
        if any(NO_CARD in two for two in record.hole):
            return []
        # By position: the seats of a match need not be 0 to n - 1.
        plain = msgspec.structs.replace(record, seats=tuple(range(n)))
        won = luck_adjusted([plain])[0, names.index(name)]
        rows.append(float(won) / max(record.spec.big_blind, 1))
    return rows if len(rows) == count else []


def _bb(record: HandRecord, position: int) -> float:
    return record.payoffs[position] / record.spec.split / max(record.spec.big_blind, 1)


def _curve(won: Sequence[float], fair: Sequence[float]) -> tuple[m.CurvePoint, ...]:
    total, without = list(itertools.accumulate(won)), list(itertools.accumulate(fair))
    step = max(len(total) // _POINTS, 1)
    places = sorted({*range(step - 1, len(total), step), len(total) - 1} - {-1})
    return tuple(m.CurvePoint(k + 1, round(total[k], 3), round(without[k], 3) if without else None) for k in places)


def _leaks(report: LeakReport) -> tuple[Reason, ...]:
    """The situations that cost most beside what others have there."""
    return tuple(
        Reason("leak", {"situation": leak.parts, "cost": leak.cost, "hands": leak.n})
        for leak in report.lines[:_LEAKS]
        if leak.cost is not None and leak.cost < 0
    )


class ResultFiles:
    """The results files that the server's owner named, and one of the server's ``own`` once it is there.

    Raises:
        FileError: one of the owner's is not there.
    """

    def __init__(self, files: Sequence[str], own: Path) -> None:
        for file in files:
            if not Path(file).is_file():
                raise FileError(f"--results {file!r}: there is no such file", path=file)
        self.own = own
        self._files = (*files, str(own))

    def runs(self) -> list[m.RunLine]:
        """All runs of all files, the last first."""
        lines = []
        # An empty file is one that a run is just making.
        there = self.own.is_file() and self.own.stat().st_size
        for number, file in enumerate(self._files if there else self._files[:-1]):
            with Results(file, create=False) as store:
                lines += [_run_line(number, run) for run in store.runs()]
        return sorted(lines, key=lambda run: run.started, reverse=True)

    def result(self, id: str) -> m.RunResult:
        """One run with its tables and charts; one that is not finished, of what is done of it.

        Raises:
            Gone: there is no such run.
        """
        file, run = (whole_number(part, 10**9) for part in id.partition("-")[::2])
        if file is None or run is None or file >= len(self._files) or not Path(self._files[file]).is_file():
            raise Gone("there is no such run")
        with Results(self._files[file], create=False) as store:
            try:
                stored = store.run(run)
            except DupaiError:
                raise Gone("there is no such run") from None
            result: Any
            if stored.result is None:
                result = unfinished(store, stored)
            else:
                with file_faults(store.run_place(stored.id)):
                    result = msgspec.convert(stored.result, load_format(stored.kind).result)
        return _result(_run_line(file, stored), result)


def _run_line(file: int, run: RunInfo) -> m.RunLine:
    title = " v ".join(run.config.get("labels", ()))[:200]
    return m.RunLine(f"{file}-{run.id}", run.kind, title, run.started, run.finished is not None)


def _result(line: m.RunLine, result: Any) -> m.RunResult:
    head, rows = result.as_table()
    tables = (m.RunTable("", tuple(head), tuple(tuple(row) for row in rows)),) if rows else ()
    names = tuple(getattr(result.config, "labels", ()))
    return m.RunResult(
        line, int(result.hands), result.headline(), tables, _curves(result), _places(result, names), names,
        _cross(result, names), bool(result.partial),
    )  # fmt: skip


def _curves(result: Any) -> tuple[m.NamedCurve, ...]:
    blocks = getattr(result, "curve", None) or ()
    points: dict[str, list[tuple[float, float]]] = {}
    for block in blocks:
        for player in getattr(block, "players", ()):
            points.setdefault(player.agent, []).append((float(block.last), float(player.cumulative.mean)))
    return tuple(m.NamedCurve(name, tuple(some)) for name, some in points.items())


def _places(result: Any, names: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    """In the order of ``names``; standings have the best first."""
    places = {s.agent: getattr(s, "places", ()) for s in getattr(result, "standings", None) or ()}
    rows = tuple(tuple(float(x) for x in places.get(name) or ()) for name in names)
    return rows if any(rows) else ()


def _cross(result: Any, names: tuple[str, ...]) -> m.Cross | None:
    cells = getattr(result, "cells", None)
    if not cells:
        return None
    place = {name: k for k, name in enumerate(names)}
    table: list[list[float | None]] = [[None] * len(names) for _ in names]
    for cell in cells:
        a, b = place[cell.first], place[cell.second]
        table[a][b], table[b][a] = float(cell.mbb.mean), -float(cell.mbb.mean)
    return m.Cross(names, tuple(tuple(row) for row in table), "mbb/hand")
