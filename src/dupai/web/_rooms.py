"""All tables of a server: made, found again after a restart, joined by their seats' tokens."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time

import msgspec

from dupai.agents import spec_traits
from dupai.agents.opponents import display_name
from dupai.arena.live import LiveSettings, LiveStore, LiveTable
from dupai.base import ConfigError, NotationError
from dupai.base.files import file_faults
from dupai.base.text import labels_of
from dupai.web import _messages as m
from dupai.web._engines import Engines
from dupai.web._http import Gone
from dupai.web._kept import KeptTables
from dupai.web._people import Client
from dupai.web._room import Room
from dupai.web._state import TableOptions

#: Opponents of a table for which none are named.
USUAL = (
    *("persona:pros", "persona:bovada", "fold:reader=model", "persona:pokerstars", "persona:pluribus", "expert"),
    *("style:TA", "style:LP", "rules"),
)
#: Most tables at a time; seconds after which one that nobody is at may make room for another.
MAX_TABLES, _OLD = 400, 3600.0
#: Seconds after which the lobby no longer shows a table that nobody is at.
_QUIET = 600.0
#: Tables of one address.
MAX_FROM_ADDRESS = 60
#: The token of whoever made a table without sitting down.
HOST_SEAT = -1


def usual(game: str) -> list[str]:
    """Opponents that play a betting structure, for tables of which nobody says who sits there."""
    return [spec for spec in USUAL if game in spec_traits(spec).bettings]


class Rooms:
    """The tables.

    Args:
        store: where they are kept.
        engines: what plays and thinks for them.
        most: tables at a time.
    """

    def __init__(self, store: KeptTables, engines: Engines, most: int = MAX_TABLES) -> None:
        self.store, self.engines, self.most = store, engines, most
        self.rooms: dict[str, Room] = {}

    def read(self) -> None:
        """Read all tables of the store.

        Raises:
            FileError: one of them is damaged.
        """
        for id, (options, state) in self.store.reads.tables().items():
            records = [record for record, _ in self.store.reads.hands(id)]
            with file_faults(f"{self.store.reads.place}, table {id}"):
                made = msgspec.json.decode(options, type=TableOptions)
                room = Room(id, LiveTable(state.settings, state), made, self.store, self.engines, records)
                room.public()
            self.rooms[id] = room

    def open(self) -> None:
        """Play at all tables that were read."""
        for room in self.rooms.values():
            room.start()

    async def close(self) -> None:
        """Stop; every table can be taken up again."""
        await asyncio.gather(*(room.close() for room in self.rooms.values()))

    def room(self, id: str) -> Room:
        """A table by its id.

        Raises:
            Gone: there is none.
        """
        if id not in self.rooms:
            raise Gone("there is no such table")
        return self.rooms[id]

    async def make(self, asked: m.NewTable, address: str = "") -> tuple[Room, str]:
        """A new table with its agents, and the token of whoever makes it.

        Raises:
            ConfigError, NotationError, AgentError: something asked for makes no sense.
        """
        settings = LiveSettings(
            seats=asked.seats, betting=asked.game, blinds=(asked.small_blind, asked.big_blind), stack=asked.stack,
            reset=asked.reset, tournament=asked.tournament,
        )  # fmt: skip
        if not 0 <= asked.clock <= 3600:
            raise ConfigError(f"clock = {asked.clock}: expected 0 to 3600 seconds", key="clock")
        await self.engines.check(asked.advisor)
        await self.engines.check(asked.reader, "reader")
        sits = bool(asked.name.strip())
        others = asked.seats - sits
        opponents = asked.opponents
        if opponents is None:
            opponents = tuple(itertools.islice(itertools.cycle(usual(asked.game)), others))
        if len(opponents) > others:
            raise ConfigError(f"opponents: {len(opponents)} given, expected at most {others}", key="opponents")
        await self._check_agents(opponents, asked)
        await self._make_room(address)
        table = LiveTable(settings)
        chosen = {name: getattr(asked, name) for name in m.TableChoices.__struct_fields__}
        host = table.sit(asked.name, 0) if sits else HOST_SEAT
        options = TableOptions(**chosen, host=host, sat={host: 0} if sits else {}, waits=sits and None in opponents)
        labels = iter(labels_of([display_name(spec) for spec in opponents if spec is not None]))
        for seat, spec in enumerate(opponents, int(sits)):
            if spec is not None:
                table.sit(next(labels), seat, spec=spec)
        return self._open(table, options, address)

    async def again(self, room: Room, seat: int, asked: m.Again, address: str = "") -> tuple[Room, str]:
        """A table of its own at a decision of a hand of ``room``, and the token of its only person.

        Raises:
            ConfigError: there is no such decision.
        """
        table = await room.reviews.spot_again(seat, asked.hand, asked.decision)
        await self._make_room(address)
        options = msgspec.structs.replace(room.options, host=seat, since=0, sat={seat: 0}, clock=0)
        return self._open(table, options, address)

    def _open(self, table: LiveTable, options: TableOptions, address: str) -> tuple[Room, str]:
        id = secrets.token_urlsafe(9)
        room = Room(id, table, options, self.store, self.engines)
        room.address = address
        room.save()
        self.rooms[id] = room
        token = self.token(id, options.host)
        room.start()
        return room, token

    async def _check_agents(self, opponents: tuple[str | None, ...], asked: m.NewTable) -> None:
        for spec in {spec for spec in opponents if spec is not None}:
            if not spec.strip():
                raise NotationError("opponents: an empty spec; expected one as rules, or null for a free seat")
            known = await self.engines.check(spec)
            low, high = known.players
            if not low <= asked.seats <= high:
                raise ConfigError(f"agent {spec!r} plays tables of {low} to {high}, not of {asked.seats}")
            if asked.game not in known.bettings:
                raise ConfigError(f"agent {spec!r} does not play {asked.game}")

    async def _make_room(self, address: str) -> None:
        """Forget the table that nobody has been at for longest, where there are too many, in all or of an address.

        Raises:
            ConfigError: somebody is, or has just been, at all of them.
        """
        full = [room for room in self.rooms.values() if room.address == address]
        if len(full) < min(MAX_FROM_ADDRESS, self.most):
            full = list(self.rooms.values())
            if len(full) < self.most:
                return
        empty = [r for r in full if not r.clients and time.monotonic() - r.used > _OLD]
        if not empty:
            raise ConfigError(f"{len(full)} tables are open, which is all that this server has for you", key="tables")
        old = min(empty, key=lambda r: r.used)
        del self.rooms[old.id]
        await old.close()
        old.matches.forget()
        self.store.write(LiveStore.remove, old.id)

    def token(self, id: str, seat: int) -> str:
        """A new token for a seat."""
        token = secrets.token_urlsafe(24)
        self.store.add_token(token, id, seat)
        return token

    def client(self, room: Room, token: str | None) -> Client:
        """Somebody with a token, or with none."""
        seat = self.store.seat_of(token, room.id) if token and len(token) < 100 else None
        host = seat is not None and seat == room.options.host
        return Client(None if seat == HOST_SEAT else seat, host)

    def lobby(self) -> list[m.LobbyTable]:
        """All tables, for the lobby, but for those that nobody has been at for a while (they stay open)."""
        tables = []
        for id, room in self.rooms.items():
            if not room.clients and time.monotonic() - room.used > _QUIET:
                continue
            table, watching = room.table, sum(c.seat is None for c in room.clients)
            names = tuple(s.name or None for s in table.seats)
            tables.append(
                m.LobbyTable(id, table.settings.betting, table.state.blinds, names, watching, table.state.hand)
            )
        return tables
