"""The hand store: a folder of Parquet files, queried with DuckDB in memory (or any other Parquet tool).

::

    store/
      store.json                                   format and version
      sources/000001-0f3a.../manifest.json         one folder for each imported file, there whole or not at all
                             hands-00000.parquet   (columns: dupai.history.TABLES)
                             players-00000.parquet
                             actions-00000.parquet
                             rejects.tsv           lines that were not taken, with the reason
      importing/000002-77aa.../                    an import under way, or killed: continues where it stopped

Nothing in ``sources`` is ever changed; a folder gets there by one rename. Deleting one removes exactly that file's
hands from the store.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from dupai.base import ConfigError, FileError, HistoryError
from dupai.base.files import disk_faults, read_json_file, write_whole
from dupai.base.text import nearest
from dupai.cards import NO_CARD, card
from dupai.history._schema import HANDS_PER_SOURCE, SCHEMA_VERSION, TABLES, about_of, arrow_schema, game_of, need_duckdb
from dupai.rules import CALL, FOLD, RAISE, Action, HandRecord

_FORMAT = "dupai hand store"
#: Hands assembled at a time when records are read.
_BATCH = 2_000


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What was imported from one file.

    Attributes:
        version: Of the schema.
        number: The source's number in the store (``hands.source``).
        file: Name of the file, without its folder.
        file_hash: SHA-256 of the file as it was.
        text_hash: SHA-256 of its text (the same for a log and the compressed log).
        kind: ``acpc``, ``phh`` or ``site``.
        game: The game in words; ``why`` says why it was chosen.
        spec: The game that was requested, as JSON; empty when none was.
        hands, players, actions: Rows.
        rejected: Lines that were not taken (``rejects.tsv``); ``mismatches`` of them are hands with wrong payoffs.
        unproven: Hands whose winners cannot be recomputed.
        again: Hands that were there already, and are not counted again.
        parts: Numbers of the parts.
        notes: Remarks.
    """

    version: int
    number: int
    file: str
    file_hash: str
    text_hash: str
    kind: str
    game: str
    why: str
    spec: str
    hands: int
    players: int
    actions: int
    rejected: int
    mismatches: int
    unproven: int
    parts: tuple[int, ...]
    again: int = 0
    notes: tuple[str, ...] = ()


def _strange(path: Path) -> bool:
    """Whether a file or folder is not what another import leaves that is creating the store, or was killed then."""
    if path.name in ("sources", "importing"):
        return not path.is_dir() or any(path.iterdir())
    return re.fullmatch(r"\.store-.*\.json", path.name) is None


