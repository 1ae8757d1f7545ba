"""Player statistics: batches of hands, counters, populations, estimates and leaks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.history._once import Seen as Seen, again_line as again_line
    from dupai.history._tracker._batch import (
        UNNAMED as UNNAMED,
        HandBatch as HandBatch,
        batch_of as batch_of,
        batches as batches,
        real_name as real_name,
        record_batches as record_batches,
        store_batches as store_batches,
    )
    from dupai.history._tracker._definitions import DEFINITIONS as DEFINITIONS, definition as definition
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
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
