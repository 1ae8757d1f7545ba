"""Rows as Arrow tables, and files that are written whole or not at all."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import HistoryError
from dupai.cards import NO_CARD, cards_text
from dupai.history._layout import FINE, ActionRows, Array, HandRows, PlayerRows
from dupai.history._schema import ACTION_KINDS, HANDS_PER_SOURCE, TABLES, arrow_schema, need_pyarrow
from dupai.notation import HAND_DTYPE, UNITS
from dupai.rules import FOLD, STATE_DTYPE, GameSpec, HandRecord

if TYPE_CHECKING:
    from dupai.history._phh_blocks import Run

#: Columns that hold few different values in long runs: dictionaries pay there. Numbers that nearly always differ are
#: stored as differences.
_DELTA = {"hand_id", "line", "hand"}


class Words:
    """Text values numbered in the order they come: a dictionary column in the making."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.index: list[int] = []

    def add(self, text: str | None) -> None:
        """One more row; None is null."""
        self.index.append(-1 if text is None else self.values.setdefault(text, len(self.values)))

    def extend(self, index: Array, values: Sequence[str], none: str | None = None) -> None:
        """More rows, as an index of ``values`` (-1: ``none``). Values are numbered in the order of the rows."""
        used = np.unique(index, return_index=True)
        number = np.full(len(values) + 1, -1, np.int32)
        for k in used[0][np.argsort(used[1])].tolist():
            text = values[k] if k >= 0 else none
            number[k] = -1 if text is None else self.values.setdefault(text, len(self.values))
        self.index += number[index].tolist()

    def column(self) -> tuple[Array, list[str]]:
        """Index of each row (-1: null) and the values."""
        return np.array(self.index, np.int32), list(self.values)


def game_text(spec: GameSpec, stacks: Sequence[int]) -> str:
    """A game as the store keeps it: JSON, without the stacks where they are those of the hand."""
    usual = tuple(max(s, b) for s, b in zip(stacks, spec.blinds, strict=True))
    data = msgspec.to_builtins(spec)
    if spec.stacks == usual:
        del data["stacks"]
    return msgspec.json.encode(data).decode()


def game_of(text: str, stacks: Sequence[int]) -> GameSpec:
    """The game that :func:`game_text` wrote, for a hand with these stacks."""
    data = json.loads(text)
    if "stacks" not in data:
        data["stacks"] = [max(s, b) for s, b in zip(stacks, data["blinds"], strict=True)]
    return msgspec.convert(data, GameSpec)


def blind_columns(spec: GameSpec) -> tuple[int, int, int]:
    """Small blind, big blind and ante of a game."""
    return min((b for b in spec.blinds if b), default=0), spec.big_blind, max(spec.antes)


def extra_text(about: Sequence[tuple[str, str]]) -> str | None:
    """``HandRecord.about`` as JSON: plain values as they are, what only TOML can write as ``{"toml": text}``."""
    if not about:
        return None
    return msgspec.json.encode({key: _plain(text) for key, text in about}).decode()


def _plain(text: str) -> Any:
    if _WORD.match(text):
        return text[1:-1] if text[0] == '"' else int(text)
    try:
        value = json.loads(text)
        if json.dumps(value, ensure_ascii=False) == text:
            return value
    except ValueError:
        pass
    return {"toml": text}


def about_of(text: str | None) -> tuple[tuple[str, str], ...]:
    """What :func:`extra_text` wrote."""
    if text is None:
        return ()
    return tuple(
        (k, v["toml"] if isinstance(v, dict) else json.dumps(v, ensure_ascii=False))
        for k, v in json.loads(text).items()
    )


def about_columns(about: Sequence[tuple[str, str]]) -> dict[str, str | None]:
    """The columns ``played``, ``venue``, ``room`` and ``unit`` as far as a record says them."""
    say = {k: _value(v) for k, v in about if k in _SAID}
    day = [say.get(k) for k in ("year", "month", "day")]
    time = say.get("time", say.get("_time"))
    parts = []
    if all(isinstance(d, int) for d in day):
        parts.append(f"{day[0]:04}-{day[1]:02}-{day[2]:02}")
    if isinstance(time, str) and time:
        parts.append(time if time[1:2] != ":" else f"0{time}")
    return {
        "played": "T".join(parts) or None,
        **{name: str(say[k]) if k in say else None for name, k in _NAMED.items()},
    }


