"""Personas: agents that act as groups of real players do."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._persona._agent import Persona as Persona
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
