"""Personas: habits measured in logs, and the situations that they are counted by."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._persona._agent import Persona as Persona
    from dupai.agents._persona._habits import (
        PERSONA_FILE as PERSONA_FILE,
        PERSONA_SITUATIONS as PERSONA_SITUATIONS,
        PERSONA_SIZE_SITUATIONS as PERSONA_SIZE_SITUATIONS,
        PersonaHabits as PersonaHabits,
        persona_habits as persona_habits,
        persona_situation as persona_situation,
        persona_size_situation as persona_size_situation,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
