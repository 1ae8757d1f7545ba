"""Matches and ladders that are started from the page: one at a time, played by the command in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress

from dupai.base import ConfigError, RulesError
from dupai.web import _messages as m
from dupai.web._engines import Engines
from dupai.web._http import public_line
from dupai.web._stats import ResultFiles

#: Agents and hands of a run, and seconds after which it is stopped.
MAX_AGENTS, MAX_HANDS, MAX_SECONDS = 10, 100_000, 3600.0
#: How much a run gives way to tables in play.
_NICE = 10
#: Seconds in which a run is in the results file, and between two looks.
_BEGIN_SECONDS, _LOOK_SECONDS = 60.0, 0.2


class Runs:
    """Plays what browsers ask for.

    Args:
        results: where they are shown; runs go into its own file.
        engines: know which specs a browser may name.
    """

    def __init__(self, results: ResultFiles, engines: Engines) -> None:
        self._results, self._engines = results, engines
        self._starting = asyncio.Lock()
        self._process: Process | None = None
        self._watch: asyncio.Task[bytes] | None = None

    async def start(self, asked: m.NewRun) -> m.RunLine:
        """Begin a run, and wait until its results file has it.

        Raises:
            RulesError: another one is played. ConfigError, NotationError, EngineError: it cannot be played.
        """
        for name, value, low, high in (
            ("agents", len(asked.agents), 2, MAX_AGENTS),
            ("hands", asked.hands, 1, MAX_HANDS),
            ("seed", asked.seed, 0, 2**62),
        ):
            if not low <= value <= high:
                raise ConfigError(f"{name}: {value:,}: expected {low:,} to {high:,}", key=name)
        for spec in asked.agents:
            await self._engines.check(spec)
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                raise RulesError("a run is being played: wait until it has ended, or stop it")
            before = {run.id for run in await asyncio.to_thread(self._results.runs)}
            numbers = ("--hands", str(asked.hands), "--seed", str(asked.seed), "--results", str(self._results.own))
            self._process = process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "dupai", asked.kind, *["--duplicate"] * (asked.kind == "match"), *numbers, "--",
                *asked.agents,
                stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE,
            )  # fmt: skip
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
            self._watch = asyncio.create_task(self._until_end(process))
            return await self._begun(before, self._watch)

    async def _begun(self, before: set[str], watch: asyncio.Task[bytes]) -> m.RunLine:
        for _ in range(round(_BEGIN_SECONDS / _LOOK_SECONDS)):
            ended = watch.done()
            new = [run for run in await asyncio.to_thread(self._results.runs) if run.id not in before]
            if new:
                return new[0]
            if ended:
                words = watch.result().decode(errors="replace").strip().rpartition("\n")[2]
                raise ConfigError(public_line(words, 300) or "the run has ended without a result")
            await asyncio.sleep(_LOOK_SECONDS)
        self.stop()
        raise ConfigError(f"the run has not begun within {_BEGIN_SECONDS:g} s: it is stopped")

    async def _until_end(self, process: Process) -> bytes:
        """What a process said of its end."""
        try:
            async with asyncio.timeout(MAX_SECONDS):
                return (await process.communicate())[1]
        except TimeoutError:
            process.kill()
            return b""

    def stop(self) -> None:
        """Stop what is played: its results so far stay."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGINT)

    async def close(self) -> None:
        """End what is played."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
