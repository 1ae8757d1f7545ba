"""Populations: the groups of players that the trained model tells apart, and who belongs to which."""

from __future__ import annotations

from dupai.base import ConfigError
from dupai.rules import GameSpec

#: Name and what it is. The number of a group is its place here; weights are trained for this order.
POPULATIONS: dict[str, str] = {
    "unknown": "nobody in particular: the mean of all",
    "heads-up": "professionals heads-up, no-limit, deep",
    "DeepStack": "the program of 2016",
    "Hyperborean14": "the no-limit program of the 2014 competition",
    "LBR": "the local best response, an exploiting program",
    "six-max": "professionals six-handed, no-limit, 100 big blinds",
    "Pluribus": "the program of 2019",
    "online": "anonymous players of small online cash games",
    "Hyperborean_iro": "the three-player limit program of the 2014 competition",
    "SmooCT": "the three-player limit program of the 2014 competition",
    "HITSZ": "the three-player limit program of the 2014 competition",
    "shown": "players of small online cash games whose hands were shown down or mucked in sight",
}
NAMES = tuple(POPULATIONS)
UNKNOWN, HEADS_UP, DEEPSTACK, HYPERBOREAN, LBR, SIX_MAX, PLURIBUS, ONLINE, IRO, SMOOCT, HITSZ, SHOWN = range(12)

#: Populations of people, each of whom has habits of his own.
PEOPLE = (UNKNOWN, HEADS_UP, SIX_MAX, ONLINE)

#: Programs of which there are hands by the ten thousands: what is learned from them is where all others begin.
PLENTY = (DEEPSTACK, HYPERBOREAN)

#: Populations whose play has much in common: networks are trained further for each of these families.
FAMILIES = (
    (HEADS_UP,),
    (DEEPSTACK,),
    (HYPERBOREAN,),
    (SIX_MAX, PLURIBUS),
    (ONLINE,),
    (IRO, SMOOCT, HITSZ),
    (SHOWN,),
)

#: The first of a family, and the population from whose networks the family goes on (all others: from those for all).
BEGINS_AT = {SHOWN: ONLINE}

#: Programs are known by the names that they play under (the beginning of them); people never are.
_PROGRAMS = (
    ("DeepStack", DEEPSTACK),
    ("Hyperborean14", HYPERBOREAN),
    ("Hyperborean_iro", IRO),
    ("LBR", LBR),
    ("Pluribus", PLURIBUS),
    ("SmooCT", SMOOCT),
    ("HITSZ", HITSZ),
)

#: Names of the programs that the networks know. Who only has the beginning of his name from one of them is another
#: version of it: he is begun at it and learned as a person is. So is LBR, from which no network has learned: it plays
#: otherwise against everybody.
_KNOWN = frozenset(start for start, number in _PROGRAMS if number != LBR) | {"DeepStackFCPA", "HITSZ_CS_14"}


def number(name: str) -> int:
    """Number of a population by name.

    Raises:
        ConfigError: there is none of that name.
    """
    if name not in POPULATIONS:
        raise ConfigError(f"population={name!r}: expected one of {', '.join(NAMES)}")
    return NAMES.index(name)


def of(name: str, spec: GameSpec, players: int | None = None) -> int:
    """The population of a player: that of a program of this name, else that of the people who play such a game."""
    for start, number in _PROGRAMS:
        if name.startswith(start):
            return number
    if spec.betting != "no-limit":
        return UNKNOWN
    if (players or spec.players) == 2:
        return HEADS_UP
    return SIX_MAX if spec.min_raise == "acpc" else ONLINE


def has_habits(name: str, population: int) -> bool:
    """Whether who plays under this name, of the population of :func:`of`, is learned while he plays: people,
    and programs that the networks do not know."""
    return population in PEOPLE or name not in _KNOWN
