"""The exploitation ledger, which no paper has: what learning wins, how long that takes, and what it costs."""

from dupai.experiments._ledger import _cells as cells, _report as report
from dupai.experiments._paper import Paper, Part

PAPER = Paper(
    "ledger",
    "Exploitation ledger: what learning wins, how long it takes, what it costs",
    "No paper has it; the agents are those of papers/fold, mcts, brpso and experience.",
    (
        Part("winnings", "Winnings over hands, and hands until learning pays", cells.winning_cells, report.winnings),
        Part("responses", "Losses to a best response to what was learned", cells.response_cells, report.responses),
    ),
)
