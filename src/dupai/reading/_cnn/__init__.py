"""The convolutional opponent model: encodings, the two networks, training, scores, and the action model made of them.

Source: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems (2020).
"""

from dupai.reading._cnn._file import CnnWeights, load_cnn
from dupai.reading._cnn._fit import CnnSettings
from dupai.reading._cnn._model import CnnModel
from dupai.reading._cnn._paper_table import StepScore, cnn_steps
from dupai.reading._cnn._reader import CnnReader
from dupai.reading._cnn._samples import Samples, cnn_samples
from dupai.reading._cnn._train import TrainedCnn, score_cnn, train_cnn

__all__ = [
    "CnnModel",
    "CnnReader",
    "CnnSettings",
    "CnnWeights",
    "Samples",
    "StepScore",
    "TrainedCnn",
    "cnn_samples",
    "cnn_steps",
    "load_cnn",
    "score_cnn",
    "train_cnn",
]