#: Values that JSON, TOML and Python write alike: plain strings, and numbers short enough for any reader.
_WORD = re.compile(r"\"[ !#-\[\]-~]*\"\Z|(?:0|-?[1-9][0-9]{0,14})\Z")
_NAMED = {"venue": "venue", "room": "table", "unit": "_unit"}
_SAID = {"year", "month", "day", "time", "_time", *_NAMED.values()}


def _value(text: str) -> Any:
    if _WORD.match(text):
        return _plain(text)
    value = tomllib.loads(f"x = {text}")["x"]
    return value if isinstance(value, int | str) else str(value)


# tables --------------------------------------------------------------------------------------------------------------


class _Columns:
    """Makes the columns of one table in the order of its schema."""

    def __init__(self, table: str, rows: int) -> None:
        self.pa = need_pyarrow()
        self.table = table
        self.rows = rows
        self.done: dict[str, Any] = {}

    def plain(self, name: str, values: Any, null: int | None = None) -> None:
        """Numbers (one for all rows, or an array; ``null`` stands for null)."""
        if not isinstance(values, np.ndarray):
            values = np.full(self.rows, values)
        mask = values == null if null is not None else None
        self.done[name] = self.pa.array(values, mask=mask)

    def words(self, name: str, index: Array | int, values: Sequence[str]) -> None:
        """A dictionary column (index -1: null)."""
        if isinstance(index, int):
            index = np.full(self.rows, index, np.int32)
        mask = index < 0
        codes = self.pa.array(index, mask=mask if mask.any() else None)
        self.done[name] = self.pa.DictionaryArray.from_arrays(codes, self.pa.array(list(values), self.pa.string()))

    def text(self, name: str, letters: Array, ends: Array, known: Array | None = None) -> None:
        """Text from one buffer of letters and the ends of each row's."""
        pa = self.pa
        valid = None if known is None or known.all() else pa.array(known).buffers()[1]
        ends = np.ascontiguousarray(ends, np.int32)
        self.done[name] = pa.StringArray.from_buffers(
            self.rows, pa.py_buffer(ends), pa.py_buffer(letters[: ends[-1]].tobytes()), valid
        )

    def strings(self, name: str, values: Sequence[str | None]) -> None:
        self.done[name] = self.pa.array(values, self.pa.string())

    def empty(self, *names: str) -> None:
        """Columns of nulls."""
        schema = arrow_schema(self.table)
        for name in names:
            self.done[name] = self.pa.nulls(self.rows, schema.field(name).type)

    def finish(self) -> Any:
        schema = arrow_schema(self.table)
        return self.pa.table(
            [self.done[f.name].cast(f.type) if self.done[f.name].type != f.type else self.done[f.name] for f in schema],
            schema=schema,
        )


class Facts(msgspec.Struct, kw_only=True):
    """What the rows of a part need beside the replayed columns. Dictionary columns are (index, values)."""

    #: By hand: arrays or one number for all.
    line: Array
    hand: Array
    section: tuple[Array | int, list[str]]
    game: tuple[Array | int, list[str]]
    betting: tuple[Array | int, list[str]]
    players: Array | int
    small_blind: Array | int
    big_blind: Array | int
    ante: Array | int
    split: Array | int
    proven: Array
    rake: Array | int = 0
    hero: Array | None = None
    played: list[str | None] | None = None
    venue: tuple[Array | int, list[str]] | None = None
    room: tuple[Array | int, list[str]] | None = None
    unit: tuple[Array | int, list[str]] | None = None
    comment: tuple[Array | int, list[str]] = (0, [""])
    extra: list[str | None] | None = None
    #: Values of ``player``; by player: seat (-1: null), shown, recorded the hand, mucked.
    names: list[str]
    seat: Array
    shown: Array
    mucked: list[str | None] | None = None


class Part(NamedTuple):
    """Rows for the three tables: numbers of hands, players and actions, and what makes each Arrow table (one at a time:
    together they would take more memory than all else)."""

    rows: tuple[int, int, int]
    make: dict[str, Callable[[], Any]]


