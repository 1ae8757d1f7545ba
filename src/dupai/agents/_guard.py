"""Agents of other packages, each in a process of its own: one that hangs, leaves or dies loses its hand and no more.

The process is started as a program, not forked and not by :mod:`multiprocessing`, which would run a script that has no
``if __name__ == "__main__"`` a second time. It plays one agent after the other and is used again when one closes.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from multiprocessing import util
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.agents._advise import advise
from dupai.agents._capabilities import Capabilities, capabilities
from dupai.agents._notes import HasNotes, Notes
from dupai.agents._output import AgentLines
from dupai.agents._protocol import Advice, Agent, AgentFailure, BaseAgent, MatchInfo
from dupai.agents._registry import foreign_package, make_agent
from dupai.base import AgentError, ConfigError, DupaiError, Rng
from dupai.base.specs import split_spec
from dupai.notation import Reason
from dupai.rules import STATE_DTYPE, Action, GameSpec, HandRecord, View
from dupai.spots import ActionDistribution

#: Seconds for a decision where the match has no clock, and for everything else that an agent is asked.
HANG_SECONDS = 60.0
#: The same for an agent that did not answer the last time.
_AGAIN_SECONDS = 5.0
#: Seconds over the clock before an agent is ended: it may answer late, which is a fault, and lose nothing else.
_GRACE_SECONDS = 1.0
#: Processes lost in a row, and in all, after which an agent is asked no more in its match.
MAX_LOST, _LOST_IN_ALL = 3, 10
#: GiB that one agent may take (at most half of the machine's memory), and the environment variable that changes it.
_MEMORY, _MEMORY_VARIABLE = 8.0, "DUPAI_AGENT_GIB"


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


# This side of the process -------------------------------------------------------------------------------------------


class _Child:
    """A process that plays agents.

    Raises:
        ConfigError: the environment variable for its memory is no number above 0.
    """

    def __init__(self) -> None:
        _gibibytes()
        ours, theirs = socket.socketpair()
        with theirs:
            folders = os.pathsep.join(path or os.getcwd() for path in sys.path)
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"from dupai.agents._guard import serve; serve({theirs.fileno()})"],
                stdin=subprocess.DEVNULL,
                stdout=2,
                env={**os.environ, "PYTHONPATH": folders},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self.wire = Connection(ours.detach())
        self.owner = os.getpid()
        #: The game that it was sent last.
        self.spec: GameSpec | None = None

    def end(self) -> None:
        """End it and whatever it started."""
        self.wire.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def dropped(self) -> None:
        """Its agent was dropped without close: what it is in the midst of is unknown, so that it is used no more."""
        if self.owner == os.getpid():
            self.end()

    def how_it_ended(self) -> str:
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        if code >= 0:
            return f"its process left with exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"its process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")


_idle: list[_Child] = []
#: Closes the processes before those who wait for all processes at the exit.
_finalizer: list[object] = []


def _end_idle() -> None:
    while _idle:
        _idle.pop().end()


def _forget() -> None:
    """In a process that was forked from this one: its processes are not ours."""
    for child in _idle:
        child.process.returncode = 0
        child.wire.close()
    _idle.clear()
    _finalizer.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _a_child() -> _Child:
    if not _finalizer:
        _finalizer.append(util.Finalize(None, _end_idle, exitpriority=100))
    while _idle:
        child = _idle.pop()
        if child.process.poll() is None:
            return child
        child.end()
    return _Child()


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
        self._child: _Child | None = None
        self._lost = self._lost_in_all = 0
        self._silent = False
        #: Whether its last decision wrote to the view.
        self.changed = False
        #: Its fall-backs, in all processes that it has had.
        self.notes = Notes()
        self._can = self._make()

    def capabilities(self) -> Capabilities:
        """The parts of the agent that it stands for."""
        return self._can

    def _make(self) -> Capabilities:
        self._child = _a_child()
        # No __del__: where the collector takes the agent in a cycle, the connection may have been finalized before.
        self._dropped = weakref.finalize(self, self._child.dropped)
        self._dropped.atexit = False
        try:
            can: Capabilities = self._reply("make", self._spec)
        except Exception:
            self._release()
            raise
        # All hands at once would be 1326 rows in one answer: it is asked for its policy.
        return msgspec.structs.replace(can, hand_policy=False)

    @property
    def _given_up(self) -> bool:
        return self._child is None and (self._lost >= MAX_LOST or self._lost_in_all >= _LOST_IN_ALL)

    def _ready(self) -> _Child:
        if self._child is None:
            if self._given_up:
                raise AgentLost(f"its process was lost {self._lost_in_all} times: it is asked no more")
            self._make()
            if self._match is not None:
                self._reply("start", self._match)
        assert self._child is not None
        return self._child

    def _reply(self, name: str, *values: Any, seconds: float = HANG_SECONDS) -> Any:
        """What the process answers.

        Raises:
            AgentLost: it does not.
            AgentFailure: the agent raised an error.
            DupaiError: it did so while it was made or started.
        """
        child = self._child
        assert child is not None
        if self._silent and name == "act":
            seconds = min(seconds, _AGAIN_SECONDS)
        try:
            child.wire.send((name, values))
            late = not child.wire.poll(seconds)
            kind, value, notes = ("late", None, ()) if late else child.wire.recv()
        except (OSError, EOFError):
            how = child.how_it_ended()
            self._drop()
            raise AgentLost(f"{how} ({name})" if name != "act" else how) from None
        except BaseException:
            # Interrupted between question and answer: the answer would be taken for that of the next question.
            self._forget()
            raise
        if kind == "late":
            self._drop()
            self._silent = True
            raise AgentLost(f"no answer within {seconds:g} s ({name}): its process was ended")
        self._silent = self._silent and name != "act"
        for reason in notes:
            self.notes.add(reason)
        if kind == "left":
            self._drop()
        if kind == "error" and isinstance(value, DupaiError):
            raise value
        if kind in ("error", "left"):
            raise AgentFailure(value)
        return value

    def _drop(self) -> None:
        if self._child is not None:
            self._lost += 1
            self._lost_in_all += 1
        self._forget()

    def _forget(self) -> None:
        if self._child is not None:
            self._dropped.detach()
            self._child.end()
            self._child = None

    def start(self, match: MatchInfo) -> None:
        self._ready()
        self._match = match
        self._reply("start", match)

    def act(self, view: View, rng: Rng) -> Action:
        clock = None if self._match is None else self._match.seconds_per_action
        seconds = HANG_SECONDS if clock is None else clock + _GRACE_SECONDS
        packed = _packed(view, self._ready())
        answer, state, self.changed = self._reply("act", packed, rng.state, seconds=seconds)
        rng.state[:] = state
        self._lost = 0
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        try:
            if self._child is not None:
                self._reply("close")
        finally:
            self._release()

    def _release(self) -> None:
        """Leave the process, if it is still there, to the next agent."""
        if self._child is not None:
            self._dropped.detach()
            _idle.append(self._child)
            self._child = None

    # the parts that it may have
    def observe(self, record: HandRecord) -> None:
        if self._child is not None and self._can.observes:
            self._reply("observe", record)

    def end(self, record: HandRecord) -> None:
        if self._child is not None:
            self._reply("end", record)

    def begin(self, hand: View) -> None:
        if not self._given_up:
            self._reply("begin", _packed(hand, self._ready()))

    def policy(self, view: View) -> ActionDistribution:
        return self._reply("policy", _packed(view, self._ready()))  # type: ignore[no-any-return]

    def advise(self, view: View, rng: Rng) -> Advice:
        advice, state = self._reply("advise", _packed(view, self._ready()), rng.state)
        rng.state[:] = state
        return advice  # type: ignore[no-any-return]

    def save(self) -> bytes:
        self._ready()
        return self._reply("save")  # type: ignore[no-any-return]

    def load(self, data: bytes) -> None:
        self._ready()
        self._reply("load", data)


_PLAIN = ("seats", "hand", "actor", "street", "_legal", "position")


def _packed(view: View, child: _Child) -> tuple[Any, ...]:
    """A view as it is sent: a tenth of the time that it takes to pickle one. The game goes along where it is new."""
    spec = None if view.spec is child.spec else view.spec
    child.spec = view.spec
    actions = [(street, position, *action) for street, position, action in view.actions]
    return spec, view.state.tobytes(), actions, *(getattr(view, key) for key in _PLAIN)


def _unpacked(packed: tuple[Any, ...], spec: GameSpec) -> View:
    _, state, actions, *values = packed
    view = View.__new__(View)
    view.spec, view.derived = spec, {}
    view.state = np.frombuffer(bytearray(state), STATE_DTYPE)
    view.actions = tuple((street, position, Action(kind, to)) for street, position, kind, to in actions)
    for key, value in zip(_PLAIN, values, strict=True):
        setattr(view, key, value)
    return view


# The other side -----------------------------------------------------------------------------------------------------


class _Shown:
    """An answer that cannot be sent: only its text is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class _Asked:
    """The agent in this process, and what it is asked."""

    def __init__(self) -> None:
        self._agent: Agent = BaseAgent()
        self._counts: dict[str, int] = {}
        self._spec: GameSpec | None = None

    def ask(self, name: str, *values: Any) -> Any:
        if name in ("act", "policy", "advise", "begin"):
            return self._about(name, *values)
        if name == "make":
            (spec,) = values
            sys.stdout = AgentLines(split_spec(spec)[0])
            self._agent, self._counts = make_agent(spec), {}
            return capabilities(self._agent)
        method: Callable[..., Any] = getattr(self._agent, name)
        return method(*values)

    def answer(self, name: str, *values: Any) -> tuple[str, Any, tuple[Reason, ...]]:
        """What is sent back: the answer, and the kinds of fall-back noted for it."""
        answer = self.ask(name, *values)
        if not isinstance(self._agent, HasNotes):
            return "ok", answer, ()
        notes, before = self._agent.notes, self._counts
        self._counts = dict(notes.counts)
        return "ok", answer, tuple(notes.last[code] for code, n in notes.counts.items() if n > before.get(code, 0))

    def _about(self, name: str, packed: tuple[Any, ...], state: Any = None) -> Any:
        self._spec = packed[0] or self._spec
        assert self._spec is not None
        view = _unpacked(packed, self._spec)
        if state is None:
            return getattr(self._agent, name)(view)
        rng = Rng.from_state(state)
        if name == "advise":
            return advise(self._agent, view, rng), rng.state
        answer: Any = self._agent.act(view, rng)
        try:
            pickle.dumps(answer)
        except Exception:  # noqa: BLE001 - whatever it is, it is no action
            answer = _Shown(repr(answer))
        return answer, rng.state, view.state.tobytes() != packed[1]


