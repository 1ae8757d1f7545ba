"""Populations: the groups of players that the trained model tells apart, and who belongs to which.

The data are those of :func:`dupai.history.corpora`. A population's number is its place there: weights are trained for
this order.
"""

from __future__ import annotations

from dupai.base import ConfigError
from dupai.history import corpora
from dupai.rules import GameSpec

_ALL = corpora().population
NAMES = tuple(p.name for p in _ALL)


def number(name: str) -> int:
    """Number of a population by name.

    Raises:
        ConfigError: there is no such population.
    """
    if name not in NAMES:
        raise ConfigError(f"population={name!r}: expected one of {', '.join(NAMES)}", key="population")
    return NAMES.index(name)


#: Nobody in particular; people by the game that they play; people whose hands are known because they were shown.
UNKNOWN, HEADS_UP, SIX_MAX, ONLINE, SHOWN = map(number, ("unknown", "heads-up", "six-max", "online", "shown"))
#: Populations of people, each of whom has habits of their own.
PEOPLE = tuple(n for n, p in enumerate(_ALL) if p.kind == "people")
#: Programs that only exploit others: no natural opponents.
EXPLOITERS = tuple(n for n, p in enumerate(_ALL) if p.kind == "exploiter")
#: Programs with tens of thousands of hands: the networks of all others start from networks trained on these.
PLENTY = tuple(n for n, p in enumerate(_ALL) if p.plenty)
#: Populations that play alike: networks are trained further for each of these families.
FAMILIES = tuple(
    tuple(n for n, p in enumerate(_ALL) if p.family == first.name) for first in _ALL if first.family == first.name
)
#: Programs of limit games.
LIMIT = tuple(n for n, p in enumerate(_ALL) if p.betting == "limit")
#: By the first of a family the population whose networks the family's start from (all others: those for everybody).
STARTS_FROM = {n: number(p.starts) for n, p in enumerate(_ALL) if p.starts is not None}

#: Programs are known by the start of the name that they play under; people never are.
_PROGRAMS = {p.name: n for n, p in enumerate(_ALL) if p.kind in ("program", "exploiter")}
_KNOWN = frozenset(name for p in _ALL for name in p.known)


def family(population: int) -> tuple[int, ...]:
    """The populations that play like this one, itself among them."""
    return next((members for members in FAMILIES if population in members), (population,))


def of(name: str, spec: GameSpec) -> int:
    """The population of a player: that of a program of this name, else that of the people who play such a game."""
    for start, program in _PROGRAMS.items():
        if name.startswith(start) and (program in LIMIT) == (spec.betting == "limit"):
            return program
    if spec.betting == "limit":
        return UNKNOWN
    if spec.players == 2:
        return HEADS_UP
    return SIX_MAX if spec.min_raise == "acpc" else ONLINE


def exploits(name: str, spec: GameSpec) -> bool:
    """Whether a player is a program that only exploits others."""
    return of(name, spec) in EXPLOITERS


def has_habits(name: str, population: int) -> bool:
    """Whether the player of this name and population (of :func:`of`) is learned while they play: people, and programs
    that the networks do not know."""
    return population in PEOPLE or population == UNKNOWN or name not in _KNOWN
