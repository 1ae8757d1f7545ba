"""``dupai bench blueprint``: how fast the solvers of blueprints go through their games, on one core."""

from __future__ import annotations

from functools import partial

from dupai.bench._row import Row, measured, rate
from dupai.cfr.blueprint import BetMenu, BlueprintSolver, TableSolver, learn_buckets
from dupai.rules import GameSpec

_MENU = BetMenu(
    preflop=((0.6,), (1.0,), (0.6, "a"), ("a",)),
    flop=((0.5, 1.0), (0.8, "a"), ("a",)),
    turn=((0.5, 1.0, "a"), (1.0, "a"), ("a",)),
    river=((0.5, 1.0, "a"), ("a",)),
)
#: Buckets: few, for learning them is not what is measured. Seconds of a round.
_BUCKETS, _SECONDS = (40, 40, 40), 1.0
#: Updates a second that are the goal on the reference machine.
_GOAL = 1e6


def rows() -> list[Row]:
    """Decisions a second: one hand's at the table, those of all hands that a board leaves heads-up.

    Raises:
        MissingPackage: eval7 is not installed.
    """
    buckets = learn_buckets(_BUCKETS)
    tree = BlueprintSolver(GameSpec.no_limit(2, (50, 100), 2000), _MENU, buckets)
    table = TableSolver(GameSpec.no_limit(6, (50, 100), 10_000), _MENU, buckets)

    def heads_up() -> int:
        tree.solve(tree.passes + 1)
        return tree.nodes * 1081  # hands that a board leaves

    def at_table() -> int:
        before = table.decisions
        table.solve(table.passes + 1)
        return table.decisions - before

    works = {"heads-up, 20 big blinds, hands x decisions": heads_up, "six players, 100 big blinds, decisions": at_table}
    return [
        measured(name, "updates/s", partial(rate, work, seconds=_SECONDS), least=_GOAL) for name, work in works.items()
    ]