def _gibibytes() -> float:
    """GiB that an agent may take.

    Raises:
        ConfigError: the environment variable is no number above 0.
    """
    text = os.environ.get(_MEMORY_VARIABLE, str(_MEMORY))
    try:
        gibibytes = float(text)
    except ValueError:
        gibibytes = -1.0
    if not 0 < gibibytes < math.inf:
        raise ConfigError(f"{_MEMORY_VARIABLE}={text!r}: expected a number of GiB above 0", key=_MEMORY_VARIABLE)
    return gibibytes


def _limit_memory() -> None:
    """Let this process take so much memory and no more: then the agent gets a MemoryError, and nobody else."""
    import resource

    most = int(_gibibytes() * 2**30)
    with contextlib.suppress(OSError, ValueError):
        most = min(most, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    with contextlib.suppress(OSError, ValueError):
        most = min(most, int(Path("/sys/fs/cgroup/memory.max").read_text()) // 2)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))
    with contextlib.suppress(OSError):
        # Where memory runs out all the same, it is this process that goes.
        Path("/proc/self/oom_score_adj").write_text("1000")


def _end_with(parent: int) -> None:
    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def serve(descriptor: int) -> None:
    """The process of agents: answer what comes along the connection until that is closed."""
    _end_with(os.getppid())
    _limit_memory()
    wire = Connection(descriptor)
    asked = _Asked()
    while True:
        try:
            name, values = wire.recv()
        except (EOFError, OSError):
            return
        reply: tuple[str, Any, tuple[Reason, ...]]
        try:
            reply = asked.answer(name, *values)
        except DupaiError as error:
            reply = "error", error if name in ("make", "start") else _text(error), ()
        except MemoryError:
            # What it holds would be in the way of all that comes after.
            reply = "left", f"MemoryError: it may take {_gibibytes():g} GiB ({_MEMORY_VARIABLE})", ()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever an agent does is its own fault
            reply = "error", _text(error), ()
        if isinstance(sys.stdout, AgentLines):
            sys.stdout.end()
        wire.send(reply)


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
