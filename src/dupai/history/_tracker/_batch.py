"""Hands as flat arrays, as the counting kernel takes them: from records, from log files, from a store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dupai.base import HistoryError, NoProgress, Progress
from dupai.base.arrays import I64, U8, AnyArray
from dupai.history._entries import Entry, file_kind, no_hand
from dupai.history._files import LogFile
from dupai.history._layout import accepted
from dupai.history._once import Seen
from dupai.history._phh_blocks import Run, file_pieces, number_names
from dupai.history._schema import game_of, need_pyarrow
from dupai.history._store import ACTION_OF_KIND, Store
from dupai.history._verify import LogVerifier
from dupai.notation.scan import UNITS, HandColumns
from dupai.rules import MAX_PLAYERS, SPEC_DTYPE, GameSpec, HandRecord

#: The name of players whom a source does not name, or calls only by their position at the table.
UNNAMED = "(unnamed)"
#: Hands of a batch that is made of records.
CHUNK = 4096

_LABELS = {"small blind", "big blind", "utg", "dealer", "button", "cutoff", *(f"utg+{k}" for k in range(1, 9))}


def real_name(name: str | None) -> str:
    """The name, or :data:`UNNAMED` where it is empty or the label of a seat (anonymous tables print those)."""
    return UNNAMED if not name or name.lower() in _LABELS else name


class HandBatch(NamedTuple):
    """Hands as arrays, ``n`` of them with ``m`` actions. Everything by position, 10 columns wide.

    Attributes:
        specs: ``SPEC_DTYPE[k]``, the games; their stacks do not matter.
        spec_of: ``int64[n]``, row of ``specs``.
        stacks: ``int64[n, 10]``, chips before antes and blinds.
        first: ``int64[n + 1]``, where the actions of each hand begin.
        kind: ``uint8[m]``, FOLD, CALL or RAISE.
        to: ``int64[m]``, totals of raises (those of limit games do not matter).
        payoffs: ``int64[n, 10]``, net results in 1/split chip.
        players: ``int64[n, 10]``, an index of ``names``; -1 where nobody sits.
        names: Names of players.
        ids: ``int64[n]``, the line of the source or the number of the hand.
        source: The path of the file that ``ids`` refer to, or empty.
    """

    specs: AnyArray
    spec_of: I64
    stacks: I64
    first: I64
    kind: U8
    to: I64
    payoffs: I64
    players: I64
    names: Sequence[str]
    ids: I64
    source: str = ""

    def label(self, hand: int) -> str:
        """Where to find hand ``hand`` of the batch: ``file:line``, or its number."""
        number = str(int(self.ids[hand]))
        return f"{self.source}:{number}" if self.source else number


def _table(hands: int, fill: int = 0) -> I64:
    """Room for one number for each hand and position."""
    table = np.empty((hands, MAX_PLAYERS), np.int64)
    table.fill(fill)
    return table


def _specs(games: Iterable[GameSpec]) -> AnyArray:
    arrays = [game.array for game in games]
    if len(arrays) == 1:  # numpy takes long to join structured arrays, and a live player counts hand by hand
        return arrays[0]
    return np.concatenate(arrays) if arrays else np.zeros(0, SPEC_DTYPE)


def _begins(counts: I64) -> I64:
    """Where the actions of each hand begin, and where the last hand's end, from the number of actions of each."""
    first = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=first[1:])
    return first


def _scanned_columns(hands: AnyArray, kind: AnyArray, to: AnyArray) -> dict[str, Any]:
    """The columns of a batch that scanned hands have in common. Actions of hands that were not accepted lie between
    those of the others and are left out."""
    counts = hands["actions"].astype(np.int64)
    first = _begins(counts)
    rows = np.repeat(hands["action"] - first[:-1], counts) + np.arange(first[-1])
    return {"first": first, "kind": kind[rows], "to": to[rows], "ids": hands["line"].astype(np.int64)}


def batch_of(records: Sequence[HandRecord], ids: Sequence[int] | None = None, source: str = "") -> HandBatch:
    """Records as a batch. Players without a name are called by their seat (``seat 3``), without a seat ``UNNAMED``."""
    n = len(records)
    games: dict[GameSpec, int] = {}
    names: dict[str, int] = {}
    stacks, payoffs, players = _table(n), _table(n), _table(n, -1)
    for i, record in enumerate(records):
        k = record.spec.players
        stacks[i, :k] = record.stacks
        payoffs[i, :k] = record.payoffs
        players[i, :k] = [names.setdefault(name, len(names)) for name in names_of(record)]
    actions = np.array([action for r in records for action in r.actions], np.int64).reshape(-1, 2)
    return HandBatch(
        spec_of=np.array([games.setdefault(r.spec, len(games)) for r in records], np.int64),
        specs=_specs(games),
        stacks=stacks,
        first=_begins(np.array([len(r.actions) for r in records], np.int64)),
        kind=actions[:, 0].astype(np.uint8),
        to=np.ascontiguousarray(actions[:, 1]),
        payoffs=payoffs,
        players=players,
        names=tuple(names),
        ids=np.array([r.hand for r in records] if ids is None else ids, np.int64),
        source=source,
    )


