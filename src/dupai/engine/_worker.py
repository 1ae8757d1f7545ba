"""One engine: requests come in lines, are worked on one after the other, and are answered in lines. A thread reads on
meanwhile, so that a request can be cancelled before or while it is worked on."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, ClassVar

import msgspec

from dupai.agents import (
    AGENT_ERRORS,
    MatchInfo,
    Seat,
    agent_names,
    seated_agent,
    spec_traits,
    try_agent,
)
from dupai.arena import MAX_SEED, named_files
from dupai.arena.live import LESSON_DEALS, Companion
from dupai.base import ConfigError, DupaiError, HistoryError, NotationError, ProtocolError, __version__
from dupai.base.files import release_pages
from dupai.base.text import nearest
from dupai.cards import NO_CARD
from dupai.engine import _messages as m
from dupai.engine._analysis import analysis_of, lesson_line, no_lesson
from dupai.notation import street_choice_words, view_from_text
from dupai.reading import load_reader, reader_names
from dupai.rules import Action, HandRecord, HandState, View

#: Options with their values at the start.
DEFAULTS: dict[str, Any] = {
    "agent": "advisor", "reader": "model", "digits": 5, "deals": LESSON_DEALS, "seconds": 3.0,
}  # fmt: skip
#: The longest line that is read, in bytes; the most matches at a time.
LONGEST_LINE, MAX_MATCHES = 4_000_000, 10_000
#: After a request that takes longer the memory that it no longer needs goes back to the system.
_LONG_SECONDS = 0.02


class Cancelled(Exception):
    """The request is not wanted any more."""


class _Match:
    """An agent in its match, and who answers about it."""

    def __init__(self, start: m.Start, reader: str) -> None:
        n = start.game.players
        if len(start.names) < n or not 0 <= start.seat < len(start.names):
            raise ConfigError(f"names: expected at least {n}, and the seat among them", key="names")
        if not 0 <= start.seed <= MAX_SEED:
            raise ConfigError(f"seed {start.seed}: expected 0 to {MAX_SEED}", key="seed")
        self.start = start
        self.records: list[HandRecord] = []
        self.info = MatchInfo(
            spec=start.game, seat=start.seat, names=start.names, format=start.format, hands=start.hands,
            seconds_per_action=start.seconds_per_action,
        )  # fmt: skip
        self.companion = Companion(
            start.names, start.seat, self.records, start.agent, start.reader or reader, self.info
        )
        self.seat: Seat | None = None

    def act(self, state: HandState) -> Action:
        """The agent's answer; it is made when it is first asked, and has observed all hands since."""
        if self.seat is None:
            spec = self.start.agent
            seat = Seat(lambda: seated_agent(spec), spec, seed=self.start.seed)
            seat.start(self.info)
            for record in self.records:
                seat.observe(record)
            self.seat = seat
        return self.seat.act(state)

    def observe(self, record: HandRecord) -> None:
        check_finished(record)
        self.records.append(record)
        if self.seat is not None:
            self.seat.observe(record)

    def close(self) -> None:
        self.companion.close()
        if self.seat is not None:
            self.seat.close()


def return_memory() -> None:
    """Give the system back what is free between the memory in use (with glibc, some 2 ms), and pages of tables."""
    if sys.platform == "linux":
        release_pages()
        if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
            trim(0)


def check_finished(record: HandRecord) -> None:
    """Refuse a record that nobody could learn from.

    Raises:
        HistoryError: it lacks somebody's part, has cards twice, or does not end. RulesError: it has an illegal action.
    """
    n = record.spec.players
    parts = {"stacks": record.stacks, "hole": record.hole, "payoffs": record.payoffs, "names": record.names or (0,) * n,
             "seats": record.seats or (0,) * n, "shown": record.shown or (0,) * n}  # fmt: skip
    for name, values in parts.items():
        if len(values) != n:
            raise HistoryError(f"record: {name} has {len(values)} entries: expected {n}, one per player", key=name)
    known = [c for c in (*record.board, *(c for two in record.hole for c in two)) if c != NO_CARD]
    if len(set(known)) < len(known) or not all(0 <= c < 52 for c in known) or any(len(two) != 2 for two in record.hole):
        raise HistoryError("record: a card is dealt twice, or is none", key="hole")
    if not record.at().finished:
        raise HistoryError("record: the hand is not over", key="actions")


def known_spec(spec: str, kind: str = "agent") -> m.Known:
    """Make the agent (or ``kind="reader"``) of a spec and close it.

    Raises:
        NotationError, ConfigError, AgentError: it cannot be had.
    """
    files = tuple(named_files(spec))
    if files:
        # What they hold is nothing to those who may not name them.
        return m.Known((0, 0), (), files)
    if kind == "reader":
        load_reader(spec)
        return m.Known((2, 10), (), ())
    traits = spec_traits(spec)
    try_agent(spec)
    return m.Known(traits.players, traits.bettings, ())


