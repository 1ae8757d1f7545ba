"""The tables of the hand store, column by column: what stands in its Parquet files.

Three tables, each cut into files (``hands-00000.parquet``, ``actions-00000.parquet``, ``players-00000.parquet``) that
hold the same hands in the same order; rows stand by hand, then by position or order of action. Columns of text are
dictionary-encoded, those of type ``kind`` always with the dictionary :data:`ACTION_KINDS` in that order (so that the
indices mean something).

Units. Chips are whole numbers of the unit that the source writes (for online cash games cents: ``hands.unit``); net
results are in 1/``hands.split`` chip (2520 under the ACPC odd-chip rule, else 1), so that split pots stay exact;
``*_bb`` are floats in big blinds. Positions are those of :mod:`dupai.rules`: heads-up 0 is the big blind and 1 the
button; with more players 0 is the small blind and ``players - 1`` the button. Streets are 0 (before the flop) to 3.

Three things are kept apart about hole cards: ``hole`` is what the source knows (``hero`` and ``shown`` say whether
others could know it), ``mucked`` what a site published only after the hand, which nobody at the table knew. Unknown is
null, or ``?`` for one card of two; nothing is ever guessed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from dupai.base import optional_package
from dupai.rules import GameSpec

#: Written into every file and manifest; a store of another version is refused.
SCHEMA_VERSION = 1

#: Values of ``actions.kind``, in the order of their dictionary indices. A ``bet`` opens the betting of a street (there
#: is no bet to match yet); before the flop, where the blinds are bets, there are only raises. A limp is a ``call``.
ACTION_KINDS = ("fold", "check", "call", "bet", "raise")

#: ``hand_id`` is ``source * HANDS_PER_SOURCE + index``.
HANDS_PER_SOURCE = 10**9


class Column(msgspec.Struct, frozen=True):
    """One column: its ``name``, ``type`` (a key of the table in :func:`arrow_schema`), whether nulls occur, and what
    it says."""

    name: str
    type: str
    about: str
    nullable: bool = False


def _columns(rows: dict[str, tuple[str, str]]) -> tuple[Column, ...]:
    return tuple(Column(name, type.rstrip("?"), about, type.endswith("?")) for name, (type, about) in rows.items())


#: All tables by name: the data of ``schema.toml``.
TABLES = {
    table: _columns(rows)
    for table, rows in tomllib.loads(Path(__file__).with_name("schema.toml").read_text(encoding="utf-8")).items()
}


def arrow_schema(table: str) -> Any:
    """The ``pyarrow.Schema`` of ``"hands"``, ``"players"`` or ``"actions"``.

    Types: intN, float64, bool and string as named; ``text`` is dictionary(int32, string), ``kind`` dictionary(int8,
    string). The schema's metadata holds the version.

    Raises:
        MissingPackage: pyarrow is not installed.
    """
    pa = need_pyarrow()
    types = {"text": pa.dictionary(pa.int32(), pa.string()), "kind": pa.dictionary(pa.int8(), pa.string())}
    fields = [
        pa.field(c.name, types.get(c.type) or pa.type_for_alias(c.type), nullable=c.nullable) for c in TABLES[table]
    ]
    return pa.schema(fields, metadata={"dupai": f"{table} {SCHEMA_VERSION}"})


def need_pyarrow() -> Any:
    """The module pyarrow, with its parts ``parquet`` and ``compute``.

    Raises:
        MissingPackage: it is not installed.
    """
    return optional_package("pyarrow", "history", "the hand store", "pyarrow.parquet", "pyarrow.compute")


def need_duckdb() -> Any:
    """The module duckdb.

    Raises:
        MissingPackage: it is not installed.
    """
    return optional_package("duckdb", "history", "the hand store")


# games and free fields of a hand as the text that the store keeps, and back -----------------------------------------

#: Values that JSON, TOML and Python write alike: plain strings, and numbers short enough for any reader.
_WORD = re.compile(r"\"[ !#-\[\]-~]*\"\Z|(?:0|-?[1-9][0-9]{0,14})\Z")
#: A time of day as TOML writes it without quotes.
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\Z")
_NAMED = {"venue": "venue", "room": "table", "unit": "_unit"}
_READ = {"year", "month", "day", "time", "_time", *_NAMED.values()}


def game_text(spec: GameSpec, stacks: Sequence[int]) -> str:
    """A game as the store keeps it: JSON, without the stacks where they are those of the hand."""
    data = msgspec.to_builtins(spec)
    if spec.stacks == tuple(max(s, b) for s, b in zip(stacks, spec.blinds, strict=True)):
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
    return msgspec.json.encode({key: _plain(text) for key, text in about}).decode() if about else None


@lru_cache
def _plain(text: str) -> Any:
    if _WORD.match(text):
        return text[1:-1] if text[0] == '"' else int(text)
    if _TIME.match(text):
        return {"toml": text}
    try:
        value = json.loads(text)
        # A table is never left as it is: {} would be read back as TOML text.
        if not isinstance(value, dict) and json.dumps(value, ensure_ascii=False) == text:
            return value
    except (ValueError, RecursionError):
        pass
    return {"toml": text}


def about_of(text: str | None) -> tuple[tuple[str, str], ...]:
    """What :func:`extra_text` wrote."""
    return tuple(
        (key, value["toml"] if isinstance(value, dict) and "toml" in value else json.dumps(value, ensure_ascii=False))
        for key, value in json.loads(text or "{}").items()
    )


def about_columns(about: Sequence[tuple[str, str]]) -> dict[str, str | None]:
    """The columns ``played``, ``venue``, ``room`` and ``unit``, as far as a record has them."""
    fields = {key: _value(text) for key, text in about if key in _READ}
    date = [fields.get(k) for k in ("year", "month", "day")]
    time = fields.get("time", fields.get("_time"))
    parts = []
    if all(isinstance(d, int) for d in date):
        parts.append(f"{date[0]:04}-{date[1]:02}-{date[2]:02}")
    if isinstance(time, str) and time:
        parts.append(time if time[1:2] != ":" else f"0{time}")
    named = {name: str(fields[key]) if key in fields else None for name, key in _NAMED.items()}
    return {"played": "T".join(parts) or None, **named}


@lru_cache
def _value(text: str) -> Any:
    if _WORD.match(text):
        return _plain(text)
    if _TIME.match(text):
        return text
    value = tomllib.loads(f"x = {text}")["x"]
    return value if isinstance(value, int | str) else str(value)
