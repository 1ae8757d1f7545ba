"""Who takes part: specs or factories, checked once, with a label each that tells namesakes apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dupai.agents import Agent, Traits, agent_info, agent_names, seated_agent, spec_traits, traits_of, try_agent
from dupai.arena._keys import key_for
from dupai.base import ConfigError, DupaiError
from dupai.base.files import digest, disk_faults, files_at
from dupai.base.specs import split_spec
from dupai.base.text import labels_of

#: An agent spec, or anything that makes a new agent when called (it must be picklable to play in worker processes).
AgentSource = str | Callable[[], Agent]

#: Most players at a table.
MAX_SEATS = 10


@dataclass(frozen=True)
class Entrant:
    """One participant: ``label`` is unique in its match, ``spec`` is what it was named by."""

    label: str
    spec: str
    factory: Callable[[], Agent] | None = None
    stateless: bool = False
    reproducible: bool = True

    def make(self) -> Agent:
        """A fresh agent: every match gets its own."""
        return seated_agent(self.spec) if self.factory is None else self.factory()


@dataclass(frozen=True)
class PlayTask:
    """What every unit of work of the arena takes: the players and the checked settings."""

    entrants: tuple[Entrant, ...]
    config: Any


def names_of(entrants: Iterable[Entrant], key: str = "") -> dict[str, Any]:
    """The specs of all as ``agents``, their ``labels``, the ``files`` that the specs name, with a digest each, and the
    ``key`` of their match (:func:`~dupai.arena._keys.key_for`)."""
    everybody = list(entrants)
    named = {file for e in everybody if e.factory is None for file in named_files(e.spec)}
    return {
        "agents": tuple(e.spec for e in everybody),
        "labels": tuple(e.label for e in everybody),
        "key": key_for(everybody, key),
        "files": tuple(f"{file} {_digest(file)}" for name in sorted(named) for file in files_at(name)),
    }


def _digest(file: Path) -> str:
    with disk_faults(f"{file}: cannot be read", file):
        return digest([file])


def named_files(spec: str) -> Iterator[str]:
    """Files (and commands) that a spec of an agent or a reader names, or one that is the value of an option.

    Raises:
        NotationError: its options are not of the form option=value.
    """
    from dupai.reading import reader_info, reader_names

    name = spec.partition(":")[0].strip()
    infos = [info(name) for names, info in ((agent_names, agent_info), (reader_names, reader_info)) if name in names()]
    if not infos:
        return
    _, first, named = split_spec(spec)
    for info in infos:
        given = named
        if first is not None and info.options and first.casefold() not in getattr(info, "presets", ()):
            given = {info.options[0].name: first, **named}
        for option in info.options:
            value = given.get(option.name, option.default)
            if option.file and value not in (option.default, *option.words):
                yield str(value)
    for value in (first, *named.values()):
        if value:
            yield from named_files(value)


def _name_of(source: AgentSource) -> str:
    if isinstance(source, str):
        return source.strip()
    return str(getattr(source, "__name__", None) or type(source).__name__)


def entrants_of(
    agents: Sequence[AgentSource], *, betting: str = "no-limit", table: int | None = None
) -> tuple[Entrant, ...]:
    """Check who takes part; specs are tried by making each agent once.

    Args:
        agents: specs or factories.
        betting: of the game that they shall play.
        table: players at a table; default: all, who must be 2 to 10.

    Raises:
        ConfigError: too few or too many players, or one that cannot play such a table.
        NotationError, ConfigError, AgentError: as :func:`dupai.agents.make_agent`.
    """
    if table is None:
        table = len(agents)
        if not 2 <= table <= MAX_SEATS:
            raise ConfigError(
                f"{table} player{'s' if table != 1 else ''} given: expected 2 to {MAX_SEATS}", key="agents"
            )
    labels = labels_of([_name_of(a) for a in agents])
    tried: dict[str, Traits] = {}
    entrants = []
    for source, label in zip(agents, labels, strict=True):
        if not isinstance(source, str):
            if not callable(source):
                raise ConfigError(
                    f"agent {source!r} is neither a spec nor a factory: expected text such as 'rules', "
                    "or something that makes a new agent when called (every match gets a fresh one)"
                )
            traits = traits_of(source)
            entrants.append(Entrant(label, _name_of(source), source, traits.stateless, traits.reproducible))
            continue
        spec = source.strip()
        if spec not in tried:
            try_agent(spec)
            tried[spec] = traits = spec_traits(spec)
            if not traits.players[0] <= table <= traits.players[1]:
                low, high = traits.players
                raise ConfigError(f"agent {spec!r} plays tables of {low} to {high}, not of {table}")
            if betting not in traits.bettings:
                raise ConfigError(f"agent {spec!r} does not play {betting}: it plays {', '.join(traits.bettings)}")
        entrants.append(_named(label, spec, tried[spec]))
    return tuple(entrants)


def named_entrants(specs: Sequence[str], labels: Sequence[str]) -> tuple[Entrant, ...]:
    """Who took part in a run, by its specs; no agents are made, and specs may be unknown here."""
    return tuple(_named(label, spec, _known_traits(spec)) for spec, label in zip(specs, labels, strict=True))


def _known_traits(spec: str) -> Traits:
    try:
        return spec_traits(spec)
    except DupaiError:
        return Traits()


def _named(label: str, spec: str, traits: Traits) -> Entrant:
    return Entrant(label, spec, stateless=traits.stateless, reproducible=traits.reproducible)
