"""Where results are kept: folders of matches and the store of runs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.arena._folder import (
        HANDS_FILE as HANDS_FILE,
        MATCH_FILE as MATCH_FILE,
        SavedMatch as SavedMatch,
        check_writable as check_writable,
        free_folder as free_folder,
        load_hands as load_hands,
        load_match as load_match,
        save_match as save_match,
        verify_match as verify_match,
    )
    from dupai.arena._keys import announce_key as announce_key
    from dupai.arena._store import RunInfo as RunInfo, Store as Store
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
