"""Reading hands: from the actions of a player to a probability for each of the 1326 hands that he may hold.

A :class:`Reader` answers for any seat dealt in; most are a :class:`Filter` over an action model.
"""

from dupai.reading._bucket import BucketModel, BucketReader, count_population, save_population
from dupai.reading._classes import HAND_CLASSES, hand_classes
from dupai.reading._cnn import (
    CnnModel,
    CnnReader,
    CnnSettings,
    CnnWeights,
    StepScore,
    TrainedCnn,
    cnn_samples,
    cnn_steps,
    load_cnn,
    score_cnn,
    train_cnn,
)
from dupai.reading._filter import Filter, Prior, asked_positions, legal_hands
from dupai.reading._fold._constants import game_kind
from dupai.reading._fold._fit import learn_fold
from dupai.reading._joint import joint_marginals
from dupai.reading._markov import learn_markov, markov_sequences, save_markov
from dupai.reading._protocol import ClassPredictor, Reader
from dupai.reading._reading import Reading
from dupai.reading._registry import ReaderInfo, load_reader, reader_info, reader_names, readers
from dupai.reading._score import PairRow, ScoreReport, ScoreRow, score_readers
from dupai.reading._simple import UniformReader
from dupai.reading._split import part_of, source_name, split_keys
from dupai.reading._start_table import learn_start_table
from dupai.reading._train import (
    FoldSettings,
    SelfPlayed,
    SelfPlaySettings,
    TrainedReader,
    TrainSettings,
    cross_validate,
    play_itself,
    train_reader,
)
from dupai.reading._watch import WatchedStreet, draw, watch

__all__ = [
    "HAND_CLASSES",
    "BucketModel",
    "BucketReader",
    "ClassPredictor",
    "CnnModel",
    "CnnReader",
    "CnnSettings",
    "CnnWeights",
    "Filter",
    "FoldSettings",
    "PairRow",
    "Prior",
    "Reader",
    "ReaderInfo",
    "Reading",
    "ScoreReport",
    "ScoreRow",
    "SelfPlaySettings",
    "SelfPlayed",
    "StepScore",
    "TrainSettings",
    "TrainedCnn",
    "TrainedReader",
    "UniformReader",
    "WatchedStreet",
    "asked_positions",
    "cnn_samples",
    "cnn_steps",
    "count_population",
    "cross_validate",
    "draw",
    "game_kind",
    "hand_classes",
    "joint_marginals",
    "learn_fold",
    "learn_markov",
    "learn_start_table",
    "legal_hands",
    "load_cnn",
    "load_reader",
    "markov_sequences",
    "part_of",
    "play_itself",
    "reader_info",
    "reader_names",
    "readers",
    "save_markov",
    "save_population",
    "score_cnn",
    "score_readers",
    "source_name",
    "split_keys",
    "train_cnn",
    "train_reader",
    "watch",
]
