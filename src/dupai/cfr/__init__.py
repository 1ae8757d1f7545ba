"""Regret minimisation: algorithms for small games, best responses, and the heads-up postflop solver."""

from dupai.cfr._tabular._algorithms import ALGORITHMS
from dupai.cfr._tabular._form import CompiledGame, compile_game
from dupai.cfr._tabular._respond import Exploitability, best_response, exploitability
from dupai.cfr._tabular._solve import CurvePoint, Solution, solve_game

__all__ = [
    "ALGORITHMS",
    "CompiledGame",
    "CurvePoint",
    "Exploitability",
    "Solution",
    "best_response",
    "compile_game",
    "exploitability",
    "solve_game",
]
