"""Real hands: logs replayed under our rules, payoffs recomputed; what each player does and where he loses."""

from dupai.history._check import check_record
from dupai.history._files import LogFile
from dupai.history._kernels import replay_kernel
from dupai.history._report import Problem, VerifyReport
from dupai.history._tracker import (
    DEFINITIONS,
    UNNAMED,
    Definition,
    HandBatch,
    Leak,
    LeakReport,
    PlayerStats,
    Population,
    SizeEstimate,
    StatEstimate,
    StatsTable,
    batch_of,
    batches,
    definition,
    file_batches,
    find_leaks,
    load_population,
    population,
    record_batches,
    store_batches,
)
from dupai.history._verify import verify_file, verify_files

__all__ = [
    "DEFINITIONS",
    "UNNAMED",
    "Definition",
    "HandBatch",
    "Leak",
    "LeakReport",
    "LogFile",
    "PlayerStats",
    "Population",
    "Problem",
    "SizeEstimate",
    "StatEstimate",
    "StatsTable",
    "VerifyReport",
    "batch_of",
    "batches",
    "check_record",
    "definition",
    "file_batches",
    "find_leaks",
    "load_population",
    "population",
    "record_batches",
    "replay_kernel",
    "store_batches",
    "verify_file",
    "verify_files",
]
