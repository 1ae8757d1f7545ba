"""Text to hand records, spots and actions, and back: ACPC logs and match states, PHH, poker sites, plain words. No
sockets and no files of its own."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.notation._acpc import (
        MatchState as MatchState,
        format_acpc as format_acpc,
        format_matchstate as format_matchstate,
        parse_acpc_line as parse_acpc_line,
        parse_action as parse_action,
        parse_matchstate as parse_matchstate,
    )
    from dupai.notation._acpc_log import (
        AcpcEntry as AcpcEntry,
        AcpcError as AcpcError,
        AcpcHand as AcpcHand,
        AcpcText as AcpcText,
        GameChoice as GameChoice,
        LogSample as LogSample,
        Score as Score,
        choose_game as choose_game,
        detect_game as detect_game,
        format_score as format_score,
        game_words as game_words,
        header_game as header_game,
        parse_score as parse_score,
        read_acpc as read_acpc,
        read_acpc_entries as read_acpc_entries,
        sample_of as sample_of,
        section_title as section_title,
        text_kind as text_kind,
        write_acpc as write_acpc,
    )
    from dupai.notation._chips import format_chips as format_chips, parse_chips as parse_chips, quote as quote
    from dupai.notation._kernels import scan_kernel as scan_kernel, scan_phh_kernel as scan_phh_kernel
    from dupai.notation._layout import (
        DEAL as DEAL,
        GOOD as GOOD,
        HAND_DTYPE as HAND_DTYPE,
        PHH_DTYPE as PHH_DTYPE,
        PHH_WORDS as PHH_WORDS,
        UNITS as UNITS,
        HandColumns as HandColumns,
        row_dtype as row_dtype,
    )
    from dupai.notation._phh import (
        PhhTable as PhhTable,
        check_unstated_rake as check_unstated_rake,
        format_phh as format_phh,
        phh_actions as phh_actions,
        read_phh as read_phh,
        read_phh_tables as read_phh_tables,
        record_of_phh as record_of_phh,
        state_of_phh as state_of_phh,
        write_phhs as write_phhs,
    )
    from dupai.notation._reasons import (
        LANGUAGES as LANGUAGES,
        Catalogue as Catalogue,
        Language as Language,
        Reason as Reason,
        load_catalogue as load_catalogue,
        reason_words as reason_words,
        with_words as with_words,
    )
    from dupai.notation._sites import (
        SITES as SITES,
        SiteHand as SiteHand,
        parse_site_hand as parse_site_hand,
        read_sites as read_sites,
        site_of as site_of,
        split_site_text as split_site_text,
    )
    from dupai.notation._spot_text import view_from_text as view_from_text
    from dupai.notation._words import (
        action_words as action_words,
        card_words as card_words,
        chips_words as chips_words,
        choice_words as choice_words,
        legal_words as legal_words,
        made_hand_words as made_hand_words,
        read_answer as read_answer,
        result_words as result_words,
        street_choice_words as street_choice_words,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
