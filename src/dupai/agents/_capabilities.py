"""What an agent can do besides acting: declared by its class, or by the agent itself."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from dupai.agents._notes import HasNotes
from dupai.agents._protocol import Advises, Agent, BaseAgent, HasBegin, HasEnd, HasHandPolicy, HasPolicy
from dupai.reading import Saveable


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """The optional parts of one agent.

    Attributes:
        observes: it does something with finished hands.
        begins, ends: :class:`HasBegin`, :class:`HasEnd`.
        policy, hand_policy, advises, saves, notes: :class:`HasPolicy`, :class:`HasHandPolicy`, :class:`Advises`,
            :class:`Saveable`, :class:`HasNotes`.
    """

    observes: bool = False
    begins: bool = False
    ends: bool = False
    policy: bool = False
    hand_policy: bool = False
    advises: bool = False
    saves: bool = False
    notes: bool = False


@runtime_checkable
class HasCapabilities(Protocol):
    """An agent whose parts depend on its options, or on another agent inside of it."""

    def capabilities(self) -> Capabilities:
        """The parts of this one; :func:`class_capabilities` gives those of its class."""


def class_capabilities(agent: Agent) -> Capabilities:
    """The parts that the class of an agent has."""
    observe = getattr(agent.observe, "__func__", agent.observe)
    return Capabilities(
        observes=observe is not BaseAgent.observe,
        begins=isinstance(agent, HasBegin),
        ends=isinstance(agent, HasEnd),
        policy=isinstance(agent, HasPolicy),
        hand_policy=isinstance(agent, HasHandPolicy),
        advises=isinstance(agent, Advises),
        saves=isinstance(agent, Saveable),
        notes=isinstance(agent, HasNotes),
    )


def capabilities(agent: Agent) -> Capabilities:
    """The optional parts that an agent has."""
    return agent.capabilities() if isinstance(agent, HasCapabilities) else class_capabilities(agent)
