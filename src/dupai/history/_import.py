"""Files into the store: block by block, each part written whole, all of them put in place by one rename."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dupai.base import ConfigError, DupaiError, FileError, NoProgress, Printable, Progress
from dupai.base.files import disk_faults, lock_file, read_json_file
from dupai.history._entries import NoHands, file_kind
from dupai.history._once import Seen, merge_cards, stored_hands
from dupai.history._readers import Job, Journal, Stale, compile_kernels, read_hands, read_log
from dupai.history._schema import HANDS_PER_SOURCE, need_pyarrow
from dupai.history._store import Manifest, Store, read_manifest
from dupai.jobs import Backend, Pulse, stream
from dupai.rules import GameSpec

#: Bytes of log text in one part.
BLOCK = 2 << 20
#: Hands in one part of files that are read hand by hand.
PART_HANDS = 20_000
#: What a report takes from a journal or manifest, as far as that has it.
_COMMON = ("hands", "actions", "rejected", "mismatches", "unproven", "again", "game", "why", "notes")


class ImportReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """What importing one file did.

    Attributes:
        file: The path as given.
        status: ``imported``; ``unchanged`` (its text is in the store already); ``stopped`` (early: importing it again
            continues from there); ``skipped`` (it has no hands, as ``notes`` says: a tournament's summary); ``failed``
            (nothing was written; ``error`` says why).
        source: Its number in the store, 0 if it failed.
        hands, actions: Rows in the store.
        rejected: Lines that were not taken, listed in the file ``rejects``; ``mismatches`` of them are hands whose
            payoffs are wrong.
        again: Hands that were in the store already: but for logs, a hand is counted once.
        unproven: Hands taken whose showdown cards are not all known.
        seconds: Time spent, with decompression.
        resumed: Parts that an earlier import, stopped or killed, had finished.
        game, why: The game and why it was chosen.
        notes: Remarks.
    """

    file: str
    status: str = ""
    source: int = 0
    hands: int = 0
    actions: int = 0
    rejected: int = 0
    mismatches: int = 0
    unproven: int = 0
    again: int = 0
    seconds: float = 0.0
    resumed: int = 0
    game: str = ""
    why: str = ""
    rejects: str = ""
    error: str = ""
    notes: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.file}: {self.status}, {self.hands:,} hands, {self.rejected} rejected" + (
            f", {self.error}" if self.error else ""
        )


def import_file(
    path: str | PathLike[str],
    store: Store | str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    block: int = BLOCK,
    part_hands: int = PART_HANDS,
) -> ImportReport:
    """Put the hands of a file into a store: an ACPC log, PHH or a poker site's text, plain, ``.xz`` or ``.gz``.

    The source is in the store whole or not at all. Importing the same text again changes nothing; an import that was
    stopped or killed continues with the first part that it had not finished, and ends with the same files.
    Hands that do not reconcile (see :func:`dupai.history.verify_file`) are left out and listed, with line and reason.
    Memory does not grow with the file, but by the keys of its hands (some 70 bytes each).

    Args:
        path: The file.
        store: The store, or its folder (created if absent).
        spec: The game of a log; None: the one that its header names, or that its hands fit. PHH and sites state theirs.
        progress: Gets bytes of the file; when it is cancelled the import stops and can be resumed.
        block: Bytes of log text in each part; ``part_hands``: hands in each part of other files.

    Raises:
        FileError: the file cannot be read; the store cannot be used; another process imports this file.
        HistoryError: the file has no hands (:class:`NoHands`: it is in order all the same).
        ConfigError: no game was given and none fits; the hands are in the store with another game.
        MissingPackage: pyarrow is not installed.
    """
    need_pyarrow()
    compile_kernels()
    start = time.perf_counter()
    name = str(path)
    progress = progress or NoProgress()
    kind = file_kind(name)
    digest = _file_hash(name)
    if not isinstance(store, Store):
        store = Store(store, create=True)
    requested = "" if spec is None or kind != "acpc" else msgspec.json.encode(spec).decode()
    sources = store.sources()
    for known in sources:
        if known.file_hash == digest:
            return _unchanged(name, store, known, requested, start)
    seen = stored_hands(store) if kind != "acpc" else None
    fresh = Journal(kind=kind, spec=requested, block=block if kind == "acpc" else part_hands)
    with _claim(store, digest) as (folder, number):
        job = Job(folder, number, _journal(folder, fresh))
        try:
            try:
                done = _read(name, spec, progress, job, seen)
            except Stale:
                _empty(folder)
                job = Job(folder, number, fresh)
                done = _read(name, spec, progress, job, seen)
        except DupaiError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        j = job.journal
        if done is None:
            if not j.done:
                shutil.rmtree(folder, ignore_errors=True)
            return _report(j, start, file=name, status="stopped", source=number, resumed=job.resumed)
        text_hash = job.hash.hexdigest()
        fields = {f: getattr(j, f) for f in Manifest.__struct_fields__ if f in Journal.__struct_fields__}
        fields |= done._asdict() | {"parts": tuple(j.parts), "file_hash": digest, "text_hash": text_hash}
        manifest = Manifest(number=number, file=Path(name).name, **fields)
        with _lock(store.path / ".lock", wait=True):
            for known in store.sources():
                if known.text_hash == text_hash:
                    shutil.rmtree(folder, ignore_errors=True)
                    return _unchanged(name, store, known, requested, start)
            job.finish(manifest)
            place = store.path / "sources" / folder.name
            with disk_faults(f"{folder}: cannot be put in place", folder):
                folder.rename(place)
            if seen is not None:
                manifest = _once(store, place, seen, alone=len(store.sources()) == len(sources) + 1)
    return _source_report(name, store, manifest, "imported", start, job.resumed)


def _once(store: Store, place: Path, seen: Seen, *, alone: bool) -> Manifest:
    """Make the hands of a source that was just put in place count once. Unless it was ``alone``, another import may
    have brought the same hands meanwhile."""
    if not alone:
        stored_hands(store, place)
    merge_cards(store, seen)
    return read_manifest(place)


def _read(path: str, spec: GameSpec | None, progress: Progress, job: Job, seen: Seen | None) -> Any:
    return read_log(path, spec, progress, job) if seen is None else read_hands(path, progress, job, seen)


def _unchanged(name: str, store: Store, known: Manifest, requested: str, start: float) -> ImportReport:
    if requested and known.kind == "acpc" and requested != (known.spec or _played_spec(store, known)):
        raise ConfigError(
            f"{name}: these hands are in the store already, as source {known.number} with the game {known.game}: "
            "to import them with another game use another store",
            key="game",
            path=name,
        )
    return _source_report(name, store, known, "unchanged", start)


def _played_spec(store: Store, known: Manifest) -> str:
    """The game of a log in the store, as the manifest writes one that was requested; empty if it has no hands."""
    record = next(store.records([known.number * HANDS_PER_SOURCE]), None) if known.hands else None
    return "" if record is None else msgspec.json.encode(record.spec).decode()


def _report(counts: Journal | Manifest, start: float, **fields: Any) -> ImportReport:
    """A report with the counts of a journal or manifest, and a manifest's game."""
    common = {f: getattr(counts, f) for f in _COMMON if hasattr(counts, f)}
    return ImportReport(**common, **fields, seconds=time.perf_counter() - start)


def _source_report(
    name: str, store: Store, manifest: Manifest, status: str, start: float, resumed: int = 0
) -> ImportReport:
    folder = next(f for f in store.folders() if f.name.startswith(f"{manifest.number:06}-"))
    rejects = str(folder / "rejects.tsv") if manifest.rejected else ""
    source = manifest.number
    return _report(manifest, start, file=name, status=status, source=source, resumed=resumed, rejects=rejects)


class _Task(NamedTuple):
    """One file to import. The worker gets paths, so that it may run anywhere the files can be reached."""

    path: str
    store: Path
    spec: GameSpec | None

    @property
    def name(self) -> str:
        """The file, for messages."""
        return self.path


def _import(task: _Task, pulse: Pulse) -> ImportReport:
    start = time.perf_counter()
    try:
        return import_file(task.path, task.store, task.spec, progress=pulse)
    except DupaiError as error:
        message, seconds = str(error).removeprefix(f"{task.path}: "), time.perf_counter() - start
        if isinstance(error, NoHands):
            return ImportReport(file=task.path, status="skipped", seconds=seconds, notes=(message,))
        return ImportReport(file=task.path, status="failed", seconds=seconds, error=message)


def import_files(
    paths: Iterable[str | PathLike[str]],
    store: Store | str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    backend: Backend | str | None = None,
    jobs: int = 1,
) -> list[ImportReport]:
    """Import several files; one that cannot be imported is reported as ``failed``, the others are imported.

    Files are shared out by :mod:`dupai.jobs`; several at a time are numbered as one after another would be (a file that
    fails, or holds the text of another under other bytes, leaves its number unused). What is finished is kept in the
    store itself: an import that was stopped or killed continues with the first unfinished part of each file. Files that
    were not begun when ``progress`` was cancelled are missing from the reports.

    Args:
        backend: Where the files are imported (see :func:`dupai.jobs.make_backend`); None: here, or in ``jobs``
            processes. All workers must reach the files and the store by the same paths.
        jobs: How many files at a time.

    Raises:
        FileError: the store cannot be used.
        MissingPackage: pyarrow is not installed.
        WorkerError: the worker of one file died several times.
    """
    need_pyarrow()
    if not isinstance(store, Store):
        store = Store(store, create=True)
    if progress is not None and progress.cancelled:
        return []
    here = Path.cwd()
    tasks = [_Task(str(path), here / store.path, spec) for path in paths]
    one_by_one = jobs == 1 and backend in (None, "serial", "local")
    folders, repeated = ([], []) if one_by_one else _reserve(store, tasks)
    first = [i for i in range(len(tasks)) if i not in repeated]
    reports: dict[int, ImportReport] = {}
    try:
        for numbers, place in ((first, backend), (repeated, "serial")):
            some = [tasks[i] for i in numbers]
            for i, report in stream(_import, some, backend=place, jobs=jobs, progress=progress, note="files"):
                reports[numbers[i]] = report
    finally:
        for folder in folders:
            with suppress(OSError):
                folder.rmdir()  # it is empty: the import was never begun
    return [reports[i] for i in sorted(reports)]


def _reserve(store: Store, tasks: Iterable[_Task]) -> tuple[list[Path], list[int]]:
    """Give the files their numbers in order, before they are imported in any order.

    Returns the folders made for them, and which files hold the same bytes as an earlier one: there is nothing to do
    for those once that one is in the store."""
    digests = [manifest.file_hash for manifest in store.sources()]
    folders, repeated = [], []
    for i, task in enumerate(tasks):
        with suppress(FileError):
            digest = _file_hash(task.path)
            if digest in digests:
                repeated.append(i)
                continue
            digests.append(digest)
            with _claim(store, digest) as (folder, _):
                folders.append(folder)
    return folders, repeated


def _file_hash(path: str) -> str:
    with disk_faults(f"{path}: cannot be read", path), Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _journal(folder: Path, fresh: Journal) -> Journal:
    """The journal of an earlier import of this file; a fresh one (and an empty folder) if that one does not fit."""
    try:
        journal = read_json_file(folder / "journal.json", "journal", Journal)
        if all(getattr(journal, k) == getattr(fresh, k) for k in ("version", "block", "kind", "spec")):
            return journal
    except FileError:
        pass
    _empty(folder)
    return fresh


def _empty(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


@contextmanager
def _claim(store: Store, digest: str) -> Iterator[tuple[Path, int]]:
    """The folder in which a file with this hash is imported, and its number; it is closed to other processes."""
    importing = store.path / "importing"
    with disk_faults(f"{store.path}: the store cannot be written", store.path):
        importing.mkdir(exist_ok=True)
        with _lock(store.path / ".lock", wait=True):
            earlier = sorted(importing.glob(f"*-{digest[:16]}"))
            if earlier:
                folder = earlier[0]
            else:
                folders = (p for place in ("sources", "importing") for p in (store.path / place).glob("*-*"))
                number = max((int(p.name.split("-")[0]) for p in folders), default=0) + 1
                folder = importing / f"{number:06}-{digest[:16]}"
                folder.mkdir()
    lock = importing / f".{digest[:16]}"
    with _lock(lock, wait=False):
        if not folder.is_dir():
            raise FileError(f"{store.path}: another process has just imported this file", path=store.path)
        try:
            yield folder, int(folder.name.split("-")[0])
        finally:
            if not folder.exists():
                lock.unlink(missing_ok=True)


@contextmanager
def _lock(path: Path, *, wait: bool) -> Iterator[None]:
    """Keep other processes out; the lock dies with its process."""
    with path.open("a") as file:
        if not lock_file(file, path, wait=wait):
            store = path.parent.parent
            raise FileError(f"{store}: another process is importing this file just now", path=store)
        yield
