"""How well the river decisions of ``equilibrium`` agree with the solver: the figures of docs/results/exploitability.md.

``python docs/make/equilibrium_rivers.py [SPOTS] [AGENT]``: hands are played to the river by the blueprint against
itself (100 big blinds, seed 11). There the agent (``equilibrium:resolve=river,safe=off`` if none is named) decides as
it does in a match, and the same spot is solved by ``SpotSolver`` until it can be exploited by less than 0.1 % of the
pot. Printed: how far the agent's solution can be exploited (of use with ``safe=off``: else the opponent's side of it
plays other hands than the range), and what the held hand loses by the agent's mix in place of its best action, valued
by the solver's solution.
"""

from __future__ import annotations

import sys

import numpy as np

from dupai.agents import MatchInfo, make_agent
from dupai.agents._equilibrium import Equilibrium
from dupai.base import Rng
from dupai.cards import COMBO_INDEX
from dupai.cfr import SpotNode, solve_spot
from dupai.rules import GameSpec, HandState

SPEC = GameSpec.no_limit(2, (50, 100), 10_000, odd_chips="acpc", min_raise="acpc")
SEED = 11


def agent_of(text: str) -> Equilibrium:
    agent = make_agent(text)
    assert isinstance(agent, Equilibrium)
    agent.start(MatchInfo(spec=SPEC, seat=0, names=("one", "two")))
    return agent


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    named = sys.argv[2] if len(sys.argv) > 2 else "equilibrium:resolve=river,safe=off"
    before, river = agent_of("equilibrium:resolve=off"), agent_of(named)
    exploitable, lost, hand = [], [], 0
    while len(lost) < wanted:
        hand += 1
        rng = Rng(SEED, hand)
        state = HandState.deal(SPEC, rng, hand=hand)
        while state.actor >= 0 and state.street < 3:
            state.apply(before.act(state.view(state.actor), rng))
        if state.actor < 0:
            continue
        view = state.view(state.actor)
        street = river.tracker.state(view).street
        assert street is not None
        own, pot = street.solution.solver, street.solution.spot.pot
        exploitable.append(100 * own.exploitability() / pot)
        solver = solve_spot(street.solution.spot, target=0.001, max_iterations=20_000)
        held = int(COMBO_INDEX[view.hole_of(view.actor)])
        place, node = own.place(""), SpotNode(solver, "")
        mix = street.solution.strategy(place)[:, held].astype(float)
        values = []
        for action in street.solution.actions(place):
            after = SpotNode(solver, str(action))
            values.append(float(after.ev[street.seats.index(view.actor)][held]) - action.amount)
        values_ = np.array(values)
        assert len(values_) == len(node.actions)
        lost.append(100 * (values_.max() - float(mix @ values_)) / pot)
    for name, data in (("exploitable by, % of the pot", exploitable), ("held hand loses, % of the pot", lost)):
        x = np.array(data)
        error = 1.96 * x.std(ddof=1) / len(x) ** 0.5
        middle, most = np.quantile(x, (0.5, 0.95))
        print(f"{name}: mean {x.mean():.3f} ± {error:.3f}, median {middle:.3f}, 95 % {most:.3f}, n = {len(x):,}")


if __name__ == "__main__":
    main()
