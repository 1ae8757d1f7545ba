"""Regret minimisation: algorithms for small games, best responses, and the heads-up postflop solver."""

from dupai.cfr._limit import LimitSolver
from dupai.cfr._pushfold._heads_up import PushFold, push_fold, push_fold_table, solve_push_fold
from dupai.cfr._pushfold._three import PushFold3, icm, solve_three_handed
from dupai.cfr._tabular._algorithms import ALGORITHMS, SAMPLING
from dupai.cfr._tabular._form import CompiledGame, compile_game
from dupai.cfr._tabular._respond import Exploitability, best_response, exploitability
from dupai.cfr._tabular._solve import CurvePoint, Solution, game_solver, solve_game
from dupai.cfr.postflop import (
    PLAYERS,
    LeafValue,
    Lock,
    Node as SpotNode,
    Solver as SpotSolver,
    SolveSpot,
    Subgame,
    load as load_solution,
    load_spot,
    read_boards,
    report as solve_report,
    resolve as resolve_subgame,
    save as save_solution,
    solve as solve_spot,
)

__all__ = [
    "ALGORITHMS",
    "PLAYERS",
    "SAMPLING",
    "CompiledGame",
    "CurvePoint",
    "Exploitability",
    "LeafValue",
    "LimitSolver",
    "Lock",
    "PushFold",
    "PushFold3",
    "Solution",
    "SolveSpot",
    "SpotNode",
    "SpotSolver",
    "Subgame",
    "best_response",
    "compile_game",
    "exploitability",
    "game_solver",
    "icm",
    "load_solution",
    "load_spot",
    "push_fold",
    "push_fold_table",
    "read_boards",
    "resolve_subgame",
    "save_solution",
    "solve_game",
    "solve_push_fold",
    "solve_report",
    "solve_spot",
    "solve_three_handed",
]