def names_of(record: HandRecord) -> list[str]:
    """Names by position; ``seat 3`` for a player without a name."""
    if record.names:
        return [real_name(name) for name in record.names]
    if record.seats:
        return [f"seat {s}" for s in record.seats]
    return [UNNAMED] * record.spec.players


def record_batches(records: Iterable[HandRecord], source: str = "") -> Iterator[HandBatch]:
    """Records in batches of :data:`CHUNK`."""
    rest = iter(records)
    while chunk := list(islice(rest, CHUNK)):
        yield batch_of(chunk, source=source)


def store_batches(store: Store, *, progress: Progress | None = None) -> Iterator[HandBatch]:
    """The hands of a store, part by part, straight from its columns; ``ids`` are hand ids.

    Raises:
        MissingPackage: pyarrow is not installed.
        FileError: a file is missing or a manifest damaged; names it.
        HistoryError: a file cannot be read; names it.
    """
    look = progress or NoProgress()
    parts = store.parts()
    for k, files in enumerate(parts):
        if look.cancelled:
            return
        yield _part(files)
        look.report(k + 1, len(parts), files["hands"].parent.name)


_COLUMNS = {
    "hands": ["hand_id", "game", "players", "actions"],
    "players": ["player", "seat", "stack", "payoff"],
    "actions": ["kind", "total"],
}


def _part(files: dict[str, Path]) -> HandBatch:
    """One part of a store, given by its files."""
    pa = need_pyarrow()
    read: dict[str, Any] = {}
    for table, columns in _COLUMNS.items():
        file = files[table]
        try:
            whole = pa.parquet.ParquetFile(file).read(columns=columns).unify_dictionaries().combine_chunks()
        except (OSError, pa.ArrowException) as error:
            raise HistoryError(f"{file}: cannot be read: {' '.join(str(error).split())}") from None
        for name in columns:
            column = whole.column(name)
            read[name if table != "hands" else f"hand.{name}"] = column.chunk(0) if column.num_chunks else column

    def numbers(name: str) -> I64:
        return np.asarray(read[name].to_numpy(zero_copy_only=False), np.int64) if len(read[name]) else _NONE

    def words(name: str) -> tuple[I64, list[str]]:
        if not len(read[name]):
            return _NONE, []
        index = read[name].indices.fill_null(-1)
        return np.asarray(index.to_numpy(zero_copy_only=False), np.int64), read[name].dictionary.to_pylist()

    ids, dealt = numbers("hand.hand_id"), numbers("hand.players")
    n = len(ids)
    game, games = words("hand.game")
    hand = np.repeat(np.arange(n), dealt)
    position = np.arange(len(hand)) - np.repeat(np.cumsum(dealt) - dealt, dealt)
    player, known = words("player")
    seat = np.asarray(read["seat"].fill_null(-1).to_numpy(zero_copy_only=False), np.int64) if len(hand) else _NONE
    names = [*map(real_name, known), UNNAMED, *(f"seat {k}" for k in range(int(seat.max(initial=-1)) + 1))]
    player = np.where(player < 0, len(known) + 1 + seat, player)
    stacks, payoffs, players = _table(n), _table(n), _table(n, -1)
    stacks[hand, position] = numbers("stack")
    payoffs[hand, position] = numbers("payoff")
    players[hand, position] = player
    kind, kinds = words("kind")
    meaning = np.array([ACTION_OF_KIND[k] for k in kinds], np.uint8)
    return HandBatch(
        specs=_specs(game_of(text, (_MUCH,) * json.loads(text)["players"]) for text in games),
        spec_of=game,
        stacks=stacks,
        first=_begins(numbers("hand.actions")),
        kind=meaning[kind] if len(kind) else np.zeros(0, np.uint8),
        to=numbers("total"),
        payoffs=payoffs,
        players=players,
        names=names,
        ids=ids,
    )


_NONE = np.zeros(0, np.int64)
#: Larger than any blind: the stacks of a game whose stacks are those of each hand.
_MUCH = 10**12


def batches(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    rejected: Callable[[int, str], None] | None = None,
    seen: Seen | None = None,
) -> Iterator[HandBatch]:
    """The hands of an ACPC log, a PHH file or a poker site's text (plain, ``.xz``, ``.gz``) in batches, or those of a
    store (a folder; see :func:`store_batches`). ``rejected`` is called with line and reason of whatever in a file
    cannot be read or does not reconcile; hands that ``seen`` has seen are left out, but for logs.

    Raises:
        FileError: the file cannot be read; the folder is no store.
        HistoryError: the file holds no hand; a store is damaged.
        ConfigError: no game was given and none fits; names the file.
        MissingPackage: pyarrow is not installed.
    """
    look = progress or NoProgress()
    if os.path.isdir(path):
        yield from store_batches(Store(path), progress=look)
        return
    reject = rejected or (lambda line, reason: None)
    name = str(path)
    kind = file_kind(name)
    yield from (
        _acpc_batches(name, spec, look, reject) if kind == "acpc" else _entry_batches(name, kind, look, reject, seen)
    )