def part_tables(
    source: int, first: int, at: npt.NDArray[np.int64], H: HandRows, P: PlayerRows, A: ActionRows, facts: Facts
) -> Part:
    """One part: ``at`` rows of hands, players and actions; the first hand is number ``first`` of its source."""
    hands, players, actions = (int(x) for x in at)
    base = source * HANDS_PER_SOURCE + first
    return Part(
        (hands, players, actions),
        {
            "hands": lambda: _hands(source, base, hands, H, facts),
            "players": lambda: _players(base, players, P, facts),
            "actions": lambda: _actions(base, actions, A, facts),
        },
    )


def _hands(source: int, base: int, n: int, H: HandRows, facts: Facts) -> Any:
    t = _Columns("hands", n)
    t.plain("hand_id", base + np.arange(n, dtype=np.int64))
    t.plain("source", np.int32(source))
    for name in ("line", "hand", "players", "small_blind", "big_blind", "ante", "split", "proven", "rake"):
        t.plain(name, getattr(facts, name))
    for name in ("street", "showdown", "actions", "pot"):
        t.plain(name, getattr(H, name)[:n])
    t.text("board", H.board, H.board_end[: n + 1])
    for name in ("section", "game", "betting", "comment", "venue", "room", "unit"):
        words = getattr(facts, name)
        if words is None:
            t.empty(name)
        else:
            t.words(name, *words)
    if facts.hero is None:
        t.empty("hero")
    else:
        t.plain("hero", facts.hero, null=-1)
    for name in ("played", "extra"):
        values = getattr(facts, name)
        if values is None:
            t.empty(name)
        else:
            t.strings(name, values)
    return t.finish()


def _by_hand(values: Array | int, hand: Array) -> Array | int:
    return values[hand] if isinstance(values, np.ndarray) else values


def _players(base: int, n: int, P: PlayerRows, facts: Facts) -> Any:
    t = _Columns("players", n)
    hand = P.hand[:n]
    t.plain("hand_id", base + hand)
    t.plain("players", _by_hand(facts.players, hand))
    for name in ("position", "stack", "ante", "blind", "put", "all_in", "showdown", "payoff"):
        t.plain(name, getattr(P, name)[:n])
    t.plain("folded", P.folded[:n], null=-1)
    t.words("player", P.player[:n], facts.names)
    t.plain("seat", facts.seat, null=-1)
    t.plain("shown", facts.shown)
    t.plain("hero", np.zeros(n, np.bool_) if facts.hero is None else facts.hero[hand] == P.position[:n])
    t.text("hole", P.hole, P.hole_end[: n + 1], P.known[:n])
    if facts.mucked is None:
        t.empty("mucked")
    else:
        t.strings("mucked", facts.mucked)
    big = np.asarray(_by_hand(facts.big_blind, hand), np.float64)
    unit = np.asarray(_by_hand(facts.split, hand), np.float64) * np.maximum(big, 1)
    t.plain("payoff_bb", P.payoff[:n] / unit)
    return t.finish()


def _actions(base: int, n: int, A: ActionRows, facts: Facts) -> Any:
    t = _Columns("actions", n)
    hand = A.hand[:n]
    t.plain("hand_id", base + hand)
    t.plain("players", _by_hand(facts.players, hand))
    t.words("player", A.player[:n], facts.names)
    t.words("kind", A.kind[:n], ACTION_KINDS)
    for column in TABLES["actions"]:
        if column.name not in t.done:
            t.plain(column.name, getattr(A, column.name)[:n], null=-1 if column.nullable else None)
    return t.finish()


# records to rows -----------------------------------------------------------------------------------------------------


