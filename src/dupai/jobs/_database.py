"""A SQLite file: opened with a clear message, written in transactions, closed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from dupai.base import FileError, notify

#: Seconds to wait for another process that has locked the file, and after which the user is told.
PATIENCE, _SILENCE = 30.0, 1.0
#: Seconds in SQLite itself, where Ctrl-C is not noticed.
_SLICE = 0.2


def patiently(db: sqlite3.Connection, file: str, query: str, values: Any = ()) -> sqlite3.Cursor:
    """Run a query; while another process has locked the file, say so and try again.

    Raises:
        sqlite3.Error: as SQLite does; after 30 seconds also where the file is still locked.
    """
    start, told = time.monotonic(), False
    while True:
        try:
            return db.execute(query, values)
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            waited = time.monotonic() - start
            if not busy or waited > PATIENCE:
                raise
            if waited > _SILENCE and not told:
                told = True
                notify(
                    f"dupai: {file!r} is locked by another process: waiting up to {PATIENCE:.0f} s for it "
                    "(Ctrl-C stops waiting)"
                )
            # SQLite itself waits no time at all for some locks.
            time.sleep(_SLICE / 4)


class Database:
    """A SQLite file; derive from it and make or check its tables in :meth:`open`.

    Args:
        file: made where it is missing.
        purpose: what the file is, for messages ("results file").

    Raises:
        FileError: it cannot be made or read, or is no such file.
    """

    def __init__(self, file: str | os.PathLike[str], purpose: str) -> None:
        self.file = os.fspath(file)
        self._purpose = purpose
        if Path(file).is_dir():
            raise self.error("it is a folder: expected the name of a file")
        if not Path(file).absolute().parent.is_dir():
            raise self.error("it cannot be opened: there is no folder to hold it")
        try:
            # Transactions are opened by hand.
            self._db = sqlite3.connect(file, timeout=_SLICE, isolation_level=None)
        except (sqlite3.Error, ValueError) as error:
            raise self.error(f"it cannot be opened: {error}") from None
        try:
            with self.reading():
                # No function of a file's own tables is run.
                self._db.execute("pragma trusted_schema = off")
                if self.row("select count(*) from sqlite_master where type in ('view', 'trigger')") != (0,):
                    raise self.error(f"it is no {purpose}: it holds views or triggers")
                self.open()
        except BaseException:
            self._db.close()
            raise

    def open(self) -> None:
        """Make the tables, or check them."""

    def error(self, reason: str) -> FileError:
        """The error of this file."""
        return FileError(f"{self.place}: {reason}", path=self.file)

    @property
    def place(self) -> str:
        """The file as messages name it."""
        return f"{self._purpose} {self.file!r}"

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Inside, errors of SQLite are those of the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise self.error(f"it cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise self.error(f"it is no {self._purpose}: {error}") from None
        except UnicodeDecodeError:
            # SQLite quotes what it found in a damaged file.
            raise self.error(f"it is no {self._purpose}: its contents are damaged") from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it is on disk when the block ends, or none of it if the block raises."""
        with self.reading():
            self.execute("begin immediate")
            try:
                yield
                self.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

    def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        """A query, with patience where another process has locked the file."""
        return patiently(self._db, self.file, query, values)

    def row(self, query: str, *values: Any) -> Any:
        """The first row of a query; None where there is none."""
        with self.reading():
            return self.execute(query, *values).fetchone()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """All rows of a query."""
        with self.reading():
            return self.execute(query, *values).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
