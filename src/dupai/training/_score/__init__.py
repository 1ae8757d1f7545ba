"""How well readers know the hidden hand: information gain, calibration and hand classes on recorded hands."""

from dupai.training._score._report import PairRow, ScoreReport, ScoreRow
from dupai.training._score._run import score_readers

__all__ = ["PairRow", "ScoreReport", "ScoreRow", "score_readers"]
