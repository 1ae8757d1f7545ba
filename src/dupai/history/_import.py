"""Files into the store: block by block, each part written whole, all of them put in place by one rename."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

import msgspec

from dupai.base import ConfigError, DupaiError, HistoryError, NoProgress, Progress
from dupai.history._entries import file_kind
from dupai.history._readers import Job, Journal, Stale, compile_kernels, read_hands, read_log
from dupai.history._schema import SCHEMA_VERSION, need_pyarrow
from dupai.history._store import Manifest, Store
from dupai.rules import GameSpec

#: Bytes of log text that become one part.
BLOCK = 4 << 20
#: Hands that become one part where files are read hand by hand.
PART_HANDS = 20_000


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What importing one file did.

    Attributes:
        file: The path as given.
        status: ``imported``; ``unchanged`` (its text is in the store already); ``stopped`` (early: importing it again
            goes on from there); ``failed`` (nothing was written; ``error`` says why).
        source: Its number in the store, 0 where it failed.
        hands, actions: Rows in the store.
        rejected: Lines that were not taken, listed in the file ``rejects``; ``mismatches`` of them: hands whose payoffs
            are wrong.
        unproven: Hands taken whose showdown cards are not all known.
        seconds: Time spent, decompression included.
        resumed: Parts that an earlier import, stopped or killed, had finished.
        game, why: The game and why it was taken.
        notes: What else is worth knowing.
    """

    file: str
    status: str
    source: int = 0
    hands: int = 0
    actions: int = 0
    rejected: int = 0
    mismatches: int = 0
    unproven: int = 0
    seconds: float = 0.0
    resumed: int = 0
    game: str = ""
    why: str = ""
    rejects: str = ""
    error: str = ""
    notes: tuple[str, ...] = ()


