"""``fold``: the reader of the FOLD paper (Li, Jiang, Chen, Bao 2017), default model, size classes and adaptation."""

from dupai.reading._fold._adapt import Shifts as Shifts, player_shifts as player_shifts
from dupai.reading._fold._constants import (
    PAPER_CONSTANTS as PAPER_CONSTANTS,
    FoldConstants as FoldConstants,
    WinRateInterval as WinRateInterval,
)
from dupai.reading._fold._kernels import likelihood_kernel as likelihood_kernel, relative_kernel as relative_kernel
from dupai.reading._fold._model import (
    DFModel as DFModel,
    FoldReader as FoldReader,
    hand_percentiles as hand_percentiles,
)
