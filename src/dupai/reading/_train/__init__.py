"""Training the reader ``model``: torch is loaded when training begins."""

from dupai.reading._train._folds import FoldSettings, cross_validate
from dupai.reading._train._reader import TrainedReader, TrainSettings, train_reader

__all__ = ["FoldSettings", "TrainSettings", "TrainedReader", "cross_validate", "train_reader"]
