"""The page of the hand store, from its schema: ``python -m dupai.history._store_docs``."""

from __future__ import annotations

import sys

from dupai.history._schema import ACTION_KINDS, HANDS_PER_SOURCE, SCHEMA_VERSION, TABLES

_HEAD = f"""\
# The hand store

The tables of this page are written from `src/dupai/history/_schema.py` by
`python -m dupai.history._store_docs > docs/reference/hand-store.md`; a test compares the two.
Schema version {SCHEMA_VERSION}.

    dupai history import FILES --store DIR
    dupai history show DIR [--player P] [--where SQL] [--hand ID]
    dupai history convert IN OUT

    from dupai.history import Store, import_files
    import_files(["match.log.xz"], "hands")
    store = Store("hands")
    store.sql("select player, avg(payoff_bb) from players group by player").fetchall()
    for record in store.records(): ...

`pip install 'dupai[history]'` brings what it needs (pyarrow, DuckDB, PokerKit).

## Files

A store is a folder. Each imported file has a folder of its own in `sources/` (`000001-<hash>`), with `manifest.json`,
`hands-*.parquet`, `players-*.parquet`, `actions-*.parquet` (zstd), and `rejects.tsv` when lines were left out. It gets
there by one rename when all of it is written, and is never changed again; deleting the folder takes exactly these
hands out of the store. An import under way, or one that was killed, stands in `importing/` and goes on from its last
finished part when the same file is imported again. Importing the same text again, compressed or not, changes nothing.
DuckDB, pandas, Polars or any other Parquet tool may read `sources/*/hands-*.parquet` at any time.

A hand that cannot be read, is not legal, or whose payoffs are not those of its betting and cards is left out and stands
in `rejects.tsv` (`line`, `kind`: `rejected` or `mismatch`, `reason`; tab-separated). Where the cards of a showdown are
not all known, chips are checked and the hand is taken as not `proven`.

Measured rates and memory are in [real-logs.md](../results/real-logs.md); `dupai bench store` measures them again.

## Units

Chips are whole numbers of the unit that the source writes (`hands.unit`: cents for online cash games). Net results are
in 1/`split` chip: 2520 under the ACPC rule of exact splits, else 1. Columns ending in `_bb` are in big blinds.
Positions: heads-up 0 is the big blind and 1 the button; with more players 0 is the small blind and the last one the
button. Streets: 0 before the flop, 1 flop, 2 turn, 3 river. `hand_id` is the source's number times
{HANDS_PER_SOURCE:,} plus the number of the hand in it, from 0.

Hole cards come in three kinds that are never mixed: `hole` is what the source knows, `shown` says whether everybody saw
them, and `mucked` are cards that a site published only afterwards and nobody in the hand knew. Unknown is null.
`text` columns are dictionary-encoded; the dictionary of `kind` is always {", ".join(ACTION_KINDS)}.
"""
_ABOUT = {
    "hands": "One row per hand.",
    "players": "One row per hand and position.",
    "actions": "One row per action of a player; all columns but `total`, `paid` and `all_in` are what stood before it.",
}


def store_page() -> str:
    """The text of docs/reference/hand-store.md."""
    lines = [_HEAD]
    for name, columns in TABLES.items():
        lines += [f"## {name}", "", _ABOUT[name], "", "| column | type | what it says |", "|---|---|---|"]
        for column in columns:
            kind = column.type + (", null" if column.nullable else "")
            lines.append(f"| `{column.name}` | {kind} | {column.about.replace('|', chr(92) + '|')} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(store_page())
