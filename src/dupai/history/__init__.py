"""Recorded hands: logs replayed and payoffs recomputed, the hand store, and what players do and where they lose."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.history._convert import (
        ConvertReport as ConvertReport,
        convert_file as convert_file,
        file_records as file_records,
        text_records as text_records,
    )
    from dupai.history._corpora import (
        Corpora as Corpora,
        CorpusPopulation as CorpusPopulation,
        CorpusTable as CorpusTable,
        corpora as corpora,
    )
    from dupai.history._entries import check_record as check_record
    from dupai.history._files import LogFile as LogFile, shared_file as shared_file, source_files as source_files
    from dupai.history._import import (
        ImportReport as ImportReport,
        import_file as import_file,
        import_files as import_files,
    )
    from dupai.history._kernels import replay_kernel as replay_kernel
    from dupai.history._schema import (
        ACTION_KINDS as ACTION_KINDS,
        HANDS_PER_SOURCE as HANDS_PER_SOURCE,
        SCHEMA_VERSION as SCHEMA_VERSION,
        TABLES as TABLES,
        Column as Column,
    )
    from dupai.history._store import (
        HandLine as HandLine,
        Manifest as Manifest,
        Store as Store,
        find_hands as find_hands,
        list_hands as list_hands,
    )
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
    from dupai.history._tracker._facts import SIZE_CLASSES as SIZE_CLASSES, SIZE_GROUPS as SIZE_GROUPS
    from dupai.history._tracker._leaks import Leak as Leak, LeakReport as LeakReport, find_leaks as find_leaks
    from dupai.history._tracker._population import (
        ALL_POSITIONS as ALL_POSITIONS,
        TABLE_SIZES as TABLE_SIZES,
        MoneyPrior as MoneyPrior,
        Population as Population,
        RatePrior as RatePrior,
        SizePrior as SizePrior,
        load_population as load_population,
        population as population,
    )
    from dupai.history._tracker._shrink import SizeEstimate as SizeEstimate, StatEstimate as StatEstimate
    from dupai.history._tracker._stats import (
        PlayerStats as PlayerStats,
        StatsTable as StatsTable,
        split_counters as split_counters,
    )
    from dupai.history._verify import (
        Problem as Problem,
        VerifyReport as VerifyReport,
        verify_file as verify_file,
        verify_files as verify_files,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
