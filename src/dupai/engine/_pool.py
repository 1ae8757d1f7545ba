"""Engines in processes of their own, driven from asyncio: what the web server plays and analyses with."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import msgspec

from dupai.base import DupaiError
from dupai.engine._messages import Answer
from dupai.engine._worker import LONGEST_LINE
from dupai.jobs import Nursery

#: One thread for each engine: several processes with several threads each get in each other's way.
_ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
#: Seconds after which an engine that does not answer is ended; so many times as long for the first answer of its kind,
#: before which kernels may have to be compiled.
HANG_SECONDS, _FIRST = 120.0, 10


#: Seconds in which a process ends that has closed its output.
_ENDS = 5.0
#: Seconds between two looks at a process.
_LOOK_SECONDS = 0.02


class EngineError(DupaiError):
    """The engine refused a request, or its process is lost. ``kind``: the name of the error there."""

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class _Forked:
    """A process of a nursery, with the interface of asyncio's processes."""

    def __init__(self, number: int, stdout: asyncio.StreamReader, stdin: asyncio.StreamWriter) -> None:
        self.number, self.stdout, self.stdin = number, stdout, stdin
        self.returncode: int | None = None
        self._ended = asyncio.Event()
        self._handle = os.pidfd_open(number)
        asyncio.get_running_loop().add_reader(self._handle, self._end)

    @classmethod
    async def start(cls, nursery: Nursery) -> _Forked:
        ours, theirs = socket.socketpair()
        with theirs:
            number = await asyncio.to_thread(nursery.fork, theirs)
        return cls(number, *await asyncio.open_unix_connection(sock=ours, limit=4 * LONGEST_LINE))

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._handle)
        os.close(self._handle)
        self.returncode = 0
        self._ended.set()

    def kill(self) -> None:
        if self.returncode is None:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    async def wait(self) -> None:
        await self._ended.wait()
        self.stdin.close()


