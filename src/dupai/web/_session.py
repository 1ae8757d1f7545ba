"""What the parts of a table in the browser share: the table, who is there, and what is kept of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec

from dupai.arena.live import LiveStore, LiveTable
from dupai.base.files import file_faults
from dupai.rules import HandRecord
from dupai.web._kept import KeptTables
from dupai.web._people import Client, Person, Told
from dupai.web._state import TableOptions


class Session:
    """A table with its people and its finished hands.

    Args:
        id: of the table; ``store`` keeps it.
        records: its finished hands.

    Attributes:
        clients: everybody who looks on; people in a seat have one for each window.
    """

    def __init__(
        self, id: str, table: LiveTable, options: TableOptions, store: KeptTables, records: Sequence[HandRecord] = ()
    ) -> None:
        self.id, self.table, self.options, self.store = id, table, options, store
        self.records = list(records)
        self.clients: set[Client] = set()
        self.people: dict[int, Person] = {}
        self.encode = msgspec.json.Encoder().encode
        self._jobs: set[asyncio.Task[Any]] = set()
        with file_faults(store.reads.place):
            for seat, hand, data in store.reads.reviews(id):
                self.person(seat).take_up(hand, msgspec.json.decode(data, type=Told))

    def choose(self, **changes: Any) -> None:
        """Change some of the options."""
        self.options = msgspec.structs.replace(self.options, **changes)

    def save(self) -> None:
        """Keep the table as it stands."""
        self.store.write(LiveStore.save, self.id, self.encode(self.options).decode(), self.table.state)

    def person(self, seat: int) -> Person:
        """What is kept of whoever sits in a seat."""
        return self.people.setdefault(seat, Person())

    def here(self) -> set[int]:
        """The seats of people who are connected."""
        return {c.seat for c in self.clients if c.seat is not None and not c.lost}

    def is_turn_of(self, seat: int) -> bool:
        """Whether a seat is to act."""
        return self.table.actor == seat

    def send_to(self, seat: int, event: Any, person: Person | None = None) -> bytes:
        """Send to a seat; with ``person`` only as long as they sit there."""
        frame = self.encode(event)
        if person is not None and self.people.get(seat) is not person:
            return frame
        for client in self.clients:
            if client.seat == seat:
                client.send(frame)
        return frame

    def later(self, work: Any) -> asyncio.Task[Any]:
        """Do this while the table goes on, until it is closed."""
        task: asyncio.Task[Any] = asyncio.create_task(work)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return task

    async def end_jobs(self) -> None:
        """Stop what is still done beside the play."""
        for task in [*self._jobs]:
            await cancelled(task)


async def cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait until it has ended."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
