"""A program that speaks ACPC as an agent of ours: a small dealer side for its one seat, relaying match states."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from dupai.acpc._client import VERSION_LINE
from dupai.acpc._lines import LineBuffer, shown
from dupai.agents import BaseAgent, CannotPlay, MatchInfo, Option
from dupai.base import AgentError, ConfigError, ProtocolError, Rng
from dupai.jobs import hide_memory
from dupai.notation.acpc import format_matchstate, parse_action
from dupai.rules import FOLD, RAISE, Action, HandRecord, Line, View

_VERSION = re.compile(rb"VERSION:2\.0{1,9}\.[0-9]{1,9}\Z")
#: Seconds in which a program has to leave after its match, as in the competitions.
_LEAVE = 10.0
#: Lines that are no answers, in one decision, before they are a fault.
_MAX_BAD = 64
#: Decisions in a row without an answer in time after which a program is not waited for any more.
_MAX_LATE = 3
_CHUNK = 1 << 16


def start_program(command: str, host: str, port: int) -> subprocess.Popen[bytes]:
    """Run ``command HOST PORT`` as the reference's match script does, in a process group of its own.

    Raises:
        ConfigError: there is no such command, or it cannot be run.
    """
    try:
        words = shlex.split(command)
        if not words:
            raise ValueError("it is empty")
        hide_memory()
        return subprocess.Popen(
            [*words, host, str(port)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"command {command!r} cannot be run: {error}") from None


def stop_program(program: subprocess.Popen[bytes], seconds: float = _LEAVE) -> None:
    """Wait until a program has left; after ``seconds`` it and whatever it started are ended."""
    try:
        program.wait(seconds)
    except subprocess.TimeoutExpired:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(program.pid, number)
                program.wait(2)
                break
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue


class SeatRelay:
    """What the program in one seat has been told, without sockets: views and records in, lines to send out.

    Hands are numbered from 0 in the order in which they are played. Every state of a hand is sent once and in order.
    """

    def __init__(self) -> None:
        self._hand = -1
        self._of: int | None = None
        self._told = 0
        self.last = ""

    def view(self, view: View) -> list[str]:
        """The lines that lead to where the program is to act; the last one is what it has to answer."""
        assert view.position is not None
        return self._lines(view.line, view.position)

    def record(self, record: HandRecord, position: int) -> list[str]:
        """The lines that lead to the end of a hand."""
        lines = self._lines(record, position)
        self._of = None
        return lines

    def _lines(self, line: Line, position: int) -> list[str]:
        if self._of != line.hand:
            self._of = line.hand
            self._hand += 1
            self._told = 0
        states = enumerate(msgspec.structs.replace(line, hand=self._hand).states())
        lines = [format_matchstate(state, position) for done, state in states if done >= self._told]
        self._told = len(line.actions) + 1
        if lines:
            self.last = lines[-1]
        return lines


class AcpcAgent(BaseAgent):
    """A program that speaks the ACPC protocol: it connects to us, or is started as ``cmd HOST PORT``.

    For every match we listen on ``host``:``port`` and deal to this one seat. A program that cannot be started, does not
    connect, or leaves before its first answer ends the match. Later, what goes wrong (silence, a lost connection,
    garbage, an illegal action) is an error in that decision, which costs the hand by the match's rule; after three
    decisions in a row without an answer the program is not waited for any more.
    The protocol states no stacks: in matches whose stacks carry over, raises are moved to the nearest legal size.
    ``stateless`` is a trait that the spec states (:func:`~dupai.agents.spec_traits`).
    """

    reproducible: ClassVar[bool] = False
    bettings: ClassVar[tuple[str, ...]] = ("no-limit", "limit")

    def __init__(
        self,
        cmd: Annotated[
            str | None, Option("command to start, given host and port (none: wait for a connection)", file=True)
        ] = None,
        host: Annotated[str, Option("where to listen")] = "127.0.0.1",
        port: Annotated[int, Option("port to listen on (0: any free one)", 0, 65535)] = 0,
        seconds: Annotated[float, Option("clock for one answer", 0.001)] = 60.0,
        start_seconds: Annotated[float, Option("time for connecting and the version line", 0.001)] = 60.0,
        stateless: Annotated[
            bool, Option("its play does not depend on earlier hands: intervals may count single deals")
        ] = False,
    ) -> None:
        self._cmd = cmd
        self._host = host
        self._port = port
        self._seconds = seconds
        self._start_seconds = start_seconds
        self._program: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._lines = LineBuffer()
        self._ready: list[bytes | None] = []
        self._relay = SeatRelay()
        self._clip = False
        self._seat = 0
        self._answered = False
        self._late = 0

    def start(self, match: MatchInfo) -> None:
        """Listen, start the program, and wait for its connection and version line.

        Raises:
            ConfigError: it cannot be started, or the port cannot be had.
            AgentError: it does not connect in time.
            ProtocolError: its first line is not a version line.
        """
        if self._cmd is None and self._port == 0:
            # Nobody could know where to connect; the registry tries agents out, so this is said when a match starts.
            raise ConfigError("agent 'acpc' needs a cmd to start, or a port to wait on")
        if any(match.spec.antes):
            raise ConfigError("ACPC programs cannot play with antes")
        self._clip = match.format != "reset"
        self._seat = match.seat
        try:
            self._connect(time.monotonic() + self._start_seconds)
        except BaseException:
            self._leave(0.5)
            raise

    def _connect(self, by: float) -> None:
        try:
            listener = socket.create_server((self._host, self._port), backlog=1)
        except OSError as error:
            raise ConfigError(f"cannot listen on {self._host}:{self._port}: {error.strerror or error}") from None
        with listener:
            if self._cmd is not None:
                self._program = start_program(self._cmd, self._host, listener.getsockname()[1])
            listener.settimeout(0.2)
            came = False
            while self._socket is None:
                came = self._accept(listener, by, came) or came

    def _accept(self, listener: socket.socket, by: float, came: bool) -> bool:
        """Wait a little for a connection and its version line; one that ends before that leaves no socket. Whether
        there was one (``came``: before this call)."""
        try:
            self._socket, _ = listener.accept()
        except TimeoutError:
            if self._program is not None and (code := self._program.poll()) is not None:
                how = "sent no version line" if came else "did not connect"
                raise AgentError(f"{self._cmd!r} left with code {code} and {how}") from None
            if time.monotonic() >= by:
                raise AgentError(f"nobody connected within {self._start_seconds:g} s") from None
            return False
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = LineBuffer()
        try:
            line = self._next_line(by)
        except ProtocolError:
            return True
        if line is None or not _VERSION.match(line):
            raise ProtocolError(f"its first line is {shown(line or b'(too long)')}: expected {VERSION_LINE}")
        return True

    def act(self, view: View, rng: Rng) -> Action:
        """Relay the states up to this one and wait for the answer.

        Raises:
            CannotPlay: the program is gone and has never answered.
            ProtocolError: the program is gone, or keeps sending lines that are no answers.
            AgentError: it does not answer in time.
            RulesError, NotationError: its action is not legal or none.
        """
        try:
            return self._decide(view)
        except ProtocolError as error:
            if not self._answered and self._socket is None:
                raise CannotPlay(f"{error}, without an answer") from None
            raise
        except AgentError:
            self._late += 1
            if self._late == _MAX_LATE:
                self._leave(0.0)
            raise

    def _decide(self, view: View) -> Action:
        if self._late >= _MAX_LATE:
            raise AgentError(f"no answer in time {_MAX_LATE} times in a row: it is not waited for any more")
        self._send(self._relay.view(view))
        by = time.monotonic() + self._seconds
        told = self._relay.last.encode("ascii") + b":"
        for _ in range(_MAX_BAD):
            line = self._next_line(by)
            if line is not None and line.startswith(told):
                self._answered, self._late = True, 0
                text = line[len(told) :].decode("latin-1")
                action = parse_action(text, limit=view.spec.betting == "limit")
                if self._clip and action.kind == RAISE:
                    return view.legal.closest_raise(action.to)
                if self._clip and action.kind == FOLD and not view.legal.fold:
                    return Action.call()
                return action
        self._hang_up()
        raise ProtocolError(f"sent {_MAX_BAD} lines that are no answers to {self._relay.last}")

    def observe(self, record: HandRecord) -> None:
        """Relay the end of the hand."""
        if self._socket is not None and self._seat in record.seats:
            self._send(self._relay.record(record, record.seats.index(self._seat)))

    def close(self) -> None:
        """Close the connection, which ends the match; a program that does not leave in ten seconds is ended."""
        self._leave(_LEAVE)

    def _leave(self, seconds: float) -> None:
        self._hang_up()
        if self._program is not None:
            stop_program(self._program, seconds)
            self._program = None

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, lines: Sequence[str]) -> None:
        if self._socket is None:
            raise ProtocolError("its connection is gone")
        try:
            self._socket.settimeout(self._seconds)
            self._socket.sendall("".join(f"{line}\r\n" for line in lines).encode("ascii"))
        except OSError as error:
            self._hang_up()
            raise ProtocolError(f"its connection is gone: {error.strerror or error}") from None

    def _next_line(self, by: float) -> bytes | None:
        """The next line that is no comment; None for one that is too long."""
        while True:
            while self._ready:
                line = self._ready.pop(0)
                if line is None or line[:1] not in (b"#", b";"):
                    return line
            left = by - time.monotonic()
            if self._socket is None:
                raise ProtocolError("its connection is gone")
            if left <= 0:
                raise AgentError("no answer in time")
            self._socket.settimeout(left)
            try:
                data = self._socket.recv(_CHUNK)
            except TimeoutError:
                continue
            except OSError:
                data = b""
            if not data:
                self._hang_up()
                raise ProtocolError("it closed the connection")
            self._ready.extend(self._lines.feed(data))
