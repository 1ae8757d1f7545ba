"""What safety costs and keeps when ``equilibrium`` solves a turn or river: a table of docs/results/exploitability.md.

``python docs/make/safe_solving.py [--turns 100] [--rivers 200] [--seed 178] [--stack 10000]``: hands are played to
the turn by the blueprint against itself, on to the river by ``equilibrium``. There the street is solved by each
method as in a match; then the same where the first to act bets the pot, which the tree of the street lacks. Printed, in
percent of the pot, with 95 % intervals: what the opponent's best response to the solution wins with the range that was
tracked; how much more that is than with max-margin; and what hands gain over the values that they are to keep, on
average over that range, and the hand that gains most.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

import numpy as np

from dupai.agents import MatchInfo, make_agent
from dupai.agents._equilibrium import Equilibrium, NotSolved
from dupai.agents._equilibrium._street import Root, Street
from dupai.agents._equilibrium._tracker import Tracker
from dupai.base import Rng
from dupai.base.arrays import F64
from dupai.cfr import Blueprints
from dupai.cfr.blueprint import StoredBlueprint
from dupai.notation import Reason
from dupai.rules import Action, GameSpec, HandState, View
from dupai.spots import Spot

FREE = "no safety"
METHODS: dict[str, str | None] = {
    "max-margin": "maxmargin",
    "max-margin, values of 16 rivers": "maxmargin",
    "hands play or take their value (CFR-D)": "safe",
    "the same, weighted by range (default)": "weighted",
    FREE: None,
}


#: What a street is solved with: the decision, the root, both ranges, the resolver, the opponent's values.
Asked = tuple[Spot, Root, F64, int, F64 | None]


class Asking(Tracker):
    """Notes what a street is solved with instead of solving it, once ``street`` is reached: from its start, or
    ``nested`` from a bet."""

    street = 2
    nested = False
    asked: Asked | None = None

    def _solve(self, spot: Spot, root: Root, ranges: F64, resolver: int, values: F64 | None, **more: Any) -> Street:
        if spot.street != self.street or (root.betting is not None) != self.nested:
            return super()._solve(spot, root, ranges, resolver, values, **more)
        self.asked = spot, root, ranges, resolver, values
        raise NotSolved(Reason("noted"))


def agent_of(text: str, spec: GameSpec) -> Equilibrium:
    agent = make_agent(text)
    assert isinstance(agent, Equilibrium)
    agent.start(MatchInfo(spec=spec, seat=0, names=("one", "two")))
    return agent


def asked(street: int, nested: bool, spec: GameSpec, seed: int, hand: int) -> tuple[View, Asked] | None:
    """A hand's first decision on a street, or the answer to a bet of the pot, and what it would be solved with."""
    first, later = agent_of("equilibrium:resolve=off", spec), agent_of("equilibrium", spec)
    noted = later._tracker = Asking(later.tracker.blueprint, later.tracker.stand_in, later.tracker.options)
    noted.street, noted.nested = street, nested
    rng = Rng(seed, hand)
    state = HandState.deal(spec, rng, hand=hand)
    while state.actor >= 0 and state.street < street:
        view = state.view(state.actor)
        state.apply((first if state.street < 2 else later).act(view, rng))
    if state.actor < 0 or state.street != street:
        return None
    if nested:
        total, legal = state.contributions[state.actor], state.legal
        if legal.max_to <= total + state.pot:
            return None
        state.apply(Action.raise_to(max(total + state.pot, legal.min_to)))
    view = state.view(state.actor)
    noted.state(view)
    if noted.asked is None or noted.asked[-1] is None:
        return None
    return view, noted.asked


def of_16_rivers(blueprint: Any, view: View, spot: Spot, player: int) -> F64:
    """Values of hands on the turn as they were before all rivers counted."""
    assert isinstance(blueprint, Blueprints)
    plan = blueprint._plan(view.spec, min(view.start_stacks))
    assert isinstance(plan, StoredBlueprint)
    kept = StoredBlueprint._boards
    try:
        StoredBlueprint._boards = lambda self, board, rivers=16: kept(self, board)  # type: ignore[method-assign]
        return plan.values(spot, player) - spot["pot"] / 2
    finally:
        StoredBlueprint._boards = kept  # type: ignore[method-assign]


def measure(street: int, nested: bool, wanted: int, spec: GameSpec, seed: int) -> None:
    found: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    hand = 0
    while len(found[FREE]) < wanted:
        hand += 1
        one = asked(street, nested, spec, seed, hand)
        if one is None:
            continue
        view, (spot, root, ranges, resolver, values) = one
        for name, method in METHODS.items():
            kept = values
            if "16" in name:
                if street != 2 or nested:
                    continue
                blueprint = agent_of("equilibrium", spec).tracker.blueprint
                kept = of_16_rivers(blueprint, view, spot, root.seats[1 - resolver])
            tracker = agent_of("equilibrium", spec).tracker
            tracker.options = tracker.options._replace(method=method)
            solved = tracker._solve(spot, root, ranges, resolver, kept if method else None).solution
            place, other = solved.place(()), 1 - resolver
            assert place is not None
            best = solved.values(place, other, respond=True)
            hands, pot = solved.solver.hands[other], spot["pot"]
            weights = solved.solver.weights[other] * solved.solver.meets[other]
            gain = (best - values)[hands]
            known = np.isfinite(gain) & (weights > 0)
            share = weights[known] / weights[known].sum()
            row = share @ best[hands][known], share @ np.maximum(gain[known], 0), gain[known].max()
            found[name].append(tuple(100 * float(x) / pot for x in row))
    start = np.array(found["max-margin"])[:, 0]
    print(f"{('turn', 'river')[street - 2]}{', after a bet of the pot' if nested else ''}, n = {wanted}")
    for name, rows in found.items():
        x = np.array(rows)
        more = x[:, 0] - start
        cells = [f"{c.mean():+.2f} ± {1.96 * c.std(ddof=1) / len(c) ** 0.5:.2f}" for c in (x[:, 0], more, *x.T[1:])]
        print("|", name, "|", " | ".join(cells), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("--turns", 100), ("--rivers", 200), ("--seed", 178), ("--stack", 10_000)):
        parser.add_argument(name, type=int, default=value)
    given = parser.parse_args()
    spec = GameSpec.no_limit(2, (50, 100), given.stack, odd_chips="acpc", min_raise="acpc")
    for nested in (False, True):
        for street, wanted in ((2, given.turns), (3, given.rivers)):
            measure(street, nested, wanted, spec, given.seed)


if __name__ == "__main__":
    main()
