"""The parts of a tournament: its matches as tasks, chairs, places and standings."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.arena._chips import ChipTable as ChipTable, place_shares as place_shares, shared_ranks as shared_ranks
    from dupai.arena._results import TournamentMatch as TournamentMatch, TournamentResult as TournamentResult
    from dupai.arena._tournament import (
        MatchNotes as MatchNotes,
        TournamentTask as TournamentTask,
        drawn_chairs as drawn_chairs,
        play_tournament_match as play_tournament_match,
        standings_of as standings_of,
        tournament_tasks as tournament_tasks,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
