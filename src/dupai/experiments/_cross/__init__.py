"""The cross examination, which no paper has: the five papers' programs and what we made of them in one field."""

from functools import partial

from dupai.experiments._cross import _cells as cells, _report as report
from dupai.experiments._paper import Paper, Part

_LADDERS = (
    (2, "heads-up", "Heads-up: everyone against everyone, duplicate"),
    (6, "six", "Six seats: a balanced design, all rotations"),
    (8, "eight", "Eight seats: one table, all rotations"),
)
PAPER = Paper(
    "cross",
    "Cross examination: the five papers' programs and ours in one field",
    "No paper compares them; the programs are those of papers/rules, fold, mcts, brpso and experience.",
    (
        *(Part(name, title, partial(cells.ladder_cells, n), partial(report.ladder, n)) for n, name, title in _LADDERS),
        Part("tournament", "Tournament with one rebuy: eight players", cells.tournament_cells, report.tournament),
    ),
)
