"""Training the reader ``model``: torch is loaded when training begins."""

from dupai.training._model._folds import FoldSettings, cross_validate
from dupai.training._model._reader import TrainedReader, TrainSettings, train_reader
from dupai.training._model._selfplay import SelfPlayed, SelfPlaySettings, play_itself

__all__ = [
    "FoldSettings",
    "SelfPlaySettings",
    "SelfPlayed",
    "TrainSettings",
    "TrainedReader",
    "cross_validate",
    "play_itself",
    "train_reader",
]
