"""``dupai engine``: standard input to standard output, in this process or shared out among several."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Coroutine, Iterable, Sequence
from typing import IO, Any

import msgspec

from dupai.base import ConfigError, DupaiError
from dupai.engine._messages import Answer, Cancel, Hand
from dupai.engine._pool import Engine, EngineError, EnginePool
from dupai.engine._worker import LONGEST_LINE, Worker, answer_lines, return_memory
from dupai.jobs import Nursery
from dupai.notation import view_from_text

#: What a nursery plays before it is asked, so that all is loaded: a kernel that one of its processes loads later has it
#: copy most of what the others loaded before.
_FLOP = "6 players, button, AhQh; folds to me, raises to 250, folds to bb, calls; flop 2c7dTh: checks to me"
_SPOTS = ("6 players, button, AhQh; folds to co, raises to 250", _FLOP, f"{_FLOP}, checks; turn 5s: bets 200")
_PLAYERS = ("fold:reader=model", "persona:pros", "expert")


def end_with_reader(out: IO[bytes]) -> None:
    """End this process when nobody can read its answers any more, and by SIGTERM, however busy it is: Python's own
    handlers wait for a kernel to return."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def watch() -> None:
        poll = select.poll()
        poll.register(out, 0)
        poll.poll()
        os._exit(128 + signal.SIGPIPE)

    if hasattr(select, "poll"):
        threading.Thread(target=watch, name="reader of answers", daemon=True).start()


def serve(lines: Iterable[bytes], out: IO[bytes], jobs: int = 1) -> None:
    """Answer the lines of a program.

    Args:
        lines: its requests.
        out: takes the answers.
        jobs: processes that work; with more than one, answers come in the order in which they are ready.
    """
    lock = threading.Lock()

    def send(line: bytes) -> None:
        with lock:
            out.write(line + b"\n")
            out.flush()

    if jobs == 1:
        answer_lines(lines, send)
    else:
        asyncio.run(_Front(send, jobs).run(lines))


def engine_nursery() -> Nursery | None:
    """A nursery for :class:`Engine` that has loaded what games and panels need; None where nothing can be forked."""
    # What this process needs as well is loaded before the fork: both share it.
    view_from_text(_SPOTS[-1])
    return Nursery.made(_load, _serve_socket)


def _load() -> None:
    """Play, read and judge a decision: loads agents, kernels and tables."""
    worker = Worker(lambda line: None)
    hands = [Hand.of(view_from_text(spot)) for spot in _SPOTS]
    wants = ("ranges", "equity", "mirror", "streets")
    last = hands[-1]
    requests: list[dict[str, Any]] = [
        {"method": "options", "set": {"deals": 20}},
        *({"method": "analyse", "hand": hand, "want": wants} for hand in hands),
        *({"method": "analyse", "hand": hand, "want": ["actions"]} for hand in hands[1:]),
        {"method": "coach", "decisions": [{"hand": last, "action": "c"}]},
    ]
    names = [str(k) for k in range(last.game.players)]
    for agent in _PLAYERS:
        match = {"match": agent, "agent": agent, "game": last.game, "seat": last.position, "names": names}
        requests += [match | {"method": "start"}, *({"method": "act", "match": agent, "hand": hand} for hand in hands)]
    for request in requests:
        worker.take(msgspec.json.encode({"id": "", **request}))
    worker.end()
    worker.run()
    return_memory()


def _serve_socket(wire: socket.socket) -> None:
    with wire, wire.makefile("rb") as lines, wire.makefile("wb") as answers, contextlib.redirect_stdout(sys.stderr):
        end_with_reader(answers)
        serve(lines, answers)


