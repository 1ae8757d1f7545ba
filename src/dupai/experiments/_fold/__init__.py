"""The FOLD paper's experiments: Li, Jiang, Chen, Bao, "Game in multiplayer no-limit Texas hold'em based on hands
prediction" (Chinese Journal of Computers 40, 2017)."""

from functools import partial

from dupai.experiments._fold import _cells as cells, _config as config, _matches as matches, _report as report
from dupai.experiments._paper import Paper, Part

PAPER = Paper(
    "fold",
    "FOLD: multi-player no-limit hold'em by hand reading",
    "X. Li, X. Jiang, Y. Chen, Y. Bao, Game in multiplayer no-limit Texas hold'em based on hands prediction, "
    "Chinese Journal of Computers 40 (2017)",
    (
        Part("formulas", "Figures 2 and 3, equation 27: the default model and its example", cells.example_cells,
             report.example_section),
        Part("theta", "How sure the reader should be: scores by theta", cells.theta_cells, report.theta_section,
             partial(cells.hands_needed, config.THETA_SETS)),
        Part("figure4", "Figure 4: number of deals", cells.figure4_cells, report.figure4_section),
        Part("figure7", "Figure 7: classes of hands predicted", cells.figure7_cells, report.figure7_section,
             partial(cells.hands_needed, tuple(config.SETS))),
        Part("table3", "Table 3: heads-up matches of both programs, and what each addition adds", cells.table3_cells,
             matches.table3_section),
        Part("tournaments", "Figures 5 and 8-12: both programs at two to eight players", cells.tournament_cells,
             matches.tournament_section),
        Part("readers", "Does better reading win more chips?", cells.reader_cells, report.reader_section),
    ),
)  # fmt: skip
