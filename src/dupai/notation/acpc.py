"""ACPC logs and match states line by line: hands, scores, headers, the dealer's messages."""

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
        Score as Score,
        choose_game as choose_game,
        detect_game as detect_game,
        format_score as format_score,
        game_words as game_words,
        header_game as header_game,
        parse_score as parse_score,
        read_acpc_entries as read_acpc_entries,
        sample_of as sample_of,
        section_title as section_title,
        text_kind as text_kind,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