# one file ------------------------------------------------------------------------------------------------------------


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

    The source stands in the store whole or not at all. Importing the same text again changes nothing; an import that
    was stopped or killed goes on with the first part that it had not finished, and ends with the same files.
    Hands that do not reconcile (see :func:`dupai.history.verify_file`) are left out and listed, with line and reason.
    Memory does not grow with the file.

    Args:
        path: The file.
        store: The store, or the folder of one (made if need be).
        spec: The game of a log; None: the one its header names, or that its hands fit. PHH and sites say it themselves.
        progress: Told bytes of the file; when it is cancelled the import stops and can be taken up again.
        block: Bytes of log text for each part; ``part_hands``: hands for each part of other files.

    Raises:
        HistoryError: the file cannot be read or has no hands.
        ConfigError: no game was given and none fits; the store cannot be used; another process imports this file.
    """
    # Long because every way out of an import must stand beside the others for nothing to be lost.
    need_pyarrow()
    compile_kernels()
    start = time.perf_counter()
    name = str(path)
    progress = progress or NoProgress()
    kind = file_kind(name)
    digest = _file_hash(name)
    if not isinstance(store, Store):
        store = Store(store, create=True)
    asked = "" if spec is None or kind != "acpc" else msgspec.json.encode(spec).decode()
    sources = store.sources()
    for known in sources:
        if known.file_hash == digest:
            return _unchanged(name, store, known, asked, start)
    size = block if kind == "acpc" else part_hands

    def fresh() -> Journal:
        return Journal(kind=kind, spec=asked, block=size)

    with _claim(store, digest) as (folder, number):
        job = Job(folder, number, _journal(folder, fresh))
        try:
            try:
                done = _read(name, kind, spec, progress, job, size)
            except Stale:
                _empty(folder)
                job = Job(folder, number, fresh())
                done = _read(name, kind, spec, progress, job, size)
        except DupaiError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        j = job.journal
        if done is None:
            if not j.done:
                shutil.rmtree(folder, ignore_errors=True)
            return ImportReport(
                file=name,
                status="stopped",
                source=number,
                hands=j.hands,
                actions=j.actions,
                rejected=j.rejected,
                mismatches=j.mismatches,
                unproven=j.unproven,
                seconds=time.perf_counter() - start,
                resumed=job.resumed,
            )
        game, why, notes = done
        text_hash = job.hash.hexdigest()
        for known in sources:
            if known.text_hash == text_hash:
                shutil.rmtree(folder, ignore_errors=True)
                return _unchanged(name, store, known, asked, start)
        manifest = Manifest(
            version=SCHEMA_VERSION,
            number=number,
            file=Path(name).name,
            file_hash=digest,
            text_hash=text_hash,
            kind=kind,
            game=game,
            why=why,
            spec=asked,
            hands=j.hands,
            players=j.players,
            actions=j.actions,
            rejected=j.rejected,
            mismatches=j.mismatches,
            unproven=j.unproven,
            parts=tuple(j.parts),
            notes=notes,
        )
        job.finish(manifest)
        try:
            folder.rename(store.path / "sources" / folder.name)
        except OSError as error:
            raise HistoryError(f"{folder}: cannot be put in place: {error.strerror or error}") from None
    return _report(name, store, manifest, "imported", time.perf_counter() - start, job.resumed)


def _read(
    path: str, kind: str, spec: GameSpec | None, progress: Progress, job: Job, block: int
) -> tuple[str, str, tuple[str, ...]] | None:
    """Read the rest of a file: game, why it was taken, notes; None when stopped."""
    if kind != "acpc":
        games = read_hands(path, kind, progress, job, block)
        if games is None:
            return None
        return (games.pop() if len(games) == 1 else "several games" if games else ""), "each hand says its own", ()
    try:
        log = read_log(path, spec, progress, job, block)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    if log is None:
        return None
    assert log.choice is not None
    notes: tuple[str, ...] = ()
    if log.announced > log.hands:
        notes = (f"the header announces {log.announced} hands, the file has {log.hands}",)
    return log.choice.name, log.choice.why, notes


def _unchanged(name: str, store: Store, known: Manifest, asked: str, start: float) -> ImportReport:
    if asked and asked != known.spec and known.kind == "acpc":
        raise ConfigError(
            f"{name}: these hands are in the store already, as source {known.number} with the game {known.game}: "
            "to import them with another game use another store"
        )
    return _report(name, store, known, "unchanged", time.perf_counter() - start)


def _report(name: str, store: Store, manifest: Manifest, status: str, seconds: float, resumed: int = 0) -> ImportReport:
    folder = next(f for f in store.folders() if f.name.startswith(f"{manifest.number:06}-"))
    return ImportReport(
        file=name,
        status=status,
        source=manifest.number,
        hands=manifest.hands,
        actions=manifest.actions,
        rejected=manifest.rejected,
        mismatches=manifest.mismatches,
        unproven=manifest.unproven,
        seconds=seconds,
        resumed=resumed,
        game=manifest.game,
        why=manifest.why,
        rejects=str(folder / "rejects.tsv") if manifest.rejected else "",
        notes=manifest.notes,
    )


def import_files(
    paths: Iterable[str | PathLike[str]],
    store: Store | str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
) -> list[ImportReport]:
    """Import several files; one that cannot be imported is reported as ``failed``, the others are.

    Raises:
        ConfigError: the store cannot be used, or pyarrow is not installed.
    """
    need_pyarrow()
    if not isinstance(store, Store):
        store = Store(store, create=True)
    reports: list[ImportReport] = []
    for path in paths:
        if progress is not None and progress.cancelled:
            break
        start = time.perf_counter()
        try:
            reports.append(import_file(path, store, spec, progress=progress))
        except (ConfigError, HistoryError) as error:
            message = str(error).removeprefix(f"{path}: ")
            spent = time.perf_counter() - start
            reports.append(ImportReport(file=str(path), status="failed", seconds=spent, error=message))
    return reports


def _file_hash(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise HistoryError(f"{path}: cannot be read: {error.strerror or error}") from None


def _journal(folder: Path, fresh: Callable[[], Journal]) -> Journal:
    """How far an earlier import of this file came, a fresh journal (and an empty folder) where that is of no use."""
    try:
        found = msgspec.json.decode((folder / "journal.json").read_bytes(), type=Journal)
    except (OSError, msgspec.DecodeError):
        found = None
    new = fresh()
    key = ("version", "block", "kind", "spec")
    if found is not None and all(getattr(found, k) == getattr(new, k) for k in key):
        return found
    _empty(folder)
    return new


def _empty(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


@contextmanager
def _claim(store: Store, digest: str) -> Iterator[tuple[Path, int]]:
    """The folder in which a file with this hash is imported, with its number; no other process has it meanwhile."""
    importing = store.path / "importing"
    try:
        importing.mkdir(exist_ok=True)
        with _lock(store.path / ".lock", wait=True):
            found = sorted(importing.glob(f"*-{digest[:16]}"))
            if found:
                folder = found[0]
            else:
                taken = [
                    int(p.name.split("-")[0])
                    for place in ("sources", "importing")
                    for p in (store.path / place).glob("*-*")
                ]
                folder = importing / f"{max(taken, default=0) + 1:06}-{digest[:16]}"
                folder.mkdir()
    except OSError as error:
        raise ConfigError(f"{store.path}: the store cannot be written: {error.strerror or error}") from None
    lock = importing / f".{digest[:16]}"
    with _lock(lock, wait=False):
        if not folder.is_dir():
            raise ConfigError(f"{store.path}: another process has just imported this file")
        try:
            yield folder, int(folder.name.split("-")[0])
        finally:
            if not folder.exists():
                lock.unlink(missing_ok=True)


@contextmanager
def _lock(path: Path, *, wait: bool) -> Iterator[None]:
    """Keep other processes out; the lock dies with its process. Where the system has no such locks there is none."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise ConfigError(f"{path.parent.parent}: another process is importing this file just now") from None
        yield
