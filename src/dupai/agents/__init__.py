"""Agents: everything that plays. Named by spec strings such as ``rules``, ``style:LA``, ``raiser:size=half``."""

from dupai.agents._protocol import Advice, Agent, BaseAgent, MatchFormat, MatchInfo, PolicyAgent
from dupai.agents._registry import AgentInfo, Option, OptionInfo, agent_info, agent_infos, agent_names, make_agent

__all__ = [
    "Advice",
    "Agent",
    "AgentInfo",
    "BaseAgent",
    "MatchFormat",
    "MatchInfo",
    "Option",
    "OptionInfo",
    "PolicyAgent",
    "agent_info",
    "agent_infos",
    "agent_names",
    "make_agent",
]
