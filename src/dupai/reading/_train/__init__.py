"""Training the reader ``model``: torch is loaded when training begins."""

from dupai.reading._train._reader import TrainedReader, TrainSettings, train_reader

__all__ = ["TrainSettings", "TrainedReader", "train_reader"]
