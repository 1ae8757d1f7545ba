"""Fair queues: who asks often waits for their own requests, not everybody for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from dupai.base import RulesError


class Turns:
    """Lets a few pieces of work in at a time, and those of each key in turn.

    Args:
        size: pieces in work at a time.
        waiting: pieces of one key that may wait.
    """

    def __init__(self, size: int, waiting: int = 100) -> None:
        self._free, self._max_waiting = size, waiting
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for the turn of a key, and keep it while the block runs.

        Raises:
            RulesError: too many pieces of this key wait.
        """
        if self._free:
            self._free -= 1
        else:
            line = self._waiting.setdefault(key, deque())
            if len(line) >= self._max_waiting:
                raise RulesError(f"{len(line)} requests of yours wait already: try again later")
            mine = asyncio.get_running_loop().create_future()
            line.append(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if not mine.cancelled():
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            key = next(iter(self._waiting))
            line = self._waiting.pop(key)
            mine = line.popleft()
            if line:
                self._waiting[key] = line
            if not mine.done():
                mine.set_result(None)
                return
        self._free += 1
