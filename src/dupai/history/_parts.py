"""Hands as the rows of one part of the store, and parts as Parquet files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dupai.base import HistoryError
from dupai.base.arrays import AnyArray
from dupai.base.files import whole_path
from dupai.cards import NO_CARD, card_text, cards_text
from dupai.history._kernels import columns_kernel
from dupai.history._layout import FINE, Rows
from dupai.history._schema import (
    ACTION_KINDS,
    HANDS_PER_SOURCE,
    TABLES,
    about_columns,
    arrow_schema,
    blind_columns,
    extra_text,
    game_text,
    need_pyarrow,
)
from dupai.notation.scan import HAND_DTYPE, UNITS
from dupai.rules import MAX_PLAYERS, STATE_DTYPE, GameSpec, HandRecord

if TYPE_CHECKING:
    from dupai.history._phh_blocks import Run

#: Numbers that differ in nearly every row: they are stored as differences, all other columns by dictionary.
_DELTA = {"hand_id", "line", "hand"}
#: Rows that fit into a processor's cache.
_CHUNK = 2048
#: Columns of ``hands`` that :class:`RecordRows` collects: numbers, and words with the value of an absent one.
_NUMBERS = ("line", "hand", "players", "small_blind", "big_blind", "ante", "split", "rake", "hero")
_WORDS = {"section": "", "comment": "", "venue": None, "room": None, "unit": None, "game": "", "betting": ""}
#: Arguments of ``columns_kernel`` for one hand: it is in order, and its game is the first one.
_ONE_FINE, _ONE_GAME = np.full(1, FINE), np.zeros(1, np.int64)


class Words:
    """A dictionary column in the making: distinct texts numbered in order of appearance."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.index: list[int] = []

    def add(self, text: str | None) -> None:
        """One more row; None is null."""
        self.index.append(-1 if text is None else self.values.setdefault(text, len(self.values)))

    def extend(self, index: AnyArray, values: Sequence[str], none: str | None = None) -> None:
        """More rows, as indices of ``values`` (-1: ``none``). Values are numbered in the order of the rows."""
        present, first = np.unique(index, return_index=True)
        number = np.full(len(values) + 1, -1, np.int32)
        for k in present[np.argsort(first)].tolist():
            text = values[k] if k >= 0 else none
            number[k] = -1 if text is None else self.values.setdefault(text, len(self.values))
        self.index += number[index].tolist()

    def column(self) -> tuple[AnyArray, list[str]]:
        """Index of each row (-1: null) and the values."""
        return np.array(self.index, np.int32), list(self.values)


def one_game(spec: GameSpec, stacks: Sequence[int]) -> tuple[AnyArray, AnyArray, AnyArray]:
    """The arguments ``specs``, ``spec_of`` and ``stacks`` of ``columns_kernel`` for hands that share them; it reads no
    stacks beyond those of the players."""
    return spec.array, _ONE_GAME, np.array([stacks], np.int64)


# tables --------------------------------------------------------------------------------------------------------------


#: The text of each card as one number of two bytes; 52 is an unknown card.
_CARD_TEXT = np.array([*map(card_text, range(52)), "??"], "S2").view(np.uint16)


def _card_column(cards: AnyArray, *, some: bool = False) -> Any:
    """Rows of card numbers (``uint8[n, k]``, 255 unknown) as an Arrow array of text.

    Unknown cards are left out; with ``some`` they are written as ``??``, and a row without any known card is null.
    """
    pa = need_pyarrow()
    known = cards != NO_CARD
    text = _CARD_TEXT[np.minimum(cards, 52)]
    offsets = np.zeros(len(cards) + 1, np.int32)
    np.cumsum(np.full(len(cards), text.shape[1]) if some else known.sum(axis=1), out=offsets[1:])
    validity = pa.py_buffer(np.packbits(known.any(axis=1), bitorder="little")) if some else None
    data = pa.py_buffer(text if some else text[known])
    return pa.StringArray.from_buffers(len(cards), pa.py_buffer(offsets * 2), data, validity)


