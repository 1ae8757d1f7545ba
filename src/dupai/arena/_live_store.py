"""Tables with people in a SQLite file: after a crash every table is as it was after its last action."""

from __future__ import annotations

import hashlib
import os

import msgspec

from dupai.arena._live import LiveState
from dupai.arena._sealed import SealedDeck
from dupai.base.files import file_faults
from dupai.jobs import Database
from dupai.rules import HandRecord

SCHEMA = 2
_TABLES = """
create table tables (id text primary key, options text not null, state blob not null) strict;
create table hands (
    "table" text not null, hand integer not null, record blob not null, deck blob not null,
    primary key ("table", hand)
) strict, without rowid;
create table tokens (token text primary key, "table" text not null, seat integer not null) strict, without rowid;
"""
#: New in version 2: what a person was told after each hand.
_REVIEWS = """
create table reviews (
    "table" text not null, seat integer not null, hand integer not null, data blob not null,
    primary key ("table", seat, hand)
) strict, without rowid
"""


class LiveStore(Database):
    """A file of tables.

    Args:
        file: made where it is missing; ``:memory:`` keeps nothing.

    Raises:
        FileError: it cannot be made or read, or is no such file.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        super().__init__(file, "file of tables")

    def open(self) -> None:
        (version,) = self.row("pragma user_version")
        if version == 0 and self.row("select count(*) from sqlite_master") != (0,):
            raise self.error("it is no file of tables: it holds other tables")
        # What is to be made, by the version that is there.
        missing = {0: [*filter(str.strip, _TABLES.split(";")), _REVIEWS], 1: [_REVIEWS], SCHEMA: []}.get(version)
        if missing is None:
            raise self.error(f"it has version {version} of the tables: expected {SCHEMA}")
        self.execute("pragma journal_mode = wal")
        # A crash of the program loses nothing; one of the machine may lose the last moments, and no more.
        self.execute("pragma synchronous = normal")
        if missing:
            with self.writing():
                for statement in missing:
                    self.execute(statement)
                self.execute(f"pragma user_version = {SCHEMA}")

    def save(self, table: str, options: str, state: LiveState) -> None:
        """Keep a table as it stands; ``options``: whatever its server wants to know about it."""
        data = msgspec.msgpack.encode(state)
        with self.reading():
            self.execute("insert or replace into tables values (?, ?, ?)", table, options, data)

    def finished(self, table: str, options: str, state: LiveState, record: HandRecord, deck: SealedDeck) -> None:
        """Keep a finished hand, with its table after it, in one transaction."""
        with self.writing():
            self.execute(
                "insert or replace into hands values (?, ?, ?, ?)",
                table, record.hand, msgspec.msgpack.encode(record), msgspec.msgpack.encode(deck),
            )  # fmt: skip
            self.save(table, options, state)

    def tables(self) -> dict[str, tuple[str, LiveState]]:
        """All tables: options and state by id."""
        with file_faults(self.place):
            return {
                table: (options, msgspec.msgpack.decode(state, type=LiveState))
                for table, options, state in self.rows("select id, options, state from tables")
            }

    def hands(self, table: str) -> list[tuple[HandRecord, SealedDeck]]:
        """The finished hands of a table, in order, with their decks."""
        rows = self.rows('select record, deck from hands where "table" = ? order by hand', table)
        with file_faults(self.place):
            return [
                (msgspec.msgpack.decode(record, type=HandRecord), msgspec.msgpack.decode(deck, type=SealedDeck))
                for record, deck in rows
            ]

    def add_review(self, table: str, seat: int, hand: int, data: bytes) -> None:
        """Keep what the person in a seat was told after a hand, as its server writes it."""
        with self.reading():
            self.execute("insert or replace into reviews values (?, ?, ?, ?)", table, seat, hand, data)

    def reviews(self, table: str) -> list[tuple[int, int, bytes]]:
        """Seat, hand and data of all that people at a table were told, in order."""
        rows = self.rows('select seat, hand, data from reviews where "table" = ? order by hand, seat', table)
        return [(int(seat), int(hand), bytes(data)) for seat, hand, data in rows]

    def drop_reviews(self, table: str, seat: int) -> None:
        """Forget what the person in a seat was told."""
        with self.reading():
            self.execute('delete from reviews where "table" = ? and seat = ?', table, seat)

    def remove(self, table: str) -> None:
        """Forget a table with its hands."""
        with self.writing():
            self.execute("delete from tables where id = ?", table)
            self.execute('delete from hands where "table" = ?', table)
            self.execute('delete from tokens where "table" = ?', table)
            self.execute('delete from reviews where "table" = ?', table)

    def add_token(self, token: str, table: str, seat: int) -> None:
        """Whoever has ``token`` sits in ``seat``; only its hash is kept."""
        with self.reading():
            self.execute("insert or replace into tokens values (?, ?, ?)", _hashed(token), table, seat)

    def seat_of(self, token: str, table: str) -> int | None:
        """The seat that a token opens; None for no seat."""
        row = self.row('select seat from tokens where token = ? and "table" = ?', _hashed(token), table)
        return None if row is None else int(row[0])

    def drop_tokens(self, table: str, seat: int) -> None:
        """Nobody's token opens this seat any more."""
        with self.reading():
            self.execute('delete from tokens where "table" = ? and seat = ?', table, seat)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
