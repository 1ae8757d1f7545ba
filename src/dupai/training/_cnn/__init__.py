"""Training and scoring of the convolutional opponent model."""

from dupai.training._cnn._fit import CnnSettings
from dupai.training._cnn._paper_table import StepScore, cnn_steps
from dupai.training._cnn._samples import Samples, cnn_samples
from dupai.training._cnn._train import TrainedCnn, score_cnn, train_cnn

__all__ = [
    "CnnSettings",
    "Samples",
    "StepScore",
    "TrainedCnn",
    "cnn_samples",
    "cnn_steps",
    "score_cnn",
    "train_cnn",
]
