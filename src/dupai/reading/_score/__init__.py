"""How well readers know the hidden hand: information gain, calibration and hand classes on recorded hands."""

from dupai.reading._score._cases import Street, hidden_hands, streets
from dupai.reading._score._report import PairRow, ScoreReport, ScoreRow
from dupai.reading._score._run import score_readers

__all__ = ["PairRow", "ScoreReport", "ScoreRow", "Street", "hidden_hands", "score_readers", "streets"]
