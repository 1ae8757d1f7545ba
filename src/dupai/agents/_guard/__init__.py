"""Agents of other packages, each in a process of its own: one that hangs, leaves or dies loses its hand and no more."""

from dupai.agents._guard._agent import GuardedAgent as GuardedAgent, seated_agent as seated_agent
