"""Training the reader ``model``: torch is loaded when training begins."""

from dupai.training._model._folds import FoldSettings as FoldSettings, cross_validate as cross_validate
from dupai.training._model._reader import (
    TrainedReader as TrainedReader,
    TrainSettings as TrainSettings,
    train_reader as train_reader,
)
from dupai.training._model._selfplay import (
    SelfPlayed as SelfPlayed,
    SelfPlaySettings as SelfPlaySettings,
    play_itself as play_itself,
)
