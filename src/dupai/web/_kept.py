"""The file of tables as a server uses it: read at once, written in a thread of its own, so that a file which another
program has locked, or a full disk, stops no page."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import msgspec

from dupai.arena.live import LiveState, LiveStore
from dupai.base import FileError, notify

#: Seconds between two attempts to write.
_AGAIN_SECONDS = 1.0


class KeptTables:
    """A file of tables.

    Args:
        file: made where it is missing; ``:memory:`` keeps nothing.

    Raises:
        FileError: it cannot be made or read, or is no such file.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.reads = LiveStore(file)
        self._thread = ThreadPoolExecutor(1, "tables")
        self._writes: LiveStore = self._thread.submit(LiveStore, file).result()
        self._last: Future[None] = self._thread.submit(time.sleep, 0)
        self._closing = False
        #: Seats by token, and seats whose older tokens count no more, whether or not that is written yet.
        self._tokens: dict[tuple[str, str], int] = {}
        self._dropped: set[tuple[str, int]] = set()

    def write(self, method: Callable[..., None], *values: Any) -> None:
        """Call a method of :class:`LiveStore` later, after all before it; a state is kept as it is now."""
        plain = [msgspec.Raw(msgspec.msgpack.encode(v)) if isinstance(v, LiveState) else v for v in values]
        self._last = self._thread.submit(self._write, method, plain)

    def _write(self, method: Callable[..., None], values: list[Any]) -> None:
        told = False
        while not (told and self._closing):
            try:
                method(self._writes, *values)
                break
            except FileError as error:
                if not told:
                    notify(f"dupai web: {error}: tables wait until they can be written")
                told = True
                time.sleep(_AGAIN_SECONDS)

    async def written(self, seconds: float) -> bool:
        """Whether all that was to be written before this call is written, now or within some seconds."""
        last = self._last
        if not last.done():
            await asyncio.wait({asyncio.wrap_future(last)}, timeout=seconds)
        return last.done()

    def add_token(self, token: str, table: str, seat: int) -> None:
        """Whoever has ``token`` sits in ``seat``."""
        self._tokens[token, table] = seat
        self.write(LiveStore.add_token, token, table, seat)

    def seat_of(self, token: str, table: str) -> int | None:
        """The seat that a token opens; None for no seat."""
        if (token, table) in self._tokens:
            return self._tokens[token, table]
        seat = self.reads.seat_of(token, table)
        return None if seat is None or (table, seat) in self._dropped else seat

    def drop_tokens(self, table: str, seat: int) -> None:
        """Nobody's token opens this seat any more."""
        self._dropped.add((table, seat))
        for key in [key for key, opens in self._tokens.items() if (key[1], opens) == (table, seat)]:
            del self._tokens[key]
        self.write(LiveStore.drop_tokens, table, seat)

    def close(self) -> None:
        """Write what is left, where that is possible, and let go of the file."""
        self._closing = True
        self._thread.submit(self._writes.close)
        self._thread.shutdown()
        self.reads.close()
