"""Arena: matches, ladders, tournaments, cash sessions and sequential tests; their results and where they are kept."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.arena._cash import (
        CashConfig as CashConfig,
        CashPlayer as CashPlayer,
        CashResult as CashResult,
        CashSession as CashSession,
        CashSettings as CashSettings,
        Session as Session,
        run_cash as run_cash,
    )
    from dupai.arena._chips import ChipTable as ChipTable, place_shares as place_shares, shared_ranks as shared_ranks
    from dupai.arena._coach import Coach as Coach, Lesson as Lesson
    from dupai.arena._companion import Companion as Companion, Learner as Learner, who_plays_on as who_plays_on
    from dupai.arena._entrants import (
        AgentSource as AgentSource,
        Entrant as Entrant,
        entrants_of as entrants_of,
        named_files as named_files,
    )
    from dupai.arena._exploit import (
        ExploitBlock as ExploitBlock,
        ExploitConfig as ExploitConfig,
        ExploitResult as ExploitResult,
        ExploitSettings as ExploitSettings,
        run_exploit as run_exploit,
    )
    from dupai.arena._folder import (
        HANDS_FILE as HANDS_FILE,
        MATCH_FILE as MATCH_FILE,
        SavedMatch as SavedMatch,
        check_writable as check_writable,
        free_folder as free_folder,
        load_hands as load_hands,
        load_match as load_match,
        save_match as save_match,
    )
    from dupai.arena._format import Format as Format, play_format as play_format
    from dupai.arena._formats import (
        FORMATS as FORMATS,
        load_format as load_format,
        unfinished as unfinished,
        units_so_far as units_so_far,
    )
    from dupai.arena._hand import (
        Fault as Fault,
        Players as Players,
        TableRules as TableRules,
        Watcher as Watcher,
    )
    from dupai.arena._ladder import (
        LadderCell as LadderCell,
        LadderConfig as LadderConfig,
        LadderResult as LadderResult,
        LadderRow as LadderRow,
        LadderSettings as LadderSettings,
        bradley_terry as bradley_terry,
        ladder_tables as ladder_tables,
        mbb_ratings as mbb_ratings,
        run_ladder as run_ladder,
    )
    from dupai.arena._live import (
        LiveSeat as LiveSeat,
        LiveSettings as LiveSettings,
        LiveState as LiveState,
        LiveTable as LiveTable,
        seated_names as seated_names,
        spot_table as spot_table,
    )
    from dupai.arena._live_store import LiveStore as LiveStore
    from dupai.arena._match import (
        BLOCK as BLOCK,
        match_config as match_config,
        match_tasks as match_tasks,
        play as play,
        play_match as play_match,
    )
    from dupai.arena._results import (
        MOST_FAULTS as MOST_FAULTS,
        CurveBlock as CurveBlock,
        CurvePoint as CurvePoint,
        Level as Level,
        LuckReduced as LuckReduced,
        MatchConfig as MatchConfig,
        MatchPlayer as MatchPlayer,
        MatchResult as MatchResult,
        MatchSettings as MatchSettings,
        PlayerMatch as PlayerMatch,
        Schedule as Schedule,
        Standing as Standing,
        TournamentConfig as TournamentConfig,
        TournamentMatch as TournamentMatch,
        TournamentResult as TournamentResult,
        TournamentSettings as TournamentSettings,
        versions as versions,
    )
    from dupai.arena._rollout import (
        Decision as Decision,
        RolloutConfig as RolloutConfig,
        RolloutMatch as RolloutMatch,
        RolloutResult as RolloutResult,
        RolloutSettings as RolloutSettings,
        Situation as Situation,
        play_rollout as play_rollout,
        rollout_tasks as rollout_tasks,
        run_rollout as run_rollout,
    )
    from dupai.arena._sealed import SealedDeck as SealedDeck, verify_deal as verify_deal
    from dupai.arena._seating import (
        Seating as Seating,
        SeatingTask as SeatingTask,
        match_seatings as match_seatings,
        play_seating as play_seating,
    )
    from dupai.arena._settings import (
        MAX_SEED as MAX_SEED,
        MOST_COUNT as MOST_COUNT,
        MOST_HANDS as MOST_HANDS,
        PlaySettings as PlaySettings,
        StakesSettings as StakesSettings,
        blinds_of as blinds_of,
        load_deals as load_deals,
        load_settings as load_settings,
    )
    from dupai.arena._sprt import (
        SprtConfig as SprtConfig,
        SprtResult as SprtResult,
        SprtSettings as SprtSettings,
        run_sprt as run_sprt,
    )
    from dupai.arena._store import RunInfo as RunInfo, RunLog as RunLog, Store as Store
    from dupai.arena._tournament import (
        MatchNotes as MatchNotes,
        TournamentTask as TournamentTask,
        drawn_chairs as drawn_chairs,
        play_tournament_match as play_tournament_match,
        run_tournament as run_tournament,
        standings_of as standings_of,
        tournament_tasks as tournament_tasks,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
