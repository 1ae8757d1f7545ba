"""The ``dupai`` agent: reads, solves, and exploits by a dial."""

from dupai.agents._dupai._agent import Dupai as Dupai
