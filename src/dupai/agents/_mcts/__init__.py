"""Monte-Carlo tree search with an opponent model."""

from dupai.agents._mcts._agent import MctsAgent as MctsAgent
