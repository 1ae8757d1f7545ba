"""Hands as flat arrays, as the counting kernel takes them: from records, from log files, from a store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, HistoryError, NoProgress, Progress
from dupai.history._entries import file_kind, read_entries, text_lines
from dupai.history._files import LogFile
from dupai.history._kernels import names_kernel
from dupai.history._layout import FINE, UNPROVEN
from dupai.history._phh_blocks import Run, phh_pieces
from dupai.history._schema import ACTION_KINDS, need_pyarrow
from dupai.history._store import Store
from dupai.history._texts import game_of
from dupai.history._verify import LogVerifier
from dupai.notation import UNITS
from dupai.rules import CALL, FOLD, MAX_PLAYERS, RAISE, SPEC_DTYPE, GameSpec, HandRecord

#: The name under which players stand whom a source does not name, or only by their position at the table.
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
        players: ``int64[n, 10]``, who it is: an index of ``names``; -1 where nobody sits.
        names: Names of players.
        ids: ``int64[n]``, the line of the source or the number of the hand.
        source: What the numbers are of: a path, or empty.
    """

    specs: npt.NDArray[Any]
    spec_of: npt.NDArray[np.int64]
    stacks: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    kind: npt.NDArray[np.uint8]
    to: npt.NDArray[np.int64]
    payoffs: npt.NDArray[np.int64]
    players: npt.NDArray[np.int64]
    names: Sequence[str]
    ids: npt.NDArray[np.int64]
    source: str = ""

    def label(self, hand: int) -> str:
        """How hand ``hand`` of the batch is found again: ``file:line``, or its number."""
        number = str(int(self.ids[hand]))
        return f"{self.source}:{number}" if self.source else number


def batch_of(records: Sequence[HandRecord], ids: Sequence[int] | None = None, source: str = "") -> HandBatch:
    """Records as a batch. Without names a player goes by his seat (``seat 3``), without seats he is unnamed."""
    n = len(records)
    games: dict[GameSpec, int] = {}
    names: dict[str, int] = {}
    spec_of = np.empty(n, np.int64)
    stacks = np.zeros((n, MAX_PLAYERS), np.int64)
    payoffs = np.zeros((n, MAX_PLAYERS), np.int64)
    players = np.full((n, MAX_PLAYERS), -1, np.int64)
    first = np.zeros(n + 1, np.int64)
    actions: list[tuple[int, int]] = []
    for i, record in enumerate(records):
        k = record.spec.players
        spec_of[i] = games.setdefault(record.spec, len(games))
        stacks[i, :k] = record.stacks
        payoffs[i, :k] = record.payoffs
        players[i, :k] = [names.setdefault(name, len(names)) for name in names_of(record)]
        actions += record.actions
        first[i + 1] = len(actions)
    table = np.array(actions, np.int64).reshape(-1, 2)
    return HandBatch(
        specs=np.concatenate([g.array for g in games]) if games else np.zeros(0, SPEC_DTYPE),
        spec_of=spec_of,
        stacks=stacks,
        first=first,
        kind=table[:, 0].astype(np.uint8),
        to=np.ascontiguousarray(table[:, 1]),
        payoffs=payoffs,
        players=players,
        names=tuple(names),
        ids=np.array([r.hand for r in records] if ids is None else ids, np.int64),
        source=source,
    )


def names_of(record: HandRecord) -> list[str]:
    """Who sat where: names by position, ``seat 3`` for a player without a name."""
    if record.names:
        return [real_name(name) for name in record.names]
    if record.seats:
        return [f"seat {s}" for s in record.seats]
    return [UNNAMED] * record.spec.players


def record_batches(records: Iterable[HandRecord], source: str = "") -> Iterator[HandBatch]:
    """Records in batches of :data:`CHUNK`."""
    held: list[HandRecord] = []
    for record in records:
        held.append(record)
        if len(held) == CHUNK:
            yield batch_of(held, source=source)
            held = []
    if held:
        yield batch_of(held, source=source)


def batches(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    rejected: Callable[[int, str], None] | None = None,
) -> Iterator[HandBatch]:
    """The hands of a store (a folder) or of a log file (see :func:`store_batches`, :func:`file_batches`).

    Raises:
        HistoryError: the file cannot be read or holds no hand; a store is damaged.
        ConfigError: the folder is no store; no game was given for a log and none fits; pyarrow is missing.
    """
    if Path(path).is_dir():
        yield from store_batches(Store(path), progress=progress)
    else:
        yield from file_batches(path, spec, progress=progress, rejected=rejected)


def store_batches(store: Store, *, progress: Progress | None = None) -> Iterator[HandBatch]:
    """The hands of a store, part by part, straight from its columns; ``ids`` are hand ids.

    Raises:
        ConfigError: pyarrow is not installed.
        HistoryError: a file cannot be read; names it.
    """
    look = progress or NoProgress()
    parts = [p for folder in store.folders() for p in sorted(folder.glob("hands-*.parquet"))]
    for k, path in enumerate(parts):
        if look.cancelled:
            return
        yield _part(path)
        look.report(k + 1, len(parts), path.parent.name)


