"""Personas: agents that act as groups of real players do."""

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
