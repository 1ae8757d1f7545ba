"""Monte-Carlo tree search with an opponent model."""

from dupai.agents._mcts._agent import MctsAgent
from dupai.agents._mcts._small import GameSearch

__all__ = ["GameSearch", "MctsAgent"]