class _Front:
    """Shares requests out among engines. Options and the like go to all of them; a match stays with one."""

    def __init__(self, send: Any, jobs: int) -> None:
        self._send = send
        self._pool = EnginePool(jobs)
        #: Requests of our own that nobody waits for.
        self._quiet: set[asyncio.Task[None]] = set()
        #: Where matches are, and which process of that engine has them (0: it is being started).
        self._places: dict[str, tuple[Engine, int]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._last: dict[str, asyncio.Task[None]] = {}

    async def run(self, lines: Iterable[bytes]) -> None:
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()

        def read() -> None:
            for line in lines:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

        threading.Thread(target=read, name="requests", daemon=True).start()
        async with self._pool.running():
            while (line := await queue.get()) is not None:
                if line.strip():
                    self._take(line)
            while self._tasks or self._quiet:
                await asyncio.gather(*self._tasks.values(), *self._quiet, return_exceptions=True)

    def _answer(self, id: str, **fields: Any) -> None:
        self._send(msgspec.json.encode(Answer(id=id, **fields)))

    def _take(self, line: bytes) -> None:
        try:
            fields = msgspec.json.decode(line, type=dict[str, Any]) if len(line) <= LONGEST_LINE else {}
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            fields = {}
        id, method = fields.pop("id", ""), fields.pop("method", None)
        if not isinstance(id, str) or not isinstance(method, str):
            self._answer(id if isinstance(id, str) else "", error="not a request: expected a line of JSON with id and "
                         "method", kind="ProtocolError")  # fmt: skip
            return
        if method == "cancel":
            try:
                asked = msgspec.convert({"method": method, "id": id, **fields}, Cancel)
            except msgspec.ValidationError as error:
                self._answer(id, error=f"not a request: {error}", kind="ProtocolError")
                return
            task = self._tasks.get(asked.request)
            if task is not None:
                task.cancel()
            self._answer(id, result={"cancelled": task is not None})
            return
        # Options are on their way to all engines before any request that comes after them.
        sent = [asyncio.create_task(e.ask(method, fields)) for e in self._pool.engines] if method == "options" else []
        task = asyncio.create_task(self._ask(id, method, fields, sent))
        self._tasks[id] = task
        task.add_done_callback(lambda done: self._done(id, done))

    def _done(self, id: str, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            # The cancel came before the request had begun.
            self._answer(id, error="cancelled", kind="Cancelled")
        if self._tasks.get(id) is task:
            del self._tasks[id]

    async def _ask(self, id: str, method: str, fields: dict[str, Any], sent: Sequence[asyncio.Task[Any]] = ()) -> None:
        def report(progress: Any) -> None:
            self._answer(id, progress=progress)

        match = None if fields.get("match") is None else str(fields["match"])
        try:
            if sent:
                results = await asyncio.gather(*sent, return_exceptions=True)
                options: dict[str, Any] | None = next((r for r in results if not isinstance(r, BaseException)), None)
                if options is None:
                    raise next(r for r in results if isinstance(r, BaseException))
                for one in self._pool.engines:
                    # A process that is started in the place of a lost one takes them too.
                    one.options = options
                self._answer(id, result=options)
                return
            engine, born = self._places.get(match or "", (None, 0))
            if engine is not None and born and (engine.lost or born != engine.born):
                # The process that had the match is gone, and the match with it.
                self._leave(match)
                engine = None
            if method == "start" and match is not None:
                if engine is not None:
                    raise ConfigError(f"match {match[:80]!r} is open already", key="match")
                engine = self._pool.place()
                self._places[match] = engine, 0
            engine = engine or self._pool.least_busy()
            # At once, so that a match of this name may be started behind it.
            left = self._places.get(match or "") if method == "stop" else None
            if method == "stop":
                self._leave(match)
            try:
                result = await engine.ask(method, fields, report=report)
            except asyncio.CancelledError:
                if method == "start":
                    self._leave(match)
                    # The engine may have begun it all the same.
                    self._later(engine.ask("stop", {"match": match}))
                raise
            except BaseException:
                if method == "start":
                    self._leave(match)
                elif left is not None and not engine.lost and match and match not in self._places:
                    # A refused stop leaves the match as it was.
                    self._places[match] = left
                    engine.matches += 1
                raise
            if method == "start" and match in self._places:
                self._places[match] = engine, engine.born
            self._answer(id, result=result)
        except asyncio.CancelledError:
            self._answer(id, error="cancelled", kind="Cancelled")
        except EngineError as error:
            self._answer(id, error=str(error), kind=error.kind)
        except DupaiError as error:
            self._answer(id, error=str(error), kind=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - every request has a last answer
            self._answer(id, error=f"{type(error).__name__}: {error}", kind=type(error).__name__)

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        async def quietly() -> None:
            with contextlib.suppress(EngineError):
                await work

        task = asyncio.create_task(quietly())
        self._quiet.add(task)
        task.add_done_callback(self._quiet.discard)

    def _leave(self, match: str | None) -> None:
        """A match is at no engine any more."""
        if place := self._places.pop(match or "", None):
            place[0].matches -= 1
