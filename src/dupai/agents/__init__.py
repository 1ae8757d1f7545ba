"""Agents: everything that plays. Named by spec strings such as ``rules``, ``style:LA``, ``raiser:size=half``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._advise import advise as advise, sit_down as sit_down
    from dupai.agents._check import (
        CheckLine as CheckLine,
        CheckReport as CheckReport,
        check_agent as check_agent,
        random_spots as random_spots,
    )
    from dupai.agents._fold import sampled_rate as sampled_rate
    from dupai.agents._mcts import GameSearch as GameSearch
    from dupai.agents._protocol import (
        Advice as Advice,
        Advises as Advises,
        Agent as Agent,
        BaseAgent as BaseAgent,
        HasActionModel as HasActionModel,
        HasPolicy as HasPolicy,
        MatchFormat as MatchFormat,
        MatchInfo as MatchInfo,
        PolicyAgent as PolicyAgent,
        Traits as Traits,
        traits_of as traits_of,
    )
    from dupai.agents._registry import (
        AgentInfo as AgentInfo,
        agent_info as agent_info,
        agent_infos as agent_infos,
        agent_names as agent_names,
        make_agent as make_agent,
    )
    from dupai.agents._swarm._agent import risk_curves as risk_curves
    from dupai.agents._swarm._lane import FastLane as FastLane
    from dupai.agents._swarm._search import best_fixed_policy as best_fixed_policy, policy_point as policy_point
    from dupai.base import Option as Option, OptionInfo as OptionInfo
    from dupai.reading import Saveable as Saveable
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
