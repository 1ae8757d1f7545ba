"""PHH (poker hand history) tables and records, one at a time."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.notation._phh import (
        PhhTable as PhhTable,
        format_phh as format_phh,
        phh_actions as phh_actions,
        read_phh_tables as read_phh_tables,
        record_of_phh as record_of_phh,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
