"""Agents by name: the specs of :mod:`dupai.base`, and the entry-point group ``dupai.agents`` for other packages."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from dupai.agents._protocol import Agent, Traits, traits_of
from dupai.base import AgentError, DupaiError
from dupai.base.specs import OptionInfo, SpecRegistry, spec_names, spec_options, spec_presets, split_spec
from dupai.jobs import outside_where_foreign
from dupai.reading import reader_packages

#: Entry-point group in which other packages register their agents.
ENTRY_POINTS = "dupai.agents"

_AGENTS = SpecRegistry(
    "agent",
    ENTRY_POINTS,
    {
        "caller": "dupai.agents._simple:Caller",
        "raiser": "dupai.agents._simple:Raiser",
        "random": "dupai.agents._simple:RandomAgent",
        "fixed": "dupai.agents._simple:Fixed",
        "rules": "dupai.agents._rules:RulesAgent",
        "style": "dupai.agents._style:Style",
        "changer": "dupai.agents._changer:Changer",
        "fold": "dupai.agents._fold:FoldAgent",
        "expert": "dupai.agents._experience._expert:Expert",
        "exp": "dupai.agents._experience._exp:Exp",
        "mcts": "dupai.agents._mcts:MctsAgent",
        "risk": "dupai.agents._swarm._agent:Risk",
        "swarm": "dupai.agents._swarm._agent:Swarm",
        "persona": "dupai.agents._persona._agent:Persona",
        "equilibrium": "dupai.agents._equilibrium:Equilibrium",
        "dupai": "dupai.agents._dupai:Dupai",
        "advisor": "dupai.agents._advisor:Advisor",
    },
    AgentError,
)


class AgentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One agent of the registry.

    Attributes:
        name: what a spec starts with.
        summary: one line.
        options: in the order of its signature; the first takes a value without a name.
        presets: named option values, ``{preset: {option: value}}``.
        origin: ``dupai`` or the package that brings it.
        stateless, reproducible, players, bettings: its :class:`Traits`.
        error: why it cannot be loaded; None when it can.
    """

    name: str
    summary: str
    options: tuple[OptionInfo, ...] = ()
    presets: dict[str, dict[str, Any]] = {}
    origin: str = "dupai"
    stateless: bool = False
    reproducible: bool = True
    players: tuple[int, int] = (2, 10)
    bettings: tuple[str, ...] = ()
    error: str | None = None


def agent_names() -> tuple[str, ...]:
    """Names that a spec may start with: ours first, then those of other packages in alphabetical order."""
    return _AGENTS.names()


def make_agent(spec: str) -> Agent:
    """A new agent from its spec, as ``rules``, ``raiser:size=half``, ``style:LA`` or ``fold:paper,samples=1000``.

    Raises:
        NotationError: the text is not a spec, or names no known agent (the nearest is suggested).
        ConfigError: an option is unknown (the nearest is suggested), its value makes no sense, or the agent of another
            package cannot be loaded.
        AgentError: the agent failed while being made.
    """
    agent = _AGENTS.make(spec)
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {spec!r} lacks one of start, act, observe, close", text=spec)
    return agent


def foreign_package(spec: str) -> str | None:
    """The other package that brings a spec's agent, or an agent or reader that its options name, however deep; None
    where all of it is dupai's."""
    packages = _AGENTS.packages() | reader_packages()
    return next((packages[name] for name in spec_names(spec) if name in packages), None)


@partial(outside_where_foreign, _AGENTS)
def spec_traits(spec: str) -> Traits:
    """The traits of an agent: those of its class, but for those that the spec itself sets by an option of the same
    name (``acpc:...,stateless=on``). A clock (``ms=``), also of an agent that an option names, makes it not
    reproducible.

    Raises:
        NotationError, ConfigError: as :func:`make_agent`.
    """
    factory, options = _AGENTS.read(spec)
    traits = traits_of(factory)
    stated = {key: options[key] for key in traits.__struct_fields__ if key in options}
    if options.get("ms") is not None or not all(map(_repeats, options.items())):
        stated.setdefault("reproducible", False)
    return msgspec.structs.replace(traits, **stated)


def _repeats(option: tuple[str, object]) -> bool:
    """Whether an option leaves an agent reproducible: it does not if it names one that is not."""
    name, value = option
    # Readers have names that agents have, too.
    if name == "reader" or not isinstance(value, str) or value.partition(":")[0].strip() not in agent_names():
        return True
    try:
        return spec_traits(value).reproducible
    except DupaiError:
        return True


@partial(outside_where_foreign, _AGENTS)
def full_spec(spec: str) -> str:
    """A spec with every option and its value, those of its preset and the defaults included.

    Raises:
        NotationError, ConfigError: as :func:`make_agent`.
    """
    factory, options = _AGENTS.read(spec)
    texts = []
    for info in spec_options(factory):
        value = options.get(info.name, info.default)
        text = ("off", "on")[value] if isinstance(value, bool) else "" if value is None else str(value)
        if text:
            texts.append(f'{info.name}="{text}"' if "," in text else f"{info.name}={text}")
    name = split_spec(spec)[0]
    return f"{name}:{','.join(texts)}" if texts else name


@partial(outside_where_foreign, _AGENTS, lost=AgentInfo)
def agent_info(name: str) -> AgentInfo:
    """What the registry knows of one agent; one that cannot be loaded has its ``error`` set.

    Raises:
        NotationError: there is no such agent (the nearest is suggested).
    """
    factory, facts = _AGENTS.known(name)
    if factory is not None:
        facts["presets"] = {preset: dict(values) for preset, values in spec_presets(factory).items()}
        facts |= msgspec.structs.asdict(traits_of(factory))
    return AgentInfo(**facts)


def agent_infos() -> tuple[AgentInfo, ...]:
    """Every agent that can be named, ours first."""
    return tuple(agent_info(name) for name in agent_names())
