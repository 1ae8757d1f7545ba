"""The betting below a decision, street by street to the end: places, whatever the cards."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._experience._kernels.walk import DEAL, FOLDED, OWN, SHOWN, THEIRS
from dupai.base import AgentError
from dupai.rules import RAISE, Action, View, start_kernel
from dupai.spots import SPOT_DTYPE, TRACK_DTYPE, Menu, Spot, begin_track_kernel, did_kernel, spot_kernel

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

#: Most decisions of a hand and its tree together.
_ROWS = 256
#: All-in is looked at later on only where it is at most so many pots (after the call).
_ALL_IN_POTS = 3.0


class TreeMenus(NamedTuple):
    """What the tree looks at.

    Attributes:
        first: our decision that is due.
        later: every other one.
        raises: bets and raises of a street after which there are no more, on the street of the decision and later.
    """

    first: Menu
    later: Menu
    raises: tuple[int, int]


class Node(NamedTuple):
    """A place in the betting. ``spot`` (its board is that of the decision) and ``menu`` where somebody decides;
    ``actions`` by column, None where the column is not looked at; ``pay``: chips that are sure, chips times score,
    counted from the decision on."""

    kind: int
    street: int
    spot: Spot | None
    menu: Menu | None
    actions: tuple[Action | None, ...]
    children: tuple[int, ...]
    pay: tuple[float, float]


class Tree:
    """All places below a decision, in order (the decision first).

    Args:
        view: our decision is due in it, after the flop.
        menus: see :class:`TreeMenus`.

    Raises:
        AgentError: more than two players are dealt in.
    """

    def __init__(self, view: View, menus: TreeMenus) -> None:
        if view.spec.players != 2:
            raise AgentError(f"the staged tree is for two players, and {view.spec.players} are dealt in")
        self.menus = menus
        self.me = int(view.actor)
        self.street = int(view.street)
        self._spec = view.spec
        self._seats = tuple(view.seats)
        self._board = tuple(view.board)
        state, track, rows, n = _replayed(view)
        self._paid = float(state["total"][0, self.me] + state["ante"][0, self.me])
        self.nodes: list[Node] = []
        self._grow(state, track, rows, n)

    def _grow(self, state: Any, track: Any, rows: Any, n: int) -> int:
        """Add the place of ``state`` and all below it; returns its number."""
        number = len(self.nodes)
        self.nodes.append(Node(FOLDED, 0, None, None, (), (), (0.0, 0.0)))
        if state["finished"][0]:
            self.nodes[number] = self._leaf(state)
            return number
        spot_kernel(state, self._spec.array, track, rows, n)
        spot = Spot(self._spec, _copied(rows[: n + 1]), self._board, None, self._seats)
        street = spot.street
        menu = self.menus.first if number == 0 else self.menus.later
        actions = self._actions(spot, menu, number == 0)
        children = []
        for action in actions:
            if action is None:
                children.append(-1)
                continue
            s, t = _copied(state), _copied(track)
            # Rows above n are shared: what is below one action has been read before the next one is played.
            did_kernel(s, self._spec.array, t, rows, n, action.kind, action.to if action.kind == RAISE else 0)
            children.append(self._deal(s, t, rows, n + 1, street))
        kind = OWN if spot.position == self.me else THEIRS
        self.nodes[number] = Node(kind, street, spot, menu, tuple(actions), tuple(children), (0.0, 0.0))
        return number

    def _actions(self, spot: Spot, menu: Menu, first: bool) -> list[Action | None]:
        """What is looked at, by column of the menu."""
        row = spot.rows[-1]
        fields = ("pot", "to_call", "total", "min_to", "max_to", "effective", "raises")
        pot, call, total, low, high, effective, raises = (int(row[f]) for f in fields)
        found: list[Action | None] = [Action.fold() if call else None, Action.call()] + [None] * (len(menu) - 2)
        if not first and raises >= self.menus.raises[spot.street > self.street]:
            return found
        shoving = menu.all_in and high > 0 and (first or effective - call <= _ALL_IN_POTS * (pot + call))
        for column in np.flatnonzero(menu.legal(spot)[2:]).tolist():
            if column < len(menu.sizes):
                size = menu.sizes[column]
                to = round(total + size * pot if menu.measure == "to" else total + call + size * (pot + call))
                to = min(max(to, low), high)
                if to < high or not shoving:
                    found[2 + column] = Action.raise_to(to)
            elif shoving:
                found[2 + column] = Action.raise_to(high)
        return found

    def _deal(self, state: Any, track: Any, rows: Any, n: int, street: int) -> int:
        """The place after an action: with the next card before it where the street is over."""
        if state["finished"][0] or int(state["street"][0]) == street:
            return self._grow(state, track, rows, n)
        number = len(self.nodes)
        self.nodes.append(Node(DEAL, street, None, None, (), (), (0.0, 0.0)))
        below = self._grow(state, track, rows, n)
        self.nodes[number] = Node(DEAL, street, None, None, (), (below,), (0.0, 0.0))
        return number

    def _leaf(self, state: Any) -> Node:
        row = state[0]
        me, him = self.me, 1 - self.me
        mine, his = (float(row["total"][p] + row["ante"][p]) for p in (me, him))
        if row["folded"][me]:
            return Node(FOLDED, 0, None, None, (), (), (self._paid - mine, 0.0))
        if row["folded"][him]:
            return Node(FOLDED, 0, None, None, (), (), (self._paid + his, 0.0))
        return Node(SHOWN, 0, None, None, (), (), (self._paid, min(mine, his)))


def _copied(array: Any) -> Any:
    # As bytes: NumPy copies a structured array field by field.
    return array.view(np.uint8).copy().view(array.dtype)


def _replayed(view: View) -> tuple[Any, Any, Any, int]:
    """State, track and rows of the decision that is due, from the story of the hand."""
    state = view.state.copy()
    for field in ("stack", "bet", "total", "ante", "folded", "all_in", "acted", "street", "raises", "acts", "finished"):
        state[field] = 0
    state["stack"][0, : view.spec.players] = view.start_stacks
    start_kernel(state, view.spec.array)
    track = np.zeros(1, TRACK_DTYPE)
    rows = np.zeros(_ROWS, SPOT_DTYPE)
    begin_track_kernel(state, track)
    n = 0
    for _, _, action in view.actions:
        spot_kernel(state, view.spec.array, track, rows, n)
        did_kernel(state, view.spec.array, track, rows, n, action.kind, action.to if action.kind == RAISE else 0)
        n += 1
    return state, track, rows, n
