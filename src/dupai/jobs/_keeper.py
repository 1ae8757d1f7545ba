"""Finished pieces of long work in one file, so that work that was stopped or killed goes on where it was."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import msgspec

from dupai.base import FileError

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
        ...

    def put(self, key: Any, piece: Any) -> Any:
        """Keep a piece and return it as :meth:`get` will."""
        ...


class Keeper:
    """Keeps finished pieces of one work in a file (SQLite); each is on disk before :meth:`put` returns.

    Args:
        path: the file; made where it is missing.
        fingerprint: everything that the pieces depend on, by name, as JSON takes it: data files by their
            :func:`~dupai.base.digest`, settings, versions.
        version: of the form of the pieces.
        resume: False: forget the pieces of an earlier run of the same work.

    Raises:
        FileError: the file cannot be used, is no keeper's file, or holds other work; the message names the part of
            the fingerprint that differs.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        fingerprint: Mapping[str, Any],
        *,
        version: int = 1,
        resume: bool = True,
    ) -> None:
        self.path = os.fspath(path)
        work = {"version": version, **fingerprint}
        encoded = {part: msgspec.json.encode(value, order="sorted").decode() for part, value in work.items()}
        if not Path(path).absolute().parent.is_dir():
            raise self._error("there is no folder to hold it")
        if Path(path).is_dir():
            raise self._error("it is a folder")
        try:
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
        except sqlite3.Error as error:
            raise self._error(f"it cannot be opened: {error}") from None
        try:
            self._open(encoded, resume)
        except BaseException:
            self._db.close()
            raise

    def _open(self, work: dict[str, str], resume: bool) -> None:
        with self._transaction():
            (application,) = self._db.execute("pragma application_id").fetchone()
            if application != _APPLICATION:
                if application or self._db.execute("select count(*) from sqlite_master").fetchone()[0]:
                    raise self._error("it does not hold finished pieces of work")
                for table in _TABLES:
                    self._db.execute(table)
                self._db.execute(f"pragma application_id = {_APPLICATION}")
                self._db.executemany("insert into work values (?, ?)", work.items())
            before = dict(self._db.execute("select part, value from work").fetchall())
            if before != work:
                old, new = ({part: msgspec.json.decode(v) for part, v in w.items()} for w in (before, work))
                part, there, here = first_difference(old, new)
                raise self._error(
                    f"it holds pieces of other work: {part} is {there!r} there and {here!r} here; name another file, "
                    "or delete this one to start again"
                )
            if not resume:
                self._db.execute("delete from pieces")

    def _error(self, reason: str) -> FileError:
        return FileError(f"{self.path}: {reason}", path=self.path)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("begin immediate")
            try:
                yield
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")
        except sqlite3.OperationalError as error:
            raise self._error(f"it cannot be used: {error}") from None
        except sqlite3.DatabaseError:
            raise self._error("it does not hold finished pieces of work") from None

    def get(self, key: Any, kind: Any = Any) -> Any | None:
        """The piece of ``str(key)``; None where there is none.

        Args:
            key: its name.
            kind: the type that JSON is converted to, as msgspec takes it (bytes come as they were put).
        """
        with self._transaction():
            row = self._db.execute("select form, data from pieces where key = ?", (str(key),)).fetchone()
        if row is None:
            return None
        return bytes(row[1]) if row[0] == "bytes" else msgspec.json.decode(row[1], type=kind)

    def put(self, key: Any, piece: Any) -> Any:
        """Keep a piece: bytes, or anything that msgspec writes as JSON. Returns it as :meth:`get` gives it."""
        data = piece if isinstance(piece, bytes) else msgspec.json.encode(piece)
        form = "bytes" if data is piece else "json"
        with self._transaction():
            self._db.execute("insert or replace into pieces values (?, ?, ?)", (str(key), form, data))
        return data if data is piece else msgspec.json.decode(data)

    def keys(self) -> list[str]:
        """The keys of all pieces, sorted."""
        with self._transaction():
            return [key for (key,) in self._db.execute("select key from pieces order by key")]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def first_difference(old: Any, new: Any, path: str = "") -> tuple[str, Any, Any]:
    """Where two nested mappings differ first: the keys that lead there, joined by dots, and both values there (None
    where one has no such key)."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(k for k in old if k not in new)]:
            if key not in old or key not in new or old[key] != new[key]:
                return first_difference(old.get(key), new.get(key), f"{path}.{key}" if path else key)
    return path, old, new
