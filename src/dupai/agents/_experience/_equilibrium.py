"""An equilibrium on the river inside ``exp``: counterfactual regret minimisation, the outlook of its paper."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base.arrays import F64
from dupai.cards import COMBO_INDEX
from dupai.cfr import SolveSpot, SpotNode, SpotSolver
from dupai.cfr.postflop import BettingState, SpotMove
from dupai.ranges import Range
from dupai.rules import RAISE, Action, View

#: What the solver considers: bets and raises as shares of the pot, and all-in.
SIZES = {"bet": "50%, 100%, a", "raise": "75%, a"}
#: Hands below this share of the likeliest one are left out; our own hand counts at least so much.
_MIN_WEIGHT = 0.002
#: Exploitability at which the solver stops, as a share of the pot, and its most iterations.
_TARGET, _ITERATIONS = 0.01, 200


class Solved(NamedTuple):
    """``actions`` of the solution, their ``chances`` with our hand, and its iterations."""

    actions: tuple[Action, ...]
    chances: tuple[float, ...]
    iterations: int


def solve_decision(view: View, own: F64, theirs: F64) -> Solved:
    """The equilibrium from a decision after the flop on, between two ranges.

    Args:
        view: our decision is due, heads-up, after the flop.
        own, theirs: ``float64[1326]``: our range as they see it, and theirs.
    """
    me = view.actor
    here = [(position, action) for street, position, action in view.actions if street == view.street]
    oop = here[0][0] if here else me
    order = (oop, 1 - oop)
    bets = view.bets
    # Chips beyond what the other has come back, and are no part of the pot.
    stack = min(stack + b for stack, b in zip(view.stacks, bets, strict=True))
    bet = (min(bets[order[0]], stack), min(bets[order[1]], stack))
    hole = int(COMBO_INDEX[view.hole])
    ranges = []
    for position in order:
        weights = own if position == me else theirs
        weights = np.where(weights >= _MIN_WEIGHT * weights.max(), weights, 0.0) / weights.max()
        if position == me:
            weights[hole] = max(weights[hole], _MIN_WEIGHT)
        ranges.append(Range(weights.astype(np.float32)))
    spot = SolveSpot.from_dict(
        {
            "board": list(view.board),
            "oop": ranges[0],
            "ip": ranges[1],
            "pot": view.pot - sum(bets),
            "stack": stack,
            "sizes": SIZES,
            "add_allin": 0.5,
            "force_allin": 0.2,
            "raise_cap": 3,
        }
    )
    raised = sum(action.kind == RAISE for _, action in here)
    last = None
    if here:
        last = SpotMove("raise" if raised > 1 else "bet", max(bet)) if here[-1][1].kind == RAISE else SpotMove("check")
    state = BettingState(order.index(me), (0, 0), bet, raised, last, False)
    solver = SpotSolver(spot, start=state if here else None)
    solver.run(_TARGET, max_iterations=_ITERATIONS)
    node = SpotNode(solver)
    before = view.contributions[me] - bets[me]
    chances: dict[Action, float] = {}
    for move, chance in zip(node.actions, node.strategy[:, hole].tolist(), strict=True):
        action = _action(view, move, before)
        chances[action] = chances.get(action, 0.0) + chance
    total = sum(chances.values())
    iterations = solver.iterations
    solver.close()
    return Solved(tuple(chances), tuple(chance / total for chance in chances.values()), iterations)


def _action(view: View, move: SpotMove, before: int) -> Action:
    """A move of the solver as an action here; ``before``: our chips of earlier streets."""
    if move.kind == "fold":
        return Action.fold()
    if move.kind in ("check", "call") or not view.legal.can_raise:
        return Action.call()
    to = min(max(before + move.amount, view.legal.min_to), view.legal.max_to)
    return Action.raise_to(to)