_COLUMNS = {
    "hands": ["hand_id", "game", "players", "actions"],
    "players": ["player", "stack", "payoff"],
    "actions": ["kind", "total"],
}
#: FOLD, CALL or RAISE for each value of ``actions.kind``.
_KIND = np.array([{"fold": FOLD, "check": CALL, "call": CALL}.get(k, RAISE) for k in ACTION_KINDS], np.uint8)


def _part(path: Path) -> HandBatch:
    """One part of a store: ``hands-00000.parquet`` and the two files beside it."""
    pa = need_pyarrow()
    read: dict[str, Any] = {}
    for table, columns in _COLUMNS.items():
        file = path.with_name(path.name.replace("hands", table, 1))
        try:
            whole = pa.parquet.ParquetFile(file).read(columns=columns).unify_dictionaries().combine_chunks()
        except (OSError, pa.ArrowException) as error:
            raise HistoryError(f"{file}: cannot be read: {' '.join(str(error).split())}") from None
        for name in columns:
            column = whole.column(name)
            read[name if table != "hands" else f"hand.{name}"] = column.chunk(0) if column.num_chunks else column

    def numbers(name: str) -> npt.NDArray[np.int64]:
        return np.asarray(read[name].to_numpy(zero_copy_only=False), np.int64) if len(read[name]) else _NONE

    def words(name: str) -> tuple[npt.NDArray[np.int64], list[str]]:
        if not len(read[name]):
            return _NONE, []
        index = read[name].indices.fill_null(-1)
        return np.asarray(index.to_numpy(zero_copy_only=False), np.int64), read[name].dictionary.to_pylist()

    ids, counts, dealt = numbers("hand.hand_id"), numbers("hand.actions"), numbers("hand.players")
    n = len(ids)
    game, games = words("hand.game")
    specs = [game_of(text, (_MUCH,) * json.loads(text)["players"]) for text in games]
    first = np.zeros(n + 1, np.int64)
    np.cumsum(counts, out=first[1:])
    hand = np.repeat(np.arange(n), dealt)
    position = np.arange(len(hand)) - np.repeat(np.cumsum(dealt) - dealt, dealt)
    who, names = words("player")
    stacks, payoffs = np.zeros((n, MAX_PLAYERS), np.int64), np.zeros((n, MAX_PLAYERS), np.int64)
    players = np.full((n, MAX_PLAYERS), -1, np.int64)
    stacks[hand, position] = numbers("stack")
    payoffs[hand, position] = numbers("payoff")
    players[hand, position] = np.where(who < 0, len(names), who)  # the last name is nobody's
    kind, kinds = words("kind")
    meaning = np.array([_KIND[ACTION_KINDS.index(k)] for k in kinds], np.uint8)
    return HandBatch(
        specs=np.concatenate([s.array for s in specs]) if specs else np.zeros(0, SPEC_DTYPE),
        spec_of=game,
        stacks=stacks,
        first=first,
        kind=meaning[kind] if len(kind) else np.zeros(0, np.uint8),
        to=numbers("total"),
        payoffs=payoffs,
        players=players,
        names=(*map(real_name, names), UNNAMED),
        ids=ids,
    )


_NONE = np.zeros(0, np.int64)
#: More than any blind: stacks of a game that only its hands say.
_MUCH = 10**12


def file_batches(
    path: str | PathLike[str],
    spec: GameSpec | None = None,
    *,
    progress: Progress | None = None,
    rejected: Callable[[int, str], None] | None = None,
) -> Iterator[HandBatch]:
    """The hands of an ACPC log, a PHH file or a poker site's text (plain, ``.xz``, ``.gz``) in batches; ``rejected`` is
    told line and reason of what cannot be read or does not reconcile.

    Raises:
        HistoryError: the file cannot be read or holds no hand.
        ConfigError: no game was given and none fits; names the file.
    """
    look = progress or NoProgress()
    tell = rejected or (lambda line, reason: None)
    text = str(path)
    kind = file_kind(text)
    yield from _acpc_batches(text, spec, look, tell) if kind == "acpc" else _entry_batches(text, kind, look, tell)


def _entry_batches(path: str, kind: str, progress: Progress, tell: Callable[[int, str], None]) -> Iterator[HandBatch]:
    records: list[HandRecord] = []
    lines: list[int] = []
    hands = 0
    with LogFile(path) as file:
        for piece in phh_pieces(file) if kind == "phh" else read_entries(kind, text_lines(file)):
            if progress.cancelled:
                break
            run = isinstance(piece, Run)
            if records and (run or len(records) == CHUNK):
                yield batch_of(records, lines, path)
                records, lines = [], []
            if isinstance(piece, Run):
                yield _run_batch(piece, path)
                hands += piece.hands
            elif piece.record is None or piece.kind:
                tell(piece.line, piece.error)
                continue
            else:
                records.append(piece.record)
                lines.append(piece.line)
                hands += 1
            if run or hands % 100 == 0:
                progress.report(file.done, file.size, f"{hands:,} hands")
        if file.cut is not None:
            tell(0, file.cut)
    if records:
        yield batch_of(records, lines, path)
    if not hands and not progress.cancelled:
        raise HistoryError(f"{path}: there is no hand in the file that can be read")