def _arrow_table(table: str, columns: dict[str, Any]) -> Any:
    """An Arrow table from columns by name.

    A column is an array or one number for all rows (-1 is null where the schema allows nulls); an index (-1: null) with
    a list of values; a list of texts; an Arrow array; or absent: all null. There must be an array ``hand_id``.
    """
    pa = need_pyarrow()
    rows = len(columns["hand_id"])

    def column(field: Any) -> Any:
        value = columns.get(field.name)
        if value is None:
            return pa.nulls(rows, field.type)
        if isinstance(value, tuple):
            index = np.array(np.broadcast_to(value[0], rows))
            codes = pa.array(index, field.type.index_type, mask=index < 0)
            return pa.DictionaryArray.from_arrays(codes, pa.array(value[1], pa.string()))
        if isinstance(value, list | pa.Array):
            return pa.array(value, field.type) if isinstance(value, list) else value
        value = value if isinstance(value, np.ndarray) else np.full(rows, value)
        return pa.array(value, mask=value == -1 if field.nullable else None).cast(field.type)

    schema = arrow_schema(table)
    return pa.table([column(field) for field in schema], schema=schema)


def _fields(rows: AnyArray, names: Collection[str]) -> dict[str, Any]:
    """The fields of a structured array that are among ``names``, each as an array of its own.

    They are copied block by block: reading one field after another from all rows would load the rows once per field."""
    pool = need_pyarrow().allocate_buffer  # keeps its pages from part to part, which numpy gives back
    types = {name: rows.dtype[name] for name in rows.dtype.names or () if name in names}
    fields = {name: np.frombuffer(pool(len(rows) * t.itemsize), t) for name, t in types.items()}
    for start in range(0, len(rows), _CHUNK):
        block = rows[start : start + _CHUNK]
        for name, values in fields.items():
            values[start : start + _CHUNK] = block[name]
    return fields


class Part(NamedTuple):
    """The hands of one part.

    Attributes:
        source: Number of the source.
        first: Index in the source of the part's first hand.
        rows: What replaying gives, cut to the rows in use.
        hands, players: The other columns, as :func:`_arrow_table` takes them; ``players["player"]`` lists the names.
    """

    source: int
    first: int
    rows: Rows
    hands: dict[str, Any]
    players: dict[str, Any]

    def tables(self) -> Iterator[tuple[str, Any]]:
        """The three Arrow tables by name, one at a time: together they take more memory than everything else."""
        names = self.players["player"]
        hands = _fields(self.rows.hands, ("pot", "actions", "street", "showdown"))
        count = len(self.rows.hands)
        ids = self.source * HANDS_PER_SOURCE + self.first + np.arange(count, dtype=np.int64)
        numbers = {k: np.broadcast_to(self.hands.get(k, -1), count) for k in ("players", "hero", "split", "big_blind")}
        hands |= {"hand_id": ids, "source": self.source, "board": _card_column(self.rows.hands["board"])}
        yield "hands", _arrow_table("hands", hands | self.hands)
        hand = np.repeat(np.arange(count), numbers["players"])
        players = _fields(self.rows.players, _columns("players"))
        player = self.rows.players["player"]
        big_blinds = numbers["split"][hand] * np.maximum(numbers["big_blind"][hand], 1.0)
        players |= self.players | {
            "hand_id": ids[hand],
            "players": numbers["players"][hand],
            "player": (player, names),
            "hero": numbers["hero"][hand] == players["position"],
            "hole": _card_column(self.rows.players["hole"], some=True),
            "payoff_bb": players["payoff"] / big_blinds,
        }
        yield "players", _arrow_table("players", players)
        acting = np.repeat(np.arange(count), hands["actions"])
        begin = np.cumsum(numbers["players"], dtype=np.int64) - numbers["players"]
        actions = _fields(self.rows.actions, (*_columns("actions"), "did", "to"))
        actions |= {
            "hand_id": ids[acting],
            "player": (player[begin[acting] + actions["position"]], names),
            "kind": (actions["did"], ACTION_KINDS),
            "total": actions["to"],
        }
        yield "actions", _arrow_table("actions", actions)


