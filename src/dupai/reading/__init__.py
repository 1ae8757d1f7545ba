"""Reading hands: from the actions of a player to a probability for each of the 1326 hands that he may hold.

A :class:`Reader` answers for any seat dealt in; most are a :class:`Filter` over an action model.
"""

from dupai.reading._classes import HAND_CLASSES, hand_classes
from dupai.reading._filter import Filter, Prior, asked_positions, legal_hands
from dupai.reading._joint import joint_marginals
from dupai.reading._protocol import Reader
from dupai.reading._reading import Reading
from dupai.reading._registry import ReaderInfo, load_reader, reader_info, reader_names, readers
from dupai.reading._score import PairRow, ScoreReport, ScoreRow, score_readers
from dupai.reading._simple import UniformReader
from dupai.reading._watch import WatchedStreet, draw, watch

__all__ = [
    "HAND_CLASSES",
    "Filter",
    "PairRow",
    "Prior",
    "Reader",
    "ReaderInfo",
    "Reading",
    "ScoreReport",
    "ScoreRow",
    "UniformReader",
    "WatchedStreet",
    "asked_positions",
    "draw",
    "hand_classes",
    "joint_marginals",
    "legal_hands",
    "load_reader",
    "reader_info",
    "reader_names",
    "readers",
    "score_readers",
    "watch",
]
