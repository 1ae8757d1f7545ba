"""The public betting of a spot, street by street.

Every street is one *forest*: a tree for the first street, and for each later one a tree for every way in which the
street before can end with cards to come. Nodes of a forest stand breadth first, so parents come before children and
the children of a node stand together. What is bet does not depend on the cards dealt, so one forest serves all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dupai.base import ConfigError
from dupai.cfr.postflop._spot import STREETS, SolveSpot
from dupai.spots import BetSize

#: Kinds of nodes: to act out of position or in position, the end by a fold or a showdown, a card to come.
OOP, IP, FOLD, SHOWDOWN, CHANCE = range(5)

#: More nodes than this are refused: no machine would solve them.
_MOST_NODES = 500_000


class Action(NamedTuple):
    """What leads from a node to its child: ``fold``, ``check``, ``call``, ``bet``, ``raise`` or ``allin``; ``amount``
    is the player's bet on this street after it (bet, raise, allin: *to*, in chips)."""

    kind: str
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}" if self.amount else self.kind


class State(NamedTuple):
    """Where the betting stands in the middle of a street."""

    player: int
    paid: tuple[int, int]  # before this street
    bet: tuple[int, int]  # on this street
    bets: int  # number of bets and raises on this street
    last: Action | None  # the last action on this street
    donk: bool  # the first bet out of position would lead into the raiser


class Forest:
    """The nodes of one street. Lists are by node.

    Attributes:
        street: 0 flop, 1 turn, 2 river.
        roots: root node of each tree.
        kind: OOP, IP, FOLD, SHOWDOWN or CHANCE.
        first, count: the first child and the number of children.
        parent: parent node, -1 for a root.
        action: the action that led here (None for a root).
        paid: chips of both players since the start of the spot.
        folded: who folded (kind FOLD), else -1.
        tree: tree of the next street (kind CHANCE), else -1.
        states: the state of the betting.
    """

    def __init__(self, street: int) -> None:
        self.street = street
        self.roots: list[int] = []
        self.kind: list[int] = []
        self.first: list[int] = []
        self.count: list[int] = []
        self.parent: list[int] = []
        self.action: list[Action | None] = []
        self.paid: list[tuple[int, int]] = []
        self.folded: list[int] = []
        self.tree: list[int] = []
        self.states: list[State] = []

    def __len__(self) -> int:
        return len(self.kind)

    def actions(self, node: int) -> tuple[Action, ...]:
        """What can be done at a node."""
        first = self.first[node]
        return tuple(a for a in self.action[first : first + self.count[node]] if a is not None)

    def children(self, node: int) -> range:
        return range(self.first[node], self.first[node] + self.count[node])


def build_forests(
    spot: SolveSpot, depth: int = 3, start: State | None = None, most: Sequence[int] = ()
) -> list[Forest]:
    """The forests of a spot from its first street to the river, or of its first ``depth`` streets.

    ``start`` says where the betting stands (None: a street begins); ``most`` is how many nodes of each street there is
    memory for.

    Raises:
        ConfigError: no line of betting leads to an all-in, or there are too many nodes.
    """
    forests: list[Forest] = []
    starts = [start if start is not None else State(OOP, (0, 0), (0, 0), 0, None, False)]
    for street in range(len(spot.board) - 3, min(3, len(spot.board) - 3 + depth)):
        forest, starts = _street(spot, street, starts, min((_MOST_NODES, *most[len(forests) : len(forests) + 1])))
        forests.append(forest)
        if not starts:
            break
    bets = any(a is not None and a.kind in ("bet", "raise", "allin") for f in forests for a in f.action)
    if (
        bets
        and not spot.shallow
        and depth >= 3
        and start is None
        and not any(max(p) == spot.stack for f in forests for p in f.paid)
    ):
        raise ConfigError(
            f"sizes never lead to an all-in of {spot.stack} chips: add the size 'a' or add_allin, "
            "or say shallow = true if that is meant"
        )
    return forests


