"""The ``equilibrium`` agent: tracks both ranges and solves turn and river while it plays."""

from dupai.agents._equilibrium._agent import Equilibrium as Equilibrium
from dupai.agents._equilibrium._tracker import NotSolved as NotSolved