class Engine:
    """One process of ``dupai engine``. Requests are written at once and answered in any order; matches that were open
    are lost with the process (:attr:`born` counts the processes).

    Args:
        end_after: seconds after which a process is ended that still works on a request which is cancelled (ten times
            as many where it has answered none of its kind); None: never.
        nursery: where its processes are forked; None: they are programs.
    """

    def __init__(self, end_after: float | None = None, nursery: Nursery | None = None) -> None:
        self._end_after, self._nursery = end_after, nursery
        self._process: asyncio.subprocess.Process | _Forked | None = None
        self._waiting: dict[str, tuple[asyncio.Future[Any], Callable[[Any], None] | None]] = {}
        #: The time that each request in flight has.
        self._limits: dict[str, float] = {}
        self._count = 0
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self.born = 0
        #: What every process is sent first, by name.
        self.options: dict[str, Any] = {}
        #: When the process last said something.
        self._heard = 0.0
        #: Methods that this process has answered.
        self._answered: set[str] = set()
        #: Requests that were given up and are not answered yet.
        self._given_up: set[str] = set()
        #: Matches that are played here, by their number.
        self.matches = 0

    @property
    def busy(self) -> int:
        """Requests in flight."""
        return len(self._waiting)

    @property
    def lost(self) -> bool:
        """Whether its process has ended; the next request starts another."""
        return self._process is not None and self._process.returncode is not None

    async def _alive(self) -> asyncio.subprocess.Process | _Forked:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await self._started()
                self.born += 1
                self._answered.clear()
                self._reader = asyncio.create_task(self._read(self._process))
                if self.options:
                    line = msgspec.json.encode({"id": "", "method": "options", "set": self.options})
                    self._write(self._process, line)
            return self._process

    async def _started(self) -> asyncio.subprocess.Process | _Forked:
        if self._nursery is not None:
            with contextlib.suppress(OSError):
                return await _Forked.start(self._nursery)
        folders = os.pathsep.join(path or os.getcwd() for path in sys.path)
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "dupai", "engine", "--jobs", "1",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **_ONE_THREAD, "PYTHONPATH": folders}, limit=4 * LONGEST_LINE, start_new_session=True,
        )  # fmt: skip

    async def _read(self, process: asyncio.subprocess.Process | _Forked) -> None:
        assert process.stdout is not None
        decode = msgspec.json.Decoder(Answer).decode
        why = "the engine's process has ended"
        while True:
            try:
                line = await process.stdout.readline()
                if not line:
                    break
                answer = decode(line)
            except (ValueError, ConnectionError) as error:
                why = f"an answer of the engine cannot be read, its process was ended: {error}"
                break
            self._heard = time.monotonic()
            self._given_up.discard(answer.id)
            future, report = self._waiting.get(answer.id, (None, None))
            if future is None or future.done():
                self._waiting.pop(answer.id, None)
            elif answer.error is not None:
                del self._waiting[answer.id]
                future.set_exception(EngineError(answer.error, answer.kind or ""))
            elif answer.progress is not None:
                if report is not None:
                    report(answer.progress)
            else:
                del self._waiting[answer.id]
                future.set_result(answer.result)
        try:
            # Where it has closed its output it is about to end.
            await asyncio.wait_for(process.wait(), _ENDS)
        except TimeoutError:
            process.kill()
            await process.wait()
        self._given_up.clear()
        lost, self._waiting = self._waiting, {}
        for future, _ in lost.values():
            if not future.done():
                future.set_exception(EngineError(why, "EngineLost"))

    async def ask(
        self, method: str, given: Mapping[str, Any] | None = None, /, *, seconds: float = HANG_SECONDS,
        report: Any = None, **fields: Any,
    ) -> Any:  # fmt: skip
        """The result of a request with the fields ``given`` (whatever they are called) and ``fields``. A task that is
        cancelled cancels its request.

        Raises:
            EngineError: it was refused, or its process has said nothing for ``seconds`` (then the process is ended).
        """
        process = await self._alive()
        self._count += 1
        id = str(self._count)
        line = msgspec.json.encode({**(given or {}), **fields, "id": id, "method": method})
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[id] = future, report
        self._write(process, line)
        begun, limit = time.monotonic(), seconds if method in self._answered else _FIRST * seconds
        self._limits[id] = limit
        try:
            # A request may wait in the process: what it answers to others counts, and the time that it has for them.
            while not future.done():
                limit = max(self._limits.values())
                left = max(begun, self._heard) + limit - time.monotonic()
                if left <= 0:
                    break
                await asyncio.wait({future}, timeout=left)
            if future.done():
                result = future.result()
                self._answered.add(method)
                return result
            future.cancel()
            if process.returncode is None:
                process.kill()
            raise EngineError(f"no answer within {limit:g} s: its process was ended", "EngineLost")
        except asyncio.CancelledError:
            if self._waiting.pop(id, None) is not None:
                self._write(process, msgspec.json.encode({"id": "", "method": "cancel", "request": id}))
                if self._end_after is not None:
                    self._given_up.add(id)
                    wait = self._end_after if method in self._answered else _FIRST * self._end_after
                    asyncio.get_running_loop().call_later(wait, self._end_if_given_up, process, id)
            raise
        finally:
            del self._limits[id]

    def knows(self, method: str) -> bool:
        """Whether this process has answered such a request: what it needs is compiled."""
        return not self.lost and method in self._answered

    async def settled(self) -> None:
        """Wait until what was given up is no longer worked on."""
        while self._given_up and not self.lost:
            await asyncio.sleep(_LOOK_SECONDS)

    def _end_if_given_up(self, process: asyncio.subprocess.Process | _Forked, id: str) -> None:
        if id in self._given_up and process.returncode is None:
            process.kill()

    def _write(self, process: asyncio.subprocess.Process | _Forked, line: bytes) -> None:
        assert process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            process.stdin.write(line + b"\n")

    async def close(self) -> None:
        """End the process."""
        process = self._process
        if process is not None and process.returncode is None:
            if process.stdin is not None and not self._waiting:
                # An idle engine ends with its input.
                process.stdin.close()
            else:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        if self._reader is not None:
            await self._reader


class EnginePool:
    """Some engines: a match stays with one of them, anything else goes to the least busy.

    Args:
        engines: how many.
        end_after, nursery: of each :class:`Engine`.
        together: whether a match goes where it shall be beside others; else all are spread evenly.
    """

    def __init__(
        self, engines: int, end_after: float | None = None, nursery: Nursery | None = None, *, together: bool = True
    ) -> None:
        self.engines = [Engine(end_after, nursery) for _ in range(engines)]
        self._together = together

    def least_busy(self) -> Engine:
        """The engine with the fewest requests in flight."""
        return min(self.engines, key=lambda e: e.busy)

    def place(self, beside: Iterable[Engine] = ()) -> Engine:
        """The engine that a new match shall stay with: the first of ``beside`` that is one of these (where matches may
        be together), else the one with the fewest matches."""
        fewest = min(self.engines, key=lambda e: (e.matches, e.busy))
        engine = next((one for one in beside if self._together and one in self.engines), fewest)
        engine.matches += 1
        return engine

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(engine.close() for engine in self.engines))

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[EnginePool]:
        """Ends all processes when the block ends."""
        try:
            yield self
        finally:
            await self.close()