class Store:
    """An existing store.

    Args:
        path: Its folder.
        create: Create an empty store if there is nothing (or an empty folder).

    Raises:
        FileError: there is no store, or it is of another version.
    """

    def __init__(self, path: str | PathLike[str], *, create: bool = False) -> None:
        self.path = Path(path)
        mark = self.path / "store.json"
        if create and not os.path.exists(mark):
            self._create(mark)
        if not os.path.exists(mark):
            raise FileError(f"{path} is no hand store: expected a folder made by 'dupai history import'", path=path)
        header = read_json_file(mark, "hand store", Any)
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            raise FileError(f"{mark} is not that of a hand store: expected format {_FORMAT!r}", path=mark)
        if header.get("version") != SCHEMA_VERSION:
            raise FileError(
                f"{path} is a hand store of version {header.get('version')}: expected {SCHEMA_VERSION}; "
                "import the files again into a new one",
                path=path,
            )
        self._connection: Any = None
        self._seen: tuple[str, ...] = ()

    def _create(self, mark: Path) -> None:
        with disk_faults(f"{self.path}: a store cannot be made here", self.path):
            if self.path.exists() and any(map(_strange, self.path.iterdir())) and not mark.exists():
                raise FileError(
                    f"{self.path} is neither a hand store nor empty: expected a new or empty folder", path=self.path
                )
            for folder in ("sources", "importing"):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
        write_whole(mark, json.dumps({"format": _FORMAT, "version": SCHEMA_VERSION}) + "\n")

    # contents ------------------------------------------------------------------------------------------------------

    def folders(self) -> list[Path]:
        """The folders of all sources, by number."""
        return sorted(p for p in (self.path / "sources").glob("*-*") if (p / "manifest.json").is_file())

    def sources(self) -> list[Manifest]:
        """What was imported, by number.

        Raises:
            FileError: a manifest is damaged; names it.
        """
        return [read_manifest(folder) for folder in self.folders()]

    def parts(self) -> list[dict[str, Path]]:
        """The files of all parts in order, each by the name of its table.

        Raises:
            FileError: a file is missing or a manifest damaged; names it.
        """
        parts = []
        for folder in self.folders():
            for number in read_manifest(folder).parts:
                files = {table: folder / f"{table}-{number:05}.parquet" for table in TABLES}
                for file in files.values():
                    if not file.is_file():
                        raise FileError(
                            f"{file} is missing: remove the folder {folder} and import its file again", path=file
                        )
                parts.append(files)
        return parts

    def unfinished(self) -> list[str]:
        """Unfinished imports: names of folders in ``importing``."""
        return sorted(p.name for p in (self.path / "importing").glob("*-*") if p.is_dir())

    # queries ---------------------------------------------------------------------------------------------------------

    def connection(self) -> Any:
        """A DuckDB connection in memory with the views ``hands``, ``players`` and ``actions`` over all files.

        Raises:
            FileError: a file is missing or a manifest damaged; names it.
            MissingPackage: duckdb is not installed.
        """
        folders = self.folders()
        names = tuple(f.name for f in folders)
        if self._connection is None or names != self._seen:
            duckdb = need_duckdb()
            connection = duckdb.connect(":memory:")
            connection.execute("set enable_progress_bar = false")
            parts = self.parts()
            for table in TABLES:
                files = [str(part[table]) for part in parts]
                if files:
                    listed = ", ".join("'" + f.replace("'", "''") + "'" for f in files)
                    connection.execute(f'create view "{table}" as select * from read_parquet([{listed}])')
                else:
                    connection.execute(f'create table "{table}" ({_sql_columns(table)})')
            if self._connection is not None:
                self._connection.close()
            self._connection, self._seen = connection, names
        return self._connection

    def sql(self, query: str, parameters: Sequence[object] = ()) -> Any:
        """The answer to a query over ``hands``, ``players`` and ``actions``: a DuckDB relation (``.fetchall()``,
        ``.df()``, ``.arrow()``, ...).

        Raises:
            ConfigError: DuckDB refuses the query (quotes its reason).
            MissingPackage: duckdb is not installed.
        """
        connection = self.connection()
        with _one_line(query):
            return connection.sql(query, params=list(parameters) or None)

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of the answer to a query.

        Raises:
            ConfigError: as :meth:`sql`.
        """
        with _one_line(query):
            answer = self.sql(query, parameters)
            return [] if answer is None else list(answer.fetchall())

    def records(self, hand_ids: Sequence[int] | None = None) -> Iterator[HandRecord]:
        """Hands as records, in the order of ``hand_ids`` (None: the whole store, by ``hand_id``).

        Raises:
            HistoryError: there is no such hand.
        """
        if hand_ids is not None:
            for start in range(0, len(hand_ids), _BATCH):
                ids = [int(i) for i in hand_ids[start : start + _BATCH]]
                records = self._records(sorted(ids))
                for hand_id in ids:
                    if hand_id not in records:
                        raise HistoryError(f"there is no hand {hand_id} in {self.path}", path=self.path)
                    yield records[hand_id]
            return
        for _, record in self.numbered_records():
            yield record

    def numbered_records(self) -> Iterator[tuple[int, HandRecord]]:
        """All hands with their ids, in their order."""
        for manifest in self.sources():
            base = manifest.number * HANDS_PER_SOURCE
            done = 0
            for start in range(0, HANDS_PER_SOURCE, _BATCH):
                if done == manifest.hands:
                    break
                records = self._records(range(base + start, base + start + _BATCH))
                done += len(records)
                yield from records.items()

    def _records(self, hand_ids: Sequence[int]) -> dict[int, HandRecord]:
        """Records by ascending id."""
        if not hand_ids:
            return {}
        first, last = hand_ids[0], hand_ids[-1]
        among = f"where hand_id between {first} and {last}"
        if last - first + 1 != len(hand_ids):
            among += f" and hand_id in ({', '.join(map(str, hand_ids))})"
        players = _grouped(self.rows(f"select {_PLAYER} from players {among} order by hand_id, position"))
        actions = _grouped(self.rows(f"select {_ACTION} from actions {among} order by hand_id, n"))
        hands = self.rows(f"select {_HAND} from hands {among} order by hand_id")
        return {row[0]: _record(row[1:], players[row[0]], actions.get(row[0], [])) for row in hands}


_HAND = "hand_id, hand, section, game, board, rake, hero, comment, extra"
_PLAYER = "hand_id, seat, player, stack, hole, shown, mucked, payoff"
_ACTION = "hand_id, kind, total"
#: FOLD, CALL or RAISE for each value of ``actions.kind``.
ACTION_OF_KIND = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}
_game = lru_cache(maxsize=4096)(game_of)


def _grouped(rows: list[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:])
    return groups


def _cards(text: str) -> tuple[int, ...]:
    return tuple(NO_CARD if text[k] == "?" else card(text[k : k + 2]) for k in range(0, len(text), 2))


def _two(text: str | None) -> tuple[int, int]:
    if text is None:
        return NO_CARD, NO_CARD
    a, b = _cards(text)
    return a, b


def _record(hand: tuple[Any, ...], players: list[tuple[Any, ...]], actions: list[tuple[Any, ...]]) -> HandRecord:
    number, section, game, board, rake, hero, comment, extra = hand
    seats, names, stacks, holes, shown, mucked, payoffs = zip(*players, strict=True)
    moves = ((ACTION_OF_KIND[kind], total) for kind, total in actions)
    return HandRecord(
        spec=_game(game, stacks),
        hand=number,
        stacks=stacks,
        hole=tuple(map(_two, holes)),
        board=_cards(board),
        actions=tuple(Action(kind, total if kind == RAISE else 0) for kind, total in moves),
        payoffs=payoffs,
        names=() if None in names else names,
        seats=() if None in seats else seats,
        shown=shown,
        section=section,
        comment=comment,
        rake=rake,
        mucked=tuple(map(_two, mucked)) if any(mucked) else (),
        hero=hero,
        about=about_of(extra),
    )


def _sql_columns(table: str) -> str:
    names = {"int8": "tinyint", "int16": "smallint", "int32": "integer", "int64": "bigint"}
    names |= {"double": "double", "bool": "boolean"}
    return ", ".join(f'"{f.name}" {names.get(str(f.type), "varchar")}' for f in arrow_schema(table))


@contextmanager
def _one_line(query: str) -> Iterator[None]:
    """Turn DuckDB's errors into a ConfigError of one line."""
    duckdb = need_duckdb()
    try:
        yield
    except duckdb.Error as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = " ".join(line for line in lines[:3] if not line.startswith(("LINE", "^")))
        raise ConfigError(f"the query {query!r} fails: {reason}", key="query", text=query) from None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a source.

    Raises:
        FileError: it is damaged; names it.
    """
    path = folder / "manifest.json"
    return read_json_file(path, "hand store", Manifest)


# finding hands -------------------------------------------------------------------------------------------------------

#: Columns of the chosen player that a condition may name beside those of ``hands``.
PLAYER_COLUMNS = "position, seat, stack, blind, put, hole, shown, mucked, folded, all_in, payoff, payoff_bb"


class HandLine(msgspec.Struct, frozen=True):
    """One hand of a list. ``winners``: name and chips won of everybody who won something. If a player was asked for,
    also their position, hole cards (None: unknown) and result in big blinds."""

    hand_id: int
    source: int
    hand: int
    section: str
    players: int
    blinds: str
    board: str
    pot: int
    winners: tuple[tuple[str, float], ...]
    position: int | None = None
    hole: str | None = None
    result_bb: float | None = None


def find_hands(
    store: Store, *, player: str | None = None, where: str = "", limit: int | None = None
) -> tuple[list[int], int]:
    """Ids of the first ``limit`` hands that meet a condition, ascending, and the number of hands that do.

    Args:
        player: Only hands of this player.
        where: A condition in SQL over the columns of ``hands`` and, with a player, those of
            :data:`PLAYER_COLUMNS` (the player's own): ``"pot > 1000 and payoff_bb < -20"``.

    Raises:
        ConfigError: no player has that name (suggests the nearest), or DuckDB refuses the condition.
    """
    source = "hands"
    parameters: list[object] = []
    if player is not None:
        _known(store, player)
        # Once where a name is in several seats (a program against itself): by its first position.
        own = f"select distinct on (hand_id) hand_id as me, {PLAYER_COLUMNS} from players where player = ?"
        source += f" join ({own} order by hand_id, position) on me = hand_id"
        parameters.append(player)
    condition = f" where (\n{where}\n)" if where.strip() else ""
    query = f"select hand_id from {source}{condition}"
    _one_statement(store, query, where)
    [(total,)] = _ask(store, f"select count(*) from ({query})", parameters, where)
    last = "" if limit is None else f" limit {int(limit)}"
    return [row[0] for row in _ask(store, f"{query} order by hand_id{last}", parameters, where)], total


def list_hands(store: Store, hand_ids: Sequence[int], player: str | None = None) -> list[HandLine]:
    """The lines of these hands, by id."""
    if not hand_ids:
        return []
    among = f"hand_id in ({', '.join(str(int(i)) for i in hand_ids)})"
    winners: dict[int, list[tuple[str, float]]] = {}
    query = (
        "select hand_id, coalesce(p.player, 'position ' || p.position), payoff / split from players p "
        f"join hands using (hand_id) where p.{among} and payoff > 0 order by hand_id, payoff desc, position"
    )
    for hand_id, name, won in store.rows(query):
        winners.setdefault(hand_id, []).append((name, won))
    own: dict[int, tuple[Any, ...]] = {}
    if player is not None:
        query = f"select hand_id, position, hole, payoff_bb from players where {among} and player = ?"
        own = {row[0]: row[1:] for row in store.rows(query, [player])}
    query = (
        "select hand_id, source, hand, section, players, small_blind, big_blind, ante, board, pot from hands "
        f"where {among} order by hand_id"
    )
    lines = []
    for hand_id, source, hand, section, players, small, big, ante, board, pot in store.rows(query):
        blinds = f"{small}/{big}" + (f" ante {ante}" if ante else "")
        won = tuple(winners.get(hand_id, ()))
        fixed = (hand_id, source, hand, section, players, blinds, board, pot, won)
        lines.append(HandLine(*fixed, *own.get(hand_id, ())))
    return lines


def _known(store: Store, player: str) -> None:
    if store.rows("select 1 from players where player = ? limit 1", [player]):
        return
    names = [row[0] for row in store.rows("select distinct player from players where player is not null")]
    hint = nearest(player, names, f"{len(names)} players are")
    raise ConfigError(f"player {player!r} is not in {store.path}: {hint}", key="player", text=player)


def _one_statement(store: Store, query: str, where: str) -> None:
    duckdb = need_duckdb()
    try:
        statements = store.connection().extract_statements(query)
    except (duckdb.Error, TypeError) as error:
        # TypeError: text that is no Unicode.
        reason = str(error).splitlines()[0]
        raise ConfigError(f"the condition {where!r} is not valid: {reason}", key="where", text=where) from None
    if len(statements) != 1:
        raise ConfigError(
            f"the condition {where!r} holds several statements: expected one condition", key="where", text=where
        )


def _ask(store: Store, query: str, parameters: Sequence[object], where: str) -> list[tuple[Any, ...]]:
    try:
        return store.rows(query, parameters)
    except ConfigError as error:
        reason = str(error).partition(" fails: ")[2] or str(error)
        raise ConfigError(f"the condition {where!r} cannot be used: {reason}", key="where", text=where) from None
