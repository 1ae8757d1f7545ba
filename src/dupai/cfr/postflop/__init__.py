"""The heads-up postflop solver: discounted CFR over all hands of both ranges at once, with vector kernels.

>>> from dupai.cfr.postflop import SolveSpot, Node, solve
>>> spot = SolveSpot.from_dict({"board": "AsKdQh2c2d", "oop": "KK,JT", "ip": "AK,QQ", "pot": 100, "stack": 100,
...                             "sizes": {"bet": "a", "raise": "a"}})
>>> solver = solve(spot, target=0.01)
>>> [str(a) for a in Node(solver).actions]
['check', 'allin 100']
"""

from dupai.cfr.postflop._file import load, save
from dupai.cfr.postflop._locks import Lock, load_spot
from dupai.cfr.postflop._node import Node
from dupai.cfr.postflop._parts import Check, LeafValue
from dupai.cfr.postflop._report import read_boards, report
from dupai.cfr.postflop._resolve import Subgame, resolve
from dupai.cfr.postflop._solver import Solver, solve
from dupai.cfr.postflop._spot import PLAYERS, SolveSpot
from dupai.cfr.postflop._tree import Action

__all__ = [
    "PLAYERS",
    "Action",
    "Check",
    "LeafValue",
    "Lock",
    "Node",
    "SolveSpot",
    "Solver",
    "Subgame",
    "load",
    "load_spot",
    "read_boards",
    "report",
    "resolve",
    "save",
    "solve",
]
