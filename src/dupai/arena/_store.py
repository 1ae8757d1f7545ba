"""Results in a SQLite file as they come, so that a run that is killed goes on where it was.

One row of ``runs`` a run, with its configuration; one row of ``blocks`` a unit of work (a match, or a block of deals),
written in one transaction each when it is done. Write-ahead log, and the version of the tables in ``user_version``.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from dupai.base import ConfigError, DupaiError, FileError
from dupai.base.files import file_faults, from_json, from_plain
from dupai.jobs import Database, first_difference, patiently, preload_in_workers

#: Version of the tables (1 had no checkpoints).
SCHEMA = 2
#: Seconds of play between two checkpoints of a long unit of work (see :class:`Checkpoint`).
CHECKPOINT_SECONDS = 10.0

# Worker processes load agents and compiled rules once, in the server that they are forked from.
preload_in_workers("dupai.arena._warm")


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a results file.

    Attributes:
        id: its number in the file.
        kind: the name of its format.
        started, finished: UTC, ISO 8601; ``finished`` None: it was stopped, or is going on.
        version: of dupai.
        done, blocks: units of work written, and all of them.
        config: as the run's result carries it.
        result: the result; None: not finished.
    """

    id: int
    kind: str
    started: str
    finished: str | None
    version: str
    done: int
    blocks: int
    config: dict[str, Any]
    result: dict[str, Any] | None = None


