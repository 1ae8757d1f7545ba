"""Blueprints: strategies of the whole game over buckets of hands, solved, stored and looked up."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.cfr._blueprint._card import BlueprintCard as BlueprintCard, save_blueprint as save_blueprint
    from dupai.cfr._blueprint._cards import learn_buckets as learn_buckets
    from dupai.cfr._blueprint._joint import JointSolver as JointSolver
    from dupai.cfr._blueprint._plan import StoredBlueprint as StoredBlueprint
    from dupai.cfr._blueprint._solver import BlueprintSolver as BlueprintSolver, PassSolver as PassSolver
    from dupai.cfr._blueprint._tree import (
        BetMenu as BetMenu,
        BettingTree as BettingTree,
        betting_tree as betting_tree,
        check_blueprint_game as check_blueprint_game,
    )
    from dupai.cfr._multiway._plan import TableBlueprint as TableBlueprint
    from dupai.cfr._multiway._solver import TableSolver as TableSolver
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
