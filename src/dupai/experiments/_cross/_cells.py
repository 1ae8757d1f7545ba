"""The work of ``dupai reproduce cross``: seatings of the arena's ladders, and matches of its tournament."""

from __future__ import annotations

from typing import Any

import msgspec

from dupai.arena import load_format
from dupai.arena.match import SeatingTask, play_seating
from dupai.arena.tournament import TournamentTask, play_tournament_match
from dupai.experiments._cross import _config as config
from dupai.experiments._paper import Cell, Size
from dupai.jobs import Pulse


def play_table(task: SeatingTask, pulse: Pulse) -> dict[str, Any] | None:
    """One seating of one table as the ladder plays it, with the lengths of its decisions."""
    seating = play_seating(task, pulse)
    if not seating.complete:
        return None
    return {"seating": seating.to_builtins(), "times": [list(counts.items()) for counts in seating.times]}


def play_match(task: TournamentTask, pulse: Pulse) -> Any:
    """One match of the tournament."""
    played = play_tournament_match(task, pulse)
    return None if played is None else msgspec.to_builtins(played)


def ladder_cells(seats: int, size: Size, seed: int) -> list[Cell]:
    ladder = load_format("ladder")
    tasks = ladder.tasks(*ladder.plan(config.field_of(seats), config.ladder_settings(seats, size, seed)))
    # The first match of every table first, so that a run that is stopped has met everybody; and the tables without a
    # program that thinks long before the others, which take a hundred times as long.
    tasks = sorted(tasks, key=lambda task: (any(e.spec in config.SLOW for e in task.entrants), task.match))
    return [Cell(f"{t.table}|{t.match}|{t.rotation}|{t.start}", play_table, t) for t in tasks]


def tournament_cells(size: Size, seed: int) -> list[Cell]:
    tournament = load_format("tournament")
    tasks = tournament.tasks(*tournament.plan(config.RING, config.tournament_settings(size, seed)))
    return [Cell(f"{task.match}", play_match, task) for task in tasks]
