"""The parts of a match, for formats and experiments that play them piece by piece."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.arena._hand import Fault as Fault, Players as Players, TableRules as TableRules, Watcher as Watcher
    from dupai.arena._match import BLOCK as BLOCK, match_config as match_config, match_tasks as match_tasks
    from dupai.arena._results import (
        Level as Level,
        MatchConfig as MatchConfig,
        Schedule as Schedule,
        versions as versions,
    )
    from dupai.arena._seating import (
        Seating as Seating,
        SeatingTask as SeatingTask,
        match_seatings as match_seatings,
        play_seating as play_seating,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
