"""Agents: everything that plays. Named by spec strings such as ``rules``, ``style:LA``, ``raiser:size=half``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._advise import advise as advise
    from dupai.agents._capabilities import Capabilities as Capabilities, capabilities as capabilities
    from dupai.agents._check import (
        CheckReport as CheckReport,
        check_agent as check_agent,
        random_spots as random_spots,
    )
    from dupai.agents._equilibrium._reader import EquilibriumReader as EquilibriumReader
    from dupai.agents._fold import sampled_rate as sampled_rate
    from dupai.agents._guard import seated_agent as seated_agent
    from dupai.agents._hands import AskedPolicy as AskedPolicy, hand_policy as hand_policy
    from dupai.agents._notes import AgentNotes as AgentNotes, HasNotes as HasNotes, Notes as Notes
    from dupai.agents._protocol import (
        Advice as Advice,
        Advises as Advises,
        Agent as Agent,
        AgentFailure as AgentFailure,
        BaseAgent as BaseAgent,
        CannotPlay as CannotPlay,
        HasActionModel as HasActionModel,
        HasHandPolicy as HasHandPolicy,
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
        foreign_package as foreign_package,
        full_spec as full_spec,
        make_agent as make_agent,
        spec_traits as spec_traits,
    )
    from dupai.agents._seat import (
        AGENT_ERRORS as AGENT_ERRORS,
        Clock as Clock,
        Seat as Seat,
        checked_answer as checked_answer,
        fault_text as fault_text,
        sit_down as sit_down,
        try_agent as try_agent,
    )
    from dupai.agents._times import DecisionTimes as DecisionTimes
    from dupai.base import Option as Option
    from dupai.reading import Saveable as Saveable
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
