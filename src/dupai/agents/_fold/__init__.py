"""FOLD's agent: Algorithm 1 (``_rate``, ``_kernels``), Algorithm 2 (``_policy``, ``_agent``), what it learns live
(``_players``)."""

from dupai.agents._fold._agent import FoldAgent as FoldAgent
from dupai.agents._fold._rate import sampled_rate as sampled_rate
