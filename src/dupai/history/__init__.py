"""Recorded hands: logs replayed and payoffs recomputed, the hand store, and what players do and where they lose."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.history._convert import (
        ConvertReport as ConvertReport,
        convert_file as convert_file,
        file_records as file_records,
        repeated_hands as repeated_hands,
        text_records as text_records,
    )
    from dupai.history._corpora import corpora as corpora
    from dupai.history._entries import NoHands as NoHands, decoded as decoded, text_lines as text_lines
    from dupai.history._files import LogFile as LogFile, shared_file as shared_file, source_files as source_files
    from dupai.history._import import (
        ImportReport as ImportReport,
        import_file as import_file,
        import_files as import_files,
    )
    from dupai.history._schema import (
        HANDS_PER_SOURCE as HANDS_PER_SOURCE,
        SCHEMA_VERSION as SCHEMA_VERSION,
        TABLES as TABLES,
    )
    from dupai.history._store import (
        HandLine as HandLine,
        Store as Store,
        find_hands as find_hands,
        list_hands as list_hands,
    )
    from dupai.history._verify import (
        VerifyReport as VerifyReport,
        verify_file as verify_file,
        verify_files as verify_files,
    )
    from dupai.notation import check_record as check_record
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
