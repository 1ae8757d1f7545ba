"""Bet menus, and the tree of betting that a menu spans in a game for two."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.rules import RAISE, Action, GameSpec, HandState

#: What a node is.
DECISION, FOLDED, SHOWDOWN = 0, 1, 2
#: Nodes that a tree may have: beyond, its tables do not fit into memory.
_MAX_NODES = 2_000_000
#: Actions that a decision may have: their number is an int8.
_MAX_ACTIONS = 127
#: A bet that leaves less than this share of the pot behind is an all-in.
COMMITTED = 0.25


class BetMenu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bets of an abstraction, as data.

    Each street has a row for the first bet, one for the first raise, and so on; no row, no more raises. A row holds
    sizes as fractions of the pot after a call, and ``"a"``, all-in. Before the flop the big blind is no bet: the first
    row is the open. Limit games take no menu.
    """

    preflop: tuple[tuple[float | str, ...], ...] = ()
    flop: tuple[tuple[float | str, ...], ...] = ()
    turn: tuple[tuple[float | str, ...], ...] = ()
    river: tuple[tuple[float | str, ...], ...] = ()

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            for row in getattr(self, name):
                for size in row:
                    if size != "a" and (isinstance(size, str) or not 0 < size <= 100):
                        raise ConfigError(f"{name}: size {size!r}: expected a fraction of the pot or 'a'", key=name)

    @property
    def streets(self) -> tuple[tuple[tuple[float | str, ...], ...], ...]:
        return self.preflop, self.flop, self.turn, self.river


class BettingTree(NamedTuple):
    """A tree of betting as arrays, by node; children lie one after the other, the root is node 0.

    Attributes:
        kind: ``int8``: :data:`DECISION`, :data:`FOLDED` or :data:`SHOWDOWN`.
        player: ``int8``: the position to act; at the end of a hand that was folded, who folded.
        street: ``int8``. first: ``int32``, the first child. n: ``int8``, the number of children.
        paid: ``float64[nodes, 2]``: chips put in by position.
        did, to: ``int8``, ``int64``: the action that leads to the node and its total of chips (raises).
    """

    kind: AnyArray
    player: AnyArray
    street: AnyArray
    first: AnyArray
    n: AnyArray
    paid: AnyArray
    did: AnyArray
    to: AnyArray

    def children(self, node: int) -> range:
        return range(int(self.first[node]), int(self.first[node]) + int(self.n[node]))

    def offsets(self, buckets: tuple[int, ...]) -> tuple[AnyArray, int]:
        """Where the table of each decision begins, ``int64[nodes]``, and the length of all: a decision with ``k``
        actions on a street with ``b`` buckets takes ``b * k``."""
        size = np.where(self.kind == DECISION, np.array(buckets)[self.street] * self.n, 0).astype(np.int64)
        return np.cumsum(size) - size, int(size.sum())


def check_blueprint_game(spec: GameSpec) -> None:
    """Check that blueprints can be of a game.

    Raises:
        ConfigError: pot-limit, with antes, limit with more than two players, or without two blinds. What a file says is
            counted in big blinds, and no other game would ever suit it.
    """
    limit = spec.players > 2 and spec.betting == "limit"
    if limit or any(spec.antes) or spec.betting == "pot-limit":
        raise ConfigError(
            f"a blueprint of a game with {spec.players} players and betting {spec.betting!r}: expected no-limit, or "
            "limit with two players, and no antes",
            key="game",
        )
    if not all(spec.blinds[:2]) or any(spec.blinds[2:]):
        raise ConfigError(
            f"a blueprint of a game with blinds {spec.blinds}: expected two blinds above 0 and no others", key="blinds"
        )


def most_paid(spec: GameSpec, stack: int) -> int:
    """What a player with a stack can pay in a hand at most: in a limit game no more than the caps on raises let."""
    if spec.betting != "limit":
        return stack
    return min(stack, max(spec.blinds) + sum(n * k for n, k in zip(spec.bet_sizes, spec.max_raises, strict=True)))


def betting_tree(spec: GameSpec, menu: BetMenu) -> BettingTree:
    """The tree that a menu spans.

    Raises:
        ConfigError: not a game for two, too many bets at one decision, or the tree is too large.
    """
    check_blueprint_game(spec)
    if spec.players != 2:
        raise ConfigError(f"a tree of the betting of {spec.players} players: expected two players", key="game")
    rows: list[list[Any]] = [[DECISION, 0, 0, 0, 0, (0.0, 0.0), -1, 0]]
    waiting = deque([(0, HandState(spec), 0, 0)])
    while waiting:
        node, state, before, raises = waiting.popleft()
        row = rows[node]
        street = row[2] = int(state.state["street"][0])
        row[5] = tuple(float(x) for x in state.contributions)
        if state.finished:
            row[0], row[1] = (FOLDED, state.folded.index(True)) if any(state.folded) else (SHOWDOWN, -1)
            continue
        raises = raises if street == before else 0
        actions = _actions(state, spec, menu, street, raises)
        row[1], row[3], row[4] = state.actor, len(rows), len(actions)
        if len(actions) > _MAX_ACTIONS:
            raise ConfigError(
                f"the bets give a decision {len(actions)} actions: expected at most {_MAX_ACTIONS}", key="menu"
            )
        if len(rows) + len(actions) > _MAX_NODES:
            raise ConfigError(f"the bets span more than {_MAX_NODES:,} nodes: expected fewer sizes", key="menu")
        for action in actions:
            after = state.copy()
            after.apply(action)
            to = action.to if action.kind == RAISE else 0
            waiting.append((len(rows), after, street, raises + (action.kind == RAISE)))
            rows.append([DECISION, 0, street, 0, 0, (0.0, 0.0), action.kind, to])
    kinds = (np.int8, np.int8, np.int8, np.int32, np.int8, np.float64, np.int8, np.int64)
    return BettingTree(*(np.array(column, kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)))


def _actions(state: HandState, spec: GameSpec, menu: BetMenu, street: int, raises: int) -> list[Action]:
    legal, actor = state.legal, state.actor
    actions = [Action.fold()] if state.to_call else []
    actions.append(Action.call())
    if not legal.can_raise:
        return actions
    if spec.betting == "limit":
        return [*actions, Action.raise_to(legal.max_to)]
    sizes = menu.streets[street]
    if raises >= len(sizes):
        return actions
    called = state.contributions[actor] + state.to_call
    pot = state.pot + state.to_call
    totals = set()
    for size in sizes[raises]:
        to = legal.max_to if size == "a" else called + round(float(size) * pot)
        to = min(max(to, legal.min_to), legal.max_to)
        if legal.max_to - to < COMMITTED * (pot + 2 * (to - called)):
            to = legal.max_to
        totals.add(to)
    return [*actions, *(Action.raise_to(to) for to in sorted(totals))]
