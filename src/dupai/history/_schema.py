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

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from dupai.base import MissingPackage

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


def _need(package: str, *modules: str) -> Any:
    try:
        for name in modules:
            import_module(name)
        return import_module(package)
    except ImportError:
        raise MissingPackage(package, "history", "the hand store") from None


def need_pyarrow() -> Any:
    """The module pyarrow, with its parts ``parquet`` and ``compute``.

    Raises:
        MissingPackage: it is not installed.
    """
    return _need("pyarrow", "pyarrow.parquet", "pyarrow.compute")


def need_duckdb() -> Any:
    """The module duckdb.

    Raises:
        MissingPackage: it is not installed.
    """
    return _need("duckdb")
