"""Personas: agents that act as groups of real players do."""

from dupai.agents._persona._agent import Persona as Persona
from dupai.agents._persona._habits import (
    PERSONA_FILE as PERSONA_FILE,
    SITUATIONS as SITUATIONS,
    SIZE_SITUATIONS as SIZE_SITUATIONS,
    PersonaHabits as PersonaHabits,
    persona_habits as persona_habits,
    situation_of as situation_of,
    size_situation_of as size_situation_of,
)
