"""A seat: one agent in one match, with every call that it gets, in their order."""

from __future__ import annotations

import copy
import operator
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple, TypeVar

from dupai.agents._advise import advise
from dupai.agents._capabilities import Capabilities, capabilities
from dupai.agents._guard import GuardedAgent, seated_agent
from dupai.agents._hands import AskedPolicy, hand_policy
from dupai.agents._notes import AgentNotes, Notes
from dupai.agents._output import AgentOutput
from dupai.agents._protocol import Advice, Agent, AgentFailure, BaseAgent, CannotPlay, MatchInfo
from dupai.agents._times import add_time
from dupai.base import AgentError, DupaiError, Rng, RulesError
from dupai.base.arrays import F64
from dupai.base.text import raised_at, visible
from dupai.notation import Reason, reason_words
from dupai.rules import RAISE, SEAT_STREAM, Action, HandRecord, HandState, View
from dupai.spots import ActionDistribution

T = TypeVar("T")

#: What an agent may raise at its own cost. ``sys.exit`` is one of these.
AGENT_ERRORS = (Exception, SystemExit)


class Clock(NamedTuple):
    """Seconds that an agent has for one decision and for all decisions of a match; None: no limit. Both are read when
    the answer is there. To start its process is no part of a decision."""

    action: float | None = None
    match: float | None = None


def fault_text(error: BaseException) -> str:
    """What an agent raised and where, in words on one line that a terminal shows as they are; that of an agent in
    another process is complete."""
    text = str(error) if isinstance(error, AgentFailure) else f"{raised_at(error)}: {error}"
    return visible(text, line=True)


def checked_answer(state: HandState, reply: object) -> Action:
    """What an agent answered as a checked action; a raise that no opponent can call is a call.

    Raises:
        RulesError: it is no action, or not legal here.
    """
    if not isinstance(reply, Action):
        raise RulesError(f"answer {reply!r} is not an Action")
    try:
        action = Action(operator.index(reply.kind), operator.index(reply.to))
    except TypeError:
        raise RulesError(f"answer {reply!r}: expected whole numbers") from None
    action = state.check(action)
    if action.kind == RAISE and state.spec.min_raise == "casino" and not state.raise_can_be_called:
        # All that is above the bet would come straight back: at a table, and for other programs that read our hands
        # (PokerKit), that is a call.
        return Action.call()
    return action


class _Unmade(BaseAgent):
    """Sits where an agent could not be made: every decision is a fault."""

    def __init__(self, error: str) -> None:
        self._error = error

    def act(self, view: View, rng: Rng) -> Action:
        raise RuntimeError(self._error)


