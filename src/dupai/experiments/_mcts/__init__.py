"""The paper on Monte-Carlo tree search: its table, what it leaves open, and the proof that the search finds the best
response."""

from dupai.experiments._mcts import _cells as cells, _factorial as factorial, _report as report
from dupai.experiments._paper import Paper, Part

PAPER = Paper(
    "mcts",
    "Monte-Carlo tree search with an opponent model",
    'Cao, Liu, "Computer Texas Hold\'em based on Monte-Carlo Tree Search"',
    (
        Part("convergence", "Kuhn and Leduc: the search finds the best response", cells.small_cells,
             report.small_section),
        Part("table", "The paper's table, two players", cells.two_cells, report.two_section),
        Part("factorial", "What each part of the search is worth", factorial.cells, factorial.section),
        Part("three", "Three players", cells.three_cells, report.three_section),
        Part("simulations", "More simulations", cells.step_cells, report.step_section),
        Part("versions", "What of the model matters", cells.version_cells, report.version_section),
    ),
)  # fmt: skip
