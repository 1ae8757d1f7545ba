"""Agents: everything that plays. Named by spec strings such as ``rules``, ``style:LA``, ``raiser:size=half``."""

from dupai.agents._advise import advise, sit_down
from dupai.agents._check import CheckLine, CheckReport, check_agent, random_spots
from dupai.agents._fold import sampled_rate
from dupai.agents._mcts import GameSearch
from dupai.agents._protocol import (
    Advice,
    Advises,
    Agent,
    BaseAgent,
    HasActionModel,
    HasPolicy,
    MatchFormat,
    MatchInfo,
    PolicyAgent,
    Saveable,
    Traits,
    traits_of,
)
from dupai.agents._registry import AgentInfo, agent_info, agent_infos, agent_names, make_agent
from dupai.agents._situation import view_from_text
from dupai.agents._swarm._agent import risk_curves
from dupai.agents._swarm._lane import FastLane
from dupai.agents._swarm._search import best_fixed_policy, policy_point
from dupai.base import Option, OptionInfo

__all__ = [
    "Advice",
    "Advises",
    "Agent",
    "AgentInfo",
    "BaseAgent",
    "CheckLine",
    "CheckReport",
    "FastLane",
    "GameSearch",
    "HasActionModel",
    "HasPolicy",
    "MatchFormat",
    "MatchInfo",
    "Option",
    "OptionInfo",
    "PolicyAgent",
    "Saveable",
    "Traits",
    "advise",
    "agent_info",
    "agent_infos",
    "agent_names",
    "best_fixed_policy",
    "check_agent",
    "make_agent",
    "policy_point",
    "random_spots",
    "risk_curves",
    "sampled_rate",
    "sit_down",
    "traits_of",
    "view_from_text",
]
