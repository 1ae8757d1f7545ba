"""Rules: "Programming Poker AI" (a translated blog post): its encodings, its worked examples, its table of decisions as
measured frequencies, and what its stack protection is worth."""

from dupai.experiments._paper import Paper, Part
from dupai.experiments._rules import _cells as cells, _report as report

PAPER = Paper(
    "rules",
    "Rules: pot odds, rate of return and a table of chances",
    '"Programming Poker AI" (translated, https://www.cnblogs.com/mumuxinfei/p/8759481.html)',
    (
        Part("encodings", "Encodings of cards and hands", cells.encoding_cells, report.encoding_section),
        Part("examples", "The worked examples", cells.example_cells, report.example_section),
        Part("decisions", "The table of decisions", cells.decision_cells, report.decision_section),
        Part("protection", "What stack protection is worth", cells.protection_cells, report.protection_section),
    ),
)
