"""The cross examination, which no paper has: the five papers' programs and what we made of them in one field."""

from dupai.experiments._cross import _cells as cells, _report as report
from dupai.experiments._paper import Paper, Part

PAPER = Paper(
    "cross",
    "Cross examination: the five papers' programs and ours in one field",
    "No paper compares them; the programs are those of papers/rules, fold, mcts, brpso and experience.",
    (
        Part("heads-up", "Heads-up: everyone against everyone, duplicate", cells.heads_up_cells, report.heads_up),
        Part("six", "Six seats: a balanced design, all rotations", cells.six_cells, report.six),
        Part("eight", "Eight seats: one table, all rotations", cells.eight_cells, report.eight),
        Part("tournament", "Tournament with one rebuy: eight players", cells.tournament_cells, report.tournament),
    ),
)
