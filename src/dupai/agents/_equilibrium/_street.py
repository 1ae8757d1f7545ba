"""One street in a solution: the chips and actions of the hand in the words of the solver, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dupai.base.arrays import F64, Bool
from dupai.cfr.postflop import SpotMove, StreetSolution, StreetState
from dupai.rules import FOLD, RAISE, Action, View
from dupai.spots import DID_BET, DID_FOLD, HandPolicy, Spot


class Root(NamedTuple):
    """Where a solution begins.

    Attributes:
        seats: positions of the two players, out of position and in position.
        paid: chips that each put in before the street.
        stack: chips that each can put in on the street at most.
        pot: chips in the pot without the bets of the street.
        betting: the bets of the street so far; None at its start.
    """

    seats: tuple[int, int]
    paid: int
    stack: int
    pot: int
    betting: StreetState | None

    @classmethod
    def of(cls, view: View, decisions: Sequence[Spot]) -> Root:
        """The root at the last of ``decisions``, with two players left in the hand of ``view``."""
        due, done = decisions[-1], decisions[:-1]
        folded = {one.position for one in done if one["did"] == DID_FOLD}
        live = [p for p in range(view.spec.players) if p not in folded]
        here = [one for one in done if one.street == due.street]
        first = next((one.position for one in here if one.position in live), due.position)
        seats = (first, sum(live) - first)
        # All who are still in have matched the largest bet of the streets before.
        paid = max(
            [one["to"] for one in done if one.street < due.street and one["did"] > DID_FOLD],
            default=max(view.contributions),
        )
        bets = [0, 0]
        for one in here:
            if one.position in seats:
                bets[seats.index(one.position)] = one["to"] - paid
        raises = sum(one["did"] >= DID_BET for one in here if one.position in seats)
        stack = min(view.start_stacks[p] - view.antes[p] for p in seats) - paid
        # Chips beyond what the opponent has come back: they are no part of the pot.
        pot = due["pot"] - sum(bets)
        matched = min(bets[0], stack), min(bets[1], stack)
        betting = StreetState(seats.index(due.position), matched, raises, not raises) if here else None
        return cls(seats, paid, stack, pot, betting)


class Street(NamedTuple):
    """A solution in use.

    Attributes:
        solution: the solved street.
        number: 2 turn, 3 river.
        seats: positions of the two players, out of position and in position.
        paid: chips that each put in before the street.
        path: the actions since the root of the solution.
    """

    solution: StreetSolution
    number: int
    seats: tuple[int, int]
    paid: int
    path: tuple[SpotMove, ...] = ()

    def after(self, spot: Spot, action: Action) -> Street:
        """The same solution after the action that was taken at ``spot``."""
        if spot.position not in self.seats:
            return self
        return self._replace(path=(*self.path, self._move(spot, action)))

    def policy(self, spot: Spot, unheld: Bool | None = None) -> HandPolicy:
        """The strategy of the player to act, in legal actions of the hand.

        Args:
            unheld: ``bool[1326]``: hands that the player cannot hold by its play so far. A safe solution keeps the
                opponent from gaining on the range, of which they are no part: they take their best action.
        """
        place = self.solution.place(self.path)
        assert place is not None
        chances: dict[Action, F64] = {}
        strategy = self.solution.strategy(place).astype(np.float64)
        for move, row in zip(self.solution.actions(place), strategy, strict=True):
            action = self.action(spot, move)
            chances[action] = chances[action] + row if action in chances else row
        rows = np.array(list(chances.values()))
        rows /= rows.sum(axis=0)
        if unheld is not None and unheld.any():
            values = np.array(list(self.values(spot).values()))[:, unheld]
            best = np.argmax(np.nan_to_num(values, nan=-np.inf), axis=0)
            rows[:, unheld] = np.where(np.isnan(values).all(axis=0), rows[:, unheld], np.eye(len(rows))[:, best])
        return HandPolicy(tuple(chances), rows)

    def values(self, spot: Spot, *, as_solved: bool = False) -> dict[Action, F64]:
        """Chips that each hand of the player to act wins from here on by each action (folding is 0), ``float64[1326]``
        each; ``as_solved`` as in :meth:`~dupai.cfr.postflop.StreetSolution.action_values`."""
        place = self.solution.place(self.path)
        assert place is not None
        paid = self.solution.spot.pot / 2 + spot["total"] - self.paid
        moves, rows = self.solution.actions(place), self.solution.action_values(place, as_solved=as_solved)
        return {self.action(spot, move): row + paid for move, row in zip(moves, rows, strict=True)}

    def action(self, spot: Spot, move: SpotMove) -> Action:
        """A solver's action as a legal action of the hand."""
        if move.kind == "fold":
            return Action.fold()
        if move.kind in ("check", "call") or not spot["max_to"]:
            return Action.call()
        to = spot["max_to"] if move.kind == "allin" else self.paid + move.amount
        return Action.raise_to(min(max(to, spot["min_to"]), spot["max_to"]))

    def _move(self, spot: Spot, action: Action) -> SpotMove:
        """An action of the hand in the words of the solver."""
        if action.kind == FOLD:
            return SpotMove("fold")
        if action.kind != RAISE:
            return SpotMove("call" if spot["to_call"] else "check")
        stack = self.solution.spot.stack
        amount = min(action.to - self.paid, stack)
        # The solver's own size, which may have been moved to the nearest legal one.
        place = self.solution.place(self.path)
        if place is not None and self.solution.player(place) == self.seats.index(spot.position):
            for move in self.solution.actions(place):
                if move.amount and self.action(spot, move) == action:
                    return move
        return SpotMove("allin" if amount == stack else "raise" if spot["bet"] or spot["to_call"] else "bet", amount)
