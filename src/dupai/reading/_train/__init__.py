"""Training the reader ``model``: torch is loaded when training begins."""

from dupai.reading._train._folds import FoldSettings, cross_validate
from dupai.reading._train._reader import TrainedReader, TrainSettings, train_reader
from dupai.reading._train._selfplay import SelfPlayed, SelfPlaySettings, play_itself

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
