"""A SQLite file: opened with a clear message, written in transactions, closed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from dupai.base import FileError


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
            self._db = sqlite3.connect(file, timeout=30, isolation_level=None)
        except sqlite3.Error as error:
            raise self.error(f"it cannot be opened: {error}") from None
        try:
            with self.reading():
                self.open()
        except BaseException:
            self._db.close()
            raise

    def open(self) -> None:
        """Make the tables, or check them."""

    def error(self, reason: str) -> FileError:
        """The error of this file."""
        return FileError(f"{self._purpose} {self.file!r}: {reason}", path=self.file)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Inside, errors of SQLite are those of the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise self.error(f"it cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise self.error(f"it is no {self._purpose}: {error}") from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it is on disk when the block ends, or none of it if the block raises."""
        with self.reading():
            self._db.execute("begin immediate")
            try:
                yield
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    def row(self, query: str, *values: Any) -> Any:
        """The first row of a query; None where there is none."""
        with self.reading():
            return self._db.execute(query, values).fetchone()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """All rows of a query."""
        with self.reading():
            return self._db.execute(query, values).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
