"""Results in a SQLite file as they come, so that a run that is killed goes on where it was.

One row of ``runs`` a run, with its configuration; one row of ``blocks`` a unit of work (a match, or a block of deals),
written in one transaction each when it is done. Write-ahead log, and the version of the tables in ``user_version``.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from dupai.base import ConfigError, HistoryError
from dupai.jobs import Backend, Tick, Work, preload_in_workers

#: Version of the tables (1 had no checkpoints).
SCHEMA = 2
#: Seconds of play between two checkpoints of a long unit of work (see :class:`Checkpoint`).
CHECKPOINT_SECONDS = 20.0

_CHECKPOINTS = """
create table checkpoints (
    run integer not null references runs (id),
    block integer not null,
    written text not null,
    data blob not null,
    primary key (run, block)
) strict, without rowid
"""

_TABLES = """
create table runs (
    id integer primary key,
    kind text not null,
    started text not null,
    finished text,
    config text not null,
    version text not null,
    blocks integer not null,
    result text
) strict;
create table blocks (
    run integer not null references runs (id),
    block integer not null,
    written text not null,
    data text not null,
    primary key (run, block)
) strict, without rowid;
"""

# Worker processes load agents and compiled rules once, in the server that they are forked from.
preload_in_workers("dupai.arena._warm")

Kind = Literal["match", "tournament", "ladder", "sprt", "cash", "rollout"]


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a results file.

    Attributes:
        id: its number in the file.
        kind: ``"match"``, ``"tournament"``, ``"ladder"``, ``"sprt"``, ``"cash"`` or
            ``"rollout"``.
        started, finished: UTC, ISO 8601; ``finished`` None: it was stopped, or is going on.
        version: of dupai.
        done, blocks: units of work written, and all of them.
        config: as the run's result carries it.
        result: the result; None: not finished.
    """

    id: int
    kind: Kind
    started: str
    finished: str | None
    version: str
    done: int
    blocks: int
    config: dict[str, Any]
    result: dict[str, Any] | None = None


