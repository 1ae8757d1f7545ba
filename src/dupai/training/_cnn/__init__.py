"""Training and scoring of the convolutional opponent model."""

from dupai.training._cnn._fit import CnnSettings as CnnSettings
from dupai.training._cnn._paper_table import StepScore as StepScore, cnn_steps as cnn_steps
from dupai.training._cnn._samples import Samples as Samples, cnn_samples as cnn_samples
from dupai.training._cnn._train import TrainedCnn as TrainedCnn, score_cnn as score_cnn, train_cnn as train_cnn
