"""The ``dupai`` agent: reads, solves, and exploits within a bound."""

from dupai.agents._dupai._agent import Dupai as Dupai
