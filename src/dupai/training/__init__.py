"""Training: everything that is fitted to recorded hands or scored on them.

Scores of readers, cross-validation, recipes and self-play for the reader ``model``, the convolutional
opponent model, and the counted tables. Only this floor uses torch, and only once a training begins.
"""

from dupai.training._cnn import (
    CnnSettings,
    StepScore,
    TrainedCnn,
    cnn_samples,
    cnn_steps,
    score_cnn,
    train_cnn,
)
from dupai.training._fold import learn_fold
from dupai.training._model import (
    FoldSettings,
    SelfPlayed,
    SelfPlaySettings,
    TrainedReader,
    TrainSettings,
    cross_validate,
    play_itself,
    train_reader,
)
from dupai.training._score import PairRow, ScoreReport, ScoreRow, score_readers
from dupai.training._split import part_of, source_name, split_keys
from dupai.training._tables import (
    count_population,
    learn_markov,
    learn_start_table,
    markov_sequences,
    save_markov,
    save_population,
)

__all__ = [
    "CnnSettings",
    "FoldSettings",
    "PairRow",
    "ScoreReport",
    "ScoreRow",
    "SelfPlaySettings",
    "SelfPlayed",
    "StepScore",
    "TrainSettings",
    "TrainedCnn",
    "TrainedReader",
    "cnn_samples",
    "cnn_steps",
    "count_population",
    "cross_validate",
    "learn_fold",
    "learn_markov",
    "learn_start_table",
    "markov_sequences",
    "part_of",
    "play_itself",
    "save_markov",
    "save_population",
    "score_cnn",
    "score_readers",
    "source_name",
    "split_keys",
    "train_cnn",
    "train_reader",
]
