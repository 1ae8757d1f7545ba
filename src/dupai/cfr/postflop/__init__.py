"""The heads-up postflop solver: discounted CFR over all hands of both ranges at once, with vector kernels.

>>> from dupai.cfr.postflop import SolveSpot, Node, solve
>>> spot = SolveSpot.from_dict({"board": "AsKdQh2c2d", "oop": "KK,JT", "ip": "AK,QQ", "pot": 100, "stack": 100,
...                             "sizes": {"bet": "a", "raise": "a"}})
>>> solver = solve(spot, target=0.01)
>>> [str(a) for a in Node(solver).actions]
['check', 'allin 100']
"""

from dupai.cfr.postflop._file import load as load, save as save
from dupai.cfr.postflop._locks import Lock as Lock, load_spot as load_spot
from dupai.cfr.postflop._node import Node as Node
from dupai.cfr.postflop._parts import Check as Check, LeafValue as LeafValue
from dupai.cfr.postflop._report import read_boards as read_boards, report as report
from dupai.cfr.postflop._resolve import Subgame as Subgame, resolve as resolve
from dupai.cfr.postflop._solver import Solver as Solver, solve as solve
from dupai.cfr.postflop._spot import PLAYERS as PLAYERS, SolveSpot as SolveSpot
from dupai.cfr.postflop._tree import Action as Action
