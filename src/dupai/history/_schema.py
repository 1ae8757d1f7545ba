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

from importlib import import_module
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


def _c(name: str, type: str, about: str) -> Column:
    return Column(name, type.rstrip("?"), about, type.endswith("?"))


#: One row per hand.
HANDS = (
    _c("hand_id", "int64", "unique in the store: source * 10^9 + number of the hand in its source, from 0"),
    _c("source", "int32", "number of the imported file: sources of the store, from 1"),
    _c("line", "int64", "line of the source on which the hand stands or begins, from 1"),
    _c("hand", "int64", "the hand's own number, as its source writes it"),
    _c("section", "text", "section of the log ('player Pro06', 'match x', 'session 100'), '' if none"),
    _c("game", "text", "the GameSpec as JSON, without its stacks where they are those of the hand (players.stack)"),
    _c("betting", "text", "'no-limit', 'limit' or 'pot-limit'"),
    _c("players", "int8", "players dealt in"),
    _c("small_blind", "int64", "the smallest blind other than 0, in chips"),
    _c("big_blind", "int64", "the largest blind, in chips"),
    _c("ante", "int64", "the largest ante, in chips"),
    _c("split", "int16", "units of a net result per chip: 1 or 2520"),
    _c("street", "int8", "the last street reached, 0..3 (3 after a run-out too)"),
    _c("showdown", "bool", "at least two players had not folded at the end"),
    _c("proven", "bool", "the payoffs were recomputed from betting and cards (else: showdown cards are not all known)"),
    _c("board", "string", "board cards as far as the source gives them, 'Jh7s2c7h5c', '' before the flop"),
    _c("actions", "int32", "number of actions (rows of the table actions)"),
    _c("pot", "int64", "chips in the pot at the end: antes and bets of all, less a bet that nobody called"),
    _c("rake", "int64", "what the house took, in 1/split chip"),
    _c("hero", "int8?", "position of the player who recorded the hand; null: an observer, or not said"),
    _c("played", "string?", "date and time as the source gives them, ISO 8601 as far as known: '2019-03-31T05:42:59'"),
    _c("venue", "text?", "site or room"),
    _c("room", "text?", "table at that site"),
    _c("unit", "text?", "what one chip is ('cent'), where the source says it"),
    _c("comment", "text", "free text that belongs to the hand, '' if none"),
    _c("extra", "string?", "all fields of the source that no other column restores, as a JSON object"),
)

#: One row per hand and position.
PLAYERS = (
    _c("hand_id", "int64", "the hand"),
    _c("position", "int8", "position in this hand, 0 .. players - 1"),
    _c("players", "int8", "players dealt in (the button is position players - 1)"),
    _c("seat", "int8?", "fixed seat in the match or at the table, from 0; null where the source says none"),
    _c("player", "text?", "name; null where the source says none"),
    _c("stack", "int64", "chips before antes and blinds"),
    _c("ante", "int64", "dead chips posted (less than the game's when the stack was shorter)"),
    _c("blind", "int64", "live chips posted"),
    _c("put", "int64", "live chips put in during the whole hand: blind and bets, an uncalled bet included, antes not"),
    _c("hole", "string?", "hole cards that the source knows, 'As6d'; 'As??' one of two; null: unknown"),
    _c("shown", "bool", "everybody saw the hole cards (showdown); where false, others must not be told them"),
    _c("hero", "bool", "this player recorded the hand"),
    _c("mucked", "string?", "cards lost without being shown, published afterwards; unknown to everybody in the hand"),
    _c("folded", "int8?", "street on which the player folded; null: did not"),
    _c("all_in", "bool", "the whole stack was in the pot at the end (an uncalled bet included)"),
    _c("showdown", "bool", "did not fold, and the hand was shown down"),
    _c("payoff", "int64", "net result after rake, in 1/split chip (hands.split)"),
    _c("payoff_bb", "float64", "net result in big blinds"),
)

#: One row per action of a player (deals and blinds are none). Everything but ``total``, ``paid`` and ``all_in`` is the
#: state just before the action.
ACTIONS = (
    _c("hand_id", "int64", "the hand"),
    _c("n", "int32", "order in the hand, from 0"),
    _c("street", "int8", "street, 0..3"),
    _c("position", "int8", "who acts"),
    _c("players", "int8", "players dealt in"),
    _c("player", "text?", "name of who acts; null where the source says none"),
    _c("kind", "kind", "fold, check, call, bet or raise"),
    _c("total", "int64", "the actor's live chips in the pot for the hand AFTER the action (ACPC's total; antes not)"),
    _c("paid", "int64", "chips that the action adds to the pot"),
    _c("all_in", "bool", "the action puts in the actor's last chip"),
    _c("to_call", "int64", "chips that a call costs (at most the stack); 0: a check is free"),
    _c("bet", "int64", "the actor's live chips put in on this street (blinds count before the flop)"),
    _c("pot", "int64", "all chips in the middle: antes, earlier streets, and the bets of this street"),
    _c("stack", "int64", "chips that the actor has behind"),
    _c("min_to", "int64", "the smallest raise as a total for the hand; 0: no raise is allowed"),
    _c("live", "int8", "players who have not folded, the actor included"),
    _c("able", "int8", "of those, players who still have chips behind"),
    _c("raises", "int16", "bets and raises on this street so far; before the flop the blinds are not counted"),
    _c("calls", "int8", "calls on this street since its last bet or raise (before the flop at first: limps)"),
    _c("aggressor", "int8?", "who made the last bet or raise on this street; null: nobody yet"),
    _c("leader", "int8?", "who made the last bet or raise before this street (before the flop: null); null: nobody"),
    _c("acted", "int16", "actions of the actor earlier on this street"),
    _c("checked", "bool", "the actor has checked earlier on this street"),
)

#: All tables by name.
TABLES = {"hands": HANDS, "players": PLAYERS, "actions": ACTIONS}


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