def _columns(table: str) -> set[str]:
    return {column.name for column in TABLES[table]}


def write_part(folder: Path, number: int, part: Part) -> None:
    """Write the files of one part (``hands-00000.parquet``, ...), each whole or not at all.

    Raises:
        FileError: a file cannot be written.
    """
    pa = need_pyarrow()
    for name, table in part.tables():
        dictionaries = [f.name for f in table.schema if f.name not in _DELTA]
        delta = dict.fromkeys(_DELTA & set(table.column_names), "DELTA_BINARY_PACKED")
        with whole_path(folder / f"{name}-{number:05}.parquet") as path:
            pa.parquet.write_table(table, path, compression="zstd", use_dictionary=dictionaries, column_encoding=delta)
    pa.default_memory_pool().release_unused()


# records to rows -----------------------------------------------------------------------------------------------------


class RecordRows:
    """Collects hand records, and runs of scanned PHH tables, until they fill a part of ``hands`` hands."""

    def __init__(self, hands: int) -> None:
        self._state = np.zeros(1, STATE_DTYPE)
        self._hand = np.zeros(1, HAND_DTYPE)
        self._games: list[tuple[str, str, tuple[int, ...]]] = []
        self._make(hands, 40 * hands)

    def _make(self, hands: int, actions: int) -> None:
        self.rows = Rows.empty(hands, MAX_PLAYERS * hands, actions)
        self.numbers = np.empty((hands, len(_NUMBERS)), np.int64)
        self.proven = np.empty(hands, np.bool_)
        self.clear()

    def clear(self) -> None:
        """Begin the next part."""
        self.rows.at[:] = 0
        self.words = {name: Words() for name in (*_WORDS, "player")}
        self.lists: dict[str, list[Any]] = {name: [] for name in ("played", "extra", "seat", "shown", "mucked")}

    @property
    def hands(self) -> int:
        """Number of hands collected."""
        return int(self.rows.at[0])

    def room(self, actions: Sequence[int]) -> int:
        """How many of the next hands fit, given the number of actions of each. The first one of a part always does."""
        hands, _, done = self.rows.at.tolist()
        if not hands and actions[0] > len(self.rows.actions):
            self._make(len(self.rows.hands), actions[0])
        fits = bisect_right(list(accumulate(actions)), len(self.rows.actions) - done)
        return min(len(self.rows.hands) - int(hands), fits)

    def add(self, record: HandRecord, line: int, proven: bool) -> None:
        """Add a hand that replays and has passed :func:`dupai.history.check_record`, for which there is room.

        Raises:
            HistoryError: an amount is too large for the store, or the hand's number is negative.
        """
        spec = record.spec
        n = spec.players
        unit = UNITS // spec.split
        if max(map(abs, (*record.payoffs, record.rake))) * unit >= 2**62:
            raise HistoryError(f"hand {record.hand}: its amounts are too large for the store", line=line)
        if not 0 <= record.hand < 2**63:
            raise HistoryError(f"hand {record.hand}: expected a number from 0 to {2**63 - 1}", line=line)
        hands, player, _ = self.rows.at.tolist()
        row = self._hand[0]  # what another hand has left beyond the players does not matter
        row["actions"] = len(record.actions)
        row["board"] = (*record.board, *(NO_CARD,) * (5 - len(record.board)))
        row["hole"][:n] = record.hole
        row["payoff"][:n] = [p * unit for p in record.payoffs]
        for name in record.names or (None,) * n:
            self.words["player"].add(name)
        self.rows.players["player"][player : player + n] = self.words["player"].index[player:]
        kind = np.array([kind for kind, _ in record.actions], np.uint8)
        to = np.array([to for _, to in record.actions], np.int64)
        columns_kernel(self._hand, _ONE_FINE, kind, to, *one_game(spec, record.stacks), self._state, self.rows)
        hero = -1 if record.hero is None else record.hero
        self.numbers[hands] = (line, record.hand, n, *blind_columns(spec), spec.split, record.rake, hero)
        self.proven[hands] = proven
        about = about_columns(record.about)
        own = {"section": record.section, "comment": record.comment, "betting": spec.betting}
        for name, text in (own | about | {"game": game_text(spec, record.stacks)}).items():
            if name in self.words:
                self.words[name].add(text)
        self.lists["played"].append(about["played"])
        self.lists["extra"].append(extra_text(record.about))
        self.lists["seat"] += record.seats or (-1,) * n
        self.lists["shown"] += record.shown or (False,) * n
        mucked = [cards_text(two) if NO_CARD not in two else None for two in record.mucked]
        self.lists["mucked"] += mucked or [None] * n

    def add_run(self, run: Run) -> None:
        """Add the hands of a run, for which there is room."""
        block, a, b = run
        hand, player, _ = self.rows.at.tolist()
        facts, hands, spec_of = block.facts[a:b], block.hands[a:b], block.spec_of[a:b]
        dealt = facts["players"]
        seated = np.arange(MAX_PLAYERS) < dealt[:, None]
        index, names = block.names(a, b)
        self.words["player"].extend(index[seated], names)
        players = int(dealt.sum())
        self.rows.players["player"][player : player + players] = self.words["player"].index[player:]
        games = (block.games.array, spec_of, np.ascontiguousarray(facts["stacks"]))
        columns_kernel(hands, block.codes[a:b], block.kind, block.to, *games, self._state, self.rows)
        for spec in block.games.specs[len(self._games) :]:
            self._games.append((game_text(spec, spec.stacks), spec.betting, (*blind_columns(spec), spec.split)))
        numbers = self.numbers[hand : hand + b - a]
        numbers[:, 0], numbers[:, 1], numbers[:, 2] = hands["line"], hands["hand"], dealt
        numbers[:, 3:7] = np.array([g[2] for g in self._games], np.int64)[spec_of]
        # Whole chips: the Python reader takes the hands with a rake of fractions of a chip.
        numbers[:, 7], numbers[:, 8] = np.maximum(facts["rake"], 0) * numbers[:, 6], facts["hero"]
        self.proven[hand : hand + b - a] = block.codes[a:b] == FINE
        self.words["game"].extend(spec_of, [g[0] for g in self._games])
        self.words["betting"].extend(spec_of, [g[1] for g in self._games])
        for name in ("section", "comment", "venue", "room", "unit"):
            self.words[name].extend(*block.words(name, a, b), _WORDS[name])
        for name in ("played", "extra"):
            self.lists[name] += block.written(name, a, b)
        self.lists["seat"] += facts["seats"][seated].tolist()
        self.lists["shown"] += facts["shown"][seated].tolist()
        mucked: list[str | None] = [None] * players
        begin = np.cumsum(dealt) - dealt
        for i, position in np.argwhere((facts["mucked"][:, :, 0] != NO_CARD) & (facts["lost"] != 0)[:, None]).tolist():
            mucked[int(begin[i]) + position] = cards_text(facts["mucked"][i, position].tolist())
        self.lists["mucked"] += mucked

    def part(self, source: int, first: int) -> Part:
        """The part that the collected hands make."""
        hands: dict[str, Any] = dict(zip(_NUMBERS, self.numbers[: self.hands].T, strict=True))
        hands |= {name: self.words[name].column() for name in _WORDS}
        hands |= {"proven": self.proven[: self.hands], "played": self.lists["played"], "extra": self.lists["extra"]}
        players = {
            "player": list(self.words["player"].values),
            "seat": np.array(self.lists["seat"], np.int8),
            "shown": np.array(self.lists["shown"], np.bool_),
            "mucked": self.lists["mucked"],
        }
        return Part(source, first, self.rows.used, hands, players)