def _street(spot: SolveSpot, street: int, starts: list[State], most: int) -> tuple[Forest, list[State]]:
    f = Forest(street)
    states = list(starts)
    following: list[State] = []
    # Grown breadth first: each node is looked at once and appends its children.
    for root in starts:
        f.roots.append(len(f.kind))
        paid = (root.paid[0] + root.bet[0], root.paid[1] + root.bet[1])
        _append(f, root.player, -1, None, paid, -1)
    node = 0
    while node < len(states):
        state = states[node]
        if f.kind[node] <= IP:
            f.first[node] = len(f.kind)
            for action, kind, after in _moves(spot, street, state):
                paid = (after.paid[0] + after.bet[0], after.paid[1] + after.bet[1])
                folded = state.player if kind == FOLD else -1
                _append(f, kind, node, action, paid, folded)
                states.append(after)
            f.count[node] = len(f.kind) - f.first[node]
            if len(f.kind) > most:
                why = "that would not fit into memory" if most < _MOST_NODES else "too many"
                raise ConfigError(
                    f"the betting on the {STREETS[street]} has more than {most:,} nodes, {why}: "
                    "fewer sizes, narrower ranges or a raise cap"
                )
        elif f.kind[node] == CHANCE:
            f.tree[node] = len(following)
            paid = f.paid[node]
            donk = state.last is not None and state.last.kind == "call" and state.player == OOP
            following.append(State(OOP, paid, (0, 0), 0, None, donk))
        node += 1
    f.states = states
    return f, following


def _append(f: Forest, kind: int, parent: int, action: Action | None, paid: tuple[int, int], folded: int) -> None:
    f.kind.append(kind)
    f.first.append(0)
    f.count.append(0)
    f.parent.append(parent)
    f.action.append(action)
    f.paid.append(paid)
    f.folded.append(folded)
    f.tree.append(-1)


def _moves(spot: SolveSpot, street: int, s: State) -> Iterator[tuple[Action, int, State]]:
    """Actions at a state, what kind of node each leads to, and the state there (its player: who acts next; for a
    chance node who acted last)."""
    me, you = s.player, 1 - s.player
    end = SHOWDOWN if street == 2 else CHANCE
    if s.bet[0] == s.bet[1]:
        action = Action("check")
        after = s._replace(player=you, last=action)
        yield action, end if me == IP else you, after._replace(player=me) if me == IP else after
    else:
        yield Action("fold"), FOLD, s._replace(last=Action("fold"))
        both = (s.bet[you], s.bet[you])
        allin = s.paid[you] + s.bet[you] == spot.stack
        yield Action("call"), SHOWDOWN if allin else end, s._replace(bet=both, last=Action("call"))
        if allin:
            return
    if spot.raise_cap and s.bets >= spot.raise_cap:
        return
    for action in _bets(spot, street, s):
        bet = (action.amount, s.bet[1]) if me == OOP else (s.bet[0], action.amount)
        yield action, you, s._replace(player=you, bet=bet, bets=s.bets + 1, last=action)


def _round(x: float) -> int:
    """To the nearest whole number, halves up (chips are not negative)."""
    return math.floor(x + 0.5)


def _bets(spot: SolveSpot, street: int, s: State) -> list[Action]:
    """Bets or raises, ascending: sizes as asked for, all-ins added, forced and merged."""
    me, you = s.player, 1 - s.player
    faced = s.bet[you]
    call = faced - s.bet[me]
    pot = spot.pot + s.paid[0] + s.paid[1] + 2 * faced  # after calling
    most = spot.stack - s.paid[me]
    if most <= faced:
        return []
    least = min(max(faced + call, 1), most)
    table = spot.sizes[STREETS[street]][me]
    sizes = table["raise" if faced else "donk" if s.donk and me == OOP else "bet"]
    amounts = {size.bet(pot, faced, most - faced, 3 - street) for size in sizes}
    if spot.add_allin and most <= faced + _round(pot * spot.add_allin):
        amounts.add(most)
    found = set()
    for amount in amounts:
        to = min(max(amount, least), most)
        if most <= to + _round((pot + 2 * (to - faced)) * spot.force_allin):
            to = most
        found.add(to)
    kept: list[int] = []
    for to in sorted(found, reverse=True):  # of close sizes the larger is kept
        if not kept or (to - faced) / pot < ((kept[-1] - faced) / pot - spot.merge) / (1 + spot.merge) * (1 - 1e-12):
            kept.append(to)
    return [Action("allin" if to == most else "raise" if faced else "bet", to) for to in reversed(kept)]


def action_amount(spot: SolveSpot, forest: Forest, node: int, size: BetSize) -> int:
    """What a size comes to at a player's node, before all-ins are forced or sizes merged."""
    s = forest.states[node]
    faced = s.bet[1 - s.player]
    pot = spot.pot + s.paid[0] + s.paid[1] + 2 * faced
    most = spot.stack - s.paid[s.player]
    return min(size.bet(pot, faced, most - faced, 3 - forest.street), most)
