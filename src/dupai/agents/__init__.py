"""Agents: everything that plays. Named by spec strings such as ``rules``, ``style:LA``, ``raiser:size=half``."""

from dupai.agents._advise import advise, sit_down
from dupai.agents._check import CheckLine, CheckReport, check_agent, random_spots
from dupai.agents._protocol import Advice, Agent, BaseAgent, MatchFormat, MatchInfo, PolicyAgent
from dupai.agents._registry import AgentInfo, agent_info, agent_infos, agent_names, make_agent
from dupai.agents._situation import view_from_text
from dupai.agents._swarm._lane import FastLane
from dupai.base import Option, OptionInfo

__all__ = [
    "Advice",
    "Agent",
    "AgentInfo",
    "BaseAgent",
    "CheckLine",
    "CheckReport",
    "FastLane",
    "MatchFormat",
    "MatchInfo",
    "Option",
    "OptionInfo",
    "PolicyAgent",
    "advise",
    "agent_info",
    "agent_infos",
    "agent_names",
    "check_agent",
    "make_agent",
    "random_spots",
    "sit_down",
    "view_from_text",
]
