"""Finding and listing the hands of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dupai.base import ConfigError, nearest
from dupai.history._schema import need_duckdb
from dupai.history._store import Store

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
        source += f" join (select hand_id as me, {PLAYER_COLUMNS} from players where player = ?) on me = hand_id"
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
    except duckdb.Error as error:
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
