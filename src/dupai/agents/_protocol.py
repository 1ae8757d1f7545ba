"""What an agent is, what it is told about a match, and what it can say about its choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol, runtime_checkable

import msgspec

from dupai.base import Rng
from dupai.reading import Reading
from dupai.rules import Action, GameSpec, HandRecord, View
from dupai.spots import ActionDistribution, RaiseBetween

#: ``reset``: stacks are those of the game every hand (ACPC style); ``tournament``: chips carry over until one player
#: has them all; ``cash``: chips carry over, rebuys at will.
MatchFormat = Literal["reset", "tournament", "cash"]


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a player knows when it sits down.

    Attributes:
        spec: the game with its nominal stacks, by position (a hand's own spec and stacks come with every view).
        seat: the agent's own chair, 0..n-1, for the whole match. ``View.seats`` maps positions to chairs.
        names: everybody's name, by seat.
        format: whether stacks are reset every hand (see :data:`MatchFormat`).
        hands: how many hands the match lasts at most; None: not known.
        seconds_per_action: the clock, in seconds an action; None: no clock.
    """

    spec: GameSpec
    seat: int
    names: tuple[str, ...]
    format: MatchFormat = "reset"
    hands: int | None = None
    seconds_per_action: float | None = None


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent would do in a spot, and why.

    Attributes:
        actions: what it considers; a :class:`RaiseBetween` is a raise to a uniform total.
        probabilities: of each of ``actions``, adding up to 1.
        values: expected chips won by each, if the agent computes that.
        visits: how often a search looked at each, if the agent searches.
        reasons: short sentences for people, most important first.
        numbers: figures behind the reasons by name (win rate, pot odds, ...), for programs.
        readings: what opponents seem to hold, by seat, if the agent reads them.
    """

    actions: tuple[Action | RaiseBetween, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...] | None = None
    visits: tuple[int, ...] | None = None
    reasons: tuple[str, ...] = ()
    numbers: Mapping[str, float] = msgspec.field(default_factory=dict)
    readings: Mapping[int, Reading] = msgspec.field(default_factory=dict)

    @classmethod
    def of(
        cls, policy: ActionDistribution, reasons: tuple[str, ...] = (), numbers: Mapping[str, float] | None = None
    ) -> Advice:
        """The advice to follow ``policy``."""
        return cls(
            actions=(*(action for action, _ in policy.points), *policy.spans),
            probabilities=(*(p for _, p in policy.points), *(span.p for span in policy.spans)),
            reasons=reasons,
            numbers=numbers or {},
        )


@runtime_checkable
class Agent(Protocol):
    """A player. One object plays one seat of one match; a new match gets a new object.

    An agent may also have:

    * ``policy(view) -> ActionDistribution``: its exact probabilities, from which ``act`` draws;
    * ``advise(view, rng) -> Advice``;
    * class attributes ``stateless``, ``players``, ``bettings``, ``help`` as :class:`BaseAgent` has them.
    """

    def start(self, match: MatchInfo) -> None:
        """The match begins."""
        ...

    def act(self, view: View, rng: Rng) -> Action:
        """Choose an action that is legal in ``view``; draw random numbers from ``rng`` alone."""
        ...

    def observe(self, record: HandRecord) -> None:
        """A hand is over: what this seat may know of it."""
        ...

    def close(self) -> None:
        """The match is over."""
        ...


class BaseAgent:
    """Agents that need no set-up derive from this: ``start``, ``observe`` and ``close`` do nothing.

    Class attributes:
        stateless: whether ``act`` depends on nothing but the view and the random numbers. Intervals of a match between
            stateless agents may then be computed from single deals.
        reproducible: whether equal random numbers give equal play (not so for agents limited by a clock).
        players: fewest and most players at the table that it can play with.
        bettings: the betting structures that it can play.
    """

    stateless: ClassVar[bool] = False
    reproducible: ClassVar[bool] = True
    players: ClassVar[tuple[int, int]] = (2, 10)
    bettings: ClassVar[tuple[str, ...]] = ("no-limit", "limit", "pot-limit")

    def start(self, match: MatchInfo) -> None:
        return None

    def act(self, view: View, rng: Rng) -> Action:
        raise NotImplementedError

    def observe(self, record: HandRecord) -> None:
        return None

    def close(self) -> None:
        return None


class PolicyAgent(BaseAgent):
    """An agent that is given by its probabilities: write ``policy(view)``, and ``act`` draws from it."""

    stateless: ClassVar[bool] = True

    def policy(self, view: View) -> ActionDistribution:
        """Exact probabilities of every action in ``view``, a function of the view alone."""
        raise NotImplementedError

    def act(self, view: View, rng: Rng) -> Action:
        return self.policy(view).sample(rng)

    def reasons(self, view: View) -> tuple[str, ...]:
        """Why the policy is what it is in ``view``, in short sentences."""
        return ()

    def numbers(self, view: View) -> Mapping[str, float]:
        """The figures behind the policy in ``view``, by name."""
        return {}

    def advise(self, view: View, rng: Rng) -> Advice:
        """The policy with its reasons."""
        return Advice.of(self.policy(view), self.reasons(view), self.numbers(view))