@dataclass(frozen=True)
class Checkpoint:
    """Where a unit of work that takes long writes how far it is, in the process that plays it: state of the agents
    (``save()``) and of the table. It goes when the unit is done."""

    file: str
    run: int
    block: int
    seconds: float = CHECKPOINT_SECONDS

    def read(self) -> bytes | None:
        """What was written last, if anything."""
        with closing(sqlite3.connect(self.file, timeout=30)) as db:
            row = db.execute(
                "select data from checkpoints where run = ? and block = ?", (self.run, self.block)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def write(self, data: bytes) -> None:
        """Replace what was written last, in one transaction."""
        with closing(sqlite3.connect(self.file, timeout=30)) as db, db:
            db.execute("insert or replace into checkpoints values (?, ?, ?, ?)", (self.run, self.block, _now(), data))


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Store:
    """A results file.

    Args:
        file: made where it is missing.
        resume: let :meth:`log` go on with the latest run of its kind that was not finished.
        create: make the file; else it has to exist.

    Raises:
        ConfigError: it cannot be made or read.
        HistoryError: it is no results file, or one of a later version.
    """

    def __init__(self, file: str | os.PathLike[str], *, resume: bool = False, create: bool = True) -> None:
        self.file = str(file)
        self.resume = resume
        if not create and not os.path.exists(file):
            raise ConfigError(f"no results file {self.file!r}: expected one that --results has written")
        if Path(file).is_dir():
            raise ConfigError(f"results file {self.file!r} is a folder: expected the name of a file")
        if not Path(file).absolute().parent.is_dir():
            raise ConfigError(f"results file {self.file!r} cannot be opened: there is no folder to hold it")
        try:
            # Transactions are opened by hand.
            self._db = sqlite3.connect(file, timeout=30, isolation_level=None)
        except sqlite3.Error as error:
            raise ConfigError(f"results file {self.file!r} cannot be opened: {error}") from None
        try:
            with self._guarded():
                self._open()
        except BaseException:
            self._db.close()
            raise

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise ConfigError(f"results file {self.file!r} cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise HistoryError(f"{self.file}: no results file: {error}") from None

    @contextmanager
    def _write(self) -> Iterator[None]:
        with self._guarded():
            self._db.execute("begin immediate")
            try:
                yield
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    def _open(self) -> None:
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version == 0:
            self._db.execute("pragma journal_mode = wal")
            with self._write():
                # Another process may have been faster.
                (version,) = self._db.execute("pragma user_version").fetchone()
                if version == 0:
                    if self._db.execute("select count(*) from sqlite_master").fetchone()[0]:
                        raise HistoryError(f"{self.file}: no results file: it holds other tables")
                    for statement in [*_TABLES.split(";")[:-1], _CHECKPOINTS]:
                        self._db.execute(statement)
                    self._db.execute(f"pragma user_version = {SCHEMA}")
        elif version == 1:
            with self._write():
                if self._db.execute("pragma user_version").fetchone() == (1,):
                    self._db.execute(_CHECKPOINTS)
                    self._db.execute(f"pragma user_version = {SCHEMA}")
        elif version != SCHEMA:
            raise HistoryError(f"{self.file}: tables of version {version}: this dupai knows {SCHEMA}")
        self._db.execute("pragma synchronous = full")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def log(self, kind: Kind, config: msgspec.Struct, blocks: int) -> RunLog:
        """Begin a run; with ``resume`` go on with the latest of this kind that was not finished, if there is one.

        Raises:
            ConfigError: that one has another configuration; names the key.
        """
        from dupai import __version__

        wanted = msgspec.json.decode(msgspec.json.encode(config))
        if self.resume:
            runs = [_completed(r, type(config)) for r in self.runs() if r.kind == kind]
            same = [r for r in runs if r.config == wanted and r.version == __version__ and r.blocks == blocks]
            for run in [r for r in reversed(same) if r.finished is None] + same[::-1]:
                return RunLog(self, run.id)
            for run in reversed([r for r in runs if r.finished is None]):
                raise ConfigError(f"--resume: run {run.id} of {self.file!r} {_difference(run, wanted, __version__)}")
        with self._write():
            row = self._db.execute(
                "insert into runs (kind, started, config, version, blocks) values (?, ?, ?, ?, ?) returning id",
                (kind, _now(), msgspec.json.encode(wanted).decode(), __version__, blocks),
            ).fetchone()
        return RunLog(self, row[0])

    def runs(self) -> list[RunInfo]:
        """All runs, without their results."""
        with self._guarded():
            rows = self._db.execute(
                "select id, kind, started, finished, version, "
                "(select count(*) from blocks where run = id), blocks, config from runs order by id"
            ).fetchall()
        keys = ("id", "kind", "started", "finished", "version", "done", "blocks")
        return [RunInfo(**dict(zip(keys, row, strict=False)), config=msgspec.json.decode(row[7])) for row in rows]

    def run(self, number: int | None = None) -> RunInfo:
        """One run (default: the last) with its result.

        Raises:
            ConfigError: there is none of this number.
        """
        runs = self.runs()
        if not runs:
            raise ConfigError(f"{self.file!r} holds no runs")
        number = runs[-1].id if number is None else number
        found = next((r for r in runs if r.id == number), None)
        if found is None:
            raise ConfigError(f"no run {number} in {self.file!r}: expected one of {', '.join(str(r.id) for r in runs)}")
        with self._guarded():
            (result,) = self._db.execute("select result from runs where id = ?", (number,)).fetchone()
        return msgspec.structs.replace(found, result=None if result is None else msgspec.json.decode(result))

    def blocks(self, run: int) -> dict[int, Any]:
        """The units of work of a run that are done, by number."""
        with self._guarded():
            rows = self._db.execute("select block, data from blocks where run = ? order by block", (run,)).fetchall()
        return {block: msgspec.json.decode(data) for block, data in rows}

    def put(self, run: int, block: int, data: object) -> None:
        """Write a unit of work that is done."""
        with self._write():
            self._db.execute(
                "insert or ignore into blocks (run, block, written, data) values (?, ?, ?, ?)",
                (run, block, _now(), msgspec.json.encode(data).decode()),
            )
            self._db.execute("delete from checkpoints where run = ? and block = ?", (run, block))

    def checkpoints(self, run: int) -> dict[int, bytes]:
        """Units of work of a run that are begun and not done, by number, as they were written last."""
        with self._guarded():
            rows = self._db.execute("select block, data from checkpoints where run = ? order by block", (run,))
            return {block: bytes(data) for block, data in rows}

    def finish(self, run: int, result: object) -> None:
        """Write the result of a run."""
        with self._write():
            self._db.execute(
                "update runs set finished = ?, result = ? where id = ? and finished is null",
                (_now(), msgspec.json.encode(result).decode(), run),
            )


class RunLog:
    """One run of a :class:`Store` while it is played."""

    def __init__(self, store: Store, run: int) -> None:
        self.run = run
        self._store = store

    def done(self) -> dict[int, Any]:
        return self._store.blocks(self.run)

    def put(self, block: int, data: object) -> None:
        self._store.put(self.run, block, data)

    def checkpoint(self, block: int) -> Checkpoint:
        return Checkpoint(os.path.abspath(self._store.file), self.run, block)

    def finish(self, result: object) -> None:
        self._store.finish(self.run, result)


def _completed(run: RunInfo, kind: type[msgspec.Struct]) -> RunInfo:
    """The run with the settings that did not exist when it was begun, as they then were."""
    try:
        full = msgspec.json.decode(msgspec.json.encode(msgspec.convert(run.config, kind)))
    except msgspec.ValidationError:
        return run
    return msgspec.structs.replace(run, config=full)


def _difference(run: RunInfo, wanted: dict[str, Any], version: str) -> str:
    """How a run differs from what is wanted, by its first key."""
    if run.config == wanted:
        return f"was begun by dupai {run.version}, this is {version}: expected the same, or a new run without --resume"

    def first(a: Any, b: Any, path: str) -> tuple[str, Any, Any]:
        if isinstance(a, dict) and isinstance(b, dict):
            for key in [*b, *(k for k in a if k not in b)]:
                if a.get(key) != b.get(key):
                    return first(a.get(key), b.get(key), f"{path}.{key}" if path else key)
        return path, a, b

    key, old, new = first(run.config, wanted, "")
    return f"has {key} = {old!r}, this one {new!r}: expected the same configuration, or a new run without --resume"


def run_logged(
    backend: Backend, work: Work, tasks: Sequence[Any], tick: Tick, log: RunLog | None, kind: Any
) -> dict[int, Any]:
    """Run tasks; those that are in the log are taken from there, others go into it as soon as they are done.

    ``kind`` is the type of the results: with ``to_builtins`` and ``from_builtins``, or a msgspec struct; ``complete``
    says whether one is worth keeping.
    """
    return dict(stream_logged(backend, work, tasks, tick, log, kind))


def reader(kind: Any) -> Callable[[Any], Any]:
    """What makes results of ``kind`` from a row of the file."""
    made: Callable[[Any], Any] = getattr(kind, "from_builtins", None) or (lambda data: msgspec.convert(data, kind))
    return made


def stream_logged(
    backend: Backend, work: Work, tasks: Sequence[Any], tick: Tick, log: RunLog | None, kind: Any
) -> Iterator[tuple[int, Any]]:
    """As :func:`run_logged`, result by result: those of the log first, in their order, then as they come. Tasks that
    can have a ``checkpoint`` are told where to write one."""
    found: set[int] = set()
    if log is not None:
        read = reader(kind)
        for block, data in log.done().items():
            if 0 <= block < len(tasks):
                found.add(block)
                yield block, read(data)
        if not tick(len(found), 0):
            return
    todo = [i for i in range(len(tasks)) if i not in found]
    given = [tasks[i] for i in todo]
    if log is not None:
        given = [
            replace(t, checkpoint=log.checkpoint(i)) if getattr(t, "checkpoints", False) else t
            for i, t in zip(todo, given, strict=True)
        ]
    before = len(found)
    for place, result in backend.run(work, given, lambda done, hands: tick(before + done, hands)):
        if result is None:
            continue
        if log is not None and result.complete:
            log.put(todo[place], result.to_builtins() if hasattr(result, "to_builtins") else result)
        yield todo[place], result
