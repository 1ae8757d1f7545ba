"""What an agent is, what it learns about a match, and the optional parts that it may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import msgspec

from dupai.base import AgentError, Rng
from dupai.notation import Reason
from dupai.reading import Reading
from dupai.rules import Action, GameSpec, HandRecord, View
from dupai.spots import ActionDistribution, ActionModel, HandPolicy, RaiseBetween

#: ``reset``: every hand starts with the stacks of the game (ACPC style); ``tournament``: chips carry over until one
#: player has them all; ``cash``: chips carry over, with rebuys at will.
MatchFormat = Literal["reset", "tournament", "cash"]


class CannotPlay(AgentError):
    """An agent cannot play its match at all: it ends with this error, for everybody. From ``start`` any error of
    :mod:`dupai.base` does the same."""


class AgentFailure(Exception):
    """What went wrong in another process; the text is complete."""


class MatchInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a player knows when it sits down.

    Attributes:
        spec: the game with its nominal stacks, by position (a hand's own spec and stacks come with every view).
        seat: the agent's own chair, 0..n-1, for the whole match. ``View.seats`` maps positions to chairs.
        names: everybody's name, by seat.
        format: whether stacks are reset every hand (see :data:`MatchFormat`).
        hands: the most hands that the match lasts; None: unknown.
        seconds_per_action: the clock, in seconds per action; None: no clock.
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
        actions: the actions considered; a :class:`RaiseBetween` is a raise to a uniform total.
        probabilities: of each of ``actions``; they add up to 1.
        values: expected chips won by each, if the agent computes them.
        visits: how often a search visited each, if the agent searches.
        reasons: for people, most important first; a plain sentence becomes a reason
            with that text.
        numbers: the figures behind the reasons by name (win rate, pot odds, ...), for programs.
        readings: what the opponents seem to hold, by seat, if the agent reads them.
    """

    actions: tuple[Action | RaiseBetween, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...] | None = None
    visits: tuple[int, ...] | None = None
    reasons: tuple[Reason, ...] = ()
    numbers: Mapping[str, float] = msgspec.field(default_factory=dict)
    readings: Mapping[int, Reading] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        # An agent of another package may give plain sentences.
        reasons = tuple(Reason("text", text=one) if isinstance(one, str) else one for one in self.reasons)
        msgspec.structs.force_setattr(self, "reasons", reasons)

    @classmethod
    def of(
        cls, policy: ActionDistribution, reasons: tuple[Reason, ...] = (), numbers: Mapping[str, float] | None = None
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

    A :class:`Seat` makes all calls, one at a time: ``start``; for each hand ``begin`` (where the agent has it), ``act``
    whenever it is this seat's turn, ``observe`` and ``end`` (where the agent has it); then ``close``.

    Optional parts are protocols of their own: :class:`HasBegin`, :class:`HasEnd`, :class:`HasPolicy`,
    :class:`HasActionModel`, :class:`Advises`, :class:`Saveable`. :func:`capabilities` says which an agent has. What
    holds for the whole class are its traits, class attributes as :class:`BaseAgent` has them (:func:`traits_of`).

    An error that ``act`` raises costs the hand by the rule of the match, an error of any other method nothing but a
    line in the result. An error of :mod:`dupai.base` from ``start`` ends the match: the agent cannot play it.
    """

    def start(self, match: MatchInfo) -> None:
        """The match begins: the game, the agent's own chair, everybody's name, the clock."""

    def act(self, view: View, rng: Rng) -> Action:
        """Choose an action.

        Args:
            view: what this seat sees. It is the agent's to keep, but not to change: the hand has its own copy.
            rng: the source of random numbers of this seat in this hand. An agent that draws from nothing else plays
                the same match again from the same seed. :meth:`Rng.as_random` gives a :class:`random.Random`.

        Returns:
            ``Action.fold()``, ``Action.call()`` (also a check) or ``Action.raise_to(total)`` (also a bet), one that is
            in ``view.legal``. ``total`` is all that this seat will have put in *during the hand*, blinds and earlier
            streets included (antes not): ``view.contributions[view.actor] + chips added``.
        """

    def observe(self, record: HandRecord) -> None:
        """A hand has ended, also one that this seat was not dealt in: what the seat may know of it. Hole cards that it
        did not see are 255."""

    def close(self) -> None:
        """The match is over."""


@runtime_checkable
class HasBegin(Protocol):
    """An agent that wants to know when a hand begins."""

    def begin(self, hand: View) -> None:
        """This seat has been dealt in: what it sees once the blinds are posted and before anybody acts."""


@runtime_checkable
class HasEnd(Protocol):
    """An agent that wants to know when a hand ends, besides ``observe``."""

    def end(self, record: HandRecord) -> None:
        """A hand that this seat was dealt in has ended and is observed; the seat's position is ``record.hero`` and
        what it won ``record.payoffs[record.hero] / record.spec.split`` chips."""


@runtime_checkable
class HasPolicy(Protocol):
    """An agent that knows its exact probabilities: used to reduce luck in results, and to advise."""

    def policy(self, view: View) -> ActionDistribution:
        """The probability of every action in ``view``; ``act`` draws from it."""


@runtime_checkable
class HasHandPolicy(Protocol):
    """An agent that knows its exact probabilities with all hands at once."""

    def hand_policy(self, view: View) -> HandPolicy:
        """The policy of the player to act in ``view`` for every hand; equal, hand by hand, to ``policy``. The hole
        cards in ``view`` do not matter."""


@runtime_checkable
class HasActionModel(Protocol):
    """A reader or agent with a model of how players act with every hand."""

    @property
    def model(self) -> ActionModel:
        """How likely each action is with each hand."""


@runtime_checkable
class Advises(Protocol):
    """An agent that explains its choice."""

    def advise(self, view: View, rng: Rng) -> Advice:
        """What it would do in ``view``, and why."""


class Traits(msgspec.Struct, frozen=True):
    """What an agent's class declares (see :class:`BaseAgent`)."""

    stateless: bool = False
    reproducible: bool = True
    players: tuple[int, int] = (2, 10)
    bettings: tuple[str, ...] = ("no-limit", "limit", "pot-limit")


def traits_of(factory: object) -> Traits:
    """The traits of an agent class or factory; the defaults of :class:`Traits` where it declares nothing."""
    return Traits(*(type(default)(getattr(factory, name, default)) for name, default in _TRAITS.items()))


_TRAITS = msgspec.structs.asdict(Traits())


class BaseAgent:
    """A base class for agents that need no set-up: ``start``, ``observe`` and ``close`` do nothing.

    Class attributes:
        stateless: whether ``act`` depends on the view and the random numbers only. Intervals of a match between
            stateless agents may then be computed from single deals.
        reproducible: whether equal random numbers give equal play (not true of agents limited by a clock).
        players: fewest and most players of the tables that it can play at.
        bettings: the betting structures that it can play.
        presets: named option values, ``{name: {option: value}}``; see :mod:`dupai.base` about specs.
    """

    stateless: ClassVar[bool] = False
    reproducible: ClassVar[bool] = True
    players: ClassVar[tuple[int, int]] = (2, 10)
    bettings: ClassVar[tuple[str, ...]] = ("no-limit", "limit", "pot-limit")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def start(self, match: MatchInfo) -> None:
        """Nothing to set up."""

    def act(self, view: View, rng: Rng) -> Action:
        raise NotImplementedError

    def observe(self, record: HandRecord) -> None:
        """Nothing to learn."""

    def close(self) -> None:
        """Nothing to let go of."""


class PolicyAgent(BaseAgent):
    """An agent that is its probabilities: write ``policy(view)``, and ``act`` draws from it."""

    stateless: ClassVar[bool] = True

    def policy(self, view: View) -> ActionDistribution:
        """Exact probabilities of every action in ``view``, a function of the view alone."""
        raise NotImplementedError

    def act(self, view: View, rng: Rng) -> Action:
        return self.policy(view).sample(rng)

    def reasons(self, view: View) -> tuple[Reason, ...]:
        """Why the policy is what it is in ``view``."""
        return ()

    def numbers(self, view: View) -> Mapping[str, float]:
        """The figures behind the policy in ``view``, by name."""
        return {}

    def advise(self, view: View, rng: Rng) -> Advice:
        """The policy with its reasons."""
        return Advice.of(self.policy(view), self.reasons(view), self.numbers(view))
