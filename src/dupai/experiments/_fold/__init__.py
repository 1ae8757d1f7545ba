"""The FOLD paper's experiments: Li, Jiang, Chen, Bao, "Game in multiplayer no-limit Texas hold'em based on hands
prediction" (Chinese Journal of Computers 40, 2017)."""

from dupai.experiments._fold._figure4 import FIGURE4
from dupai.experiments._fold._figure7 import FIGURE7
from dupai.experiments._fold._readers import READERS
from dupai.experiments._fold._table3 import TABLE3
from dupai.experiments._fold._tournaments import TOURNAMENTS
from dupai.experiments._paper import Paper

PAPER = Paper(
    "fold",
    "FOLD: multi-player no-limit hold'em by hand reading",
    "X. Li, X. Jiang, Y. Chen, Y. Bao, Game in multiplayer no-limit Texas hold'em based on hands prediction, "
    "Chinese Journal of Computers 40 (2017)",
    (FIGURE4, FIGURE7, TABLE3, TOURNAMENTS, READERS),
)