def _entry_batches(
    path: str, kind: str, progress: Progress, reject: Callable[[int, str], None], seen: Seen | None
) -> Iterator[HandBatch]:
    entries: list[Entry] = []
    hands, refused = 0, False

    def batch() -> HandBatch:
        records = [entry.record for entry in entries if entry.record is not None]
        return batch_of(records, [entry.line for entry in entries], path)

    with LogFile(path) as file:
        for piece in file_pieces(file, kind, seen=seen or Seen()):
            if progress.cancelled:
                break
            run = isinstance(piece, Run)
            if entries and (run or len(entries) == CHUNK):
                yield batch()
                entries.clear()
            if isinstance(piece, Run):
                yield _run_batch(piece, path)
            elif piece.record is None or piece.kind:
                refused = True
                reject(piece.line, piece.error)
                continue
            else:
                entries.append(piece)
            hands += piece.hands
            if run or hands % 100 == 0:
                file.report(progress, f"{hands:,} hands")
        if file.cut is not None:
            reject(0, file.cut)
    if entries:
        yield batch()
    if not hands and not progress.cancelled and not (seen is not None and seen.again):
        raise no_hand(path, refused=refused)


def _run_batch(run: Run, path: str) -> HandBatch:
    """A run of scanned PHH tables; names as :func:`names_of` gives them."""
    block, a, b = run
    hands, facts, spec_of = block.hands[a:b], block.facts[a:b], block.spec_of[a:b].copy()
    index, texts = block.names(a, b)
    names = [*map(real_name, texts), UNNAMED]
    players = index.astype(np.int64)
    dealt = np.arange(MAX_PLAYERS) < facts["players"][:, None]
    seats = facts["seats"]
    seated = dealt & (index < 0) & (seats >= 0)
    players[dealt & (index < 0) & (seats < 0)] = len(names) - 1
    players[seated] = seats[seated] + len(names)
    names += [f"seat {k}" for k in range(int(seats.max(initial=-1)) + 1)] if seated.any() else []
    unit = UNITS // block.games.array["split"][spec_of]
    return HandBatch(
        **_scanned_columns(hands, block.kind, block.to),
        specs=block.games.array,
        spec_of=spec_of,
        stacks=np.where(dealt, facts["stacks"], 0),
        payoffs=np.where(dealt, hands["payoff"], 0) // unit[:, None],
        players=players,
        names=names,
        source=path,
    )


class _LogScan(LogVerifier):
    """Replays a log block by block; whatever is wrong with it but for its scores goes to ``reject``."""

    def __init__(self, path: str, spec: GameSpec | None, reject: Callable[[int, str], None]) -> None:
        super().__init__(path, spec, NoProgress())
        self.reject = reject

    def problem(self, line: int, kind: str, message: str) -> None:
        self.reject(line, message)

    def explain(self, line: int, text: str, spec: GameSpec, code: int) -> None:
        self.reject(line, "the hand does not reconcile ('dupai history verify' says why)")

    def score(self, line: int, text: str) -> None:
        """Scores are not compared."""


def _acpc_batches(
    path: str, spec: GameSpec | None, progress: Progress, reject: Callable[[int, str], None]
) -> Iterator[HandBatch]:
    work = _LogScan(path, spec, reject)
    with LogFile(path) as file:
        for block in file.blocks():
            if progress.cancelled:
                return
            work.block(block, file)
            good = accepted(work.scanner.codes[: len(work.columns.hands)])
            if good.any():
                yield _log_batch(path, block, work.columns, work.columns.hands[good], work.game(block))
            file.report(progress, f"line {work.line:,}")
        if file.cut is not None:
            reject(work.line, file.cut)
    if work.choice is None:
        raise HistoryError(f"{path}: the file is empty: expected hands", path=path)


def _log_batch(path: str, block: bytes, columns: HandColumns, hands: AnyArray, spec: GameSpec) -> HandBatch:
    """The accepted ``hands`` of a block of a log."""
    n = len(hands)
    index, names = number_names(block, hands["names"][:, : spec.players])
    players, stacks = _table(n, -1), _table(n)
    players[:, : spec.players] = index.reshape(n, spec.players)
    stacks[:, : spec.players] = spec.stacks
    return HandBatch(
        **_scanned_columns(hands, columns.kind, columns.to),
        specs=spec.array,
        spec_of=np.zeros(n, np.int64),
        stacks=stacks,
        payoffs=hands["payoff"] // (UNITS // spec.split),
        players=players,
        names=tuple(map(real_name, names)),
        source=path,
    )
