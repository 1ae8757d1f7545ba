"""An agent in another process: here its stand-in."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import numpy as np

from dupai.agents._capabilities import Capabilities
from dupai.agents._guard import _inside as inside
from dupai.agents._notes import Notes
from dupai.agents._protocol import Advice, Agent, AgentFailure, BaseAgent, MatchInfo
from dupai.agents._registry import foreign_package, make_agent
from dupai.base import AgentError, DupaiError, Rng
from dupai.base.specs import split_spec
from dupai.jobs import ANSWER_SIZE, Outside, OutsideError, ProcessLost
from dupai.notation import Reason
from dupai.rules import Action, HandRecord, SentView, View
from dupai.spots import ActionDistribution, RaiseBetween

#: Seconds for what an agent is asked (a decision: where the match has no clock), for one around which an agent of ours
#: may compile its kernels, and for one that has been silent before.
_HANG_SECONDS, _COMPILE_SECONDS = 60.0, 300.0
_AGAIN_SECONDS = 5.0
#: Seconds over the clock before an agent is ended: it may answer late, which is a fault, and lose nothing else.
_GRACE_SECONDS = 1.0
#: Processes lost in a row, and in all, after which an agent is asked no more in its match.
MAX_LOST, _LOST_IN_ALL = 3, 10
#: Bytes of a saved state.
_SAVED_SIZE = 1 << 28
T = TypeVar("T")


class AgentLost(AgentFailure):
    """The process of an agent had to be ended, or has ended by itself."""


def seated_agent(spec: str) -> Agent:
    """A new agent that is to play: in a process of its own where another package brings any part of it.

    Raises:
        NotationError, ConfigError, AgentError: as :func:`make_agent`.
    """
    if os.name != "posix" or foreign_package(spec) is None:
        return make_agent(spec)
    try:
        return GuardedAgent(spec)
    except AgentFailure as error:
        raise AgentError(f"agent {spec!r} cannot be made: {error}", text=spec) from None


class GuardedAgent(BaseAgent):
    """An agent that plays in a process of its own, here a stand-in with the same parts.

    When its process is lost (it died, or did not answer in time and was ended), that is its fault; a fresh agent in a
    fresh process is asked the next time, without what the lost one had learned. After :data:`MAX_LOST` in a row, or
    ten in all, it is asked no more.

    Raises:
        NotationError, ConfigError, AgentError: as :func:`make_agent`.
        AgentFailure: it could not be made.
    """

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._match: MatchInfo | None = None
        self._child: Outside | None = None
        self._lost = self._lost_in_all = 0
        #: The call that got no answer in time, until it is answered.
        self._silent = ""
        self._seconds = _HANG_SECONDS if foreign_package(split_spec(spec)[0]) else _COMPILE_SECONDS
        #: Whether its last decision wrote to the view.
        self.changed = False
        #: Its fall-backs, in all processes that it has had.
        self.notes = Notes()
        self._can = self._make()

    def capabilities(self) -> Capabilities:
        """The parts of the agent that it stands for."""
        return self._can

    def _make(self) -> Capabilities:
        self._child = Outside.of(foreign_package(self._spec) or "")
        self._child.name = split_spec(self._spec)[0]
        # No __del__: where the collector takes the agent in a cycle, the connection may have been finalized before.
        self._dropped = weakref.finalize(self, self._child.end)
        self._dropped.atexit = False
        try:
            can: Capabilities = self._reply(inside.make, self._spec)
        except Exception:
            self._release()
            raise
        # All hands at once would be 1326 rows in one answer: it is asked for its policy.
        return msgspec.structs.replace(can, hand_policy=False)

    @property
    def _given_up(self) -> bool:
        return self._child is None and (self._lost >= MAX_LOST or self._lost_in_all >= _LOST_IN_ALL)

    def ready(self) -> Outside:
        """Its process; in the place of a lost one a fresh one, in which the agent is made and started. A clock runs
        from here on.

        Raises:
            AgentLost: it is asked no more.
            AgentFailure, DupaiError: it failed while it was made or started.
        """
        if self._child is None:
            if self._given_up:
                times = "time" if self._lost_in_all == 1 else "times"
                raise AgentLost(f"its process was lost {self._lost_in_all} {times}: it is asked no more")
            self._make()
            if self._match is not None:
                self._reply(inside.start, self._match)
        assert self._child is not None
        return self._child

    def _reply(self, function: Callable[..., T], *values: Any, seconds: float | None = None) -> T:
        """What a function of :mod:`_inside` gives in the process.

        Raises:
            AgentLost: there is no answer.
            AgentFailure: the agent raised an error, or its answer is none.
            DupaiError: it did so while it was made or started.
        """
        child, name = self._child, function.__name__
        assert child is not None
        begins = name in ("make", "start")
        limit = self._seconds if seconds is None else seconds
        if self._silent and not begins:
            limit = min(limit, _AGAIN_SECONDS)
        size = _SAVED_SIZE if name == "save" else ANSWER_SIZE
        try:
            return child.call(function, *values, seconds=limit, size=size, notice=name if begins else "")
        except ProcessLost as error:
            self._lost, self._lost_in_all = self._lost + 1, self._lost_in_all + 1
            self._forget()
            self._silent = name if error.late else self._silent
            if begins:
                self._lost = MAX_LOST
            raise AgentLost(str(error) if name == "act" else f"{error} ({name})") from None
        except OutsideError as error:
            raise AgentFailure(str(error)) from None
        except DupaiError as error:
            if begins:
                raise
            raise AgentFailure(f"{type(error).__name__}: {error}") from None
        except BaseException:
            # Interrupted between question and answer: the answer would be taken for that of the next question.
            self._forget()
            raise

    def _about(self, function: Callable[..., T], view: View, *more: bytes, seconds: float | None = None) -> T:
        child = self.ready()
        seen = SentView.of(view, child.last)
        child.last = view.spec
        return self._reply(function, seen, *more, seconds=seconds)

    def _took(self, answer: inside.Acted | inside.Advised, rng: Rng) -> None:
        rng.state[:] = np.frombuffer(answer.rng, np.uint64)
        self._note(answer.notes)

    def _note(self, notes: tuple[Reason, ...]) -> None:
        for reason in notes:
            self.notes.add(reason)

    def _forget(self) -> None:
        if self._child is not None:
            self._dropped.detach()
            self._child.end()
            self._child = None

    def start(self, match: MatchInfo) -> None:
        self.ready()
        self._match = match
        self._reply(inside.start, match)

    def act(self, view: View, rng: Rng) -> Action:
        clock = None if self._match is None else self._match.seconds_per_action
        answer = self._about(
            inside.act, view, rng.state.tobytes(), seconds=None if clock is None else clock + _GRACE_SECONDS
        )
        self._took(answer, rng)
        self.changed, self._lost = answer.changed, 0
        self._silent = "" if self._silent == "act" else self._silent
        return answer.action if isinstance(answer.action, Action) else _Shown(answer.action)  # type: ignore[return-value]

    def close(self) -> None:
        try:
            if self._child is not None and self._match is not None:
                self._reply(inside.close)
        finally:
            self._release()

    def _release(self) -> None:
        """Leave the process to the next agent; one that has seen hands ends, so that no other seating of the same deals
        finds what it remembers."""
        if self._child is not None and self._match is None:
            self._dropped.detach()
            self._child.release()
            self._child = None
        self._forget()

    # the parts that it may have
    def observe(self, record: HandRecord) -> None:
        if self._child is not None and self._can.observes:
            self._reply(inside.observe, record)

    def end(self, record: HandRecord) -> None:
        if self._child is not None:
            self._reply(inside.end, record)

    def begin(self, hand: View) -> None:
        if not self._given_up:
            self._about(inside.begin, hand)

    def policy(self, view: View) -> ActionDistribution:
        policy, notes = self._about(inside.policy, view)
        self._note(notes)
        return policy

    def advise(self, view: View, rng: Rng) -> Advice:
        advised = self._about(inside.advise, view, rng.state.tobytes())
        self._took(advised, rng)
        fields = {key: getattr(advised, key) for key in Advice.__struct_fields__}
        try:
            kinds: Any = {2: Action, 3: RaiseBetween}
            actions = tuple(kinds.get(len(one), Action)(*one) for one in advised.actions)
            if any(len(fields[key] or actions) != len(actions) for key in ("probabilities", "values", "visits")):
                raise TypeError("expected a number for each action")
        except TypeError as error:
            raise AgentFailure(f"its advice cannot be read: {error}") from None
        return Advice(**fields | {"actions": actions})

    def save(self) -> bytes:
        self.ready()
        return self._reply(inside.save)

    def load(self, data: bytes) -> None:
        self.ready()
        self._reply(inside.load, data)


class _Shown:
    """An answer that is no action: only its text was sent. Equal answers have equal texts."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return self._text
