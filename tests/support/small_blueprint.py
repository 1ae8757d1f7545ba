"""A game for blueprints that are learned in a second, and a solver of it."""

from __future__ import annotations

import msgspec

from dupai.cfr.blueprint import BetMenu, BlueprintSolver, learn_buckets
from dupai.rules import load_game

#: Text of a file for ``dupai train blueprint --games``.
TINY_GAME = """
[tiny]
game = "holdem.nolimit.2p"
big_blinds = 20
buckets = [6, 6, 6]
[tiny.menu]
preflop = [[0.75], ["a"]]
flop = [[1.0]]
turn = [[1.0]]
river = [[1.0]]
"""

SPEC = msgspec.structs.replace(load_game("holdem.nolimit.2p"), stacks=(2000, 2000))
MENU = BetMenu(preflop=((0.75,), ("a",)), flop=((1.0,),), turn=((1.0,),), river=((1.0,),))


def small_solver() -> BlueprintSolver:
    """The game after 60 passes."""
    made = BlueprintSolver(SPEC, MENU, learn_buckets((6, 6, 6)))
    made.solve(60)
    return made