def _run_batch(run: Run, path: str) -> HandBatch:
    """A run of scanned PHH tables; names as :func:`names_of` gives them."""
    block, a, b = run
    hands, facts, spec_of = block.hands[a:b], block.facts[a:b], block.spec_of[a:b].copy()
    index, found = block.names(a, b)
    names = [*map(real_name, found), UNNAMED]
    players = index.astype(np.int64)
    there = np.arange(MAX_PLAYERS) < facts["players"][:, None]
    seats = facts["seats"]
    seated = there & (index < 0) & (seats >= 0)
    players[there & (index < 0) & (seats < 0)] = len(names) - 1
    players[seated] = seats[seated] + len(names)
    names += [f"seat {k}" for k in range(int(seats.max(initial=-1)) + 1)] if seated.any() else []
    counts = hands["actions"].astype(np.int64)
    first = np.zeros(len(hands) + 1, np.int64)
    np.cumsum(counts, out=first[1:])
    take = np.repeat(hands["action"] - first[:-1], counts) + np.arange(first[-1])
    unit = UNITS // block.games.array["split"][spec_of]
    payoffs = np.where(there, hands["payoff"], 0) // unit[:, None]
    return HandBatch(
        specs=block.games.array,
        spec_of=spec_of,
        stacks=np.where(there, facts["stacks"], 0),
        first=first,
        kind=block.kind[take],
        to=block.to[take],
        payoffs=payoffs,
        players=players,
        names=names,
        ids=hands["line"].astype(np.int64),
        source=path,
    )


def _acpc_batches(
    path: str, spec: GameSpec | None, progress: Progress, tell: Callable[[int, str], None]
) -> Iterator[HandBatch]:
    work = LogVerifier(path, spec, NoProgress())
    line = 1
    with LogFile(path) as file:
        for block in file.blocks():
            if progress.cancelled:
                return
            if spec is None:
                try:
                    spec = work.detect(block).spec
                except ConfigError as error:
                    raise ConfigError(f"{path}: {error}") from None
            columns, lines = work.scanner.scan(block, line, spec.players)
            work.replay(columns, spec)
            codes = work.scanner.codes[: len(columns.hands)]
            good = (codes == FINE) | (codes == UNPROVEN)
            for i in np.flatnonzero(~good).tolist():
                tell(int(columns.hands["line"][i]), "the hand does not reconcile ('dupai history verify' says why)")
            if good.any():
                yield _scanned(path, block, columns.kind, columns.to, columns.hands[good], spec)
            line += lines
            progress.report(file.done, file.size, f"line {line:,}")
        if file.cut is not None:
            tell(line, file.cut)
    if spec is None:
        raise HistoryError(f"{path}: the file is empty: expected an ACPC log")


def _scanned(
    path: str,
    block: bytes,
    kind: npt.NDArray[np.uint8],
    to: npt.NDArray[np.int64],
    hands: npt.NDArray[Any],
    spec: GameSpec,
) -> HandBatch:
    n, k = len(hands), spec.players
    text = np.frombuffer(block, np.uint8)
    index, spans = np.zeros(n * k, np.int32), np.zeros((n * k, 2), np.int32)
    slots = np.full(1 << (2 * n * k + 1).bit_length(), -1, np.int32)
    many = names_kernel(text, hands, np.full(n, FINE, np.int64), k, slots, spans, index)
    names = tuple(real_name(block[a:b].decode("utf-8", "replace")) for a, b in spans[:many].tolist())
    players = np.full((n, MAX_PLAYERS), -1, np.int64)
    players[:, :k] = index.reshape(n, k)
    counts = hands["actions"].astype(np.int64)
    first = np.zeros(n + 1, np.int64)
    np.cumsum(counts, out=first[1:])
    # Actions of lines that are not well formed lie between: pick out those of the good ones.
    take = np.repeat(hands["action"] - first[:-1], counts) + np.arange(first[-1])
    stacks = np.zeros((n, MAX_PLAYERS), np.int64)
    stacks[:, :k] = spec.stacks
    return HandBatch(
        specs=spec.array,
        spec_of=np.zeros(n, np.int64),
        stacks=stacks,
        first=first,
        kind=kind[take],
        to=to[take],
        payoffs=hands["payoff"] // (UNITS // spec.split),
        players=players,
        names=names,
        ids=hands["line"].astype(np.int64),
        source=path,
    )
