"""The luck of hands as they are played: nothing but a few numbers of each is kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dupai.agents import HasPolicy
from dupai.arena._entrants import Entrant
from dupai.arena._hand import Players
from dupai.rules import HandRecord, View
from dupai.spots import ActionDistribution
from dupai.stats import ViewPolicy, luck_adjusted


def says_policy(entrant: Entrant, agent: object) -> bool:
    """Whether the luck of an agent's decisions can be known: it has ``policy(view)``, and it declares itself
    ``stateless``, so that what it says after the hand is what it drew from in it."""
    return entrant.stateless and isinstance(agent, HasPolicy)


class HandLuck:
    """Computes the luck of the hands of one table.

    A policy that fails is a fault of its agent and is asked no more in this unit of work. In a hand in which an agent
    broke the rules, the rule acted and not its policy: its decisions are left as they are.
    """

    def __init__(self, entrants: Sequence[Entrant], players: Players) -> None:
        """``entrants``: by chair, as the agents of ``players``."""
        self._players = players
        self._policies: list[ViewPolicy | None] = [
            agent.policy if entrant.stateless and isinstance(agent, HasPolicy) else None
            for entrant, agent in zip(entrants, players.agents, strict=True)
        ]

    @property
    def decisions(self) -> tuple[bool, ...]:
        """By chair: whether its decisions are looked at."""
        return tuple(policy is not None for policy in self._policies)

    def only(self, decisions: Sequence[bool]) -> None:
        """Look at no others' decisions than these chairs'."""
        self._policies = [p if used else None for p, used in zip(self._policies, decisions, strict=True)]

    def of(self, record: HandRecord, faults: Sequence[int]) -> npt.NDArray[np.float64]:
        """What was luck in a hand, ``float64[chairs]`` in chips; ``faults``: counted by chair before it."""
        broke = [now > before for now, before in zip(self._players.fault_counts, faults, strict=True)]
        used = [
            None if policy is None or broke[c] or c in self._players.folding else self._watched(c, policy)
            for c, policy in enumerate(self._policies)
        ]
        won = np.empty(len(used))
        won[list(record.seats)] = np.array(record.payoffs, np.float64) / record.spec.split
        while True:
            try:
                return np.asarray(won - luck_adjusted([record], used)[0])
            except _PolicyError as error:
                self._policies[error.chair] = used[error.chair] = None
                self._players.fault(error.chair, "policy", error.cause)

    @staticmethod
    def _watched(chair: int, policy: ViewPolicy) -> ViewPolicy:
        def ask(view: View) -> ActionDistribution:
            try:
                return policy(view)
            except Exception as error:
                raise _PolicyError(chair, error) from error

        return ask


class _PolicyError(Exception):
    def __init__(self, chair: int, cause: Exception) -> None:
        super().__init__(chair, cause)
        self.chair = chair
        self.cause = cause
