"""``dupai bench acpc``: our dealer and two clients over loopback, all in this process."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable

from dupai.acpc import VERSION_LINE, DealConfig, DealResult, acpc_words, deal, join
from dupai.bench._row import Goal, Row, machine_scale, row
from dupai.rules import load_game

_GAME = "holdem.nolimit.2p"
_HANDS = 2000
#: Hands/s that are the goal on the reference machine.
_GOAL = 600.0
_ACTION = re.compile(r"f|c|r[0-9]+")
_Play = Callable[[int], Awaitable[object]]


def _to_act(betting: str) -> tuple[int, int] | None:
    """Heads-up no-limit with the shipped stacks: who is to act and the smallest raise; None when the hand is over."""
    spent, top, low = [100, 50], 100, 200
    for number, text in enumerate(betting.split("/")):
        actor, acted = 1 if number == 0 else 0, 0
        low = max(low, top + 100)
        for action in _ACTION.findall(text):
            if action == "f":
                return None
            if action == "c":
                spent[actor] = top
            else:
                low, top = max(low, 2 * int(action[1:]) - top), int(action[1:])
                spent[actor] = top
            actor, acted = 1 - actor, acted + 1
    closed = acted > 1 and spent[0] == spent[1]
    return None if closed or min(spent) >= 20_000 else (actor, low)


class _Example(asyncio.Protocol):
    """Plays like the reference's example player: folds 6 %, else calls or makes the smallest raise evenly."""

    def __init__(self, seed: int) -> None:
        self._words = acpc_words(seed)
        self._rest = b""
        self._transport: asyncio.Transport
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(f"{VERSION_LINE}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        for line in lines:
            _, position, _, betting, _ = line.decode().split(":")
            turn = _to_act(betting)
            if turn is None or turn[0] != int(position):
                continue
            luck = next(self._words) % 100
            facing = not betting.endswith(("/", "c")) or betting == ""
            action = "f" if luck < 6 and facing else "c" if luck < 53 or turn[1] > 20_000 else f"r{turn[1]}"
            self._transport.write(line + f":{action}\r\n".encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)


async def _example(port: int) -> None:
    _, client = await asyncio.get_running_loop().create_connection(lambda: _Example(port), "127.0.0.1", port)
    await client.over


async def _ours(port: int) -> None:
    await join("127.0.0.1", port, "random", load_game(_GAME), seed=1)


async def _match(play: _Play, hands: int) -> DealResult:
    config = DealConfig(game=load_game(_GAME), hands=hands, seed=1, names=("Ann", "Bo"), t_per_hand=-1)
    ready: asyncio.Future[tuple[int, ...]] = asyncio.get_running_loop().create_future()
    dealing = asyncio.ensure_future(deal(config, listening=ready.set_result))
    await asyncio.gather(*(play(port) for port in await ready))
    return await dealing


def rows() -> list[Row]:
    """Hands a second of whole matches, handshake included, with example clients and with random agents of ours."""
    figures = []
    for name, play, hands in (("two example clients", _example, _HANDS), ("two agents that join", _ours, _HANDS // 4)):
        asyncio.run(_match(play, 20))
        start = time.perf_counter()
        result = asyncio.run(_match(play, hands))
        rate = result.hands / (time.perf_counter() - start)
        if result.faults:
            raise AssertionError(f"the benchmark's own clients broke the protocol: {result.faults[0]}")
        goal: Goal = {"least": machine_scale() * _GOAL} if play is _example else {}
        figures.append(row(f"dealer over loopback, {name}", rate, "hands/s", **goal))
    return figures
