"""``fold``: the reader of the FOLD paper (Li, Jiang, Chen, Bao 2017), default model, size classes and adaptation."""

from dupai.reading._fold._adapt import Shifts, player_shifts
from dupai.reading._fold._constants import DEFAULT, FoldConstants, Interval
from dupai.reading._fold._kernels import likelihood_kernel, relative_kernel
from dupai.reading._fold._model import DFModel, hand_percentiles
from dupai.reading._fold._reader import FoldReader

__all__ = [
    "DEFAULT",
    "DFModel",
    "FoldConstants",
    "FoldReader",
    "Interval",
    "Shifts",
    "hand_percentiles",
    "likelihood_kernel",
    "player_shifts",
    "relative_kernel",
]
