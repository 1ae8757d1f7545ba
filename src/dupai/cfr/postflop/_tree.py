"""The public betting of a spot, street by street.

Every street is one *forest*: one tree for the first street, and for each later one a tree for every way in which the
street before can end with cards to come. Nodes of a forest stand breadth first, so parents come before children and
siblings stand together. Bets do not depend on the cards, so one forest serves all boards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dupai.base import ConfigError, TooLarge
from dupai.cfr.postflop._spot import STREETS, SolveSpot
from dupai.spots import BetSize

#: Kinds of nodes: the player out of position or in position acts, a fold or a showdown ended the hand, a card comes.
OOP, IP, FOLD, SHOWDOWN, CHANCE = range(5)

#: The most nodes of a street: no machine would solve more.
_MAX_NODES = 500_000


class Action(NamedTuple):
    """An action from a node to its child: ``fold``, ``check``, ``call``, ``bet``, ``raise`` or ``allin``; ``amount`` is
    the player's bet on this street after it (bet, raise, allin: *to*, in chips)."""

    kind: str
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}" if self.amount else self.kind


_FOLD, _CHECK, _CALL = Action("fold"), Action("check"), Action("call")


class State(NamedTuple):
    """The state of the betting in the middle of a street."""

    player: int
    paid: tuple[int, int]  # before this street
    bet: tuple[int, int]  # on this street
    bets: int  # number of bets and raises on this street
    last: Action | None  # the last action on this street
    donk: bool  # the first bet out of position would lead into the raiser


#: Their names on other floors, where an action is one of the rules and a state that of a hand.
SpotMove = Action
BettingState = State