class Seat:
    """Drives one agent through one match. Nothing else calls an agent.

    It keeps the order of calls that :class:`Agent` promises: ``start``; for each hand ``begin`` before the first
    decision, ``observe`` and ``end``; ``close`` once, after ``start`` only. A hand that is over
    before the seat was asked begins, too.

    Args:
        make: gives a new agent.
        name: of the agent, in messages and before the lines that it prints.
        seed, match: of its random numbers: those of a hand are ``Rng(seed, match, hand, SEAT_STREAM + chair)``.
        by_decision: every decision draws from a stream of its own (the key goes on with the number of actions before
            it), so that a hand which is taken up again in the middle goes on alike.
        clock: its limits; a later answer is refused.
        on_fault: takes the kind of call (``"make"``, ``"start"``, ``"begin"``, ``"act"``, ``"observe"``, ``"end"``,
            ``"save"``, ``"load"``, ``"close"``) and what the agent raised; except for a decision the error ends there.
            None: errors are raised, those from another process as an AgentError with the name.

    Attributes:
        agent, can: the agent, and its optional parts.
        info: its match, from :meth:`start` on.
        asked: whether it is still asked; False: it hears how hands end, not how they begin.
        seconds, times: seconds of all its decisions, and how many took how long (:func:`add_time`).
        decisions: how many it made.
        noted: the reasons of the fall-backs of the last one.
    """

    info: MatchInfo

    def __init__(
        self,
        make: Callable[[], Agent],
        name: str = "agent",
        *,
        seed: int | bytes = 0,
        match: int = 0,
        by_decision: bool = False,
        clock: Clock = Clock(),  # noqa: B008 - immutable
        on_fault: Callable[[str, BaseException], object] | None = None,
    ) -> None:
        self.name, self.clock = name, clock
        self._key, self._by_decision = (seed, match), by_decision
        self._on_fault = on_fault
        self._output: Any = AgentOutput(name)
        self._hand: int | None = None
        self._rng: Rng | None = None
        self._closed = False
        self.asked = True
        self.seconds, self.decisions = 0.0, 0
        self.times: dict[int, int] = {}
        self.noted: tuple[Reason, ...] = ()
        self._notes: Counter[str] = Counter()
        self._texts: dict[str, str] = {}
        self.agent: Any
        try:
            with self._output:
                self.agent = make()
        except AGENT_ERRORS as error:
            if not self._ends_here("make", error):
                raise
            self.agent = _Unmade(f"it could not be made: {error}")
        self.can: Capabilities = capabilities(self.agent)
        if type(self.agent).__module__.partition(".")[0] == "dupai":
            # Only what others print is caught.
            self._output = nullcontext()

    # calls ----------------------------------------------------------------------------------------------------------

    def _call(self, during: str, call: Callable[..., Any], *values: object) -> Any:
        """What a call of the agent returns; None, where its error ends here."""
        try:
            with self._output:
                return call(*values)
        except AGENT_ERRORS as error:
            if not self._ends_here(during, error):
                raise
            return None

    def _ends_here(self, during: str, error: BaseException) -> bool:
        if self._on_fault is not None:
            self._on_fault(during, error)
            return True
        if isinstance(error, AgentFailure):
            raise AgentError(f"{self.name}: {error}", text=self.name) from None
        return False

    def start(self, match: MatchInfo) -> None:
        """Seat the agent in its match.

        Raises:
            DupaiError: the agent cannot play it.
        """
        self.info = match
        try:
            with self._output:
                self.agent.start(match)
        except DupaiError:
            raise
        except AGENT_ERRORS as error:
            if not self._ends_here("start", error):
                raise

    def begin(self, hand: HandState | View) -> None:
        """Tell the agent that it is dealt in: the hand before the first action, or what the seat sees of it then."""
        self._hand, self._rng = hand.hand, None
        if self.can.begins:
            chair = self.info.seat
            view = hand if isinstance(hand, View) else hand.view(hand.seats.index(chair))
            self._call("begin", self.agent.begin, view)

    def _enter(self, view: View) -> None:
        """Begin the hand of a view, where that is to be done yet."""
        if view.hand == self._hand:
            return
        if self.can.begins and view.position is not None:
            self.begin(view.line.at(0).view(view.position))
        self._hand, self._rng = view.hand, None

    def act(self, state: HandState, rng: Rng | None = None) -> Action:
        """The agent's checked action where it is to act in ``state``.

        Args:
            rng: of this decision; None: the seat's own stream.

        Raises:
            RulesError: the answer is not legal, or came too late. Besides whatever the agent raises.
        """
        return self._question(lambda: checked_answer(state, self._decided(state.view(state.actor), rng)))

    def ask(self, view: View, rng: Rng | None = None) -> Any:
        """What the agent answers in ``view``, as it is.

        Raises:
            RulesError: it came too late. Besides whatever the agent raises.
        """
        return self._question(lambda: self._decided(view, rng))

    def _question(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except CannotPlay:
            raise
        except AGENT_ERRORS as error:
            self._ends_here("act", error)
            raise

    def _decided(self, view: View, rng: Rng | None) -> object:
        self._enter(view)
        rng = self._stream(view) if rng is None else rng
        each, whole = self.clock
        if whole is not None and self.seconds >= whole:
            raise RulesError(f"its clock of {whole:g} s for the match has run out")
        if isinstance(self.agent, GuardedAgent):
            # To start a process in the place of a lost one takes about a second, which is not the agent's.
            with self._output:
                self.agent.ready()
        before = self._before()
        start = time.perf_counter_ns()
        try:
            with self._output:
                reply: object = self.agent.act(view, rng)
        finally:
            took = time.perf_counter_ns() - start
            add_time(self.times, took)
            self.seconds += took / 1e9
            self._count(before)
        if each is not None and took > each * 1e9:
            raise RulesError(f"it took {took / 1e9:.2f} s, its clock allows {each:g} s an action")
        if whole is not None and self.seconds > whole:
            raise RulesError(f"its clock of {whole:g} s for the match ran out while it thought")
        return reply

    def _stream(self, view: View) -> Rng:
        if self._rng is None or self._by_decision:
            key = (len(view.actions),) if self._by_decision else ()
            self._rng = Rng(*self._key, view.hand, SEAT_STREAM + self.info.seat, *key)
        return self._rng

    def observe(self, record: HandRecord) -> None:
        """Show the agent a finished hand, as its seat may know it (``hero``: its position)."""
        if self.hears:
            mine = record.hero is not None
            if mine and self.asked and self.can.begins and record.hand != self._hand:
                # A hand that ended before it was asked anything.
                self.begin(record.at(0).view(record.hero))
            if self.can.observes:
                self._call("observe", self.agent.observe, record)
            if mine and self.can.ends:
                self._call("end", self.agent.end, record)
        self._hand = self._rng = None

    def show(self, record: HandRecord) -> None:
        """Show the agent what its seat may know of a finished hand, as an observer where it was not dealt in."""
        if self.hears:
            chair = self.info.seat
            record = record.seen_by(record.seats.index(chair) if chair in record.seats else None)
        self.observe(record)

    @property
    def hears(self) -> bool:
        """Whether the agent does anything with finished hands."""
        return self.can.observes or self.can.ends or self.can.begins

    def close(self) -> None:
        """End the match of the agent; a second time does nothing. An agent that was not started is not told: its
        ``close`` may use what ``start`` made. Its process is left to others."""
        started = hasattr(self, "info")
        if not self._closed and (started or isinstance(self.agent, GuardedAgent)):
            self._call("close", self.agent.close)
        self._closed = True

    # optional parts -------------------------------------------------------------------------------------------------

    def save(self) -> bytes | None:
        """What the agent has learned; None, where it fails and its error ends there."""

        def saved() -> bytes:
            state: object = self.agent.save()
            if not isinstance(state, bytes):
                raise TypeError(f"expected bytes, not {type(state).__name__}")
            return state

        data: bytes | None = self._call("save", saved)
        return data

    def load(self, data: bytes) -> bool:
        """Go on from what the agent saved, after :meth:`start`; False, where it fails and its error ends there."""

        def loaded() -> bool:
            self.agent.load(data)
            return True

        return self._call("load", loaded) is True

    def policy(self, view: View) -> ActionDistribution:
        """The agent's probabilities in ``view``; it needs a policy."""
        with self._output:
            policy: ActionDistribution = self.agent.policy(view)
            return policy

    def hand_policy(self, view: View, possible: F64, *, most: int = 0, rng: Rng | None = None) -> AskedPolicy:
        """What the agent does with each hand (:func:`~dupai.agents.hand_policy`); counts as a decision."""
        return self._counted(view, lambda: hand_policy(self.agent, view, possible, most=most, rng=rng))

    def advise(self, view: View, rng: Rng, samples: int = 1000) -> Advice:
        """What the agent would do in ``view`` (:func:`~dupai.agents.advise`); counts as a decision.

        Raises:
            AgentError: it cannot decide there, or its answer is not possible there.
        """
        return self._counted(view, lambda: advise(self.agent, view, rng, samples, name=self.name))

    def _counted(self, view: View, ask: Callable[[], T]) -> T:
        self._enter(view)
        before = self._before()
        try:
            with self._output:
                return self._question(ask)
        finally:
            self._count(before)

    # notes ----------------------------------------------------------------------------------------------------------

    @property
    def notes(self) -> AgentNotes:
        """How many of its decisions fell back."""
        return AgentNotes(agent=self.name, decisions=self.decisions, counts=dict(self._notes), texts=dict(self._texts))

    @notes.setter
    def notes(self, notes: AgentNotes) -> None:
        self.decisions, self._notes, self._texts = notes.decisions, Counter(notes.counts), dict(notes.texts)

    def _before(self) -> dict[str, int]:
        return dict(self.agent.notes.counts) if self.can.notes else {}

    def _count(self, before: dict[str, int]) -> None:
        """Count a decision, and the kinds of fall-back noted since ``before``."""
        self.decisions += 1
        if self.can.notes:
            notes: Notes = self.agent.notes
            self.noted = tuple(notes.last[code] for code, n in notes.counts.items() if n > before.get(code, 0))
            for reason in self.noted:
                self._note(reason)

    def _note(self, reason: Reason) -> None:
        self._notes[reason.code] += 1
        text = reason_words(reason)
        self._texts[reason.code] = min(text, self._texts.get(reason.code, text))

    # other hands ----------------------------------------------------------------------------------------------------

    def aside(self, copied: bool, on_fault: Callable[[str, BaseException], object]) -> Seat:
        """The seat for hands that do not happen: no clock, counts of its own; ``copied``: with a copy of the agent, so
        that what it keeps of them is not the match's.

        Raises:
            CannotPlay: the agent cannot be copied, as one in another process.
        """
        seat = copy.copy(self)
        seat.clock, seat.times, seat._notes, seat._texts, seat.decisions = Clock(), {}, Counter(), {}, 0
        seat._on_fault = on_fault
        if copied:
            try:
                seat.agent = copy.deepcopy(self.agent)
            except Exception as error:
                # An agent of another package may refuse in any way.
                raise CannotPlay(f"agent {self.name!r} learns and cannot be copied, which rollouts need") from error
        return seat


def try_agent(spec: str) -> None:
    """Make an agent and close it, so that a spec which cannot be played is refused now.

    Raises:
        NotationError, ConfigError, AgentError: as :func:`~dupai.agents.seated_agent`.
    """
    Seat(partial(seated_agent, spec), spec).close()


def sit_down(agent: Agent, view: View, name: str = "agent", names: Sequence[str] = ()) -> Seat:
    """Start a match of the game in ``view``, so that the agent can be asked about it. ``names``: of all, by seat; else
    the agent's is ``name``, and the others are player 0 and so on."""
    own = view.seats[view.actor if view.position is None else view.position]
    # Names stand by seat, and seats of players who are not dealt in count too.
    names = tuple(names) or tuple(name if seat == own else f"player {seat}" for seat in range(max(view.seats) + 1))
    seat = Seat(lambda: agent, name)
    seat.start(MatchInfo(spec=view.spec, seat=own, names=names))
    return seat
