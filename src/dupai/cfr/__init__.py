"""Regret minimisation: algorithms for small games, best responses, push/fold, and the heads-up postflop solver.

>>> from dupai.cfr import SolveSpot, SpotNode, solve_spot
>>> spot = SolveSpot.from_dict({"board": "AsKdQh2c2d", "oop": "KK,JT", "ip": "AK,QQ", "pot": 100, "stack": 100,
...                             "sizes": {"bet": "a", "raise": "a"}})
>>> solver = solve_spot(spot, target=0.01)
>>> [str(a) for a in SpotNode(solver).actions]
['check', 'allin 100']
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.cfr._blueprints import Blueprints as Blueprints, load_plan as load_plan
    from dupai.cfr._pushfold._heads_up import (
        PUSH_FOLD_ANTES as PUSH_FOLD_ANTES,
        PushFold as PushFold,
        nearest_push_fold as nearest_push_fold,
        push_fold as push_fold,
        push_fold_table as push_fold_table,
        solve_push_fold as solve_push_fold,
    )
    from dupai.cfr._pushfold._three import PushFold3 as PushFold3, icm as icm, solve_three_handed as solve_three_handed
    from dupai.cfr._tabular._algorithms import ALGORITHMS as ALGORITHMS, SAMPLING as SAMPLING
    from dupai.cfr._tabular._form import CompiledGame as CompiledGame, compile_game as compile_game
    from dupai.cfr._tabular._respond import best_response as best_response, exploitability as exploitability
    from dupai.cfr._tabular._solve import Solution as Solution, game_solver as game_solver, solve_game as solve_game
    from dupai.cfr.postflop._file import load_solution as load_solution, save_solution as save_solution
    from dupai.cfr.postflop._from_node import solver_from as solver_from
    from dupai.cfr.postflop._locks import Lock as Lock, load_spot as load_spot
    from dupai.cfr.postflop._node import SpotNode as SpotNode, solve as solve
    from dupai.cfr.postflop._report import read_boards as read_boards, solve_report as solve_report
    from dupai.cfr.postflop._solver import SpotSolver as SpotSolver, solve_spot as solve_spot
    from dupai.cfr.postflop._spot import SolveSpot as SolveSpot
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
