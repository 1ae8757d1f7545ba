"""Real hands: logs replayed under our rules, payoffs recomputed; what each player does and where he loses."""

from dupai.history._check import check_record
from dupai.history._convert import ConvertReport, convert_file
from dupai.history._files import LogFile
from dupai.history._import import ImportReport, import_file, import_files
from dupai.history._kernels import replay_kernel
from dupai.history._records import file_records
from dupai.history._report import Problem, VerifyReport
from dupai.history._schema import ACTION_KINDS, HANDS_PER_SOURCE, SCHEMA_VERSION, TABLES, Column
from dupai.history._shared import shared_file
from dupai.history._show import HandLine, find_hands, list_hands
from dupai.history._sources import source_files
from dupai.history._store import Manifest, Store
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
    learn_population,
    load_population,
    population,
    real_name,
    record_batches,
    store_batches,
)
from dupai.history._verify import verify_file, verify_files

__all__ = [
    "ACTION_KINDS",
    "DEFINITIONS",
    "HANDS_PER_SOURCE",
    "SCHEMA_VERSION",
    "TABLES",
    "UNNAMED",
    "Column",
    "ConvertReport",
    "Definition",
    "HandBatch",
    "HandLine",
    "ImportReport",
    "Leak",
    "LeakReport",
    "LogFile",
    "Manifest",
    "PlayerStats",
    "Population",
    "Problem",
    "SizeEstimate",
    "StatEstimate",
    "StatsTable",
    "Store",
    "VerifyReport",
    "batch_of",
    "batches",
    "check_record",
    "convert_file",
    "definition",
    "file_batches",
    "file_records",
    "find_hands",
    "find_leaks",
    "import_file",
    "import_files",
    "learn_population",
    "list_hands",
    "load_population",
    "population",
    "real_name",
    "record_batches",
    "replay_kernel",
    "shared_file",
    "source_files",
    "store_batches",
    "verify_file",
    "verify_files",
]
