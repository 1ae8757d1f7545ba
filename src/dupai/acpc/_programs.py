"""A match between programs that are started with host and port, as the reference's match script does it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from typing import TextIO, TypedDict, Unpack

from dupai.acpc._agent import start_program, stop_program
from dupai.acpc._dealer import DealConfig
from dupai.acpc._files import MatchFiles
from dupai.acpc._serve import DealResult, deal


class _Reports(TypedDict, total=False):
    """Where a match is written: options of :func:`deal`."""

    log: TextIO | None
    files: MatchFiles | None
    note: Callable[[str], None]
    chatter: Callable[[str], None] | None


async def deal_programs(
    config: DealConfig,
    seats: Sequence[tuple[str, bool]],
    *,
    host: str = "127.0.0.1",
    listening: Callable[[tuple[int, ...]], None] = lambda _: None,
    **reports: Unpack[_Reports],
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
        programs.extend(
            start_program(command, host, port)
            for (command, external), port in zip(seats, ports, strict=True)
            if external
        )

    agents = [None if external else spec for spec, external in seats]
    try:
        return await deal(config, agents, host=host, listening=start, **reports)
    finally:
        for program in programs:
            await asyncio.to_thread(stop_program, program)
