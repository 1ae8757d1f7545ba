"""Solving while a hand is played: from any state of a street, with the bets that were really made.

Where a bet is made that the tree of the last solution lacks, the street is solved again from there, with that bet in
the tree (nested solving: Brown & Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017). It is safe if the opponent can take, hand by hand, what it had before the bet (:mod:`._gadgets`).
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.base.arrays import F32, F64, AnyArray
from dupai.cards import COMBOS
from dupai.cfr.postflop._boards import VALUES_ALIKE, tells_suits_apart
from dupai.cfr.postflop._gadgets import SAFE_METHODS, MaxmarginGadget, SafeGadget, WeightedGadget
from dupai.cfr.postflop._node import hand_values
from dupai.cfr.postflop._parts import last_useful
from dupai.cfr.postflop._paths import Place
from dupai.cfr.postflop._solver import SpotSolver
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import IP, OOP, Action, State

#: Iterations between two looks at the clock.
_STEP = 8


class StreetState(NamedTuple):
    """The betting of a street that is under way: whose turn it is (0 out of position, 1 in position), the bets of both
    on this street in chips, how many bets and raises there were."""

    player: int = OOP
    bet: tuple[int, int] = (0, 0)
    bets: int = 0
    checked: bool = False


class StreetSolution:
    """A solved spot with its root anywhere in a street.

    Args:
        spot: board, ranges, sizes; ``pot`` is that at the start of the street.
        state: the betting of the street so far (None: it begins).
        resolver: the player who solves again, where ``values`` are given.
        values: ``float64[1326]``: what each hand of the other player can take instead of playing on, in chips won less
            half the pot (nan: unknown, such hands are not protected).
        method: how that choice is made: ``safe``, ``maxmargin`` or ``weighted``, see :mod:`._gadgets`.
        iterations: how many, less those that would make the strategy worse (:func:`last_useful`).
        seconds: a clock: iterations end when it is over, though not before the first ones.

    Raises:
        ConfigError: as :class:`SpotSolver`; values of another shape, or no such method for them.
    """

    def __init__(
        self,
        spot: SolveSpot,
        state: StreetState | None = None,
        *,
        resolver: int = OOP,
        values: npt.ArrayLike | None = None,
        method: str = "weighted",
        iterations: int = 200,
        seconds: float | None = None,
    ) -> None:
        begun = time.monotonic()
        self.spot = spot
        self.state = state or StreetState()
        s = self.state
        last = Action("bet", max(s.bet)) if s.bets else Action("check") if s.checked else None
        start = None if state is None else State(s.player, (0, 0), s.bet, s.bets, last, False)
        worth = None if values is None else np.asarray(values, np.float64)
        if worth is not None and worth.shape != (COMBOS,):
            raise ConfigError(f"values: expected {COMBOS} numbers", key="values")
        alike = worth is None or not tells_suits_apart(spot, [worth], VALUES_ALIKE * spot.pot)
        self.solver = SpotSolver(spot, start=start, symmetric=alike)
        #: Whether the other player can take what was known before.
        self.safe = False
        if worth is not None:
            other = 1 - resolver
            self.safe = _put_gadget(
                self.solver, method, other, worth[self.solver.hands[other]] * self.solver.meets[other]
            )
        iterations = last_useful(0, iterations)
        set_up = time.monotonic()
        while self.solver.iterations < iterations:
            self.solver.iterate(min(_STEP, iterations - self.solver.iterations))
            if seconds is not None:
                now, done = time.monotonic(), self.solver.iterations
                left = seconds - (now - begun)
                # At this speed so many iterations fit into the clock.
                fit = done + int(done * max(left, 0.0) / max(now - set_up, 1e-9))
                if left < 0 or last_useful(done, fit) <= done:
                    break
        if self.safe:
            other = 1 - resolver
            self.solver._set_root_reach(other, self.solver.weights[other])

    def place(self, path: tuple[Action, ...]) -> Place | None:
        """The node on the first street that actions lead to; None where the tree lacks one of them."""
        forest = self.solver.levels[0].forest
        node = forest.roots[0]
        for action in path:
            nodes = {forest.action[child]: child for child in forest.children(node)}
            if action not in nodes:
                # An all-in by another name.
                same = [n for a, n in nodes.items() if a is not None and action.amount and a.amount == action.amount]
                if not same:
                    return None
                node = same[0]
            else:
                node = nodes[action]
        return Place(0, node, 0)

    def actions(self, place: Place) -> tuple[Action, ...]:
        """The actions at a player's node."""
        return self.solver.levels[0].forest.actions(place.node)

    def player(self, place: Place) -> int | None:
        """Whose turn it is; None where the street or the hand is over."""
        kind = self.solver.levels[0].forest.kind[place.node]
        return kind if kind <= IP else None

    def strategy(self, place: Place) -> F32:
        """``float32[actions, 1326]``: the average strategy; equal shares for hands that the solver does not have."""
        rows = self.solver.strategy(place)
        player = self.player(place)
        assert player is not None
        out = np.full((len(rows), COMBOS), np.float32(1 / len(rows)))
        out[:, self.solver.hands[player]] = rows
        return out

    def values(self, place: Place, player: int, *, respond: bool = False) -> F64:
        """``float64[1326]``: what each hand of a player wins from a node on, chips less half the pot; nan where it
        meets no hand. ``respond``: by a best response to the other's strategy."""
        return hand_values(self.solver, place, player, respond=respond)

    def action_values(self, place: Place, *, as_solved: bool = False) -> F64:
        """``float64[actions, 1326]``: what each hand of the player to act wins by each action, as :meth:`values`.

        Args:
            as_solved: against the opponent that a safe solution was made for, whose hands play on only where they gain
                by it; else against the opponent's range.
        """
        player, forest, gadget = self.player(place), self.solver.levels[0].forest, self.solver._gadget
        assert player is not None
        if as_solved and gadget is not None:
            self.solver._set_root_reach(gadget.player, gadget.average)
        values = np.array([self.values(Place(0, child, 0), player) for child in forest.children(place.node)])
        if gadget is not None:
            self.solver._set_root_reach(gadget.player, self.solver.weights[gadget.player])
        return values

    def next_street(self, path: tuple[Action, ...], card: str) -> Place | None:
        """The root of the next street with a card, after actions that end this one."""
        text = "/".join([*map(str, path), card])
        try:
            return self.solver.place(text)
        except ConfigError:
            return None


