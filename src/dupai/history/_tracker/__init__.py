"""Tracker statistics: what each player does, how sure that is, and where he loses."""

from dupai.history._tracker._batch import (
    UNNAMED,
    HandBatch,
    batch_of,
    batches,
    file_batches,
    real_name,
    record_batches,
    store_batches,
)
from dupai.history._tracker._definitions import DEFINITIONS, Definition, definition
from dupai.history._tracker._estimates import SizeEstimate, StatEstimate
from dupai.history._tracker._leaks import Leak, LeakReport, find_leaks
from dupai.history._tracker._population import Population, learn_population, load_population, population
from dupai.history._tracker._stats import PlayerStats, StatsTable

__all__ = [
    "DEFINITIONS",
    "UNNAMED",
    "Definition",
    "HandBatch",
    "Leak",
    "LeakReport",
    "PlayerStats",
    "Population",
    "SizeEstimate",
    "StatEstimate",
    "StatsTable",
    "batch_of",
    "batches",
    "definition",
    "file_batches",
    "find_leaks",
    "learn_population",
    "load_population",
    "population",
    "real_name",
    "record_batches",
    "store_batches",
]
