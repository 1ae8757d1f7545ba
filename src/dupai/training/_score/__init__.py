"""How well readers know the hidden hand: information gain, calibration and hand classes on recorded hands."""

from dupai.training._score._report import PairRow as PairRow, ScoreReport as ScoreReport, ScoreRow as ScoreRow
from dupai.training._score._run import score_readers as score_readers
