"""Reading hands: from the actions of a player to a probability for each of the 1326 hands that they may hold.

A :class:`Reader` answers for any seat dealt in; most are a :class:`Filter` over an action model. What fits and scores
readers is in :mod:`dupai.training`.
"""

from dupai.reading import _populations as populations
from dupai.reading._bucket import BucketModel, BucketReader
from dupai.reading._bucket._facing import FACINGS, PRICED, facing_of
from dupai.reading._bucket._groups import GROUPS as STRENGTH_GROUPS, hand_buckets
from dupai.reading._bucket._population import is_counted
from dupai.reading._classes import HAND_CLASSES, hand_classes
from dupai.reading._cnn import CnnModel, CnnReader, CnnWeights, load_cnn
from dupai.reading._cnn._encoding import (
    MENUS as CNN_MENUS,
    MOVE_OF as CNN_MOVE_OF,
    MOVES as CNN_MOVES,
    VERSION as CNN_VERSION,
    check_encoding as check_cnn_encoding,
    start_rates,
)
from dupai.reading._cnn._file import INPUTS as CNN_INPUTS, About as CnnAbout
from dupai.reading._cnn._kernels import SIDE as CNN_SIDE, matrices_kernel, sample_features_kernel
from dupai.reading._filter import Filter, Prior, asked_positions, legal_hands
from dupai.reading._fold._constants import (
    DEFAULT as PAPER_CONSTANTS,
    FoldConstants,
    Interval as WinRateInterval,
    game_kind,
)
from dupai.reading._fold._kernels import likelihood_kernel
from dupai.reading._fold._model import DFModel, board_rates, entry_share, hand_percentiles
from dupai.reading._fold._shipped import FoldFile
from dupai.reading._joint import joint_marginals
from dupai.reading._markov import SYMBOLS as MARKOV_SYMBOLS, Markov, symbols_of
from dupai.reading._model._features import range_features, top_ranges
from dupai.reading._model._habits import Habits, Known as KnownHabits
from dupai.reading._model._kernels import (
    CLASSES as ACTION_CLASSES,
    HAND_SIZE,
    PUBLIC_SIZE,
    RANGE_PUBLIC,
    RANGE_STORED,
    class_of_kernel,
    hand_features_kernel,
    legal_classes_kernel,
    public_features_kernel,
)
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._network import Network, masked_softmax, sharpened
from dupai.reading._model._prior import (
    KINDS as DECISION_KINDS,
    PLAIN as PLAIN_PRIOR,
    STAGES as HABIT_STAGES,
    Prior as HabitPrior,
    Trust as HabitTrust,
    learned as habit_prior,
)
from dupai.reading._model._weights import (
    SHIPPED as SHIPPED_READER,
    Weights as ReaderWeights,
    load_weights,
    network_arrays,
    save_weights,
    save_with_priors,
    step_arrays,
)
from dupai.reading._protocol import ClassPredictor, Reader
from dupai.reading._reading import Reading
from dupai.reading._registry import ReaderInfo, load_reader, reader_info, reader_names, readers
from dupai.reading._simple import UniformReader
from dupai.reading._start_table import StartTable, shipped_table
from dupai.reading._streets import Street as DecidedStreet, hidden_hands, states as street_states, streets
from dupai.reading._watch import WatchedStreet, draw, watch

__all__ = [
    "ACTION_CLASSES",
    "CNN_INPUTS",
    "CNN_MENUS",
    "CNN_MOVES",
    "CNN_MOVE_OF",
    "CNN_SIDE",
    "CNN_VERSION",
    "DECISION_KINDS",
    "FACINGS",
    "HABIT_STAGES",
    "HAND_CLASSES",
    "HAND_SIZE",
    "MARKOV_SYMBOLS",
    "PAPER_CONSTANTS",
    "PLAIN_PRIOR",
    "PRICED",
    "PUBLIC_SIZE",
    "RANGE_PUBLIC",
    "RANGE_STORED",
    "SHIPPED_READER",
    "STRENGTH_GROUPS",
    "BucketModel",
    "BucketReader",
    "ClassPredictor",
    "CnnAbout",
    "CnnModel",
    "CnnReader",
    "CnnWeights",
    "DFModel",
    "DecidedStreet",
    "Filter",
    "FoldConstants",
    "FoldFile",
    "HabitPrior",
    "HabitTrust",
    "Habits",
    "KnownHabits",
    "Markov",
    "Network",
    "Prior",
    "Reader",
    "ReaderInfo",
    "ReaderWeights",
    "Reading",
    "StartTable",
    "TrainedModel",
    "UniformReader",
    "WatchedStreet",
    "WinRateInterval",
    "asked_positions",
    "board_rates",
    "check_cnn_encoding",
    "class_of_kernel",
    "draw",
    "entry_share",
    "facing_of",
    "game_kind",
    "habit_prior",
    "hand_buckets",
    "hand_classes",
    "hand_features_kernel",
    "hand_percentiles",
    "hidden_hands",
    "is_counted",
    "joint_marginals",
    "legal_classes_kernel",
    "legal_hands",
    "likelihood_kernel",
    "load_cnn",
    "load_reader",
    "load_weights",
    "masked_softmax",
    "matrices_kernel",
    "network_arrays",
    "populations",
    "public_features_kernel",
    "range_features",
    "reader_info",
    "reader_names",
    "readers",
    "sample_features_kernel",
    "save_weights",
    "save_with_priors",
    "sharpened",
    "shipped_table",
    "start_rates",
    "step_arrays",
    "street_states",
    "streets",
    "symbols_of",
    "top_ranges",
    "watch",
]