class Forest:
    """The nodes of one street. Lists are by node.

    Attributes:
        street: 0 flop, 1 turn, 2 river.
        roots: root node of each tree.
        kind: OOP, IP, FOLD, SHOWDOWN or CHANCE.
        first, count: the first child and the number of children.
        parent: parent node, -1 for a root.
        action: the action that leads to the node (None for a root).
        paid: chips of both players since the start of the spot.
        folded: the player who folded (kind FOLD), else -1.
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

    def append(self, kind: int, state: State, parent: int = -1, action: Action | None = None) -> None:
        """Add a node without children."""
        self.kind.append(kind)
        self.first.append(0)
        self.count.append(0)
        self.parent.append(parent)
        self.action.append(action)
        self.paid.append((state.paid[0] + state.bet[0], state.paid[1] + state.bet[1]))
        self.folded.append(state.player if kind == FOLD else -1)
        self.tree.append(-1)
        self.states.append(state)

    def actions(self, node: int) -> tuple[Action, ...]:
        """The legal actions at a node."""
        first = self.first[node]
        return tuple(a for a in self.action[first : first + self.count[node]] if a is not None)

    def children(self, node: int) -> range:
        return range(self.first[node], self.first[node] + self.count[node])


def build_forests(spot: SolveSpot, start: State | None = None, most: Sequence[int] = ()) -> list[Forest]:
    """The forests of a spot from its first street to the river.

    ``start``: the state of the betting (None: a street begins); ``most``: the nodes of each street that fit in memory.

    Raises:
        ConfigError: no line of betting leads to an all-in. TooLarge: there are too many nodes.
    """
    forests: list[Forest] = []
    starts = [start if start is not None else State(OOP, (0, 0), (0, 0), 0, None, False)]
    for street in range(len(spot.board) - 3, 3):
        forest, starts = _street(spot, street, starts, min((_MAX_NODES, *most[len(forests) : len(forests) + 1])))
        forests.append(forest)
        if not starts:
            break
    bets = any(a is not None and a.kind in ("bet", "raise", "allin") for f in forests for a in f.action)
    if bets and not spot.shallow and start is None and not any(max(p) == spot.stack for f in forests for p in f.paid):
        raise ConfigError(
            f"sizes never lead to an all-in of {spot.stack} chips: add the size 'a' or add_allin, "
            "or set shallow = true if you mean it",
            key="sizes",
        )
    return forests


def _street(spot: SolveSpot, street: int, starts: list[State], most: int) -> tuple[Forest, list[State]]:
    f = Forest(street)
    f.roots = list(range(len(starts)))
    following: list[State] = []
    for state in starts:
        f.append(state.player, state)
    node = 0
    while node < len(f):  # grown breadth first: each node is visited once and appends its children
        state = f.states[node]
        if f.kind[node] <= IP:
            f.first[node] = len(f)
            for action, kind, after in _moves(spot, street, state):
                f.append(kind, after, node, action)
            f.count[node] = len(f.kind) - f.first[node]
            if len(f.kind) > most:
                reason = "which does not fit into memory" if most < _MAX_NODES else "too many"
                message = f"the betting on the {STREETS[street]} has more than {most:,} nodes, {reason}"
                raise TooLarge(f"{message}: use fewer sizes, narrower ranges or a raise cap", key="sizes")
        elif f.kind[node] == CHANCE:
            f.tree[node] = len(following)
            donk = state.last is not None and state.last.kind == "call" and state.player == OOP
            following.append(State(OOP, f.paid[node], (0, 0), 0, None, donk))
        node += 1
    return f, following


def _moves(spot: SolveSpot, street: int, s: State) -> Iterator[tuple[Action, int, State]]:
    """Actions at a state, the kind of node that each leads to, and the state there. The state's player is the one who
    acts next; at a chance node the one who acted last."""
    me, you = s.player, 1 - s.player
    end = SHOWDOWN if street == 2 else CHANCE
    if s.bet[0] == s.bet[1]:
        yield _CHECK, end if me == IP else you, State(IP, s.paid, s.bet, s.bets, _CHECK, s.donk)
    else:
        yield _FOLD, FOLD, State(me, s.paid, s.bet, s.bets, _FOLD, s.donk)
        both = (s.bet[you], s.bet[you])
        allin = s.paid[you] + s.bet[you] == spot.stack
        yield _CALL, SHOWDOWN if allin else end, State(me, s.paid, both, s.bets, _CALL, s.donk)
        if allin:
            return
    if spot.raise_cap and s.bets >= spot.raise_cap:
        return
    for action in _bets(spot, street, s):
        bet = (action.amount, s.bet[1]) if me == OOP else (s.bet[0], action.amount)
        yield action, you, State(you, s.paid, bet, s.bets + 1, action, s.donk)


def _round(x: float) -> int:
    """To the nearest whole number, halves up (chips are not negative)."""
    return math.floor(x + 0.5)


def _bets(spot: SolveSpot, street: int, s: State) -> list[Action]:
    """Bets or raises, ascending: the sizes of the spot, with all-ins added and forced and close sizes merged."""
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
    totals = set()
    for amount in amounts:
        to = min(max(amount, least), most)
        if most <= to + _round((pot + 2 * (to - faced)) * spot.force_allin):
            to = most
        totals.add(to)
    merged: list[int] = []
    for to in sorted(totals, reverse=True):  # of close sizes the larger is kept
        limit = ((merged[-1] - faced) / pot - spot.merge) / (1 + spot.merge) * (1 - 1e-12) if merged else math.inf
        if (to - faced) / pot < limit:
            merged.append(to)
    return [Action("allin" if to == most else "raise" if faced else "bet", to) for to in reversed(merged)]


def action_amount(spot: SolveSpot, forest: Forest, node: int, size: BetSize) -> int:
    """The bet of a size at a player's node, in chips, before all-ins are forced and sizes merged."""
    s = forest.states[node]
    faced = s.bet[1 - s.player]
    pot = spot.pot + s.paid[0] + s.paid[1] + 2 * faced
    most = spot.stack - s.paid[s.player]
    return min(size.bet(pot, faced, most - faced, 3 - forest.street), most)