class _Labelled(msgspec.Struct):
    """What every configuration has."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Checkpoint:
    """Where a unit of work that takes long writes how far it is, in the process that plays it: state of the agents
    (``save()``) and of the table. It goes when the unit or its run is done."""

    file: str
    run: int
    block: int
    seconds: float = CHECKPOINT_SECONDS

    def read(self) -> bytes | None:
        """What was written last, if anything."""
        row = self._run("select data from checkpoints where run = ? and block = ?", self.run, self.block)
        return None if row is None or not isinstance(row[0], bytes) else row[0]

    def write(self, data: bytes) -> None:
        """Replace what was written last, in one transaction."""
        self._run("insert or replace into checkpoints values (?, ?, ?, ?)", self.run, self.block, _now(), data)

    def _run(self, query: str, *values: object) -> Any:
        try:
            with closing(sqlite3.connect(self.file, timeout=0.2, isolation_level=None)) as db:
                return patiently(db, self.file, query, values).fetchone()
        except sqlite3.Error as error:
            raise FileError(f"results file {self.file!r}: it cannot be used: {error}", path=self.file) from None


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Store(Database):
    """A results file.

    Args:
        file: made where it is missing.
        resume: let :meth:`log` go on with the latest run of its kind that was not finished.
        create: make the file; else it has to exist.

    Raises:
        FileError: it cannot be made or read, is no results file, or one of a later version.
    """

    def __init__(self, file: str | os.PathLike[str], *, resume: bool = False, create: bool = True) -> None:
        self.resume = resume
        if os.fspath(file) == ":memory:":
            raise FileError("results file ':memory:': expected the name of a file", path=file)
        if not create and not (os.path.exists(file) and os.path.getsize(file)):
            message = f"no results file {os.fspath(file)!r}: expected one that --results has written"
            raise FileError(message, path=file)
        super().__init__(file, "results file")

    def open(self) -> None:
        """Make the tables, or bring those of an earlier version up to date."""
        (version,) = self.execute("pragma user_version").fetchone()
        if version not in (0, 1, SCHEMA):
            raise self.error(f"its tables have version {version}, this dupai knows {SCHEMA}")
        if version == 0:
            # A file of somebody else stays as it is; one that another process is just making has a version by now.
            tables = self.execute("select count(*) from sqlite_master").fetchone()[0]
            (version,) = self.execute("pragma user_version").fetchone()
            if version == 0 and tables:
                raise self.error("it is no results file: it holds other tables")
            self.execute("pragma journal_mode = wal")
        if version != SCHEMA:
            with self.writing():
                # Another process may have been faster.
                (version,) = self.execute("pragma user_version").fetchone()
                if version == 0 and self.execute("select count(*) from sqlite_master").fetchone()[0]:
                    raise self.error("it is no results file: it holds other tables")
                statements = Path(__file__).with_name("results.sql").read_text(encoding="utf-8").split(";")[:-1]
                for statement in statements[{0: 0, 1: 2, SCHEMA: 3}[version] :]:
                    self.execute(statement)
                self.execute(f"pragma user_version = {SCHEMA}")
        self.execute("pragma synchronous = full")

    def log(self, kind: str, config: msgspec.Struct, blocks: int, read: Callable[[Any], Any]) -> RunLog:
        """Begin a run; with ``resume`` go on with the latest of this kind that was not finished, if there is one.

        A run keeps the key that it was begun with: one that is drawn anew is no other configuration.

        Raises:
            ConfigError: that one has another configuration; names the key.
        """
        from dupai.base import __version__

        asked = msgspec.json.decode(msgspec.json.encode(config))
        if self.resume:
            keys = {r.id: r.config.get("key", "") for r in self.runs() if r.kind == kind}
            runs = [_completed(r, type(config), asked.get("key")) for r in self.runs() if r.kind == kind]
            same = [r for r in runs if r.config == asked and r.version == __version__ and r.blocks == blocks]
            for run in [r for r in reversed(same) if r.finished is None] + same[::-1]:
                return RunLog(self, run.id, read, keys[run.id])
            for run in reversed([r for r in runs if r.finished is None]):
                raise ConfigError(f"--resume: run {run.id} of {self.file!r} {_difference(run, asked, __version__)}")
        with self.writing():
            row = self.execute(
                "insert into runs (kind, started, config, version, blocks) values (?, ?, ?, ?, ?) returning id",
                *(kind, _now(), msgspec.json.encode(asked).decode(), __version__, blocks),
            ).fetchone()
        return RunLog(self, row[0], read, asked.get("key", ""))

    def runs(self) -> list[RunInfo]:
        """All runs, without their results."""
        rows = self.rows(
            "select id, kind, started, finished, version, (select count(*) from blocks where run = id), blocks, config "
            "from runs order by id"
        )
        return [self._info(row) for row in rows]

    def _info(self, row: Sequence[Any]) -> RunInfo:
        place = self.run_place(row[0])
        values = dict(zip(("id", "kind", "started", "finished", "version", "done", "blocks"), row, strict=False))
        values["config"] = from_json(row[7], dict[str, Any], f"{place}, config", self.file)
        from_plain(values["config"], _Labelled, f"{place}, config", self.file)
        info: RunInfo = from_plain(values, RunInfo, place, self.file)
        return info

    def run_place(self, run: object, block: object = None) -> str:
        """A run as messages name it, or one of its units."""
        return f"{self.place}, run {run!r}" + ("" if block is None else f", block {block!r}")

    def run(self, number: int | None = None) -> RunInfo:
        """One run (default: the last) with its result.

        Raises:
            ConfigError: there is none of this number.
        """
        runs = {run.id: run for run in self.runs()}
        if not runs:
            raise ConfigError(f"{self.file!r} holds no runs")
        number = max(runs) if number is None else number
        if number not in runs:
            raise ConfigError(f"no run {number} in {self.file!r}: expected one of {', '.join(map(str, runs))}")
        (result,) = self.row("select result from runs where id = ?", number)
        if result is not None:
            result = from_json(result, dict[str, Any], f"{self.run_place(number)}, result", self.file)
        return msgspec.structs.replace(runs[number], result=result)

    def blocks(self, run: int) -> dict[int, Any]:
        """Units of work of a run that are done, by number, as JSON has them."""
        rows = self.rows("select block, data from blocks where run = ? order by block", run)
        return {self._number(run, block): self._unit(run, block, data) for block, data in rows}

    def block(self, run: int, block: int) -> Any | None:
        """One unit of work as JSON has it; None where it is not done."""
        row = self.row("select data from blocks where run = ? and block = ?", run, block)
        return None if row is None else self._unit(run, block, row[0])

    def _unit(self, run: int, block: int, data: Any) -> Any:
        return from_json(data, Any, self.run_place(run, block), self.file)

    def _number(self, run: int, block: Any) -> int:
        number: int = from_plain(block, int, self.run_place(run, block), self.file)
        return number

    def put(self, run: int, block: int, data: object) -> None:
        """Write a unit of work that is done."""
        with self.writing():
            self.execute(
                "insert or ignore into blocks (run, block, written, data) values (?, ?, ?, ?)",
                *(run, block, _now(), msgspec.json.encode(data).decode()),
            )
            self.execute("delete from checkpoints where run = ? and block = ?", run, block)

    def checkpoints(self, run: int) -> dict[int, bytes]:
        """Units of work of a run that are begun and not done, by number, as they were written last."""
        rows = self.rows("select block, data from checkpoints where run = ? order by block", run)
        if not all(isinstance(data, bytes) for _, data in rows):
            raise self.error(f"run {run}: a checkpoint is text or a number")
        return {self._number(run, block): data for block, data in rows}

    def finish(self, run: int, result: object) -> None:
        """Write the result of a run; units that were begun and are not needed for it are forgotten."""
        with self.writing():
            self.execute(
                "update runs set finished = ?, result = ? where id = ? and finished is null",
                *(_now(), msgspec.json.encode(result).decode(), run),
            )
            self.execute("delete from checkpoints where run = ?", run)


class RunLog:
    """One run of a :class:`Store` while it is played: it keeps finished units (:class:`dupai.jobs.Pieces`)."""

    def __init__(self, store: Store, run: int, read: Callable[[Any], Any], key: str = "") -> None:
        self._store, self.run, self._read, self.key = store, run, read, key
        #: whether a unit was in the file already
        self.taken_up = False

    def get(self, block: int) -> Any | None:
        """A unit that is done, else None."""
        data = self._store.block(self.run, block)
        if data is None:
            return None
        self.taken_up = True
        with file_faults(self._store.run_place(self.run, block), self._store.file):
            return self._read(data)

    @contextmanager
    def summing_up(self) -> Iterator[None]:
        """Inside, units of the file that do not fit together are an error of the file."""
        with file_faults(self._store.run_place(self.run), self._store.file) if self.taken_up else nullcontext():
            yield

    def put(self, block: int, unit: Any) -> Any:
        """Write a unit that is done."""
        self._store.put(self.run, block, unit.to_builtins() if hasattr(unit, "to_builtins") else unit)
        return unit

    def checkpoint(self, block: int) -> Checkpoint:
        """Where the task of a unit saves its state."""
        return Checkpoint(os.path.abspath(self._store.file), self.run, block)

    def finish(self, result: object) -> None:
        self._store.finish(self.run, result)


def _completed(run: RunInfo, kind: type[msgspec.Struct], key: str | None) -> RunInfo:
    """The run with the settings that did not exist when it was begun, as they then were, and with ``key`` if it has
    one."""
    try:
        full = msgspec.json.decode(msgspec.json.encode(msgspec.convert(run.config, kind)))
    except (msgspec.ValidationError, DupaiError):
        return run
    return msgspec.structs.replace(run, config=full | ({"key": key} if key and full["key"] else {}))


def _difference(run: RunInfo, config: dict[str, Any], version: str) -> str:
    """How a run differs from what is asked for, by its first key."""
    if run.config == config:
        return f"was begun by dupai {run.version}, this is {version}: expected the same, or a new run without --resume"
    key, old, new = first_difference(run.config, config)
    return f"has {key} = {old!r}, this one {new!r}: expected the same configuration, or a new run without --resume"