class RecordRows:
    """Hand records, and runs of scanned PHH tables, turned into rows until they are enough for a part."""

    def __init__(self, hands: int) -> None:
        self._room, self._made = (hands, 10 * hands, 40 * hands), (0, 0, 0)
        self._one = np.zeros(1, HAND_DTYPE)
        self._code = np.full(1, FINE, np.int64)
        self._state = np.zeros(1, STATE_DTYPE)
        self._stacks = np.zeros((1, 10), np.int64)
        self._spec_of = np.zeros(1, np.int64)
        self._games: list[tuple[str, str, tuple[int, ...]]] = []
        self.clear()

    def clear(self) -> None:
        """Begin the next part."""
        self.at = np.zeros(3, np.int64)
        hands, players, actions = self._room
        if self._room != self._made:
            self._made = self._room
            self.H, self.P, self.A = HandRows.empty(hands), PlayerRows.empty(players), ActionRows.empty(actions)
        #: By hand: line, number, players, small blind, big blind, ante, split, rake, recorder.
        self.numbers = np.empty((hands, 9), np.int64)
        self.proven = np.empty(hands, np.bool_)
        self.section, self.game, self.betting, self.comment = Words(), Words(), Words(), Words()
        self.venue, self.room_name, self.unit, self.names = Words(), Words(), Words(), Words()
        self.played: list[str | None] = []
        self.extra: list[str | None] = []
        self.seat: list[int] = []
        self.shown: list[bool] = []
        self.mucked: list[str | None] = []

    def full(self, record: HandRecord) -> bool:
        """Whether there is no room for one more."""
        hands, _, actions = (int(x) for x in self.at)
        self._fit(len(record.actions))
        return hands >= self._room[0] or actions + len(record.actions) > self._room[2]

    def _fit(self, actions: int) -> None:
        """Make room for one hand with so many actions where there is none yet."""
        if not self.at[0] and actions > self._room[2]:
            self._room = (*self._room[:2], actions)
            self.clear()

    def room(self, run: Run) -> int:
        """For how many hands of a run there is room."""
        ends = np.cumsum(run.block.hands["actions"][run.first : run.last])
        self._fit(int(ends[0]))
        hands, _, actions = (int(x) for x in self.at)
        return min(self._room[0] - hands, int(np.searchsorted(ends, self._room[2] - actions, side="right")))

    def add(self, record: HandRecord, line: int, proven: bool) -> None:
        """One more hand, which must replay and has passed :func:`dupai.history.check_record`.

        Raises:
            HistoryError: a fold with no bet to fold to under ACPC rules, or an amount too large for the store.
        """
        from dupai.history._kernels import columns_kernel

        spec = record.spec
        n = spec.players
        row = self._one[0]
        unit = UNITS // spec.split
        most = max(map(abs, (*record.payoffs, record.rake)))
        if most * unit >= 2**62 or not 0 <= record.hand < 2**63:
            raise HistoryError(f"hand {record.hand}: its amounts are too large for the store")
        row["actions"] = len(record.actions)
        row["board"] = (*record.board, *(NO_CARD,) * (5 - len(record.board)))
        row["hole"][:n] = record.hole
        row["payoff"][:n] = [p * unit for p in record.payoffs]
        self._stacks[0, :n] = record.stacks
        kind = np.array([a.kind for a in record.actions] or [FOLD], np.uint8)
        to = np.array([a.to for a in record.actions] or [0], np.int64)
        first = int(self.at[1])
        for name in record.names or (None,) * n:
            self.names.add(name)
        self.P.player[first : first + n] = self.names.index[first:]
        columns_kernel(
            *(self._one, self._code, kind, to, spec.array, self._spec_of, self._stacks),
            *(self._state, self.H, self.P, self.A, self.at),
        )
        self._facts(record, line, proven)

    def add_run(self, run: Run) -> None:
        """The hands of a run, for which there is room."""
        from dupai.history._kernels import columns_kernel

        block, a, b = run
        hand, player = int(self.at[0]), int(self.at[1])
        facts, hands, spec_of = block.facts[a:b], block.hands[a:b], block.spec_of[a:b]
        dealt = block.players(a, b)
        there = np.arange(10) < dealt[:, None]
        index, names = block.names(a, b)
        self.names.extend(index[there], names)
        players = int(dealt.sum())
        self.P.player[player : player + players] = self.names.index[player:]
        columns_kernel(
            *(hands, block.codes[a:b], block.kind, block.to, block.games.array, spec_of),
            *(np.ascontiguousarray(facts["stacks"]), self._state, self.H, self.P, self.A, self.at),
        )
        specs = block.games.specs
        usual = [(game_text(s, s.stacks), s.betting, (*blind_columns(s), s.split)) for s in specs[len(self._games) :]]
        self._games += usual
        rows = self.numbers[hand : hand + b - a]
        rows[:, 0], rows[:, 1], rows[:, 2] = hands["line"], hands["hand"], dealt
        rows[:, 3:7] = np.array([g[2] for g in self._games], np.int64)[spec_of]
        # Whole chips: a rake of parts of a chip is left to the careful reader.
        rows[:, 7], rows[:, 8] = np.maximum(facts["rake"], 0) * rows[:, 6], facts["hero"]
        self.proven[hand : hand + b - a] = block.codes[a:b] == FINE
        self.game.extend(spec_of, [g[0] for g in self._games])
        self.betting.extend(spec_of, [g[1] for g in self._games])
        for words, name, none in (
            *((self.section, "section", ""), (self.comment, "comment", "")),
            *((self.venue, "venue", None), (self.room_name, "room", None), (self.unit, "unit", None)),
        ):
            words.extend(*block.words(name, a, b), none)
        self.played += block.written("played", a, b)
        self.extra += block.written("extra", a, b)
        self.seat += facts["seats"][there].tolist()
        self.shown += facts["shown"][there].tolist()
        mucked: list[str | None] = [None] * players
        begin = np.cumsum(dealt) - dealt
        for i in np.flatnonzero(facts["lost"]).tolist():
            for p in np.flatnonzero(facts["mucked"][i, :, 0] != NO_CARD).tolist():
                mucked[int(begin[i]) + p] = cards_text(facts["mucked"][i, p].tolist())
        self.mucked += mucked

    def _facts(self, record: HandRecord, line: int, proven: bool) -> None:
        spec = record.spec
        n = spec.players
        hero = -1 if record.hero is None else record.hero
        hand = int(self.at[0]) - 1
        self.numbers[hand] = (line, record.hand, n, *blind_columns(spec), spec.split, record.rake, hero)
        self.proven[hand] = proven
        self.section.add(record.section)
        self.game.add(game_text(spec, record.stacks))
        self.betting.add(spec.betting)
        self.comment.add(record.comment)
        said = about_columns(record.about)
        self.played.append(said["played"])
        self.venue.add(said["venue"])
        self.room_name.add(said["room"])
        self.unit.add(said["unit"])
        self.extra.append(extra_text(record.about))
        self.seat += record.seats or (-1,) * n
        self.shown += record.shown or (False,) * n
        self.mucked += [cards_text(two) if NO_CARD not in two else None for two in record.mucked] or [None] * n

    def part(self, source: int, first: int) -> Part:
        """The part that the hands make."""
        numbers = self.numbers[: self.at[0]]
        facts = Facts(
            line=numbers[:, 0],
            hand=numbers[:, 1],
            players=numbers[:, 2],
            small_blind=numbers[:, 3],
            big_blind=numbers[:, 4],
            ante=numbers[:, 5],
            split=numbers[:, 6],
            rake=numbers[:, 7],
            hero=numbers[:, 8],
            proven=self.proven[: self.at[0]],
            section=self.section.column(),
            game=self.game.column(),
            betting=self.betting.column(),
            comment=self.comment.column(),
            venue=self.venue.column(),
            room=self.room_name.column(),
            unit=self.unit.column(),
            played=self.played,
            extra=self.extra,
            names=list(self.names.values),
            seat=np.array(self.seat, np.int8),
            shown=np.array(self.shown, np.bool_),
            mucked=self.mucked,
        )
        return part_tables(source, first, self.at, self.H, self.P, self.A, facts)


# files ---------------------------------------------------------------------------------------------------------------


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, also when the machine stops.

    Raises:
        HistoryError: it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise HistoryError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_parquet(path: Path, table: Any) -> None:
    """Write a table as Parquet (zstd), whole or not at all.

    Raises:
        HistoryError: it cannot be written.
    """
    pa = need_pyarrow()
    part = path.with_name(path.name + ".part")
    text = [f.name for f in table.schema if f.name not in _DELTA]
    delta = dict.fromkeys(_DELTA & set(table.column_names), "DELTA_BINARY_PACKED")
    try:
        pa.parquet.write_table(table, part, compression="zstd", use_dictionary=text, column_encoding=delta)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise HistoryError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_part(folder: Path, number: int, part: Part) -> None:
    """The files of one part (``hands-00000.parquet``, ...)."""
    for name, make in part.make.items():
        write_parquet(folder / f"{name}-{number:05}.parquet", make())
    need_pyarrow().default_memory_pool().release_unused()
