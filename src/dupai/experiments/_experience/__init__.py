"""Experience: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems, 2020: its hash table of hand ranks, its network, and its players against each other and others."""

from dupai.experiments._experience import _cells as cells, _doubt as doubt, _report as report
from dupai.experiments._paper import Paper, Part

_REFERENCE = (
    'Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold\'em based on experience", CAAI Transactions on '
    "Intelligent Systems, 2020"
)
_PARTS = (
    Part("hash", "The hash table of hand ranks", cells.hash_cells, report.hash_section),
    Part("cnn", "The network that predicts actions", cells.cnn_cells, report.cnn_section, cells.cnn_needs),
    Part("matches", "The players", cells.match_cells, report.match_section),
    Part("doubt", "The best action or a mixture", doubt.cells, doubt.section),
    Part("known", "Knowing the opponent", cells.known_cells, report.known_section, cells.known_needs),
)
PAPER = Paper("experience", "Experience: expert rules, an opponent network and a staged tree", _REFERENCE, _PARTS)
