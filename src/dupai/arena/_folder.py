"""A match on disk: a folder with ``match.json`` and ``hands.phhs``, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal

import msgspec

from dupai.agents import AgentNotes
from dupai.arena._entrants import Entrant, names_of
from dupai.arena._hand import Fault
from dupai.arena._results import PlayerMatch, TournamentMatch, versions
from dupai.arena._tournament import PAIRING, TournamentTask, drawn_chairs
from dupai.base import ConfigError, FileError, HistoryError, Rng, source_of
from dupai.base.files import disk_faults, read_json_file
from dupai.base.text import closest
from dupai.notation import read_phh, write_phhs
from dupai.rules import DECK_STREAM, HandRecord, HandState

MATCH_FILE = "match.json"
HANDS_FILE = "hands.phhs"


class SavedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What ``match.json`` holds; read it with ``msgspec.json.decode(data, type=SavedMatch)``.

    Attributes:
        format: ``"tournament"``, ``"cash"`` or ``"reset"``.
        agents, names: specs and labels by chair.
        seed, match: random numbers came from ``Rng(seed, match, hand, stream)``.
        key: took the place of the seed for cards and agents, where there is one.
        blinds, stack, rebuys: the stakes (``rebuys`` None: at will).
        hands_limit: most hands; None: open end.
        hands: hands played, numbered from 1.
        pairing: how players met.
        players: results; in a tournament in the order entered, else by chair.
        faults: the faults of agents.
        reproducible: whether the seed gives the same match again.
        versions: of dupai and what it stands on.
        complete: whether the match was played to its end.
        notes: fall-backs of the agents that count theirs.
    """

    format: Literal["tournament", "cash", "reset"]
    agents: tuple[str, ...]
    names: tuple[str, ...]
    seed: int
    match: int
    blinds: tuple[int, int]
    stack: int
    rebuys: int | None
    hands_limit: int | None
    hands: int
    pairing: str
    players: tuple[PlayerMatch, ...]
    faults: tuple[Fault, ...]
    reproducible: bool
    versions: dict[str, str]
    complete: bool = True
    notes: tuple[AgentNotes, ...] = ()
    key: str = ""

    @classmethod
    def of_tournament(cls, task: TournamentTask, match: TournamentMatch) -> SavedMatch:
        """A tournament match that was played from ``task``."""
        config = task.config
        sits = drawn_chairs(config.seed, task.match, len(task.entrants))
        stakes = {"format": "tournament", "pairing": PAIRING, "rebuys": config.rebuys, "hands_limit": config.hands}
        played = {key: getattr(match, key) for key in ("hands", "players", "faults", "notes", "complete")}
        return cls.of(config, [task.entrants[e] for e in sits], task.match, **stakes, **played)

    @classmethod
    def of(cls, table: Any, entrants: Sequence[Entrant], match: int, **facts: Any) -> SavedMatch:
        """Match number ``match`` between ``entrants`` by chair; ``table``: has the seed and the stakes."""
        stakes = {key: getattr(table, key) for key in ("seed", "key", "blinds", "stack")}
        named = names_of(entrants)
        agents, names = named["agents"], named["labels"]
        reproducible = all(e.reproducible for e in entrants)
        return cls(
            agents=agents, names=names, match=match, reproducible=reproducible, versions=versions(), **stakes, **facts
        )


def free_folder(name: str, parent: str | os.PathLike[str] = "matches") -> Path:
    """``parent/name``, or ``parent/name-2`` and so on where that exists."""
    names = chain([name], (f"{name}-{k}" for k in count(2)))
    return next(path for path in map(Path(parent).joinpath, names) if not path.exists())


def check_writable(folder: str | os.PathLike[str]) -> Path:
    """The path of a match folder that can be made; to be asked before anything is played.

    Raises:
        FileError: it exists, or its parent cannot be made or written.
    """
    path = Path(folder)
    if path.exists():
        raise FileError(f"{str(folder)!r} exists: expected the name of a new folder", path=folder)
    above = path.absolute().parent
    while not above.exists():
        above = above.parent
    with disk_faults(f"{str(folder)!r} cannot be made: {str(above)!r} cannot be written", folder):
        os.rmdir(tempfile.mkdtemp(prefix=".dupai-", dir=above))
    return path


def save_match(folder: str | os.PathLike[str], saved: SavedMatch, records: Iterable[HandRecord]) -> Path:
    """Write a match folder; it appears complete or not at all.

    Raises:
        FileError: it exists or cannot be written.
    """
    path = check_writable(folder)
    part: Path | None = None
    try:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.absolute().parent))
        part.chmod(0o755)
        with (part / HANDS_FILE).open("w", encoding="utf-8") as out:
            out.writelines(write_phhs(records))
        data = msgspec.json.format(msgspec.json.encode(saved), indent=2)
        (part / MATCH_FILE).write_bytes(data + b"\n")
        part.rename(path)
    except OSError as error:
        raise FileError(f"{str(folder)!r} cannot be written: {error.strerror or error}", path=folder) from None
    finally:
        if part is not None and part.exists():
            shutil.rmtree(part, ignore_errors=True)
    return path


def load_match(folder: str | os.PathLike[str]) -> SavedMatch:
    """Read ``match.json`` of a match folder.

    Raises:
        FileError: there is no such match (gives the nearest beside it), or the file is damaged.
    """
    path = Path(folder)
    if not path.is_dir():
        beside = [p.name for p in path.parent.iterdir() if p.is_dir()] if path.parent.is_dir() else []
        near = closest(path.name, beside)
        hint = f"did you mean {str(path.parent / near)!r}?" if near else "expected a folder that dupai has saved"
        raise FileError(f"no match {str(folder)!r}: {hint}", path=folder)
    with _reading(path / MATCH_FILE) as file:
        return read_json_file(file, "match", SavedMatch)


def load_hands(folder: str | os.PathLike[str]) -> list[HandRecord]:
    """The hands of a match folder, in order.

    Raises:
        FileError: the file is missing.
        HistoryError, NotationError, RulesError: it is damaged; names the line.
    """
    with _reading(Path(folder) / HANDS_FILE) as file, file.open(encoding="utf-8") as lines:
        return list(read_phh(lines, source=str(file)))


def verify_match(folder: str | os.PathLike[str]) -> SavedMatch:
    """Deal the hands of a match folder again, from its key or its seed, and compare the cards.

    Raises:
        ConfigError: a hand has other cards; names it.
        FileError, HistoryError, NotationError, RulesError: the folder is damaged.
    """
    saved = load_match(folder)
    for record in load_hands(folder):
        rng = Rng(source_of(saved), saved.match, record.hand, DECK_STREAM)
        dealt = HandState.deal(record.spec, rng).line
        if record.hole != dealt.hole or record.board != dealt.board[: len(record.board)]:
            raise ConfigError(f"{str(folder)!r}: hand {record.hand} has other cards than its key deals", key="hand")
    return saved


@contextmanager
def _reading(file: Path) -> Iterator[Path]:
    """A file of a match folder; inside, what goes wrong is an error that names it."""
    if not file.exists():
        raise FileError(f"{str(file.parent)!r} is not a match: {file.name} is missing", path=file)
    try:
        yield file
    except OSError as error:
        raise FileError(f"{str(file)!r} cannot be read: {error.strerror}", path=file) from None
    except UnicodeDecodeError as error:
        raise HistoryError(f"{file}: damaged: not text ({error.reason} at byte {error.start})", path=file) from None
