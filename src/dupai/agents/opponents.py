"""Agents to play against: their names, kinds and rated strengths, for everything that lists opponents."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._opponents import (
        Opponent as Opponent,
        Strength as Strength,
        display_name as display_name,
        opponents as opponents,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
