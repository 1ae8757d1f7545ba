"""Finished pieces of long work in one file, so that work that was stopped or killed goes on where it was."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from dupai.base.files import file_faults, from_json
from dupai.jobs._database import Database

#: Marks the file as a keeper's (SQLite's ``application_id``: "dupk").
_APPLICATION = 0x6475706B
_TABLES = (
    "create table work (part text primary key, value text not null) strict, without rowid",
    "create table pieces (key text primary key, form text not null, data blob not null) strict, without rowid",
)


class Pieces(Protocol):
    """Keeps finished pieces by key."""

    def get(self, key: Any) -> Any | None:
        """The piece; None where it is not finished."""

    def put(self, key: Any, piece: Any) -> Any:
        """Keep a piece and return it as :meth:`get` will."""


class Keeper(Database):
    """Keeps finished pieces of one work in a file (SQLite); each is on disk before :meth:`put` returns.

    Args:
        path: the file; made where it is missing.
        fingerprint: everything that the pieces depend on, by name, as JSON takes it: data files by their
            :func:`~dupai.base.files.digest`, settings, versions.
        version: of the form of the pieces.

    Raises:
        FileError: the file cannot be used, is no keeper's file, or holds other work; the message names the part of
            the fingerprint that differs.
    """

    def __init__(self, path: str | os.PathLike[str], fingerprint: Mapping[str, Any], *, version: int = 1) -> None:
        work = {"version": version, **fingerprint}
        self._work = {part: msgspec.json.encode(value, order="sorted").decode() for part, value in work.items()}
        super().__init__(path, "file of finished pieces")

    def open(self) -> None:
        """Make the tables, or check what they were made for."""
        with self.writing():
            (application,) = self.execute("pragma application_id").fetchone()
            if application != _APPLICATION:
                if application or self.execute("select count(*) from sqlite_master").fetchone()[0]:
                    raise self.error("it holds something else")
                for table in _TABLES:
                    self.execute(table)
                self.execute(f"pragma application_id = {_APPLICATION}")
                self._db.executemany("insert into work values (?, ?)", self._work.items())
            before = dict(self.execute("select part, value from work").fetchall())
            if before != self._work:
                old, new = (
                    {part: from_json(v, Any, f"{self.place}, work") for part, v in w.items()}
                    for w in (before, self._work)
                )
                part, there, here = first_difference(old, new)
                raise self.error(
                    f"it holds pieces of other work: {part} is {there!r} there and {here!r} here; name another file, "
                    "or delete this one to start again"
                )

    def get(self, key: Any, kind: Any = Any) -> Any | None:
        """The piece of ``str(key)``; None where there is none.

        Args:
            key: its name.
            kind: the type that JSON is converted to, as msgspec takes it (bytes come as they were put).
        """
        row = self.row("select form, data from pieces where key = ?", str(key))
        if row is None:
            return None
        with file_faults(f"{self.place}, piece {str(key)!r}", self.file):
            return bytes(row[1]) if row[0] == "bytes" else msgspec.json.decode(row[1], type=kind)

    def put(self, key: Any, piece: Any) -> Any:
        """Keep a piece: bytes, or anything that msgspec writes as JSON. Returns it as :meth:`get` gives it."""
        data = piece if isinstance(piece, bytes) else msgspec.json.encode(piece)
        form = "bytes" if data is piece else "json"
        with self.writing():
            self.execute("insert or replace into pieces values (?, ?, ?)", str(key), form, data)
        return data if data is piece else msgspec.json.decode(data)

    def forget(self, prefix: str = "") -> None:
        """Forget the pieces whose keys begin so; all by default."""
        with self.writing():
            self.execute("delete from pieces where substr(key, 1, ?) = ?", len(prefix), prefix)

    def keys(self) -> list[str]:
        """The keys of all pieces, sorted."""
        return [key for (key,) in self.rows("select key from pieces order by key")]


def first_difference(old: Any, new: Any, path: str = "") -> tuple[str, Any, Any]:
    """Where two nested mappings differ first: the keys that lead there, joined by dots, and both values there (None
    where one has no such key)."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(k for k in old if k not in new)]:
            if key not in old or key not in new or old[key] != new[key]:
                return first_difference(old.get(key), new.get(key), f"{path}.{key}" if path else key)
    return path, old, new
