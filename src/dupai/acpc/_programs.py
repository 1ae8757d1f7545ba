"""A match between programs that are started with host and port, as the reference's match script does it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from typing import TextIO

from dupai.acpc._agent import start_program, stop_program
from dupai.acpc._dealer import DealConfig
from dupai.acpc._files import MatchFiles
from dupai.acpc._serve import DealResult, deal


async def deal_programs(
    config: DealConfig,
    seats: Sequence[tuple[str, bool]],
    *,
    host: str = "127.0.0.1",
    log: TextIO | None = None,
    files: MatchFiles | None = None,
    note: Callable[[str], None] = lambda _: None,
    chatter: Callable[[str], None] | None = None,
    listening: Callable[[tuple[int, ...]], None] = lambda _: None,
) -> DealResult:
    """Deal a match to programs that this starts as ``command HOST PORT``, and to agents of ours.

    Args:
        seats: By seat: a start command and True, or an agent spec and False. Others as for :func:`deal`.

    Raises:
        ConfigError: a command that cannot be run, and as :func:`deal`.
    """
    programs: list[subprocess.Popen[bytes]] = []

    def start(ports: tuple[int, ...]) -> None:
        listening(ports)
        for (command, external), port in zip(seats, ports, strict=True):
            if external:
                programs.append(start_program(command, host, port))

    try:
        return await deal(
            config,
            [None if external else spec for spec, external in seats],
            host=host,
            log=log,
            files=files,
            note=note,
            chatter=chatter,
            listening=start,
        )
    finally:
        for program in programs:
            await asyncio.to_thread(stop_program, program)
