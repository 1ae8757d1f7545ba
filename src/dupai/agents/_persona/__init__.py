"""Personas: agents that act as groups of real players do."""
