"""Tracker statistics: what each player does, how sure that is, and where he loses."""

from dupai.history._tracker._batch import (
    UNNAMED as UNNAMED,
    HandBatch as HandBatch,
    batch_of as batch_of,
    batches as batches,
    file_batches as file_batches,
    real_name as real_name,
    record_batches as record_batches,
    store_batches as store_batches,
)
from dupai.history._tracker._definitions import (
    DEFINITIONS as DEFINITIONS,
    Definition as Definition,
    definition as definition,
)
from dupai.history._tracker._estimates import SizeEstimate as SizeEstimate, StatEstimate as StatEstimate
from dupai.history._tracker._leaks import Leak as Leak, LeakReport as LeakReport, find_leaks as find_leaks
from dupai.history._tracker._population import (
    Population as Population,
    learn_population as learn_population,
    load_population as load_population,
    population as population,
)
from dupai.history._tracker._stats import PlayerStats as PlayerStats, StatsTable as StatsTable
