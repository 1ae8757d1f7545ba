"""Arena: matches, ladders, tournaments, cash sessions and sequential tests; their results and where they are kept."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.arena._cash import CashResult as CashResult, Session as Session, run_cash as run_cash
    from dupai.arena._entrants import AgentSource as AgentSource, entrants_of as entrants_of, named_files as named_files
    from dupai.arena._exploit import ExploitResult as ExploitResult, run_exploit as run_exploit
    from dupai.arena._format import Format as Format, play_format as play_format
    from dupai.arena._formats import (
        FORMATS as FORMATS,
        load_format as load_format,
        unfinished as unfinished,
        units_so_far as units_so_far,
    )
    from dupai.arena._ladder import (
        LadderConfig as LadderConfig,
        LadderResult as LadderResult,
        LadderSettings as LadderSettings,
        bradley_terry as bradley_terry,
        ladder_tables as ladder_tables,
        mbb_ratings as mbb_ratings,
        run_ladder as run_ladder,
    )
    from dupai.arena._match import play as play, play_match as play_match
    from dupai.arena._results import (
        MAX_FAULTS as MAX_FAULTS,
        LuckReduced as LuckReduced,
        MatchPlayer as MatchPlayer,
        MatchResult as MatchResult,
        MatchSettings as MatchSettings,
        TournamentSettings as TournamentSettings,
    )
    from dupai.arena._rollout import (
        Decision as Decision,
        RolloutResult as RolloutResult,
        play_rollout as play_rollout,
        rollout_tasks as rollout_tasks,
        run_rollout as run_rollout,
    )
    from dupai.arena._settings import (
        MAX_COUNT as MAX_COUNT,
        MAX_HANDS as MAX_HANDS,
        MAX_SEED as MAX_SEED,
        PlaySettings as PlaySettings,
        blinds_of as blinds_of,
        load_deals as load_deals,
        load_settings as load_settings,
    )
    from dupai.arena._sprt import SprtResult as SprtResult, SprtSettings as SprtSettings, run_sprt as run_sprt
    from dupai.arena._tournament import run_tournament as run_tournament
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