def _put_gadget(solver: SpotSolver, method: str, player: int, worth: F64) -> bool:
    """Let a player choose before the subgame, by one of the safe methods.

    Args:
        worth: what each of the player's hands can take instead, summed over the other's reach (nan: unknown).

    Returns:
        Whether any hand has a value; else nothing is put in.

    Raises:
        ConfigError: no such method.
    """
    if method not in SAFE_METHODS:
        message = f"unknown method {method!r}: expected one of {', '.join(SAFE_METHODS)}"
        raise ConfigError(message, key="method", text=method)
    known = np.isfinite(worth) & (solver.meets[player] > 0)
    if not known.any():
        return False
    given = player, np.where(known, worth, 0.0), known.astype(np.float64)
    if method == "weighted":
        solver._gadget = WeightedGadget(*given, solver.weights[player])
    else:
        solver._gadget = (SafeGadget if method == "safe" else MaxmarginGadget)(*given)
    return True


def reach_of(weights: AnyArray, floor: float = 1e-6) -> F64:
    """Weights scaled to at most 1, with a small floor so that every possible hand gets a strategy."""
    top = float(np.max(weights))
    if top <= 0:
        return np.asarray((weights >= 0).astype(np.float64))
    return np.asarray(np.maximum(weights / top, floor))