class Worker:
    """Answers requests.

    Args:
        send: takes each line of the answer, without its end.
    """

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(m.Request).decode
        self._queue: deque[Any] = deque()
        self._more = threading.Condition()
        self._ended = False
        self._running, self._cancelled = "", False
        #: Whether the request in work can still be given up: what has changed a match is done.
        self._may_stop = False
        self._matches: dict[str, _Match] = {}
        self._options = dict(DEFAULTS)

    # reading --------------------------------------------------------------------------------------------------------

    def take(self, line: bytes) -> None:
        """Read a line: a cancellation takes place at once, everything else in its turn."""
        if not line.strip():
            return
        try:
            if len(line) > LONGEST_LINE:
                raise ProtocolError(f"a line of {len(line):,} bytes: expected at most {LONGEST_LINE:,}")
            request = self._decode(line)
        except (msgspec.MsgspecError, DupaiError, UnicodeDecodeError, RecursionError) as error:
            self._answer(_id_of(line), error=f"not a request: {error}", kind="ProtocolError")
            return
        except Exception as error:  # noqa: BLE001 - every request has an answer: one that ends the reader ends them all
            self._answer(_id_of(line), error=f"not a request: {type(error).__name__}: {error}", kind="ProtocolError")
            return
        if isinstance(request, m.Cancel):
            self._cancel(request)
            return
        with self._more:
            self._queue.append(request)
            self._more.notify()

    def _cancel(self, request: m.Cancel) -> None:
        with self._more:
            waiting = next((r for r in self._queue if r.id == request.request), None)
            if waiting is not None:
                self._queue.remove(waiting)
            running = self._running == request.request and not waiting and self._may_stop
            self._cancelled = self._cancelled or running
        if waiting is not None:
            self._answer(waiting.id, error="cancelled", kind="Cancelled")
        self._answer(request.id, result={"cancelled": running or waiting is not None})

    def end(self) -> None:
        """No line comes any more."""
        with self._more:
            self._ended = True
            self._more.notify()

    def check(self) -> None:
        """Raises Cancelled where the request in work was given up."""
        if self._cancelled:
            raise Cancelled

    # answering ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Answer until the lines have ended and all is answered."""
        while True:
            with self._more:
                while not self._queue and not self._ended:
                    self._more.wait()
                if not self._queue:
                    break
                request = self._queue.popleft()
                self._running, self._cancelled = request.id, False
                self._may_stop = not isinstance(request, (m.Observe, m.Stop, m.Options))
            begun = time.monotonic()
            self._work(request)
            with self._more:
                self._running = ""
            if time.monotonic() - begun > _LONG_SECONDS:
                return_memory()
        for match in self._matches.values():
            # No request is left that an error of an agent here could be the answer to.
            with suppress(*AGENT_ERRORS):
                match.close()

    def _settled(self) -> None:
        """No cancellation reaches the request in work any more.

        Raises:
            Cancelled: one has."""
        with self._more:
            self._may_stop = False
            self.check()

    def _work(self, request: Any) -> None:
        try:
            result = self._results[type(request)](self, request)
            self._settled()
        except Cancelled:
            if isinstance(request, m.Start) and (match := self._matches.pop(request.match, None)) is not None:
                match.close()
            self._answer(request.id, error="cancelled", kind="Cancelled")
        except DupaiError as error:
            self._answer(request.id, error=str(error), kind=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - an agent of another package may raise anything
            self._answer(request.id, error=f"{type(error).__name__}: {error}", kind="AgentError")
        else:
            self._answer(request.id, result=result)

    def _answer(self, id: str, **fields: Any) -> None:
        self._send(self._encode(m.Answer(id=id, **fields)))

    def _hello(self, request: m.Hello) -> Any:
        return {
            "name": "dupai", "version": __version__, "protocol": m.ENGINE_PROTOCOL,
            "methods": sorted(kind.__struct_config__.tag for kind in (*self._results, m.Cancel)),  # type: ignore[attr-defined]
            "agents": agent_names(), "readers": reader_names(), "options": self._options,
        }  # fmt: skip

    def _set(self, request: m.Options) -> Any:
        for name, value in request.set.items():
            if name not in DEFAULTS:
                raise ConfigError(f"option {name[:40]!r}: {nearest(name, DEFAULTS)}", key=name[:40])
            kind = type(DEFAULTS[name])
            fits = isinstance(value, int | float) if kind is float else type(value) is kind
            if not fits or (name == "digits" and not 1 <= value <= 12) or (name == "deals" and value < 20):
                raise ConfigError(f"option {name} = {value!r}: expected one like {DEFAULTS[name]!r}", key=name)
        # All of them or none.
        self._options.update(request.set)
        return self._options

    def _check(self, request: m.Check) -> Any:
        return known_spec(request.spec, request.kind)

    def _start(self, request: m.Start) -> Any:
        if len(self._matches) >= MAX_MATCHES:
            raise ConfigError(f"{MAX_MATCHES:,} matches are open: stop one first", key="match")
        if request.match in self._matches:
            raise ConfigError(f"match {request.match[:80]!r} is open already", key="match")
        # Names nobody can play are refused now, not at the first decision.
        try_agent(request.agent)
        for record in request.records:
            check_finished(record)
        match = _Match(request, self._options["reader"])
        match.records.extend(request.records)
        self._matches[request.match] = match
        return {}

    def _match(self, name: str) -> _Match:
        if name not in self._matches:
            raise ConfigError(f"match {name[:80]!r} is not open: start it first", key="match")
        return self._matches[name]

    def _act(self, request: m.Act) -> Any:
        match = self._match(request.match)
        state = request.hand.state()
        if state.finished or state.actor != request.hand.position:
            raise NotationError(f"position {request.hand.position} is not to act in this hand")
        action = match.act(state)
        words = street_choice_words(state.view(state.actor), action)
        return m.Played(str(action), words, match.seat.noted if match.seat is not None else ())

    def _observe(self, request: m.Observe) -> Any:
        self._match(request.match).observe(request.record)
        return {}

    def _stop(self, request: m.Stop) -> Any:
        match = self._match(request.match)
        del self._matches[request.match]
        match.close()
        return {"notes": match.seat.notes} if match.seat is not None and match.seat.can.notes else {}

    @contextmanager
    def _companion(
        self, view: View, match: str | None, reader: str | None, agent: str | None = None
    ) -> Iterator[Companion]:
        """The companion of a match, or one of this request alone."""
        if match is None:
            assert view.position is not None
            names = tuple(f"seat {k + 1}" for k in range(max(view.seats) + 1))
            agent, reader = agent or self._options["agent"], reader or self._options["reader"]
            with closing(Companion(names, view.seats[view.position], [], agent, reader)) as companion:
                yield companion
            return
        if reader is not None:
            raise ConfigError(f"reader {reader[:40]!r} with a match: its reader was chosen at its start", key="reader")
        yield self._match(match).companion

    def _analyse(self, request: m.Analyse) -> Any:
        if (request.hand is None) == (request.spot is None):
            raise NotationError("analyse: expected hand or spot, one of them")
        view = view_from_text(request.spot) if request.spot is not None else request.hand.view()  # type: ignore[union-attr]
        if "actions" in request.want and view.position != view.actor:
            raise NotationError(f"position {view.position} is not to act in this hand: ask for ranges alone")
        with self._companion(view, request.match, request.reader, request.agent) as companion:
            return analysis_of(companion, view, request.want, self._options["digits"], self.check, request.agent)

    def _coach(self, request: m.Coach) -> Any:
        decisions = [(d.hand.view(), m.action_of(d.action)) for d in request.decisions]
        if not decisions:
            return m.Coached(())
        for view, _ in decisions:
            if view.position != view.actor:
                raise NotationError(f"position {view.position} is not to act in this hand: it decides nothing there")
        with self._companion(decisions[0][0], request.match, request.reader) as companion:
            found = companion.lessons(
                decisions, first=request.first, hands=request.hands,
                deals=self._options["deals"], seconds=self._options["seconds"],
            )  # fmt: skip
            lines = []
            for done, (view, lesson) in enumerate(found):
                self.check()
                if isinstance(lesson, DupaiError):
                    lines.append(no_lesson(view, request.first + done, decisions[done][1], lesson))
                else:
                    lines.append(lesson_line(view, lesson))
                self._answer(request.id, progress={"done": done + 1, "total": len(decisions)})
        return m.Coached(tuple(lines))

    _results: ClassVar[dict[type[Any], Callable[[Any, Any], Any]]] = {
        m.Hello: _hello, m.Options: _set, m.Start: _start, m.Act: _act, m.Observe: _observe, m.Stop: _stop,
        m.Analyse: _analyse, m.Coach: _coach, m.Check: _check,
    }  # fmt: skip


class _Named(msgspec.Struct):
    id: str = ""


def _id_of(line: bytes) -> str:
    try:
        return msgspec.json.decode(line, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def answer_lines(lines: Iterable[bytes], send: Callable[[bytes], object]) -> None:
    """Answer lines until they end; they are read in a thread."""
    worker = Worker(send)

    def read() -> None:
        try:
            for line in lines:
                worker.take(line)
        finally:
            worker.end()

    threading.Thread(target=read, name="requests", daemon=True).start()
    worker.run()
